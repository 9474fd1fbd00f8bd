"""The program: `main` handles errors and exit codes, the commands do not. Nothing heavy is imported here."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from localagent.bilingual import language_given, language_of_locale
from localagent.bilingual_said import in_language, told
from localagent.cli.own_streams import keep_own_streams
from localagent.cli.process import abandon
from localagent.environment import Environment, as_utf8
from localagent.errors import ExitCode, LocalAgentError, ReaderGone

if TYPE_CHECKING:
    from typer import Typer

# Set by the shell when it wants words to complete, not a run.
COMPLETION_VARIABLE = "_LOCALAGENT_COMPLETE"
# Options that belong to the program, not to its default command.
_PROGRAM_OPTIONS = {"--help", "-h", "--version", "--install-completion", "--show-completion"}
# What a full disk or a lost terminal says of standard output. Faults of files are translated where they happen, and
# have a file's name.
_STREAM_FAULTS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}


def main() -> None:
    """Entry point of the console script."""
    keep_own_streams()
    try:
        code = run([as_utf8(argument) for argument in sys.argv[1:]], Environment.of_process())
    except KeyboardInterrupt:  # before anything was begun
        code = ExitCode.INTERRUPTED
    except (OSError, RuntimeError) as error:  # of the environment: `run` lets nothing out
        sys.stderr.write(f"localagent: the current folder or LOCALAGENT_HOME cannot be used: {error}\n")
        code = ExitCode.STORAGE
    leave(code)


def leave(code: int) -> NoReturn:
    """End the process with this code, whatever the standard streams have become."""
    for stream in (sys.stdout, sys.stderr):
        # What could not be written (a full disk, a terminal that is gone) was met before, or does not matter; the
        # interpreter would try once more and end with a code of its own.
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # closed, or never there
            abandon(stream)
    sys.exit(code)


def run(arguments: Sequence[str], env: Environment) -> int:
    """Run one command and return its exit code; one line on stderr for each kind of fault."""
    arguments = list(arguments)
    debug = "--debug" in arguments
    if debug:
        arguments.remove("--debug")
    # `localagent` alone, and with the options of `chat`, is `localagent chat`.
    bare = not arguments or (arguments[0].startswith("-") and arguments[0] not in _PROGRAM_OPTIONS)
    if bare and COMPLETION_VARIABLE not in env.variables:
        arguments.insert(0, "chat")
    for stream in (env.stdout, env.stderr):
        _speak_utf8(stream)
    env = replace(env, language=language_given(*arguments, otherwise=language_of_locale(env.variables)))
    try:
        return _command(arguments, env)
    except (ReaderGone, BrokenPipeError):
        # As quiet as any other program whose reader has gone.
        abandon(env.stdout)
        return ExitCode.BROKEN_PIPE
    except LocalAgentError as error:
        if debug:
            _traceback(env)
        return _report(env, told(error, env.language), error.exit_code)
    except KeyboardInterrupt:
        return _report(env, in_language("interrupted", env.language), ExitCode.INTERRUPTED)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _STREAM_FAULTS and error.filename is None:
            abandon(env.stdout)
            return _report(env, f"cannot write to standard output: {error.strerror}", ExitCode.STORAGE)
        if debug:
            _traceback(env)
        what = f"internal error: {type(error).__name__}: {error}. Run it again with --debug and report what it shows"
        return _report(env, what, ExitCode.INTERNAL)


def _command(arguments: list[str], env: Environment) -> int:
    if arguments == ["--version"]:  # at once; the option stands in the table of commands as well, for the help
        from localagent import __version__

        print(f"localagent {__version__}", file=env.stdout, flush=True)
        return ExitCode.OK
    if arguments == ["chat"]:  # needs no parsing, and Typer with what it brings is half the time until the prompt
        from localagent.cli.converse import converse
        from localagent.cli.one_shot import Choices

        return converse(env, Choices())
    from typer._click.exceptions import NoArgsIsHelpError
    from typer.exceptions import Abort, TyperException

    from localagent.cli.app import app

    try:
        # Not standalone: `typer.Exit` comes back as the code it carries.
        code = app(arguments, standalone_mode=False, obj=env, prog_name="localagent")
        env.stdout.flush()
    except Abort:
        return _report(env, in_language("interrupted", env.language), ExitCode.INTERRUPTED)
    except NoArgsIsHelpError:  # a group alone (`localagent memory`): Typer has printed its help
        return ExitCode.OK
    except TyperException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "localagent"
        what = error.format_message().replace("Value error, ", "")
        what += "" if what.endswith((".", "?", "!")) else "."
        later = next((word for word in arguments[1:] if word in _names(app)), "")
        if arguments[0] == "chat" and "extra argument" in what and later:  # `localagent --set K=V ask hi`
            what += f" The options of a command stand behind it: localagent {later} [OPTIONS]."
        return _report(env, f"{what} Try: {path} --help", ExitCode.USAGE)
    return code if isinstance(code, int) else ExitCode.OK


def _names(app: Typer) -> set[str]:
    from localagent.cli.app import GROUPS

    return {*GROUPS, *(command.name for command in app.registered_commands if command.name)}


def _traceback(env: Environment) -> None:
    import traceback

    traceback.print_exc(file=env.stderr)


def _report(env: Environment, text: str, code: ExitCode) -> int:
    from localagent.terminal import one_line

    try:
        print(f"localagent: {one_line(text)}", file=env.stderr, flush=True)
    except (OSError, ValueError):  # nobody reads stderr either
        abandon(env.stderr)
    return code


def _speak_utf8(stream: object) -> None:
    """Answers are UTF-8 even where the locale says ASCII (LC_ALL=C); what cannot be written is replaced."""
    if isinstance(stream, io.TextIOWrapper):
        ascii_only = stream.encoding.lower().replace("-", "") in ("ascii", "ansix3.41968", "usascii")
        stream.reconfigure(encoding="utf-8" if ascii_only else stream.encoding, errors="replace")


if __name__ == "__main__":
    main()
