"""Which commands there are, and which of them only ask. It imports nothing."""

from collections.abc import Sequence
from typing import Final

#: Name -> (module, what it does). Modules are imported only when their command is called.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "up": ("up", "Run everything with one command."),
    "ingest": ("ingest", "Receive webhooks for Kafka."),
    "worker": ("worker", "Bring records from Kafka into PostgreSQL."),
    "api": ("api", "Answer questions from PostgreSQL."),
    "report": ("report", "Print the report of one period."),
    "verify": ("verify", "Make a report again from its receipt, and compare the bytes."),
    "pr": ("pr", "Show one pull request's life, with its evidence."),
    "edition": ("edition", "Draft the edition of a period: delivered, in progress, by theme."),
    "publish": ("publish", "Publish an edition as an issue, or as files."),
    "curate": ("curate", "Decide how editions tell something: themes, texts, twins, exclusions."),
    "why": ("why", "Tell why a request is, or is not, told in a report."),
    "included": ("included", "Tell in which releases a pull request is, and why."),
    "releases": ("releases", "List the releases of a repository."),
    "release": ("release", "Show what a release brings, or name releases as readers do."),
    "roadmap": ("roadmap", "Check a roadmap's claims, and show where they differ from the facts."),
    "themes": ("themes", "Suggest rules for the themes of a report."),
    "review": ("review", "Confirm or reject what commits seem to revert, restore or pick."),
    "repositories": ("repositories", "List what was recorded, or join two repositories."),
    "mirror": ("mirror", "Follow the git history of the configured repositories."),
    "import": ("importing", "Import history that GitHub did not send."),
    "send": ("send", "Post stored webhook deliveries, signed."),
    "simulate": ("simulate", "Write a simulated repository with its deliveries."),
    "log": ("log", "Look at, export or import the log."),
    "projections": ("projections", "Look at or rebuild the read model."),
    "deadletters": ("deadletters", "Look at or retry records that were set aside."),
    "backup": ("backup", "Copy the log while it is being written to."),
    "doctor": ("doctor", "Check the data folder."),
    "demo": ("demo", "Run the main job on a simulated repository."),
}

#: How a call begins -> whether it only asks, so that a running `up` or `api` may answer it. The
#: longest beginning counts. What reads or writes files of the caller is carried out by itself.
ASKS: Final[dict[tuple[str, ...], bool]] = {
    ("report",): True,
    ("pr",): True,
    ("edition",): True,
    ("why",): True,
    ("included",): True,
    ("releases",): True,
    ("release",): True,
    ("release", "alias"): False,
    ("release", "alias", "list"): True,
    ("roadmap",): True,
    ("roadmap", "acknowledge"): False,
    ("roadmap", "decide"): False,
    ("themes", "suggest"): True,
    ("review",): True,
    ("repositories",): True,
    ("repositories", "join"): False,
    ("curate", "list"): True,
    ("deadletters", "list"): True,
    ("deadletters", "show"): True,
}
_LONGEST: Final = 3
NO_SERVER: Final = "--no-server"
#: Options of calls that are carried out by the process that was called.
_BY_ITSELF: Final = (NO_SERVER, "--help", "-h", "--receipt", "--compare-edition", "--regroup")


def asks(arguments: Sequence[str]) -> bool:
    """Tell whether a call may be answered by a running process."""
    if any(word.partition("=")[0] in _BY_ITSELF for word in arguments):
        return False
    beginnings = (tuple(arguments[:words]) for words in range(_LONGEST, 0, -1))
    return next((ASKS[words] for words in beginnings if words in ASKS), False)
