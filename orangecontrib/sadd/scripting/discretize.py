"""Discretizations for Orange, a class for each method.

`SADD`, `MDLP`, `CAIM`, `CACC`, `ChiMerge`, `PKID` and `FFD` discretize one variable and
can be used wherever Orange takes a discretization. Their parameters are those of the
estimators of core.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

import numpy as np
from Orange.data import DiscreteVariable, Domain, Table, Variable
from Orange.preprocess.discretize import Discretization

from orangecontrib.sadd.core.columnwise import (
    CACCDiscretizer,
    CAIMDiscretizer,
    ChiMergeDiscretizer,
    FFDDiscretizer,
    PKIDDiscretizer,
)
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.discretizers import MDLPDiscretizer, SADDDiscretizer
from orangecontrib.sadd.core.parameters import select, takes
from orangecontrib.sadd.core.registry import find_method
from orangecontrib.sadd.scripting.cutting import check_class, find_cuts
from orangecontrib.sadd.scripting.intervals import discretized_variable
from orangecontrib.sadd.scripting.labelling import label_rows, with_labeller
from orangecontrib.sadd.scripting.tables import rows_of

__all__ = ["CACC", "CAIM", "FFD", "MDLP", "PKID", "SADD", "ChiMerge",
           "CoreDiscretization", "DiscretizerLike", "check_discretizer",
           "make_estimator"]

#: The name of a method, an estimator of core, or a discretization
DiscretizerLike: TypeAlias = str | Discretizer | Discretization


class CoreDiscretization(Discretization):
    """Base class of discretizations by an estimator of `core`."""

    core: ClassVar[type[Discretizer]]
    # The last table of `_label`, and its pseudo-labels
    _labelled: ClassVar[Any] = None

    def __init_subclass__(cls, core: type[Discretizer] | None = None) -> None:
        if core is not None:
            cls.core = core
            takes(core)(cls)

    def __post_init__(self) -> None:
        # Core takes classifiers only; learners are wrapped when rows are labelled
        with_labeller(self.estimator()).check_parameters()

    def __call__(
        self, data: Table, attribute: Variable | str | int
    ) -> DiscreteVariable:
        """
        Discretize a variable.

        Parameters
        ----------
        data : Table
        attribute : Variable, str or int

        Returns
        -------
        DiscreteVariable

        Raises
        ------
        ValueError
            If the method needs a class, and the data has none.
        """
        var = data.domain[attribute]
        if not var.is_continuous:
            raise ValueError(f"{var.name} is not numeric, so it cannot be discretized.")
        if var not in data.domain.attributes:
            data = data.transform(Domain([var], [
                other for other in data.domain.class_vars if other is not var]))
        # Neighbours are those by all attributes
        features = np.array([data.domain.attributes.index(var)])
        rows, estimator = rows_of(data), self.estimator()
        check_class(rows, estimator)
        labels = self._label(data, rows, estimator)
        cuts = find_cuts(rows, estimator, labels, features=features)
        return discretized_variable(
            var, cuts.cut_points[0], cuts.names[0], cuts.missing)

    def _label(self, data, rows, estimator):
        if not estimator.uses_unlabelled or not rows.labels.n_unlabelled:
            return None
        # `Discretize` passes the same table for each variable
        table = data.domain, len(data), data.checksum(include_metas=False), repr(self)
        if self._labelled is None or self._labelled[0] != table:
            self._labelled = table, label_rows(rows, estimator)
        return self._labelled[1]

    def __getstate__(self):
        return {**vars(self), "_labelled": None}

    def estimator(self) -> Discretizer:
        """Return the estimator, not fitted."""
        return self.core(**select(self.core, vars(self)))


class SADD(CoreDiscretization, core=SADDDiscretizer):
    """
    Semi-supervised adaptive discriminative discretization, SADD.

    Rows without a class are unlabelled, and get the labels of their nearest neighbours.
    For few rows, the threshold is lower than that of MDLP.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from Orange.preprocess import Discretize
    >>> iris = Table("iris")
    >>> SADD()(iris, "petal width").values
    ('< 0.8', '0.8 - 1.35', '1.35 - 1.75', '≥ 1.75')
    >>> Discretize(SADD(n0=500))(iris)[0]
    [< 5.45, ≥ 3.35, < 2.45, < 0.8 | Iris-setosa]
    """


class MDLP(CoreDiscretization, core=MDLPDiscretizer):
    """
    Minimum description length principle, MDLP.

    The cuts of Orange's `EntropyMDL`, found faster.

    Examples
    --------
    >>> from Orange.data import Table
    >>> MDLP()(Table("iris"), "petal length").values
    ('< 2.45', '2.45 - 4.75', '≥ 4.75')
    """


class CAIM(CoreDiscretization, core=CAIMDiscretizer):
    """
    Class-attribute interdependence maximization, CAIM.

    Examples
    --------
    >>> from Orange.data import Table
    >>> CAIM()(Table("iris"), "sepal length").values
    ('< 5.55', '5.55 - 6.25', '≥ 6.25')
    """


class CACC(CoreDiscretization, core=CACCDiscretizer):
    """
    Class-attribute contingency coefficient, CACC.

    Examples
    --------
    >>> from Orange.data import Table
    >>> CACC()(Table("iris"), "sepal length").values
    ('< 5.45', '5.45 - 6.15', '≥ 6.15')
    """


class ChiMerge(CoreDiscretization, core=ChiMergeDiscretizer):
    """
    ChiMerge: merges neighbouring intervals whose classes are distributed alike.

    Examples
    --------
    >>> from Orange.data import Table
    >>> ChiMerge(max_intervals=3)(Table("iris"), "petal width").values
    ('< 0.8', '0.8 - 1.75', '≥ 1.75')
    """


class PKID(CoreDiscretization, core=PKIDDiscretizer):
    """
    Proportional k-interval discretization: sqrt(n) intervals of sqrt(n) rows.

    Examples
    --------
    >>> from Orange.data import Table
    >>> len(PKID()(Table("iris"), "sepal length").values)
    12
    """


class FFD(CoreDiscretization, core=FFDDiscretizer):
    """
    Fixed frequency discretization: intervals of a given number of rows.

    Examples
    --------
    >>> from Orange.data import Table
    >>> FFD()(Table("iris"), "petal length").values
    ('< 1.45', '1.45 - 3.95', '3.95 - 4.65', '4.65 - 5.35', '≥ 5.35')
    """


def make_estimator(discretizer: DiscretizerLike, values: Mapping[str, Any]
                   ) -> Discretizer | None:
    """
    Return the estimator of core, not fitted; None for a discretization of Orange.

    Parameters
    ----------
    discretizer : str, Discretizer or Discretization
        Upper and lower case of a name do not matter.
    values : mapping
        Values by name, of which a method given by its name takes its parameters.

    Examples
    --------
    >>> make_estimator("chimerge", {"significance": 0.1, "k": 5})
    ChiMergeDiscretizer(significance=0.1)
    """
    if isinstance(discretizer, Discretizer):
        return discretizer
    if isinstance(discretizer, CoreDiscretization):
        return discretizer.estimator()
    if isinstance(discretizer, Discretization):
        return None
    method = find_method(discretizer)
    return method.make(**select(method.estimator, values))


def check_discretizer(discretizer: DiscretizerLike, values: Mapping[str, Any]) -> None:
    """
    Raise a ValueError if there is no such method, or if a value is wrong.

    Parameters of SADD are checked even if the method is another.
    """
    for checked in (SADDDiscretizer(**select(SADDDiscretizer, values)),
                    make_estimator(discretizer, values)):
        if checked is not None:
            with_labeller(checked).check_parameters()
