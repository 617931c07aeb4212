"""`shipledger demo`."""

import click

from services.cli.saying import say


@click.command("demo")
@click.option("--once", is_flag=True, help="Print the report and end, instead of staying up.")
@click.option("--port", default=0, help="The port; 0, the default, chooses a free one.")
def command(once: bool, port: int) -> int:
    """Run the main job on a simulated repository, and compare the report with the truth.

    It starts `shipledger up` on a temporary data folder, sends some hundreds of signed deliveries
    over HTTP, prints last month's report, and stays up until Ctrl-C.

    \b
    Example:
      shipledger demo --once
    """
    import signal

    from services.processes.demo import demonstrate

    # Whatever ends it, the process that it started has to be ended too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return demonstrate(say, once=once, port=port)
