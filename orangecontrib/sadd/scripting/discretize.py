"""Discretizations for Orange, a class for each method.

`SADD`, `MDLP`, `CAIM`, `CACC`, `ChiMerge`, `PKID` and `FFD` discretize one variable and
can be used wherever Orange takes a discretization.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from Orange.data import DiscreteVariable, Domain, Table, Variable
from Orange.preprocess.discretize import Discretization

from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.registry import DISCRETIZERS, find_method, make_discretizer
from orangecontrib.sadd.core.types import LabellerLike, Missing, Neighbours
from orangecontrib.sadd.scripting.cutting import check_class, find_cuts
from orangecontrib.sadd.scripting.intervals import discretized_variable
from orangecontrib.sadd.scripting.labelling import with_labeller
from orangecontrib.sadd.scripting.tables import read_rows

__all__ = ["CACC", "CAIM", "FFD", "MDLP", "PKID", "SADD", "ChiMerge",
           "CoreDiscretization", "make_discretization"]


class CoreDiscretization(Discretization):
    """Base class of discretizations by an estimator of `core`."""

    name: ClassVar[str]

    def __post_init__(self) -> None:
        self.estimator()

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
        estimator = self.estimator()
        check_class(data.domain, estimator)
        if var not in data.domain.attributes:
            data = data.transform(Domain([var], [
                other for other in data.domain.class_vars if other is not var]))
        # Neighbours are those by all attributes
        features = np.array([data.domain.attributes.index(var)])
        cuts = find_cuts(read_rows(data), estimator, features=features)
        return discretized_variable(
            var, cuts.cut_points[0], cuts.names[0], cuts.missing)

    def estimator(self) -> Discretizer:
        """Return the estimator, not fitted; ValueError if a parameter is wrong."""
        estimator = make_discretizer(self.name, **vars(self))
        # Core takes classifiers only; learners are wrapped when rows are labelled
        with_labeller(estimator).check_parameters()
        return estimator


@dataclass(repr=False, eq=False)
class _Limited(CoreDiscretization):
    """Base class of discretizations with limits and no other parameters."""

    min_samples: float | None = None
    max_intervals: int | None = None
    missing: Missing = "ignore"


@dataclass(repr=False, eq=False)
class SADD(CoreDiscretization):
    """
    Semi-supervised adaptive discriminative discretization, SADD.

    Rows without a class are unlabelled, and get the labels of their nearest neighbours.
    For few rows, the threshold is lower than that of MDLP.

    ``Discretize(method=SADD())`` searches for neighbours once for each variable.
    `SADDDiscretize` does so once for the table.

    Parameters
    ----------
    k : "auto", "validation", int or sequence of int
        Number of neighbours; "auto" chooses it by leave-one-out, "validation" as in the
        paper.
    n0 : float or None
        Number of rows above which the threshold approaches the threshold of MDLP.
    standardize : bool
        Standardize numeric variables before distances are computed.
    random_state : int
    labeller : "neighbours", "committee", Learner, or list of Learner
        Model that predicts labels of rows without a class: their nearest neighbours;
        logistic regression and random trees together; or any learner. Scikit-learn
        classifiers with `predict_proba` are also possible.
    min_confidence : float
        Rows with a lower best probability are left out.
    min_samples : int or float, optional
        Minimum weight of rows in an interval: a number, or a share below 1.
    max_intervals : int, optional
        Maximum number of intervals. Cuts with the highest gain are kept.
    missing : {"ignore", "interval"}
        Whether missing values have a value of their own, "missing".

    See Also
    --------
    orangecontrib.sadd.core.SADDDiscretizer

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

    name = "SADD"

    k: Neighbours = "auto"
    n0: float | None = 2000
    standardize: bool = True
    random_state: int = 0
    labeller: LabellerLike = "neighbours"
    min_confidence: float = 0
    min_samples: float | None = None
    max_intervals: int | None = None
    missing: Missing = "ignore"


class MDLP(_Limited):
    """
    Minimum description length principle, MDLP.

    The cuts of Orange's `EntropyMDL`, found faster.

    Parameters
    ----------
    min_samples : int or float, optional
        Minimum weight of rows in an interval: a number, or a share below 1.
    max_intervals : int, optional
        Maximum number of intervals. Cuts with the highest gain are kept.
    missing : {"ignore", "interval"}
        Whether missing values have a value of their own, "missing".

    See Also
    --------
    orangecontrib.sadd.core.MDLPDiscretizer

    Examples
    --------
    >>> from Orange.data import Table
    >>> MDLP()(Table("iris"), "petal length").values
    ('< 2.45', '2.45 - 4.75', '≥ 4.75')
    """

    name = "MDLP"


class CAIM(_Limited):
    """
    Class-attribute interdependence maximization, CAIM.

    Parameters
    ----------
    min_samples, max_intervals, missing
        As for `MDLP`.

    See Also
    --------
    orangecontrib.sadd.core.CAIMDiscretizer

    Examples
    --------
    >>> from Orange.data import Table
    >>> CAIM()(Table("iris"), "sepal length").values
    ('< 5.55', '5.55 - 6.25', '≥ 6.25')
    """

    name = "CAIM"


class CACC(_Limited):
    """
    Class-attribute contingency coefficient, CACC.

    Parameters
    ----------
    min_samples, max_intervals, missing
        As for `MDLP`.

    See Also
    --------
    orangecontrib.sadd.core.CACCDiscretizer

    Examples
    --------
    >>> from Orange.data import Table
    >>> CACC()(Table("iris"), "sepal length").values
    ('< 5.45', '5.45 - 6.15', '≥ 6.15')
    """

    name = "CACC"


@dataclass(repr=False, eq=False)
class ChiMerge(CoreDiscretization):
    """
    ChiMerge: merges neighbouring intervals whose classes are distributed alike.

    Parameters
    ----------
    significance : float
        Significance level of chi-square.
    max_intervals : int, optional
        Maximum number of intervals.
    missing : {"ignore", "interval"}
        As for `MDLP`.

    See Also
    --------
    orangecontrib.sadd.core.ChiMergeDiscretizer

    Examples
    --------
    >>> from Orange.data import Table
    >>> ChiMerge(max_intervals=3)(Table("iris"), "petal width").values
    ('< 0.8', '0.8 - 1.75', '≥ 1.75')
    """

    name = "ChiMerge"

    significance: float = 0.05
    max_intervals: int | None = None
    missing: Missing = "ignore"


@dataclass(repr=False, eq=False)
class PKID(CoreDiscretization):
    """
    Proportional k-interval discretization: sqrt(n) intervals of sqrt(n) rows.

    Parameters
    ----------
    missing : {"ignore", "interval"}
        As for `MDLP`.

    See Also
    --------
    orangecontrib.sadd.core.PKIDDiscretizer

    Examples
    --------
    >>> from Orange.data import Table
    >>> len(PKID()(Table("iris"), "sepal length").values)
    12
    """

    name = "PKID"

    missing: Missing = "ignore"


@dataclass(repr=False, eq=False)
class FFD(CoreDiscretization):
    """
    Fixed frequency discretization: intervals of a given number of rows.

    Parameters
    ----------
    frequency : int
    missing : {"ignore", "interval"}
        As for `MDLP`.

    See Also
    --------
    orangecontrib.sadd.core.FFDDiscretizer

    Examples
    --------
    >>> from Orange.data import Table
    >>> FFD()(Table("iris"), "petal length").values
    ('< 1.45', '1.45 - 3.95', '3.95 - 4.65', '4.65 - 5.35', '≥ 5.35')
    """

    name = "FFD"

    frequency: int = 30
    missing: Missing = "ignore"


@dataclass(repr=False, eq=False)
class _EqualWidth(CoreDiscretization):
    name = "EW"

    n_bins: int = 10
    missing: Missing = "ignore"


class _EqualFrequency(_EqualWidth):
    name = "EF"


@dataclass(repr=False, eq=False)
class _OtherDiscretization(CoreDiscretization):
    """A method in `DISCRETIZERS` that has no class of its own here."""

    method: str
    parameters: dict[str, Any]

    def estimator(self):
        estimator = make_discretizer(self.method, **self.parameters)
        estimator.check_parameters()
        return estimator


_CLASSES = {cls.name: cls for cls in (SADD, MDLP, CAIM, CACC, ChiMerge, _EqualWidth,
                                      _EqualFrequency, PKID, FFD)}


def make_discretization(method: str | Discretization, **parameters: Any
                        ) -> Discretization:
    """
    Return the discretization with this name.

    Parameters
    ----------
    method : str or Discretization
        The name of a method, as in `orangecontrib.sadd.core.DISCRETIZERS`; upper and
        lower case do not matter. A discretization is returned as it is.
    **parameters
        Parameters of the method.

    Examples
    --------
    >>> make_discretization("chimerge", significance=0.1)
    ChiMerge(significance=0.1)
    """
    if isinstance(method, Discretization):
        return method
    found = find_method(method)
    if found is None:
        raise ValueError(f"There is no discretization method {method!r}; choose one of "
                         f"{', '.join(DISCRETIZERS)}, or pass a Discretization.")
    if found.name in _CLASSES:
        return _CLASSES[found.name](**parameters)
    return _OtherDiscretization(found.name, parameters)
