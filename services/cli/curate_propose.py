"""`shipledger curate propose`: a language model writes what waits, if one is configured."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from services.cli.options import data_option, json_option
from services.cli.printing import print_json
from services.cli.saying import say

if TYPE_CHECKING:
    from events.facts.editions import Language
    from services.authoring.decisions.proposing import ProposalAnswer


@click.command("propose")
@click.argument("repository", metavar="OWNER/NAME")
@click.option(
    "--period", "named", metavar="PERIOD", required=True, help="The edition that waits: 2026-07, …"
)
@click.option("--tz", metavar="ZONE", help="The zone of the period's days.")
@click.option(
    "--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Of it."
)
@click.option("--accept", "accepted", is_flag=True, help="Record what passed as decisions.")
@json_option
@data_option
def propose(
    repository: str,
    named: str,
    tz: str | None,
    language: "Language",
    accepted: bool,
    as_json: bool,
    data: Path | None,
) -> None:
    """Ask a language model for the sentence of each theme that waits for one.

    The model of [language_model] in shipledger.toml is sent titles and texts of the theme's
    requests; without that setting nothing is sent. A sentence with a number, unit, name or request
    that these do not have is refused, with the reason. What passed is recorded with --accept, by an
    author whose name says that a model wrote it, and is replaced by `shipledger curate summary`.

    \b
    Example:
      shipledger curate propose acme/widget --period 2026-07 --accept
    """
    from services.answers.editions.asking import edition_question
    from services.answers.editions.assemble import assemble_edition
    from services.answers.questions.builder import QuestionRequest
    from services.authoring.decisions.proposing import accept, proposal_answer, summary_gaps
    from services.authoring.decisions.proposing import propose as asked
    from services.cli.answering import up_to_date
    from services.processes.bootstrap import build_language_model, catch_up

    request = QuestionRequest(repository=repository, period=named, zone=tz)
    with up_to_date(data) as stores:
        model = build_language_model(stores.settings)
        with stores.read_model.snapshot() as snapshot:
            question = edition_question(stores, snapshot, request)
            edition = assemble_edition(snapshot, question, stores.histories)
            gaps = summary_gaps(snapshot, edition, language)
        answers: list[ProposalAnswer] = []
        try:
            for proposal in asked(model, gaps):
                record = (
                    accept(stores, edition, proposal, model.name, catch_up) if accepted else None
                )
                answers.append(proposal_answer(proposal, record))
                if not as_json:
                    _tell(answers[-1], accepted=accepted)
        finally:  # what was recorded is told, also where the model went away in between
            if as_json:
                print_json({"model": model.name, "proposals": answers})
            else:
                _sum_up(answers, len(gaps), accepted=accepted)


def _tell(proposal: "ProposalAnswer", *, accepted: bool) -> None:
    pulls = ", ".join(f"#{number}" for number in proposal.pulls)
    say(f"{proposal.section}: {proposal.theme} ({pulls})")
    if proposal.text is None:
        say(f"  refused  {'; '.join(proposal.refused)}")
        say(f"  it said  {proposal.said or 'nothing'}")
        return
    say(f"  {proposal.text}")
    if proposal.record is not None:
        say(f"  recorded {proposal.record}")
    elif accepted:
        say("  not recorded: somebody wrote this sentence while the model was asked")


def _sum_up(answers: "list[ProposalAnswer]", gaps: int, *, accepted: bool) -> None:
    passed = sum(proposal.text is not None for proposal in answers)
    recorded = sum(proposal.record is not None for proposal in answers)
    hint = "" if accepted or not passed else "; add --accept to record what passed"
    say(
        f"{gaps} sentences waited: {passed} passed, {len(answers) - passed} were refused, "
        f"{gaps - len(answers)} were not answered; {recorded} recorded{hint}",
        err=True,
    )
