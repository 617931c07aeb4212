"""The commands by name, and how their errors end.

Exit codes: 0 done; 1 a fault; 2 the call, the question or the configuration has to be changed.
`verify` ends with 3 where a report differs because the program or its rules changed.
Errors are one line on standard error that says what to do.
"""

import errno
import importlib
import sys
import traceback
from collections.abc import Sequence

import click

from events.errors import ConfigurationError, InvalidQuestion, ShipledgerError
from services.cli.asking import reader_has_gone
from services.cli.catalog import COMMANDS
from services.cli.saying import say


class _Commands(click.Group):
    """Imports the module of a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"services.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="shipledger")
def cli() -> None:
    """Release tracking that is right: period ledgers from GitHub events, with their evidence.

    \b
    Example:
      shipledger import git ./Megatron-LM --repo NVIDIA/Megatron-LM
      shipledger report NVIDIA/Megatron-LM --from 2026-07-01 --to 2026-08-01 --tz Asia/Shanghai
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    try:
        return run_expecting(arguments)
    except BrokenPipeError:
        return reader_has_gone()
    except Exception as fault:  # the edge of the process
        unusable = _unusable(sys.argv[1:] if arguments is None else arguments, fault)
        if unusable:
            return _fail(2, unusable)
        traceback.print_exc()
        return _fail(1, f"this is a fault of Shipledger, please report the lines above: {fault}")


def run_expecting(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code. Faults that no command tells of are raised."""
    try:
        outcome = cli.main(arguments, prog_name="shipledger", standalone_mode=False)
        return outcome if isinstance(outcome, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        say(error.format_message())
        return 2
    except click.UsageError as error:
        help_of = error.ctx.command_path if error.ctx else "shipledger"
        return _fail(2, f"{error.format_message()} (see `{help_of} --help`)")
    except (click.exceptions.Exit, click.ClickException) as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _fail(130, "stopped")
    except (InvalidQuestion, ConfigurationError) as error:
        return _fail(2, str(error))
    except ShipledgerError as error:
        return _fail(1, str(error))


def _unusable(arguments: Sequence[str], fault: Exception) -> str:
    """Say which word of the call no name or path can be, empty where the fault is ours."""
    for word in arguments:
        if isinstance(fault, UnicodeEncodeError) and any("\ud800" <= c <= "\udfff" for c in word):
            return f"{word!a} is not UTF-8; names and texts are"
        if isinstance(fault, OSError) and fault.errno == errno.ENAMETOOLONG and len(word) > 255:
            return f"{word[:40]}… is too long for the name of a file"
    return ""


def _fail(code: int, message: str) -> int:
    say(f"error: {message}", err=True)
    return code
