"""Small histories written by hand, and the real one."""

import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from events.facts.git import Commit
from events.instant import parse_instant
from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.history.history import History, read_history
from projections.release_inclusion.history.verdicts import Verdict, verdict
from projections.release_inclusion.messages.references import Names
from tests.places import SHARED

MEGATRON = SHARED / "data" / "megatron"
WHY_SKIPPED = "the real history is not here (../shared beside the repository)"
ACME = Names.of("acme/widget")


def sha_of(name: str) -> str:
    """Return the SHA that a commit of this name has in hand-made histories."""
    return hashlib.sha1(name.encode()).hexdigest()


@dataclass
class Written:
    """A history under construction; commits and tags are called by short names."""

    commits: list[Commit] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)

    def commit(
        self,
        name: str,
        *parents: str,
        subject: str = "",
        message: str = "",
        at: int = 0,
        authored: int | None = None,
        author: str = "dev-a",
    ) -> None:
        """Add a commit; its subject is its name if none is given."""
        self.commits.append(
            Commit(
                sha=sha_of(name),
                parents=tuple(sha_of(parent) for parent in parents),
                # Two commits of one author and second would be one commit and its copy.
                authored_at=at + len(self.commits) if authored is None else authored,
                committed_at=at,
                author=author,
                subject=subject or name,
                message=message,
            )
        )

    def line(self, *subjects: str, after: str | None = None) -> None:
        """Add commits one after the other, each named by its subject."""
        for subject in subjects:
            self.commit(subject, *([after] if after else []))
            after = subject

    def read(self, *requests: Request, patches: Mapping[str, str] | None = None) -> "Asked":
        """Finish: read the history, with `main` as the default branch."""
        branches = {name: sha_of(tip) for name, tip in self.branches.items()}
        tags = {name: sha_of(commit) for name, commit in self.tags.items()}
        history = read_history(
            self.commits,
            branches=branches,
            tags=tags.values(),
            requests=requests,
            names=ACME,
            patches=patches or {},
        )
        return Asked(history, {**branches, **tags})


def line_of(*subjects: str, **tags: str) -> Written:
    """Write one line of history on `main`; tags name subjects."""
    written = Written()
    written.line(*subjects)
    written.branches["main"] = subjects[-1]
    written.tags.update(tags)
    return written


@dataclass
class Asked:
    """A finished history that is asked by tag and branch names."""

    history: History
    tips: Mapping[str, str]

    def verdict(self, number: int, tip: str, *, against: str | None = None) -> Verdict:
        """Ask for one request and one tag or branch."""
        before = self.tips[against] if against else None
        return verdict(self.history, number, self.tips[tip], against=before)

    def included(self, tip: str, *, without: str | None = None) -> set[int]:
        """Return the requests that a tag includes, less those that another one did."""
        found = {n for n in self.history.carriers.numbers() if self._has(n, tip)}
        return {n for n in found if without is None or not self._has(n, without)}

    def _has(self, number: int, tip: str) -> bool:
        return self.verdict(number, tip).outcome == "included"


@dataclass(frozen=True)
class Megatron:
    """The real history, with its refs by full name."""

    commits: tuple[Commit, ...]
    refs: Mapping[str, str]

    @property
    def branches(self) -> dict[str, str]:
        """Branch tips by short name, `main` and `dev` first."""
        short = {r[11:]: sha for r, sha in self.refs.items() if r.startswith("refs/heads/")}
        return {name: short[name] for name in dict.fromkeys(("main", "dev", *sorted(short)))}

    @property
    def tags(self) -> dict[str, str]:
        """Tagged commits by short name."""
        return {r[10:]: sha for r, sha in self.refs.items() if r.startswith("refs/tags/")}


def read_megatron() -> Megatron:
    """Read the real history from the shared data."""
    with gzip.open(MEGATRON / "commits.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    refs = json.loads((MEGATRON / "refs.json").read_text())
    return Megatron(
        tuple(_commit(row) for row in rows), {ref["ref"]: ref["commit"] for ref in refs}
    )


def _commit(row: Mapping[str, object]) -> Commit:
    parents, notes = row["parents"], row["notes"]
    assert isinstance(parents, list)
    assert isinstance(notes, list)
    return Commit(
        sha=str(row["sha"]),
        parents=tuple(parents),
        authored_at=parse_instant(str(row["authored_at"])),
        committed_at=parse_instant(str(row["committed_at"])),
        author=str(row["author"]),
        subject=str(row["subject"]),
        message="\n\n".join(notes),
    )


def ancestors(parents: Mapping[str, Sequence[str]], tip: str) -> set[str]:
    """Return a tip and its ancestors by plain depth-first search: the oracle."""
    seen: set[str] = set()
    stack = [tip]
    while stack:
        sha = stack.pop()
        if sha not in seen:
            seen.add(sha)
            stack += parents.get(sha, ())
    return seen
