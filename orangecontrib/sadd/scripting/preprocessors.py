"""Preprocessors for Orange that discretize all variables of a table together."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from Orange.data import Table
from Orange.preprocess import Discretize, Preprocess

from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.parameters import one_of, parameter, parameters_of, takes
from orangecontrib.sadd.core.threads import part_of
from orangecontrib.sadd.core.types import Callback, NeighbourCount
from orangecontrib.sadd.scripting.cutting import (
    check_class,
    discretized_table,
    find_cuts,
)
from orangecontrib.sadd.scripting.discretize import (
    DiscretizerLike,
    check_discretizer,
    make_estimator,
)
from orangecontrib.sadd.scripting.encodings import (
    ENCODINGS,
    TableEncoding,
    encode_intervals,
)
from orangecontrib.sadd.scripting.labelling import label_rows, summarize
from orangecontrib.sadd.scripting.tables import rows_of
from orangecontrib.sadd.scripting.treatments import Treatment, treat

__all__ = ["SADDDiscretize", "SharesPool", "discretize"]


class SharesPool:
    """Base class of objects with a pool of unlabelled rows, `unlabelled`."""

    def __deepcopy__(self, memo):
        # Test and Score copies each learner; a pool is never changed, so it is shared
        memo[id(self.unlabelled)] = self.unlabelled
        copied = type(self).__new__(type(self))
        memo[id(self)] = copied
        copied.__dict__.update(deepcopy(self.__dict__, memo))
        return copied

    def _reprable_omit_param(self, name, default, value):
        # A table cannot be written as an expression
        return name == "unlabelled" or super()._reprable_omit_param(
            name, default, value)


@takes(SADDDiscretizer)
class SADDDiscretize(SharesPool, Preprocess):
    """
    Discretize numeric attributes, with the help of unlabelled rows.

    Unlabelled rows are rows of the data without a class, and rows of the pool that the
    data lacks. If the pool is the table that is cross-validated, each fold uses
    its test rows without their labels. This is the protocol of the paper
    (transductive). Without a pool, or with other rows, the test is inductive.

    Unusual data, such as a fold with a single class, has fewer cuts or none. Invalid
    parameters raise an error at once. So does a table without a categorical class if
    the method needs one.

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> SADDDiscretize(unlabelled=iris)(iris[::2])[0]
    [< 5.45, ≥ 3.35, < 2.45, < 0.8 | Iris-setosa]
    >>> SADDDiscretize(k=5, method="CAIM")
    SADDDiscretize(k=5, method='CAIM')
    >>> SADDDiscretize(treatments=[
    ...     ["petal length", "continuous", [2.5]],
    ...     ["sepal length", "continuous", "numeric"],
    ...     ["sepal width", "continuous", "remove"]])(iris)[0]
    [5.1, < 2.5, < 0.8 | Iris-setosa]
    """

    unlabelled: Table | None = parameter(
        None, [], "Table, optional", "The pool of unlabelled rows.",
        "Its columns are matched by name and type. Its labels are not read. Copies of "
        "the preprocessor share it; it is left out of `repr`.")
    k: NeighbourCount
    n0: float | None
    standardize: bool
    method: DiscretizerLike = parameter(
        "SADD", [], "str, Discretizer or Discretization",
        "Name of a method, or an object with parameters of its own.",
        "A name takes those of the other parameters that its method has. Methods other "
        "than SADD do not use the pool.")
    remove_const: bool = parameter(
        True, [], "bool", "Leave out variables with a single interval, unless no other "
        "variable is left.")
    encode: TableEncoding = parameter(
        "interval", [one_of(*ENCODINGS)], '{"interval", "onehot", "evidence"}',
        "Encoding of categorical attributes, intervals included: categories; columns "
        "of zeros and ones; or weights of evidence, learned from the same data.",
        "Learners that need numbers, such as logistic regression, need one of the "
        "latter two.", kw_only=True)
    treatments: Sequence[tuple[str, str, Treatment]] = parameter(
        (), [], "sequence of (str, str, treatment)",
        'Name and type ("continuous" or "time") of a variable, and its treatment.',
        'A treatment is a list of cuts, which are used unchanged, "numeric", "remove" '
        "or the name of a method. Variables that are not in the data are ignored.",
        kw_only=True)

    def __post_init__(self) -> None:
        parameters_of(SADDDiscretize)["encode"].check(self.encode, "SADDDiscretize")
        check_discretizer(self.method, vars(self))

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
        table, _ = discretize(data, self.method, vars(self), callback)
        return encode_intervals(table, self.encode)


def discretize(data: Table, discretizer: DiscretizerLike, values: Mapping[str, Any],
               callback: Callback | None = None) -> tuple[Table, PseudoLabels | None]:
    """
    Return data with categories, and a summary of the pseudo-labels.

    Parameters
    ----------
    data : Table
    discretizer : str, Discretizer or Discretization
    values : mapping
        Arguments of `SADDDiscretize` by name.
    callback : callable, optional
        As for `SADDDiscretize`.
    """
    remove_const = values.get("remove_const", True)
    estimator = make_estimator(discretizer, values)
    if estimator is None:
        return Discretize(discretizer, remove_const)(data), None

    def read(estimator):
        return rows_of(data, values.get("unlabelled")
                       if estimator.uses_unlabelled else None)

    def find(name):
        other = make_estimator(name, values)
        return find_cuts(read(other), other)

    rows = read(estimator)
    check_class(rows, estimator)
    labels = label_rows(rows, estimator, part_of(callback, 0, 0.5))
    cuts = find_cuts(rows, estimator, labels, callback=part_of(callback, 0.5, 1))
    cuts, exempt = treat(
        cuts, [var for var in rows.variables if var.is_continuous],
        {(name, kind): treatment
         for name, kind, treatment in values.get("treatments", ())}, find)
    table = discretized_table(data, cuts, exempt=exempt, remove_const=remove_const)
    return table, summarize(labels, rows, getattr(estimator, "min_confidence", 0))
