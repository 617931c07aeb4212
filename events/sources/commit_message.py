"""Which pull request does a commit say it lands? Read from its own message, and from nothing else.

Two shapes are GitHub's own; beside them only those of merge bots count (see `merge_bots`):

* the merge template, `Merge pull request #12 from owner/branch`, on a commit that is a merge;
* a number at the very end of the subject, ` (#12)`, as squash merges append it. A subject can end
  with several; the last one is the request's own (`Fix (#120) (#123)` is 123), what stands inside
  the quotes of `Revert "Tune (#120)"` is never at the end.

Never taken: `owner/other#12`, `GH-12`, `!12`, a number without the space before it that GitHub
always writes (`Cluster stuck(#12)` is a person's note on an issue), any number before the end, any
number in the body.

One number at the end is not the commit's own. `git revert` of `Revert "x (#1)" (#2)` gives
`Reapply "x (#1)" (#2)`: git (2.43 and later) changes the first word and keeps the rest, so #2 is
the request of the revert. The same subject is written by GitHub when a request titled
`Reapply "x (#1)"` is squashed as #2. Where the body holds git's own `This reverts commit` and
just one number follows the quote, the two cannot be told apart, and none is taken; a second number
(`Reapply "x (#1)" (#2) (#3)`) is GitHub's and is taken.

What the words cannot show: a number of another repository whose history was merged in, or an issue
number typed in GitHub's shape. Better evidence (the API's) outranks both.
"""

import re
from typing import Final, Literal, TypeAlias

import msgspec

from events.sources.merge_bots import merged_by_bot, title_in

Method: TypeAlias = Literal["merge subject", "trailing number"]

_NUMBER: Final = r"#([1-9][0-9]{0,8})"
_MERGE: Final = re.compile(rf"Merge pull request {_NUMBER} from [^\s/]+/\S+")
_MERGE_START: Final = re.compile(rf"Merge pull request {_NUMBER} from \S")
_TRAILING: Final = re.compile(rf"(?:^|\s)\({_NUMBER}\)\Z")
_REAPPLY: Final = re.compile(rf'Reapply ".*" \({_NUMBER}\)')
_GIT_REVERT: Final = re.compile(r"^This reverts commit\b", re.MULTILINE)

#: What stands before the text of a message and is no part of it: blanks and byte order marks.
_BEFORE: Final = "\ufeff\ufffe"


def split_message(text: str) -> tuple[str, str]:
    """Return the subject of a commit's whole message and what follows it.

    Lines of blanks before the first word are skipped, as git and GitHub do, and byte order marks
    that an editor left there; only the first line with text is the subject.
    """
    lines = _without_marks(text).lstrip()
    subject, _, rest = lines.partition("\n")
    return subject.strip(), rest.strip("\r\n")


def _without_marks(text: str) -> str:
    before = text
    while (after := before.lstrip().lstrip(_BEFORE)) != before:
        before = after
    return before


class Landing(msgspec.Struct, frozen=True, kw_only=True):
    """A commit's claim to land a pull request; `title` is the request's, where it is shown."""

    number: int
    method: Method
    title: str | None


def landing(subject: str, message: str = "", *, parents: int = 1) -> Landing | None:
    """Return the request that a commit says it lands, or None.

    `message` is what follows the subject. A subject that only begins like the merge template is
    believed of a merge (two parents or more), since the one who merges may add to it; of a commit
    with one parent not even the whole template is: somebody squashed, rebased or picked a merge
    that was made elsewhere, of this repository or another one.
    """
    subject = subject.strip()
    template = _MERGE.fullmatch(subject)
    if template:
        return None if parents == 1 else _merge(template, message)
    trailing = _TRAILING.search(subject)
    if trailing:
        return None if _number_is_the_reverts(subject, message) else _squash(trailing)
    loose = _MERGE_START.match(subject) if parents > 1 else None
    if loose:
        return _merge(loose, message)
    return next(iter(_by_bot(subject, message, parents)), None)


def landings(subject: str, message: str = "", *, parents: int = 1) -> tuple[Landing, ...]:
    """Return all requests that a commit says it lands: a merge bot lands batches."""
    by_bot = _by_bot(subject.strip(), message, parents)
    first = landing(subject, message, parents=parents)
    return by_bot or (() if first is None else (first,))


def _by_bot(subject: str, message: str, parents: int) -> tuple[Landing, ...]:
    return tuple(
        Landing(number=number, method="merge subject", title=title_in(message, number))
        for number in merged_by_bot(subject, parents=parents)
    )


def _merge(match: re.Match[str], message: str) -> Landing:
    title, _ = split_message(message)
    return Landing(number=int(match[1]), method="merge subject", title=title or None)


def _squash(match: re.Match[str]) -> Landing:
    title = match.string[: match.start()].rstrip()
    return Landing(number=int(match[1]), method="trailing number", title=title or None)


def _number_is_the_reverts(subject: str, message: str) -> bool:
    return bool(_REAPPLY.fullmatch(subject) and _GIT_REVERT.search(message))
