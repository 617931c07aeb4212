"""Answers about one request as plain values for JSON."""

from typing import Any

from projections.release_inclusion.history.carriers import Carrier
from projections.release_inclusion.ports import Port
from services.answers.releases.context import ResolvedQuestion
from services.answers.releases.inclusion import Everywhere, Evidence, Inclusion
from services.answers.reports.wording import rfc3339


def inclusion(asked: ResolvedQuestion, answer: Inclusion) -> dict[str, Any]:
    """Return one answer. `by` are requests; `carriers` the commits of the request in the tag."""
    verdict, subject = answer.verdict, answer.subject
    aliases = subject.release.aliases if subject.release else ()
    return {
        "release": subject.name,
        "ref": subject.ref,
        "aliases": list(aliases),
        "number": answer.number,
        "verdict": verdict.outcome,
        "sentence": answer.sentence,
        "because": answer.because,
        "how": verdict.how,
        "by": list(verdict.by),
        "first_shipped_in": answer.first,
        "against": answer.against,
        "new": verdict.new,
        "brings": list(answer.brings),
        "carriers": [carrier(one) for one in verdict.carriers],
        "evidence": [evidence(one) for one in answer.evidence],
        "missing": list(verdict.missing),
        "commit": subject.commit,
        "at": rfc3339(subject.at),
        "dated_by": subject.evidence,
        "notes": list(subject.notes),
        "as_of": rfc3339(asked.as_of),
        "known_at": rfc3339(asked.known_at),
        "settled": asked.settled,
    }


def everywhere(answer: Everywhere) -> dict[str, Any]:
    """Return all answers for one request."""
    asked, shown = answer.asked, answer.attributes
    return {
        **asked.document(),
        "number": answer.number,
        "title": shown.title if shown else None,
        "author": shown.author if shown else None,
        "port": port(answer.port),
        "branches": [inclusion(asked, one) for one in answer.branches],
        "releases": [inclusion(asked, one) for one in answer.releases],
    }


def carrier(one: Carrier) -> dict[str, Any]:
    """Return a commit that carries a request; `via` is the request that brought it."""
    return {
        "sha": one.sha,
        "role": one.role.value,
        "method": one.method.value,
        "landing": one.landing,
        "via": one.via,
    }


def evidence(one: Evidence) -> dict[str, Any]:
    """Return one piece of evidence, with the record that showed it."""
    return {"kind": one.kind, "name": one.name, "record": one.record_id}


def port(one: Port | None) -> dict[str, Any] | None:
    """Return how far a change group has come to the default branch."""
    if one is None:
        return None
    return {
        "number": one.number,
        "branch": one.branch,
        "state": one.state,
        "by": list(one.by),
        "only_on": list(one.on),
    }
