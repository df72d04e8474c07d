"""Discretization of Orange tables: a class for each method, and a preprocessor.

`SADD`, `MDLP`, `CAIM`, `CACC`, `ChiMerge`, `PKID` and `FFD` discretize one variable and
can be used wherever Orange takes a discretization. `SADDDiscretize` is a preprocessor:
it discretizes all variables together, and may know a pool of unlabelled rows.
"""

import warnings
from copy import deepcopy
from typing import Any

import numpy as np
from Orange.data import DiscreteVariable, Table, Variable
from Orange.preprocess import Discretize, Preprocess
from Orange.preprocess.discretize import Discretization

from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.registry import make_discretizer
from orangecontrib.sadd.core.types import Callback, LabellerLike, Neighbours
from orangecontrib.sadd.cutting import Discretized, find_cuts
from orangecontrib.sadd.intervals import discretized_variable
from orangecontrib.sadd.labelling import as_labeller, label_rows
from orangecontrib.sadd.tables import Rows, class_codes, read_rows, row_weights

__all__ = ["CACC", "CAIM", "FFD", "MDLP", "PKID", "SADD", "ChiMerge", "SADDDiscretize",
           "SharesPool", "make_discretization"]


class _CoreDiscretization(Discretization):
    """A discretization whose work is done by an estimator of `core`."""

    name: str

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
        """
        var = data.domain[attribute]
        if not var.is_continuous:
            raise ValueError(f"{var.name} is not numeric, so it cannot be discretized.")
        rows = Rows(np.asarray(data.get_column(var), dtype=np.float64)[:, None],
                    class_codes(data), row_weights(data), (var,),
                    data.domain.has_discrete_class, len(data))
        estimator, labels = self.estimator(), None
        if estimator.uses_unlabelled and rows.labelled.any() \
                and np.isnan(rows.y).any():
            # Neighbours are those by all attributes
            labels = label_rows(read_rows(data), estimator)
        cuts, = find_cuts(rows, estimator, labels).cut_points
        return discretized_variable(var, cuts)

    def estimator(self) -> Discretizer:
        """Return the estimator, not fitted; ValueError if a parameter is wrong."""
        parameters = {name: getattr(self, name) for name, _ in self._reprable_fields()}
        estimator = make_discretizer(self.name, **parameters)
        if estimator.uses_unlabelled:
            # Core knows classifiers only; learners become such when rows are labelled
            make_discretizer(self.name, **{**parameters, "labeller": as_labeller(
                self.labeller, ())}).check_parameters()
        else:
            estimator.check_parameters()
        return estimator


class SADD(_CoreDiscretization):
    """
    Semi-supervised adaptive discriminative discretization, SADD.

    Rows without a class are unlabelled: they get the labels of their nearest
    neighbours. The threshold of MDLP is then lowered where rows are few.

    Used in ``Discretize(method=SADD())``, it looks for neighbours once for each
    variable. `SADDDiscretize` does so once for the table.

    Parameters
    ----------
    k : "auto", "validation", int or sequence of int
        Number of neighbours; "auto" chooses it by leaving out one labelled row at
        a time, "validation" as in the paper.
    n0 : float or None
        Number of rows above which the threshold approaches that of MDLP.
    normalize : bool
        Standardize numeric variables before distances are computed.
    random_state : int
    labeller : "neighbours", "committee", Learner, or list of Learner
        Who lends labels to rows without a class: their nearest neighbours; logistic
        regression and five neighbours together; or any learner. Scikit-learn
        classifiers with `predict_proba` are welcome, too.
    min_confidence : float
        Rows whose best probability is below this are left out.

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

    def __init__(self, k: Neighbours = "auto", n0: float | None = 2000,
                 normalize: bool = True, random_state: int = 0,
                 labeller: LabellerLike = "neighbours", min_confidence: float = 0
                 ) -> None:
        self.k = k
        self.n0 = n0
        self.normalize = normalize
        self.random_state = random_state
        self.labeller = labeller
        self.min_confidence = min_confidence
        self.estimator()


class MDLP(_CoreDiscretization):
    """
    Minimum description length principle, MDLP.

    The cuts of Orange's `EntropyMDL`, found faster.

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


class CAIM(_CoreDiscretization):
    """
    Class-attribute interdependence maximization, CAIM.

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


class CACC(_CoreDiscretization):
    """
    Class-attribute contingency coefficient, CACC.

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


class ChiMerge(_CoreDiscretization):
    """
    ChiMerge: merges neighbouring intervals whose classes are distributed alike.

    Parameters
    ----------
    alpha : float
        Significance level of chi-square.
    max_intervals : int, optional
        Merge on as long as there are more intervals than this.

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

    def __init__(self, alpha: float = 0.05, max_intervals: int | None = None) -> None:
        self.alpha = alpha
        self.max_intervals = max_intervals
        self.estimator()


class PKID(_CoreDiscretization):
    """
    Proportional k-interval discretization: sqrt(n) intervals of sqrt(n) rows.

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


class FFD(_CoreDiscretization):
    """
    Fixed frequency discretization: intervals of a given number of rows.

    Parameters
    ----------
    frequency : int

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

    def __init__(self, frequency: int = 30) -> None:
        self.frequency = frequency
        self.estimator()


class _EqualWidth(_CoreDiscretization):
    name = "EW"

    def __init__(self, n_bins=10):
        self.n_bins = n_bins


class _EqualFrequency(_EqualWidth):
    name = "EF"


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
        lower case do not matter. A discretization is given back as it is.
    **parameters
        Parameters of the method.

    Examples
    --------
    >>> make_discretization("chimerge", alpha=0.1)
    ChiMerge(alpha=0.1)
    """
    if isinstance(method, Discretization):
        return method
    for name, cls in _CLASSES.items():
        if isinstance(method, str) and method.lower() == name.lower():
            return cls(**parameters)
    raise ValueError(f"There is no discretization method {method!r}; choose one of "
                     f"{', '.join(_CLASSES)}, or give a Discretization.")


class SharesPool:
    """What objects with a pool of unlabelled rows, `unlabelled`, have in common."""

    def __deepcopy__(self, memo):
        # Test & Score copies each learner; a pool is never changed, so it is shared
        memo[id(self.unlabelled)] = self.unlabelled
        copied = type(self).__new__(type(self))
        memo[id(self)] = copied
        copied.__dict__.update(deepcopy(self.__dict__, memo))
        return copied

    def _reprable_omit_param(self, name, default, value):
        # A table cannot be written as an expression
        return name == "unlabelled" or super()._reprable_omit_param(
            name, default, value)


class SADDDiscretize(SharesPool, Preprocess):
    """
    Discretize numeric attributes, with the help of unlabelled rows.

    Unlabelled are those rows of the data whose class is missing, and all rows of the
    pool, except those that are among the data, too. So the pool may be the very table
    that is being cross-validated: each fold then knows its test rows, but never their
    labels, which is the protocol of the paper (transductive). Without a pool, or with
    other rows, it is inductive.

    Odd data, such as that of a fold with a single class, has fewer cuts or none; only
    wrong parameters are errors, and are so at once.

    Parameters
    ----------
    unlabelled : Table, optional
        The pool. Its columns are matched by name and type, its labels are never read.
        Copies of the preprocessor share it; it is left out of `repr`.
    k, n0, normalize, labeller, min_confidence
        As for `SADD`.
    method : str or Discretization
        Name of another method, to compare with, or a discretization, which then has
        its own parameters. Methods other than SADD do not use the pool.
    remove_const : bool
        Leave out variables with a single interval, unless nothing else would be left.
    random_state : int

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> SADDDiscretize(unlabelled=iris)(iris[::2])[0]
    [< 5.45, ≥ 3.35, < 2.45, < 0.8 | Iris-setosa]
    >>> SADDDiscretize(k=5, method="CAIM")
    SADDDiscretize(k=5, method='CAIM')
    """

    def __init__(self, unlabelled: Table | None = None, k: Neighbours = "auto",
                 n0: float | None = 2000, normalize: bool = True,
                 method: str | Discretization = "SADD", remove_const: bool = True,
                 random_state: int = 0, labeller: LabellerLike = "neighbours",
                 min_confidence: float = 0) -> None:
        self.unlabelled = unlabelled
        self.k = k
        self.n0 = n0
        self.normalize = normalize
        self.method = method
        self.remove_const = remove_const
        self.random_state = random_state
        self.labeller = labeller
        self.min_confidence = min_confidence
        self.discretization()

    def __call__(self, data: Table, callback: Callback | None = None) -> Table:
        """
        Return the discretized data.

        Parameters
        ----------
        data : Table
        callback : callable, optional
            Called with the fraction done. May raise an exception to stop the work.

        Returns
        -------
        Table
        """
        if not self.finds_cuts:
            return Discretize(self.discretization(), self.remove_const)(data)
        return self.find(data, callback).transform(data, self.remove_const)

    @property
    def finds_cuts(self) -> bool:
        """Whether the method is of this package, so that there is `find`."""
        return isinstance(self.discretization(), _CoreDiscretization)

    def find(self, data: Table, callback: Callback | None = None) -> Discretized:
        """
        Return the cut points, and what else was found.

        Parameters
        ----------
        data, callback
            As for calling the preprocessor, whose method must be of this package.
        """
        estimator = self.discretization().estimator()
        rows = read_rows(
            data, self.unlabelled if estimator.uses_unlabelled else None)
        if rows.missing:
            warnings.warn(
                "The unlabelled data lacks variables of the data, which therefore do "
                "not gain from it: "
                f"{', '.join(var.name for var in rows.missing)}.", stacklevel=3)
        return find_cuts(rows, estimator, callback=callback)

    def discretization(self) -> Discretization:
        """Return the method; ValueError if a parameter is wrong."""
        # Parameters of SADD are checked even if the method is another
        sadd = SADD(self.k, self.n0, self.normalize, self.random_state, self.labeller,
                    self.min_confidence)
        if isinstance(self.method, str) and self.method.lower() == "sadd":
            return sadd
        return make_discretization(self.method)
