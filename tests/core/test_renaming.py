"""Names of classes, and the order of columns, carry no information."""

import numpy as np
import pytest

from orangecontrib.sadd.core import SADDDiscretizer


def draw(seed):
    """Draw labelled and unlabelled rows; no two distances are equal."""
    random = np.random.default_rng(seed)
    n_classes = int(random.integers(2, 5))
    y = random.integers(0, n_classes, 90)
    y[:n_classes] = np.arange(n_classes)
    X = random.normal(size=(90, 4)) + np.outer(y, random.normal(size=4))
    return random, X, y, random.random(90) < 0.3


@pytest.mark.parametrize("seed", range(25))
def test_names_and_order(seed):
    random, X, y, labelled = draw(seed)
    labelled[:y.max() + 1] = True
    expected = SADDDiscretizer().fit(X, np.where(labelled, y, -1))
    names = random.permutation(y.max() + 1)
    columns = random.permutation(4)
    renamed = SADDDiscretizer().fit(X, np.where(labelled, names[y], -1))
    reordered = SADDDiscretizer().fit(X[:, columns], np.where(labelled, y, -1))
    assert renamed.k_ == reordered.k_ == expected.k_
    for feature, cuts in enumerate(expected.cut_points_):
        # Equal votes go to the label that comes first, by its name
        if y.max() == 1 and expected.k_ % 2:
            np.testing.assert_array_equal(renamed.cut_points_[feature], cuts)
        place = columns.tolist().index(feature)
        np.testing.assert_array_equal(reordered.cut_points_[place], cuts)
