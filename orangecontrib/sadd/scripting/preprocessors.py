"""Preprocessors for Orange that discretize all variables of a table together."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, replace

import numpy as np
from Orange.data import Table
from Orange.preprocess import Discretize, Preprocess
from Orange.preprocess.discretize import Discretization

from orangecontrib.sadd.core.cuts import Cuts
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.registry import DISCRETIZERS, find_method
from orangecontrib.sadd.core.threads import part_of, use_threads
from orangecontrib.sadd.core.types import Callback, LabellerLike, Missing, Neighbours
from orangecontrib.sadd.scripting.cutting import (
    check_class,
    discretized_table,
    find_cuts,
    find_reason,
)
from orangecontrib.sadd.scripting.discretize import CoreDiscretization
from orangecontrib.sadd.scripting.encodings import (
    ENCODINGS,
    TableEncoding,
    encode_intervals,
)
from orangecontrib.sadd.scripting.labelling import label_rows, summarize, with_labeller
from orangecontrib.sadd.scripting.tables import read_rows
from orangecontrib.sadd.scripting.treatments import Treatment, treat

__all__ = ["SADDDiscretize", "SharesPool"]

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


@dataclass(repr=False, eq=False)
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

    Parameters
    ----------
    unlabelled : Table, optional
        The pool. Its columns are matched by name and type. Its labels are not read.
        Copies of the preprocessor share it; it is left out of `repr`.
    k, n0, standardize, labeller, min_confidence
        As for `SADD`.
    method : str or Discretization
        Name of another method, or a discretization with its own parameters. Methods
        other than SADD do not use the pool.
    remove_const : bool
        Leave out variables with a single interval, unless no other variable is left.
    random_state : int
    min_samples, max_intervals, missing
        As for `SADD`; also for another method that has them, given by its name.
    encode : {"interval", "onehot", "evidence"}
        Encoding of categorical attributes, intervals included: categories; columns of
        zeros and ones; or weights of evidence, learned from the same data. Learners
        that need numbers, such as logistic regression, need one of the latter two.
    treatments : sequence of (str, str, treatment)
        Name and type ("continuous" or "time") of a variable, and its treatment. A
        treatment is a list of cuts, which are used unchanged, "numeric", "remove" or
        the name of a method. Variables that are not in the data are ignored.

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

    unlabelled: Table | None = None
    k: Neighbours = "auto"
    n0: float | None = 2000
    standardize: bool = True
    method: str | Discretization = "SADD"
    remove_const: bool = True
    random_state: int = 0
    labeller: LabellerLike = "neighbours"
    min_confidence: float = 0
    min_samples: float | None = None
    max_intervals: int | None = None
    missing: Missing = "ignore"
    encode: TableEncoding = "interval"
    treatments: Sequence[tuple[str, str, Treatment]] = ()

    def __post_init__(self) -> None:
        if self.encode not in ENCODINGS:
            raise ValueError(
                f"encode must be one of {', '.join(map(repr, ENCODINGS))}, "
                f"not {self.encode!r}.")
        # Parameters of SADD are checked even if the method is another
        with_labeller(self._make(DISCRETIZERS["SADD"])).check_parameters()
        self.estimator()

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
        table, _ = self.discretize(data, callback)
        return encode_intervals(table, self.encode)

    def discretize(self, data: Table, callback: Callback | None = None
                   ) -> tuple[Table, PseudoLabels | None]:
        """Return data with categories, and a summary of the pseudo-labels."""
        estimator = self.estimator()
        if estimator is None:
            return Discretize(self.method, self.remove_const)(data), None
        if data.domain.has_continuous_attributes():
            check_class(data.domain, estimator)
        rows, labels = self._rows(data, estimator), None
        if estimator.uses_unlabelled and np.isnan(rows.y).any() \
                and not find_reason(rows, estimator):
            with use_threads():
                labels = label_rows(rows, estimator, part_of(callback, 0, 0.5))
        cuts = find_cuts(rows, estimator, labels, callback=part_of(callback, 0.5, 1))
        cuts, exempt = treat(
            cuts, [var for var in rows.attributes if var.is_continuous],
            {(name, kind): treatment for name, kind, treatment in self.treatments},
            lambda name: replace(self, method=name).find(data))
        table = discretized_table(
            data, cuts, exempt=exempt, remove_const=self.remove_const)
        return table, summarize(labels, rows, getattr(
            estimator, "min_confidence", 0))

    def find(self, data: Table, callback: Callback | None = None) -> Cuts:
        """
        Return the cut points of numeric attributes.

        Parameters
        ----------
        data, callback
            As for calling the preprocessor. The method must be of this package.
        """
        estimator = self.estimator()
        if estimator is None:
            raise ValueError(f"{self.method!r} is no method of this package.")
        return find_cuts(self._rows(data, estimator), estimator, callback=callback)

    def _rows(self, data, estimator):
        return read_rows(data, self.unlabelled if estimator.uses_unlabelled else None)

    def estimator(self) -> Discretizer | None:
        """Return the estimator, not fitted; None if the method is one of Orange's."""
        if isinstance(self.method, CoreDiscretization):
            return self.method.estimator()
        if isinstance(self.method, Discretization):
            return None
        method = find_method(self.method)
        if method is None:
            raise ValueError(
                f"There is no discretization method {self.method!r}; choose one of "
                f"{', '.join(DISCRETIZERS)}, or pass a Discretization.")
        return self._make(method)

    def _make(self, method):
        """Return the estimator of a method, with those parameters that it has."""
        # `encode` is about all attributes of a table
        names = {parameter.name for parameter in fields(method.estimator)} - {"encode"}
        return method.make(**{parameter.name: getattr(self, parameter.name)
                              for parameter in fields(self) if parameter.name in names})
