"""Documents as vectors, by scikit-learn: TF-IDF rows, their principal directions, cosines.

Deterministic: the same documents in the same order give the same figures.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: numpy takes long to import, and most commands need none of it.
Matrix: TypeAlias = "NDArray[np.float64]"

#: Few turns are enough: the cosines that are wanted do not hang on the last digits.
_TURNS: Final = 3
_SEED: Final = 0


def weighted(documents: Sequence[Mapping[str, float]], *, fewest: int = 1) -> Any:
    """Return sparse TF-IDF rows, each of length 1, of terms in at least `fewest` documents."""
    from scipy.sparse import csr_array
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.feature_extraction.text import TfidfTransformer

    counts = csr_array(DictVectorizer().fit_transform(documents))
    frequent = counts[:, (counts > 0).sum(axis=0) >= fewest]
    if not frequent.nnz:
        return csr_array((len(documents), 1))
    return TfidfTransformer().fit_transform(frequent)


def principal(rows: Any, dimensions: int) -> Matrix:
    """Return sparse rows in their `dimensions` principal directions, the strongest first."""
    import numpy as np
    from sklearn.decomposition import TruncatedSVD

    if rows.shape[1] < 2:  # a single column is its own direction
        return np.asarray(rows.toarray())
    model = TruncatedSVD(min(dimensions, *rows.shape), n_iter=_TURNS, random_state=_SEED)
    # rows that are all alike have no variance, by which scikit-learn divides for a figure that
    # nobody asks for
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(model.fit_transform(rows))


def cosines(rows: Any) -> Matrix:
    """Return the cosine of each two rows, sparse or not; a row of zeros is like none."""
    import numpy as np
    from sklearn.metrics.pairwise import cosine_similarity

    return np.asarray(cosine_similarity(rows, dense_output=True))
