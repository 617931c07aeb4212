"""Answers about releases in their forms. Pages lead to each other where a `base` path is given."""

from urllib.parse import quote

from services.answers.releases import answer, document, inclusion_answer, inclusion_document
from services.answers.releases.context import ResolvedQuestion
from services.answers.releases.inclusion import Everywhere, Inclusion
from services.answers.releases.listing import Listing
from services.answers.releases.release_page import ReleasePage
from services.answers.releases.reviews import Reviews
from services.documents.forms import Forms


def base_of(full_name: str) -> str:
    """Return the path of a repository in the API."""
    return quote(f"/v1/repositories/{full_name}")


def listing_forms(listing: Listing, base: str | None = None) -> Forms:
    """Return all releases in their forms."""
    return Forms(
        document=lambda: document.listing_document(listing, base),
        answer=lambda: answer.listing_answer(listing),
    )


def page_forms(page: ReleasePage, base: str | None = None) -> Forms:
    """Return one release in its forms."""
    return Forms(
        document=lambda: document.page_document(page, base),
        answer=lambda: answer.page_answer(page),
    )


def everywhere_forms(everywhere: Everywhere, base: str | None = None) -> Forms:
    """Return where one request is in its forms."""
    return Forms(
        document=lambda: inclusion_document.everywhere_document(everywhere, base),
        answer=lambda: inclusion_answer.everywhere_answer(everywhere),
    )


def inclusion_forms(asked: ResolvedQuestion, inclusion: Inclusion) -> Forms:
    """Return one answer in its forms."""
    return Forms(
        document=lambda: inclusion_document.inclusion_document(inclusion),
        answer=lambda: inclusion_answer.inclusion_answer(asked, inclusion),
    )


def reviews_forms(reviews: Reviews) -> Forms:
    """Return what waits for a person in its forms."""
    return Forms(
        document=lambda: inclusion_document.reviews_document(reviews),
        answer=lambda: inclusion_answer.reviews_answer(reviews),
    )
