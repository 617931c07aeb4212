"""Issues, which share their numbers with pull requests."""

from collections.abc import Iterable

from services.simulator.ledger import IssueBook
from services.simulator.payloads import Json, issue, label
from services.simulator.people import Person
from services.simulator.stage import Script, Stage
from services.simulator.team import Team
from services.simulator.truth import Step


class Issue:
    """An issue on the stage; every act sends its snapshot after the act."""

    def __init__(
        self, stage: Stage, *, author: Person, title: str, body: str, labels: Iterable[str] = ()
    ) -> None:
        self.stage, self.author, self.title, self.body = stage, author, title, body
        self.number = stage.number()
        self.labels = list(labels)
        self.reason: str | None = None
        self.created = stage.now
        self.closed: int | None = None
        opened = self.send("opened", {})
        self.book = IssueBook(self.number, title, self._step("opened", opened))
        stage.ledger.issues.append(self.book)

    def label(self, name: str) -> None:
        """Put a label on it."""
        self.labels.append(name)
        self.send("labeled", {"label": label(name, self.stage.place)})

    def close(self, reason: str, by: Person | None = None) -> None:
        """Close it as `completed` or `not_planned`."""
        self.closed, self.reason = self.stage.now, reason
        self.book.changes.append(self._step(reason, self.send("closed", {}, by)))

    def reopen(self, by: Person | None = None) -> None:
        """Open it again."""
        self.closed, self.reason = None, "reopened"
        self.book.changes.append(self._step("reopened", self.send("reopened", {}, by)))

    def rewrite(self, body: str) -> int:
        """Give it another text; return the delivery's index."""
        before, self.body = self.body, body
        return self.send("edited", {"changes": {"body": {"from": before}}})

    def comment(self, text: str, by: Person) -> int:
        """Write a comment under it; return the delivery's index."""
        stage, place = self.stage, self.stage.place
        identity = 4_000_000 + stage.serial()
        shown = self.snapshot()
        page = f"{place.html}/issues/{self.number}#issuecomment-{identity}"
        content: Json = {
            "issue": shown,
            "comment": {
                "id": identity,
                "url": f"{place.api}/issues/comments/{identity}",
                "html_url": page,
                "issue_url": f"{place.api}/issues/{self.number}",
                "user": shown["user"],
                "created_at": shown["updated_at"],
                "updated_at": shown["updated_at"],
                "body": text,
            },
        }
        return stage.emit("issue_comment", "created", content, sender=by, numbers=(self.number,))

    def send(self, action: str, extra: Json, by: Person | None = None) -> int:
        """Send its snapshot as it is now."""
        content = {"issue": self.snapshot(), **extra}
        sender = by or self.author
        return self.stage.emit("issues", action, content, sender=sender, numbers=(self.number,))

    def snapshot(self) -> Json:
        """Show it as the API does at this moment."""
        return issue(
            self.stage.place,
            self.number,
            author=self.author,
            title=self.title,
            body=self.body,
            labels=self.labels,
            times={"created": self.created, "updated": self.stage.now, "closed": self.closed},
            state_reason=self.reason,
        )

    def _step(self, value: str, delivery: int) -> Step[str]:
        return Step(self.stage.now * 1_000_000, value, delivery)


def reported(team: Team) -> Script:
    """Report something; it is closed, sometimes opened again, or left open."""
    rng, stage = team.rng, team.stage
    found = Issue(
        stage,
        author=team.author(),
        title=f"[QUESTION] {team.title()}?",
        body="It does not do what I expect.",
    )
    if rng.random() < 0.5:
        found.label("question")
    if rng.random() < 0.2:
        return
    yield stage.between(2, 300)
    found.close(rng.choice(("completed", "completed", "not_planned")), team.maintainer())
    if rng.random() < 0.3:
        yield stage.between(1, 100)
        found.reopen()
        yield stage.between(1, 200)
        found.close("completed", team.maintainer())
