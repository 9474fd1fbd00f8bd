"""`memory export`, `import`, `ingest` and the editor: entries and files."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from localagent.cli import options, process
from localagent.cli.memory_open import Opened, open_memory
from localagent.environment import Environment
from localagent.errors import Aborted, LocalAgentError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


def export(
    context: typer.Context,
    to: Annotated[Path | None, typer.Option("--to", "-o", help="A new file; standard output if not given.")] = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
) -> None:
    """Write every entry with all that is known of it, a line of JSON each (JSONL)."""
    from localagent.cli.output import print_line, write_new_file

    with open_memory(context, agent, settings) as opened:
        if to is not None:
            count = write_new_file(to, opened.home.export_lines()) - 1  # the first line tells what the file is
            process.say(opened.env, f"exported {process.counted(count, 'memory', 'memories')} to {to}")
            return
        for line in opened.home.export_lines():
            print_line(opened.env, line)


def take_in(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="What `memory export` wrote; - for standard input.")],
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Take entries in from an export; those that are there already stay as they are."""
    from localagent.cli.output import print_json, print_text

    with open_memory(context, agent, settings) as opened:
        with _lines(opened.env, file) as lines:
            counts = opened.home.import_lines(lines)
        if as_json:
            print_json(opened.env, asdict(counts))
        else:
            said = f"{counts.added} added, {counts.updated} brought up to date, {counts.unchanged} here already"
            print_text(opened.env, said)
        opened.settle(seconds=None)


def ingest(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Text, Markdown or PDF.")],
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Take in documents, piece by piece, so that they are found like everything else. Unchanged files are skipped."""
    from localagent.cli.output import print_json

    done: list[dict[str, object]] = []
    first: LocalAgentError | None = None
    with open_memory(context, agent, settings) as opened:
        for path in files:
            try:
                done.append(_ingest(opened, path, quiet=as_json))
            except Aborted:
                _tell_stopped(opened, files, len(done))
                raise
            except LocalAgentError as error:
                first = first or error
                done.append({"file": str(path), "error": str(error)})
                if len(files) > 1:
                    process.say(opened.env, str(error))
        if as_json:
            print_json(opened.env, done)
        try:
            opened.settle(seconds=None)
        except Aborted:
            _tell_stopped(opened, files, len(done))
            raise
    if first is not None:
        raise first if len(files) == 1 else typer.Exit(first.exit_code)


def _tell_stopped(opened: Opened, files: list[Path], done: int) -> None:
    """What was taken in of the files, of which the first ones are `done`; what waits, and how to go on."""
    from localagent.render_memory import waiting_text

    if done < len(files):
        process.say(
            opened.env, f"stopped in {files[done]}, which is not taken in; {done} of {len(files)} files were done"
        )
    else:
        process.say(opened.env, f"taken in: {process.counted(done, 'file')}")
    # Counted by files: before the first vector nothing else waits for one.
    waiting = sum(one.waiting for one in opened.home.documents.known())
    if waiting:
        process.say(opened.env, waiting_text(waiting))
    process.say(opened.env, "the same command again goes on from here; so does a conversation with what waits")


def _ingest(opened: Opened, path: Path, *, quiet: bool) -> dict[str, object]:
    from localagent.cli.output import print_text

    if (opened.env.cwd / path).is_dir():
        raise UsageError(
            "is a folder", where=str(path), hint="Name its files, as in: localagent memory ingest notes/*.md"
        )
    with process.progress_bar(opened.env, path.name, unit="pieces") as progress:
        ingested = opened.home.documents.ingest(
            opened.env.cwd / path, agent=opened.home.agent, progress=progress, abort=opened.abort
        )
    if not quiet:
        print_text(
            opened.env, f"{path}: " + ("unchanged" if ingested.skipped else process.counted(ingested.pieces, "piece"))
        )
    return {"file": str(path), "pieces": ingested.pieces, "skipped": ingested.skipped}


@contextmanager
def _lines(env: Environment, file: str) -> Iterator[Iterable[str]]:
    """Of a file or of standard input, read as they are asked for."""
    from localagent.files import storage_error

    try:
        if file == "-":
            if env.stdin.isatty():
                process.say(env, "reading from the terminal; Ctrl-D ends it")
            yield env.stdin
            return
        with (env.cwd / file).open(encoding="utf-8") as lines:
            yield lines
    except UnicodeDecodeError as error:
        raise UsageError("is not UTF-8 text", where=file, hint="It should be what `memory export` wrote.") from error
    except (FileNotFoundError, IsADirectoryError) as error:
        raise UsageError("is no file", where=file) from error
    except OSError as error:
        raise storage_error(error, Path(file), "read the export") from error


def edited(env: Environment, text: str) -> str:
    """The text as the user left it in their editor. UsageError if that ends with an error."""
    editor = env.variables.get("VISUAL") or env.variables.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    # Readable by the user alone, as the data folder is.
    number, name = tempfile.mkstemp(suffix=".md", prefix="localagent-")
    path = Path(name)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        code = subprocess.run([*shlex.split(editor), name], check=False).returncode
        if code:
            raise UsageError(f"the editor {editor!r} ended with {code}: nothing was changed")
        return path.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError as error:
        raise UsageError("what the editor left is not UTF-8 text: nothing was changed") from error
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the editor {editor!r} cannot be used: {error}", hint="Set EDITOR, or give a TEXT."
        ) from error
    finally:
        path.unlink(missing_ok=True)
