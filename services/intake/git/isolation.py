"""What every git that we start is told: no setting of a clone runs a program or changes history.

A clone's own configuration can name programs for almost anything (`core.fsmonitor`, hooks, pagers,
`diff.external`, `core.sshCommand`, filters and `textconv` of attributes), and its own files can
show another history than the commits do: `info/grafts` and replace refs give commits other
parents, a commit-graph may be older than either. What stands on git's command line goes before the
clone's configuration, so all of it is said there, here, in one place. Objects are named by their
content; where they lie (alternates) changes nothing, as only the clone's own refs are read.

The user's own configuration (`~/.gitconfig`) stays in force where git asks for it alone
(`safe.directory`) and where a remote is reached (credentials, `core.sshCommand`).
"""

import os
from collections.abc import Collection
from typing import Final

#: What of git's own variables is kept: where it is installed and the user's own configuration.
_KEPT: Final = frozenset({"GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL"})

#: Before the clone's configuration: nothing runs, and commits have the parents they name.
SAFE_SETTINGS: Final = (
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.fsmonitor=false",
    "-c", "core.untrackedCache=false",
    "-c", "core.commitGraph=false",
    "-c", "core.useReplaceRefs=false",
    "-c", "core.alternateRefsCommand=true",
    "-c", f"core.attributesFile={os.devnull}",
    "-c", "diff.external=",
    "-c", "log.showSignature=false",
    "-c", "gpg.program=false",
    "-c", "gpg.ssh.program=false",
    "-c", "gpg.x509.program=false",
    "-c", "interactive.diffFilter=",
    "-c", "advice.graftFileDeprecated=false",
)  # fmt: skip

#: For commands that only read: a network connection is never opened, whatever the clone allows.
OFFLINE_SETTINGS: Final = (
    "-c", "protocol.allow=never",
    "-c", "core.sshCommand=false",
    "-c", "core.gitProxy=false",
    "-c", "core.askPass=false",
)  # fmt: skip


def clean_environment(keep: Collection[str] = ()) -> dict[str, str]:
    """Return this process's environment without what would turn git elsewhere or make it ask.

    `keep` names variables of git's own that are wanted all the same.
    """
    wanted = _KEPT.union(keep)
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in wanted}
    return kept | {
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_GRAFT_FILE": os.devnull,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
