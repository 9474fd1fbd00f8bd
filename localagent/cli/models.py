"""`models`: what is installed, and getting more."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from localagent.cli import options, process
from localagent.errors import ModelMissing, ModelUnreachable, UsageError

app = typer.Typer(
    help="List, download and remove models: Ollama's, and those that run in the process.", no_args_is_help=True
)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="smollm2 (built in), hf:owner/repo/file.gguf, or a model of Ollama.")
]


@app.command("list")
def list_models(context: typer.Context, agent: options.Agent = None, as_json: options.AsJson = False) -> None:
    """List the models in the data folder and those of the Ollama server."""
    from dataclasses import asdict

    from localagent.agent_folder import load_agent
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_table, size

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        config = load_agent(env, agent=agent, overrides={}).config.model
        local = workspace.local_models()
        try:
            served = workspace.ollama(config.base_url).installed()
        except ModelUnreachable as error:
            served = []
            process.say(env, f"no Ollama: {error.message}")
    if as_json:
        print_json(env, {"embedded": [asdict(m) for m in local], "ollama": [asdict(m) for m in served]})
        return
    rows = [("embedded", m.name, size(m.size), "unfinished download" if m.unfinished else "") for m in local]
    rows += [("ollama", m.name, size(m.size), ", ".join(sorted(m.capabilities))) for m in served]
    if rows:
        print_table(env, ("provider", "name", "size", "can"), rows)
    else:
        process.say(env, "no models; get the small built-in one with: localagent models pull smollm2")


@app.command("pull")
def pull(context: typer.Context, name: Name, agent: options.Agent = None) -> None:
    """Download a model, with a progress bar. An interrupted download goes on where it stopped, where it can."""
    from localagent.agent_folder import load_agent
    from localagent.build import is_local_name, open_workspace

    env = options.environment(context)
    with (
        process.stop_on_signals() as abort,
        open_workspace(env, say=lambda text: process.say(env, text)) as workspace,
    ):
        bar = partial(process.progress_bar, env)
        if is_local_name(name):
            if name.endswith(".gguf") and not name.startswith("hf:"):
                raise UsageError(f"{name} is a file: use it as it is", hint=f"As in: localagent --model {name}")
            process.say(env, f"the model is in {workspace.fetch(name, bar=bar, abort=abort)}")
        else:
            config = load_agent(env, agent=agent, overrides={}).config.model
            with bar(name) as progress:
                workspace.pull(config.base_url, name, progress=progress, abort=abort)
            process.say(env, f"Ollama has {name}")


@app.command("rm")
def remove(context: typer.Context, name: Name, agent: options.Agent = None, yes: options.Yes = False) -> None:
    """Remove a model from the data folder, or from the Ollama server."""
    from localagent.agent_folder import load_agent
    from localagent.build import is_local_name, open_workspace

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        if not yes and not process.confirm(env, f"Remove {name}?", default=False):
            raise UsageError("not removed", hint="" if env.interactive else "Without a terminal say --yes.")
        if not workspace.remove_local(name):
            if is_local_name(name):
                raise ModelMissing(f"there is no model {name} in the data folder", hint="See: localagent models list")
            config = load_agent(env, agent=agent, overrides={}).config.model
            workspace.ollama(config.base_url).remove(name)
    process.say(env, f"removed {name}")
