"""The reason of a verdict as one clause that a reader understands, and the sentence around it."""

from typing import Final

from projections.release_inclusion.history.again import AGAIN
from projections.release_inclusion.history.copy_mentions import (
    COPY,
    SAME_MOMENT,
    SAME_PATCH,
    SAME_TITLE,
)
from projections.release_inclusion.history.verdicts import Outcome, Reason, Verdict
from projections.release_inclusion.queries import KnownCommit
from services.answers.releases.context import ReleaseContext
from services.answers.releases.subjects import Subject
from services.answers.releases.wording import day, listed, requests, short

_LEADS: Final[dict[Outcome, str]] = {
    "included": "#{number} is in {label}",
    "partly": "#{number} is only partly in {label}",
    "reverted": "#{number} is not in {label}",
    "removed": "#{number} is no longer in {label}",
    "not_included": "#{number} is not in {label}",
    "undetermined": "Whether #{number} is in {label} cannot be told",
}

#: What a commit that may be a copy shares with the original, by how it was found.
_LIKENESS: Final = {
    COPY: "author, date and title",
    SAME_MOMENT: "author and date",
    SAME_TITLE: "the title",
    SAME_PATCH: "the patch",
    AGAIN: "the title, or author and date,",
}


def sentence(subject: Subject, verdict: Verdict, because: str) -> str:
    """Return the sentence with which an answer begins."""
    lead = _LEADS[verdict.outcome].format(number=verdict.number, label=subject.label)
    if verdict.reason == "nothing is known of it":
        lead = f"No trace of #{verdict.number} in {subject.label}"
    return f"{lead}: {because}."


class VerdictExplainer:
    """Finds the words for verdicts on one ground."""

    def __init__(self, context: ReleaseContext) -> None:
        self._ground = context
        self._history = context.view.history
        self._commits: dict[str, KnownCommit] = {}

    def of(self, subject: Subject, verdict: Verdict, against: str | None) -> str:
        """Return the clause that follows the colon, without its full stop."""
        match verdict.outcome:
            case "included":
                return self._included(subject, verdict)
            case "partly":
                return self._partly(verdict)
            case "reverted":
                return f"it is there but reverted by {self._undoing(verdict)}"
            case "removed":
                return f"{against} had it, and here it is reverted by {self._undoing(verdict)}"
            case "not_included":
                return self._not_included(subject, verdict)
            case "undetermined":
                return self._undetermined(subject, verdict)

    # --- in ---------------------------------------------------------------------------------------

    def _included(self, subject: Subject, verdict: Verdict) -> str:
        sha = verdict.evidence[-1]
        by = requests(verdict.by) if verdict.by else f"commit {short(sha)}"
        if verdict.how == "restored":
            return f"it was reverted and put back by {by}"
        if verdict.how == "via":
            return f"brought by {by}{self._arrived(sha, subject)}"
        branch, on_day = self._entered(sha, subject)
        if verdict.how == "cherry-picked":
            return f"cherry-picked as {by} to {branch}{on_day}"
        return f"merged to {branch}{on_day}{self._carried(subject, sha, branch)}"

    def _entered(self, sha: str, subject: Subject) -> tuple[str, str]:
        """Return the first long-lived branch that a commit entered, and ` on DAY`."""
        for name, tip in self._history.branches.items():
            entry = self._history.line(tip).entry(sha)
            if entry is not None and self._history.is_in(sha, tip):
                return name, self._on(entry)
        return f"the history of {subject.name}", self._on(sha)

    def _arrived(self, sha: str, subject: Subject) -> str:
        """Return when a commit came to the subject's own line."""
        entry = self._history.line(subject.commit).entry(sha)
        branch = subject.name if subject.kind == "branch" else subject.cut and subject.cut.branch
        return f", merged to {branch}{self._on(entry)}" if entry and branch else ""

    def _carried(self, subject: Subject, sha: str, branch: str) -> str:
        cut = subject.cut
        if subject.kind == "branch":
            return "" if branch == subject.name else f" and carried by {subject.name}"
        if cut is None or branch != self._default:
            return ""
        if cut.branch == branch:
            return " and carried by the tag on that branch"
        line = self._history.line(self._history.branches[branch])
        place = line.position(sha)
        bound = line.position(cut.point) if cut.point else None
        if place is not None and bound is not None and place <= bound:
            return (
                f" and carried by the release branch cut ({cut.branch})"
                if cut.branch
                else (" and carried by the release branch cut")
            )
        return f" and brought to {cut.branch or 'the release'} by a later merge"

    def _partly(self, verdict: Verdict) -> str:
        whole = self._commits_of(verdict.number)
        shas = ", ".join(map(short, verdict.evidence))
        if len(verdict.evidence) < whole:
            return (
                f"{len(verdict.evidence)} of the {whole} commits of its landing are there ({shas})"
            )
        return f"not every commit of its landing is in force there (those are: {shas})"

    # --- taken out --------------------------------------------------------------------------------

    def _undoing(self, verdict: Verdict) -> str:
        owners = {self._history.carriers.own(sha) for sha in verdict.evidence}
        bare = [sha for sha in verdict.evidence if self._history.carriers.own(sha) is None]
        by_requests = [requests(verdict.by)] if verdict.by and owners != {None} else []
        return listed([*by_requests, *(f"commit {short(sha)}" for sha in bare)])

    # --- not in -----------------------------------------------------------------------------------

    def _not_included(self, subject: Subject, verdict: Verdict) -> str:
        if verdict.reason == "open":
            return "it is still open"
        if verdict.reason == "closed without a merge":
            return "it was closed without being merged"
        branch, on_day = self._landed(verdict)
        if not branch:
            return "its commits are on no branch that is known here"
        undone = "" if verdict.branches else ", and is reverted there"
        if branch == self._default and subject.kind == "tag":
            return f"it was merged to {branch}{on_day}, after {self._bound(subject)}{undone}"
        if undone:
            return f"it was merged to {branch}{on_day}{undone}"
        where = "there" if verdict.branches == (branch,) else f"to {branch}"
        return f"it is only on {listed(verdict.branches)}, merged {where}{on_day}"

    def _landed(self, verdict: Verdict) -> tuple[str, str]:
        """Return the foremost branch on which it is in force, else one that has it at all, and
        ` on DAY`; empty where no branch has it.
        """
        carriers = [carrier.sha for carrier in self._history.carriers.of(verdict.number)]
        for name in verdict.branches or self._history.branches:
            tip = self._history.branches[name]
            line = self._history.line(tip)
            alive = [sha for sha in carriers if self._history.is_alive(sha, tip)]
            places = [line.position(sha) for sha in alive or carriers]
            entered = [place for place in places if place is not None]
            if entered:
                return name, self._on(line.commits[min(entered)])
        return "", ""

    def _bound(self, subject: Subject) -> str:
        cut = subject.cut
        if cut is None or cut.branch == self._default:
            return f"the commit that {subject.name} tags"
        return f"the cut{_of(cut.branch) or f' of {subject.name}'}"

    # --- cannot be told ---------------------------------------------------------------------------

    def _undetermined(self, subject: Subject, verdict: Verdict) -> str:
        if verdict.reason == "nothing is known of it":
            return f"no commit there names it{self._head(subject, verdict.number)}"
        commits = listed(f"commit {short(sha)}" for sha in verdict.evidence)
        missing = listed(f"commit {short(sha)}" for sha in verdict.missing[:3])
        more = f" and {len(verdict.missing) - 3} more" if len(verdict.missing) > 3 else ""
        words: dict[Reason, str] = {
            "a revert found no target": f"{commits} says that it reverts #{verdict.number}, and "
            "nothing is found that it could revert",
            "a mention waits for review": f"{commits} may {self._may(verdict)} it"
            f"{self._likeness(verdict)}, and a person has to confirm or reject that",
            "a copy may hold more than its original": self._may_hold_more(commits, verdict),
            "history is incomplete": f"{missing}{more} is not recorded, so what lies behind is not "
            "known; import the whole history",
            "no commit is known": "it was merged, and no commit that carries it is known",
        }
        return words.get(verdict.reason, verdict.reason)

    def _may_hold_more(self, commits: str, verdict: Verdict) -> str:
        return (
            f"{commits} has author, date and title of one of its "
            f"{self._commits_of(verdict.number)} commits and may hold the others too (its patch is "
            "not that one's, or was not read); look at both"
        )

    def _commits_of(self, number: int) -> int:
        landings = self._history.carriers.landings(number)
        return max((len(self._history.content(landing)) for landing in landings), default=0)

    def _head(self, subject: Subject, number: int) -> str:
        """Return where the head of a request is whose state nobody showed."""
        request = self._ground.view.requests.get(number)
        sha = request.head if request else None
        if sha is None:
            return ""
        if sha not in self._commits:
            self._commits |= self._ground.commits([sha])
        known = self._commits.get(sha)
        author = f"{known.commit.author}, " if known and known.commit.author else ""
        dated = f" ({author}{day(known.commit.committed_at)})" if known else ""
        where = "is in its history, where nothing says that this was its merge"
        if sha not in self._history.graph or not self._history.is_in(sha, subject.commit):
            where = "is not in its history"
        return f", and its head {short(sha)}{dated} {where}"

    def _may(self, verdict: Verdict) -> str:
        doubts = self._history.doubts.get(verdict.number, ())
        roles = {d.mention.role.value for d in doubts if d.sha in verdict.evidence}
        return " or ".join(sorted(roles)) or "change"

    def _likeness(self, verdict: Verdict) -> str:
        """Say in what a commit looks like the change, and like which commit of it."""
        for doubt in self._history.doubts.get(verdict.number, ()):
            words = _LIKENESS.get(doubt.mention.method)
            if doubt.sha not in verdict.evidence or words is None:
                continue
            like, among = doubt.mention.sha, doubt.mention.among
            one = f"commit {short(like)}" if like else "several commits"
            several = f"commits {listed([short(sha) for sha in among])}" if among else one
            return f", as it has {words} of {several}"
        return ""

    # --- helpers ----------------------------------------------------------------------------------

    @property
    def _default(self) -> str | None:
        return next(iter(self._history.branches), None)

    def _on(self, sha: str) -> str:
        at = self._history.committed_at(sha)
        return "" if at is None else f" on {day(at)}"


def _of(branch: str | None) -> str:
    return f" of {branch}" if branch else ""
