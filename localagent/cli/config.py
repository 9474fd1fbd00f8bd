"""`config`: what is in force, and where each value came from."""

from __future__ import annotations

import json

import typer

from localagent.cli import options, process

app = typer.Typer(help="Show and check the configuration.", no_args_is_help=True)


@app.command("show")
def show(
    context: typer.Context,
    agent: options.Agent = None,
    model: options.Model = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Print each key's effective value and its origin: a line of a file, a flag, a variable, or the default."""
    from localagent.agent_folder import describe_config, load_agent
    from localagent.cli.output import print_json, print_table

    env = options.environment(context)
    loaded = load_agent(env, agent=agent, overrides=process.overrides(settings, model))
    for notice in loaded.notices:
        process.say(env, notice)
    entries = describe_config(loaded)
    if as_json:
        print_json(env, {key: {"value": value, "origin": origin} for key, value, origin in entries})
    else:
        rows = [(key, json.dumps(value, ensure_ascii=False, default=str), origin) for key, value, origin in entries]
        print_table(env, ("key", "from", "value"), [(key, origin, value) for key, value, origin in rows])


@app.command("check")
def check(context: typer.Context, agent: options.Agent = None, settings: options.Setting = None) -> None:
    """Load the agent with its tools and say everything that is wrong; exit code 3 if anything is."""
    from localagent.agent_folder import load_agent
    from localagent.build_check import check as findings_of
    from localagent.errors import ConfigError, ExitCode

    env = options.environment(context)
    findings = findings_of(env, agent=agent, overrides=process.overrides(settings))
    for finding in findings:
        process.say(env, str(finding))
    if any(isinstance(finding, ConfigError) for finding in findings):
        raise typer.Exit(ExitCode.CONFIG)
    loaded = load_agent(env, agent=agent, overrides=process.overrides(settings))
    typer.echo(f"ok: {loaded.path}", file=env.stdout)
