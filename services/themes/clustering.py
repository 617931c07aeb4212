"""Clusters of requests from titles, paths and authors, learnt without labels.

How near two requests are is the mean of several latent views (TF-IDF of title words, pairs of
words and path words, with titles weighing once to four times, cut to 30 to 160 dimensions) fitted
on all requests of the repository known so far, plus plain TF-IDF of titles, of folders, and a
little for one author. Average linkage joins the nearest until `count` clusters are left.

The weights were chosen on NVIDIA/Megatron-LM's months October 2025 to July 2026, never on the
published grouping of August: once with the scope words of titles (`moe`, `fsdp`, `rl` …) as proxy
labels, kept and taken out of the text, and once with module folders as labels and their paths
taken out. Against the published themes of August the result is measured by
`tests/services/themes/test_published.py`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from projections.period_ledger.themes import ThemeRequest
from services.themes.words import folder_terms, path_terms, title_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

#: How often the title's words count beside those of the paths.
_TITLE_WEIGHTS: Final = (1, 2, 4)
_DIMENSIONS: Final = (30, 50, 80, 120, 160)
#: What is added to the mean of the latent views, each being 0 to 1.
_TITLES, _FOLDERS, _AUTHOR = 1.0, 0.25, 0.2
#: More than these tell nothing new, and cost time.
_HISTORY: Final = 3_000
_SEED: Final = 0


def clusters(
    requests: Sequence[ThemeRequest], history: Sequence[ThemeRequest], count: int
) -> list[int]:
    """Return the cluster of each request, 0 … count - 1 by first appearance.

    The same requests, in the same order, with the same history always give the same answer.
    """
    if len(requests) <= count or count < 2:
        return list(range(len(requests))) if count >= 2 else [0] * len(requests)
    from sklearn.cluster import AgglomerativeClustering
    from threadpoolctl import threadpool_limits

    # These matrices are small: more threads wait for each other longer than they compute.
    with threadpool_limits(1):
        near = likeness(requests, history)
        model = AgglomerativeClustering(count, metric="precomputed", linkage="average")
        labels = model.fit_predict(near.max() - near).tolist()
    order = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    return [order[label] for label in labels]


def likeness(requests: Sequence[ThemeRequest], history: Sequence[ThemeRequest]) -> "Matrix":
    """Return how near each two requests are, 0 and more; the diagonal is the maximum."""
    import numpy as np

    known = {one.number for one in requests}
    corpus = [*requests, *[one for one in history if one.number not in known][-_HISTORY:]]
    size = len(requests)
    near = _latent(corpus, size)
    near += _TITLES * _cosine(_weighted([title_terms(one) for one in corpus])[:size])
    near += _FOLDERS * _cosine(_weighted([folder_terms(one) for one in corpus])[:size])
    authors = [one.author for one in requests]
    near += _AUTHOR * np.array(
        [[float(one is not None and one == other) for other in authors] for one in authors]
    )
    near = np.clip((near + near.T) / 2, 0.0, None)
    np.fill_diagonal(near, near.max())
    # equal to the last digit on machines that add in another order
    return np.round(near, 9)


def _latent(corpus: Sequence[ThemeRequest], size: int) -> "Matrix":
    import numpy as np
    from sklearn.decomposition import TruncatedSVD

    titles, paths = [title_terms(one) for one in corpus], [path_terms(one) for one in corpus]
    views = []
    for weight in _TITLE_WEIGHTS:
        terms = [title * weight + path for title, path in zip(titles, paths, strict=True)]
        weighted = _weighted(terms, fewest=2)
        most = min(max(_DIMENSIONS), *(side - 1 for side in weighted.shape))
        if most < 1:
            return np.zeros((size, size))
        # titles that are all alike have no variance, by which scikit-learn divides for a figure
        # that nobody asks for
        with np.errstate(divide="ignore", invalid="ignore"):
            model = TruncatedSVD(most, n_iter=3, random_state=_SEED).fit(weighted)
        reduced = model.transform(weighted[:size])
        views += [_cosine(reduced[:, : min(cut, most)]) for cut in _DIMENSIONS]
    return np.asarray(np.mean(views, axis=0))


def _weighted(documents: Sequence[Sequence[str]], *, fewest: int = 1) -> Any:
    """Return TF-IDF rows of documents, of terms in at least `fewest` of them."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    fewest = fewest if len(documents) > 3 * fewest else 1
    # a term that no text can hold keeps the vocabulary from being empty
    marked = [*documents, ["\x00"] * fewest, *([["\x00"]] * fewest)]
    model = TfidfVectorizer(analyzer=list, sublinear_tf=True, min_df=fewest)
    return model.fit_transform(marked)[: len(documents)]


def _cosine(rows: Any) -> "Matrix":
    import numpy as np
    from scipy.sparse import issparse
    from sklearn.preprocessing import normalize

    unit = normalize(rows)
    product = unit @ unit.T
    return np.asarray(product.toarray() if issparse(product) else product)
