"""Documents as vectors: TF-IDF rows, their principal directions, cosines.

Deterministic: the same documents in the same order give the same figures.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: numpy takes long to import, and most commands need none of it.
Matrix: TypeAlias = "NDArray[np.float64]"

#: How often a subspace is turned towards the principal one, and how much wider it is.
_TURNS, _WIDER = 4, 10
_SEED: Final = 0


def weighted(documents: Sequence[Mapping[str, float]], *, fewest: int = 1) -> Any:
    """Return sparse TF-IDF rows, each of length 1, of terms in at least `fewest` documents."""
    import numpy as np
    from scipy.sparse import csr_array

    spread = Counter(term for document in documents for term in document)
    places = {term: nth for nth, term in enumerate(t for t, n in spread.items() if n >= fewest)}
    rare = np.log((1 + len(documents)) / (1 + np.array([spread[term] for term in places]))) + 1
    columns, weights, ends = list[int](), list[float](), [0]
    for document in documents:
        for term, weight in document.items():
            if term in places:
                columns.append(places[term])
                weights.append(weight)
        ends.append(len(columns))
    values = np.array(weights, dtype=float) * rare[np.array(columns, dtype=int)]
    lengths = np.sqrt(np.add.reduceat(np.append(values**2, 0.0), ends[:-1]))
    counts = np.diff(ends)
    values /= np.repeat(lengths, counts)
    shape = (len(documents), max(len(places), 1))
    return csr_array((values, np.array(columns, dtype=int), np.array(ends)), shape=shape)


def principal(rows: Any, dimensions: int) -> Matrix:
    """Return sparse rows in their `dimensions` principal directions, the strongest first.

    Found by subspace iteration (Halko, Martinsson and Tropp, 2011), for which few turns are
    enough: the cosines that are wanted of it do not hang on the last digits.
    """
    import numpy as np

    width = min(dimensions + _WIDER, *rows.shape)
    # the stream of the older generator is promised never to change
    basis = np.random.RandomState(_SEED).standard_normal((rows.shape[1], width))
    for _ in range(_TURNS):
        basis = _orthonormal(rows.T @ (rows @ basis))
    shown = rows @ basis
    _, turn = np.linalg.eigh(shown.T @ shown)
    return np.asarray((shown @ turn[:, ::-1])[:, :dimensions])


def _orthonormal(columns: Matrix) -> Matrix:
    """Return orthonormal columns that span the same; those that add nothing become zeros.

    By the small matrix of their products, which for thousands of rows is far quicker than QR.
    """
    import numpy as np

    values, turn = np.linalg.eigh(columns.T @ columns)
    kept = values > max(values[-1], 1.0) * 1e-12
    scale = np.where(kept, 1 / np.sqrt(np.where(kept, values, 1.0)), 0.0)
    return np.asarray(columns @ (turn * scale))


def cosines(rows: Any) -> Matrix:
    """Return the cosine of each two rows, sparse or not; a row of zeros is like none."""
    import numpy as np
    from scipy.sparse import issparse

    if issparse(rows):
        return np.asarray((rows @ rows.T).toarray())
    unit = directions(rows)
    return np.asarray(unit @ unit.T)


def directions(rows: Matrix) -> Matrix:
    """Return rows scaled to length 1; a row of zeros stays."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 1e-12))
