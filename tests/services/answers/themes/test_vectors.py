"""Documents as vectors, against what their definitions say."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from services.answers.themes.vectors import cosines, principal, weighted

DOCUMENTS = [{"moe": 1.0, "router": 1.0}, {"moe": 1.0, "fix": 2.0}, {"fix": 1.0}, {}]


def test_a_rarer_word_weighs_more_and_rows_have_length_one() -> None:
    rows = weighted(DOCUMENTS).toarray()
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1, 0])
    moe, router = np.log(5 / 3) + 1, np.log(5 / 2) + 1
    shown = np.array([moe, router]) / np.hypot(moe, router)
    assert sorted(rows[0][rows[0] > 0]) == pytest.approx(sorted(shown))


def test_words_of_too_few_documents_are_left_out() -> None:
    assert weighted(DOCUMENTS, fewest=2).shape == (4, 2)
    assert weighted([{"a": 1.0}, {"b": 1.0}], fewest=2).nnz == 0


def test_principal_directions_are_those_of_the_singular_values() -> None:
    dense = np.random.RandomState(7).standard_normal((30, 5)) @ np.diag([9, 5, 3, 1, 0.1])
    left, values, _ = np.linalg.svd(dense, full_matrices=False)
    found = principal(csr_array(dense), 3)
    assert np.abs(found) == pytest.approx(np.abs(left[:, :3] * values[:3]), abs=1e-6)


def test_a_single_column_is_its_own_direction() -> None:
    assert principal(csr_array([[2.0], [0.0], [1.0]]), 30).tolist() == [[2.0], [0.0], [1.0]]
    assert principal(weighted([{}, {}]), 30).tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize("rows", [csr_array((3, 4)), np.zeros((3, 4))])
def test_rows_of_zeros_are_like_none(rows: object) -> None:
    assert cosines(rows) == pytest.approx(np.zeros((3, 3)))


def test_the_cosines_of_dense_and_sparse_rows_are_the_same() -> None:
    rows = weighted(DOCUMENTS)
    assert cosines(rows.toarray()) == pytest.approx(cosines(rows))
