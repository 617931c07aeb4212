"""What all scripts of a world share: who works there, on what, and how far the branches are."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias

from services.simulator.landing import merge, rebase, squash
from services.simulator.objects import Commit
from services.simulator.people import AUTHORS, MAINTAINERS, Person
from services.simulator.pulls import Pull, Work
from services.simulator.snapshots import Origin
from services.simulator.stage import Stage
from services.simulator.truth import Relation

Kind: TypeAlias = Literal["code", "test", "ci", "docs"]
KINDS: Final[tuple[Kind, ...]] = ("code", "test", "ci", "docs")

_AREAS: Final = ("attention", "checkpoint", "data", "moe", "optimizer", "pipeline", "rl", "tensor")
_VERBS: Final = ("Add", "Fix", "Support", "Speed up", "Refactor", "Simplify", "Harden", "Expose")
_THINGS: Final = (
    "the token router",
    "sharded loading",
    "packed sequences",
    "the fused kernel",
    "gradient buckets",
    "the `flash` path",
    "async saving",
    "CUDA graph capture",
    "the schedule plan (1/4)",
    "mixed precision: FP8 → BF16",
    "数据管道",
    "rank-local caches",
)
LABELS: Final = ("bug", "enhancement", "needs review", "Run CI", "release note", "complexity: low")


class Team:
    """The people's common knowledge; scripts read and change it."""

    def __init__(self, stage: Stage, *, careless: bool = False) -> None:
        self.stage = stage
        #: The keeper of roadmaps strikes items through, and links requests as issues.
        self.careless = careless
        self.rng = stage.rng
        #: The release branch that takes cherry-picks now, if any.
        self.release: str | None = None
        #: Requests that a roadmap may name.
        self.features: list[Pull] = []
        self.queue: list[Pull] = []
        #: The last commit of main that dev took over.
        self.synced: Commit | None = None
        #: Landings by rebase: a snapshot tag may be put into the middle of one.
        self.rebased: list[Pull] = []

    def author(self) -> Person:
        """Pick somebody to write a change."""
        return self.rng.choice(AUTHORS)

    def maintainer(self) -> Person:
        """Pick somebody who may merge."""
        return self.rng.choice(MAINTAINERS)

    def title(self) -> str:
        """Make up what a change does."""
        area, verb = self.rng.choice(_AREAS), self.rng.choice(_VERBS)
        prefix = self.rng.choice(("", "", f"{area}: ", f"feat({area}): ", f"[{area}] "))
        return f"{prefix}{verb} {self.rng.choice(_THINGS)} in {area}"

    def work(self, commits: int = 1, *, kind: Kind = "code") -> list[Work]:
        """Make up commits; each adds files of its own, so a tree shows what it contains."""
        return [self._commit(kind) for _ in range(commits)]

    def _commit(self, kind: Kind) -> Work:
        serial, area = self.stage.serial(), self.rng.choice(_AREAS)
        paths = {
            "code": [f"src/{area}/part_{serial}.py"],
            "test": [f"tests/{area}/test_{serial}.py"],
            "ci": [f".github/workflows/check_{serial}.yml"],
            "docs": [f"docs/{area}_{serial}.md"],
        }[kind]
        if kind == "code" and self.rng.random() < 0.4:
            paths.append(f"tests/{area}/test_{serial}.py")
        blobs = {path: self.stage.git.blob(f"{path}\n{serial}\n") for path in paths}
        return f"{self.rng.choice(_VERBS)} part {serial} of {area}\n", dict(blobs)

    def open(
        self,
        base: str,
        *,
        title: str | None = None,
        work: list[Work] | None = None,
        author: Person | None = None,
        head: str | None = None,
        body: str | None = "What changes, and why.",
        draft: bool = False,
        origin: Origin = "same",
        relations: Iterable[Relation] = (),
        on: Commit | None = None,
        commits: Sequence[Commit] = (),
    ) -> Pull:
        """Open a pull request now, filling in whatever is not given."""
        author = author or self.author()
        return Pull(
            self.stage,
            author=author,
            title=title or self.title(),
            base=base,
            head=head or f"{author.login.removesuffix('[bot]')}/topic-{self.stage.serial()}",
            work=work or ([] if commits else self.work(self.rng.choice((1, 1, 1, 2, 3)))),
            body=body,
            draft=draft,
            origin=origin,
            relations=relations,
            on=on,
            commits=commits,
        )

    def land(self, pull: Pull, method: Literal["merge", "squash", "rebase"]) -> None:
        """Merge a request now."""
        by = self.maintainer()
        if method == "merge":
            merge(pull, by)
        elif method == "squash":
            squash(pull, by)
        else:
            rebase(pull, by)
            self.rebased.append(pull)
