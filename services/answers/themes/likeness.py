"""How near two requests are, by titles, paths and authors.

Four views are added up:

* the mean cosine of words of titles and paths in few and in more principal directions, learnt
  from all requests known so far: coarse areas as well as fine ones, with titles weighing as much
  as paths, or more;
* the words of titles, and pairs of neighbours, as they stand;
* the folders and files;
* one and the same author.

`services.answers.themes.clustering` says how the weights were chosen.
"""

from collections.abc import Sequence
from typing import Final

from projections.period_ledger.themes import ThemeRequest
from services.answers.themes.vectors import Matrix, cosines, principal, weighted
from services.answers.themes.words import folder_weights, path_weights, title_weights

#: How many principal directions the coarsest to the finest cosine sees.
_DIRECTIONS: Final = (30, 80, 160)
#: What a word counts in a title, being 1 in a path.
_IN_TITLE: Final = (1.0, 2.0, 4.0)
#: What is added to the mean of those cosines, each being 0 to 1.
_TITLES, _FOLDERS, _AUTHOR = 1.0, 0.25, 0.2
#: Older ones tell nothing new, and cost time.
_HISTORY: Final = 3_000


def likeness(requests: Sequence[ThemeRequest], history: Sequence[ThemeRequest]) -> Matrix:
    """Return how near each two requests are, 0 and more; the diagonal is the maximum.

    Words are weighed by the requests and by the last of `history`.
    """
    import numpy as np

    known = {request.number for request in requests}
    corpus = [
        *requests,
        *[request for request in history if request.number not in known][-_HISTORY:],
    ]
    size = len(requests)
    titles = [title_weights(request) for request in corpus]
    views = [_latent(corpus, titles, weight)[:size] for weight in _IN_TITLE]
    near = np.mean([cosines(view[:, :cut]) for view in views for cut in _DIRECTIONS], axis=0)
    near += _TITLES * cosines(weighted(titles)[:size])
    near += _FOLDERS * cosines(weighted([folder_weights(request) for request in corpus])[:size])
    near += _AUTHOR * _same_author(requests)
    near = np.clip((near + near.T) / 2, 0.0, None)
    np.fill_diagonal(near, near.max())
    # equal to the last digit on machines that add in another order
    return np.asarray(np.round(near, 9))


def _latent(
    corpus: Sequence[ThemeRequest], titles: Sequence[dict[str, float]], in_title: float
) -> Matrix:
    """Return each request in principal directions of words, wherever they stand."""
    documents = []
    for request, title in zip(corpus, titles, strict=True):
        document = path_weights(request)
        for term, weight in title.items():
            document[term] = document.get(term, 0.0) + in_title * weight
        documents.append(document)
    return principal(weighted(documents, fewest=2 if len(corpus) > 4 else 1), max(_DIRECTIONS))


def _same_author(requests: Sequence[ThemeRequest]) -> Matrix:
    import numpy as np

    places: dict[str | None, int] = {None: -1}
    mine = np.array([places.setdefault(request.author, len(places)) for request in requests])
    return np.asarray((mine[:, None] == mine[None]) & (mine[:, None] >= 0), dtype=float)
