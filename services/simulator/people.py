"""The people and robots of a world."""

from typing import Final

import msgspec

from services.simulator.objects import Stamp


class Person(msgspec.Struct, frozen=True):
    """An account: `zone` is minutes east of Greenwich, as its commits show it."""

    login: str
    name: str
    id: int
    zone: int = 0
    bot: bool = False

    def stamp(self, at: int) -> Stamp:
        """Sign a commit at a time in seconds."""
        mail = f"{self.id}+{self.login}@users.noreply.github.com"
        return Stamp(self.name, mail, at, self.zone)


AUTHORS: Final = (
    Person("amara-o", "Amara Okafor", 9001, 60),
    Person("bjorn-l", "Bjørn Lund", 9002, 120),
    Person("chen-yu", "陈宇", 9003, 480),
    Person("dilip-r", "Dilip Rao", 9004, 330),
    Person("eva-m", "Eva Morales", 9005, -300),
    Person("farid-k", "Farid Karimi", 9006, 210),
    Person("grace-t", "Grace Tan", 9007, 480),
    Person("henrik", "Henrik Sø", 9008, 60),
    Person("ines-p", "Inês Prado", 9009, -180),
    Person("jun-w", "Jun Watanabe", 9010, 540),
)
MAINTAINERS: Final = AUTHORS[:4]
DEPENDABOT: Final = Person("dependabot[bot]", "dependabot[bot]", 49_699_333, bot=True)
RENOVATE: Final = Person("renovate[bot]", "renovate[bot]", 29_139_614, bot=True)
BOTS: Final = (DEPENDABOT, RENOVATE)
QUEUE: Final = Person("github-merge-queue[bot]", "github-merge-queue[bot]", 118_344_674, bot=True)
#: Cherry-picks and syncs are opened by an account that looks human: a login test fails on it.
PORTER: Final = Person("acme-porter", "Acme Porter", 9900)
#: Merge robots that push by themselves and close the request: GitHub shows no merge of it.
BORS: Final = Person("bors[bot]", "bors[bot]", 26_634_292, bot=True)
_WEB_FLOW: Final = ("GitHub", "noreply@github.com")


def web_flow(at: int) -> Stamp:
    """Return the committer of everything made in GitHub's own pages."""
    return Stamp(*_WEB_FLOW, at)
