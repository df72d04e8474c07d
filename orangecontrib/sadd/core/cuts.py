"""Cut points of features, and the rows between them: one record for all who need it.

A fit returns `Cuts`. A transformer encodes by them, Orange makes variables of them, the
window edits them, and a file is them. They are lists and arrays over features, so that
thousands of features take no time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from orangecontrib.sadd.core.arithmetic import assign_intervals, contingency
from orangecontrib.sadd.core.intervals import cutsjson, evidence
from orangecontrib.sadd.core.intervals.encoding import MISSING, interval_names
from orangecontrib.sadd.core.methods.criterion import Decision
from orangecontrib.sadd.core.methods.entropy import AcceptedCuts, accept
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import ArrayLike, Floats, Integers, Mask

__all__ = ["Cuts", "Decided", "kept_counts"]

# Cells that are encoded at a time
BLOCK_CELLS = 2 ** 18

# If the tables of all features are larger than this together, they are not kept
KEPT_CELLS = 2 ** 22


class Decided(NamedTuple):
    """
    Decisions about features: the trees, which serve every N0, and what is accepted.

    Attributes
    ----------
    accepted : AcceptedCuts
    features : ndarray of int
        The feature of each tree; -1 for one that was left out.
    max_intervals : int or None
    """

    accepted: AcceptedCuts
    features: Integers
    max_intervals: int | None


@dataclass(frozen=True, eq=False)
class Cuts:
    """
    Cut points of features, and the rows between them. Nothing is changed in place.

    Attributes
    ----------
    cut_points : sequence of ndarray
        Cut points of each feature, in increasing order; none for categorical ones.
    categories : sequence of ndarray or None
        Categories of each feature; None if it is numeric.
    missing : bool
        Whether missing values of numeric features are an interval, the last one.
    information : ndarray of float64, shape (n_features,)
        Mutual information of intervals and class, in bits; NaN if not computed.
    ranges : ndarray, shape (n_features, 2)
        The least and the largest finite value of each numeric feature; or NaN.
    classes : ndarray
        Labels of the classes that are counted.
    counts : sequence of ndarray, shape (n_classes, n_intervals), or None
        Weight of each class in each interval of each feature, without missing values;
        None if not counted.
    missing_counts : ndarray, shape (n_features, n_classes)
        Weight of rows of each class whose value is missing.
    unlabelled : sequence of ndarray, shape (n_intervals + 1,), or None
        Weight of unlabelled rows in each interval of each feature; the last number is
        that of missing values.
    features : sequence of str or of Orange's variables, or None
        Names of features; None for x0, x1 and so on.
    times : sequence of bool
        Whether numbers of each feature are times, in seconds since 1970.
    formats : sequence of callable, or None
        For each feature, a function that returns names of cut points, from short to
        long ones; see `encoding.cut_names`.
    given_names : sequence of (tuple of str or None)
        Names of intervals that were read from a file.
    decided : Decided or None
        Decisions of MDLP or SADD, if they are kept.
    about : mapping
        Other entries of a file: method, parameters, and so on.

    Examples
    --------
    >>> from orangecontrib.sadd.core import MDLPDiscretizer
    >>> mdlp = MDLPDiscretizer().fit([[1], [2], [3], [4]] * 5, [0, 0, 1, 1] * 5)
    >>> cuts = mdlp.cuts_
    >>> cuts.names
    [('< 2.5', '≥ 2.5')]
    >>> cuts.with_cuts({0: [1.5, 3.5]}).codes(np.array([[2.], [4.]]))
    array([[1.],
           [2.]])
    """

    cut_points: Sequence[Floats]
    categories: Sequence[npt.NDArray[Any] | None]
    missing: bool
    information: Floats
    ranges: Floats
    classes: npt.NDArray[Any]
    counts: Sequence[npt.NDArray[Any] | None]
    missing_counts: npt.NDArray[Any]
    unlabelled: Sequence[npt.NDArray[Any]] | None = None
    features: Sequence[Any] | None = None
    times: Sequence[bool] | Mask = ()
    formats: Sequence[Callable | None] | None = None
    given_names: Sequence[tuple[str, ...] | None] = ()
    decided: Decided | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cut_points)

    @cached_property
    def n_intervals(self) -> Integers:
        """Number of intervals, or of categories, of each feature."""
        return np.array([
            len(cuts) + 1 + self.missing if categories is None else len(categories)
            for cuts, categories in zip(self.cut_points, self.categories, strict=True)],
            dtype=int)

    @cached_property
    def names(self) -> list[tuple[str, ...]]:
        """Names of the intervals, or categories, of each feature."""
        return [self._names(feature) for feature in range(len(self))]

    def _names(self, feature):
        if self.given_names and self.given_names[feature]:
            return self.given_names[feature]
        categories, cuts = self.categories[feature], self.cut_points[feature].tolist()
        if categories is not None:
            return tuple(map(str, categories.tolist()))
        name_cuts = self.formats[feature] if self.formats else None
        return interval_names(cuts, name_cuts(cuts) if name_cuts else None) \
            + (MISSING,) * self.missing

    @cached_property
    def feature_names(self) -> list[str]:
        """Names of the features."""
        return [f"x{feature}" for feature in range(len(self))] \
            if self.features is None else list(map(str, self.features))

    def codes(self, X: Floats, n_jobs: int | None = None) -> Floats:
        """
        Return the intervals of numbers; codes of categories are unchanged.

        Parameters
        ----------
        X : ndarray of float64, shape (n_rows, n_features)
        n_jobs : int, optional
            Number of threads; -1 for all cores.
        """
        codes = np.empty(X.shape)

        def encode(rows):
            for feature, (cuts, categories) in enumerate(
                    zip(self.cut_points, self.categories, strict=True)):
                column = X[rows, feature]
                if categories is None:
                    column = assign_intervals(column, cuts, self.missing)
                codes[rows, feature] = column

        # In blocks that a cache holds: each column of a row lies beside the next
        step = max(1024, BLOCK_CELLS // max(1, X.shape[1]))
        blocks = [slice(start, start + step) for start in range(0, len(X), step)]
        for _ in map_in_threads(encode, blocks, n_jobs):
            pass
        return codes

    def take(self, features: Sequence[int] | Integers) -> "Cuts":
        """Return the cuts of some features, in this order."""
        features = np.asarray(features, dtype=int)

        def take(values):
            return [values[feature] for feature in features.tolist()] \
                if values is not None and len(values) else values

        decided = self.decided
        if decided is not None:
            place = np.full(len(self) + 1, -1)
            place[features] = np.arange(len(features))
            decided = decided._replace(features=place[decided.features])
        return replace(
            self, decided=decided, information=self.information[features],
            ranges=self.ranges[features], missing_counts=self.missing_counts[features],
            **{name: take(getattr(self, name)) for name in (
                "cut_points", "categories", "counts", "unlabelled", "features", "times",
                "formats", "given_names")})

    def with_cuts(self, changed: Mapping[int, ArrayLike]) -> "Cuts":
        """
        Return the same with other cut points of some features.

        Rows between these are not counted, and their information is not known; see
        `counted`.

        Parameters
        ----------
        changed : mapping
            Cut points by the number of the feature.
        """
        if not changed:
            return self
        features = list(changed)
        information = self.information.copy()
        information[features] = np.nan
        return replace(
            self, information=information, unlabelled=None,
            cut_points=_changed(self.cut_points, features, [
                np.asarray(cuts, dtype=np.float64) for cuts in changed.values()]),
            counts=_changed(self.counts, features, [None] * len(features)),
            given_names=self.given_names and _changed(
                self.given_names, features, [None] * len(features)))

    def with_n0(self, n0: float | None) -> "Cuts":
        """
        Return the cuts of SADD with another N0, without reading the rows again.

        Parameters
        ----------
        n0 : float or None
            None for MDLP on the same rows.
        """
        if self.decided is None:
            raise ValueError(
                "Fit with store_decisions=True, so that N0 can be changed.")
        accepted = accept(
            self.decided.accepted.trees, n0, self.decided.max_intervals)
        kept = np.flatnonzero(self.decided.features >= 0).tolist()
        features = self.decided.features[kept]
        information = self.information.copy()
        information[features] = accepted.mutual_information()[kept]
        counts = self.counts
        if any(table is not None for table in counts):  # otherwise they were too many
            tables = accepted.counts()
            counts = kept_counts(_changed(
                counts, features, [tables[place] for place in kept]))
        return replace(
            self, information=information, unlabelled=None, counts=counts,
            cut_points=_changed(self.cut_points, features, [
                accepted.cut_points[place] for place in kept]),
            decided=self.decided._replace(accepted=accepted))

    def decisions(self, feature: int) -> list[Decision]:
        """Return the decisions about a feature; none if they are not kept."""
        if self.decided is None:
            return []
        return [decision for place in np.flatnonzero(self.decided.features == feature)
                for decision in self.decided.accepted.decisions(place)]

    def counted(self, columns: Iterable[Floats], classes: Integers, weights: Floats,
                labels: Sequence[Any]) -> "Cuts":
        """
        Return the same with the counts of other rows.

        Parameters
        ----------
        columns : iterable of ndarray of float64, shape (n_rows,)
            Values, or codes of categories, of each feature.
        classes : ndarray of int, shape (n_rows,)
            Rows with a negative one are unlabelled.
        weights : ndarray of float64, shape (n_rows,)
        labels : sequence
            Labels of the classes; none if rows are counted without regard to them.
        """
        n_classes = len(labels) or 1
        classes = np.where(classes < 0, n_classes, classes) if len(labels) \
            else np.zeros(len(classes), dtype=np.int64)
        tables = []
        for column, cuts, categories in zip(
                columns, self.cut_points, self.categories, strict=True):
            n_values = len(cuts) + 1 if categories is None else len(categories)
            codes = assign_intervals(column, cuts, missing=True) \
                if categories is None else np.where(np.isnan(column), n_values, column)
            # Unlabelled rows are the last row, and missing values the last column
            tables.append(contingency(
                codes, classes, n_classes + 1, weights, n_values + 1))
        return replace(
            self, classes=np.array(labels),
            counts=[table[:-1, :-1] for table in tables],
            missing_counts=np.reshape(
                [table[:-1, -1] for table in tables], (len(tables), n_classes)),
            unlabelled=[table[-1] for table in tables])

    def evidence(self) -> pd.DataFrame:
        """
        Return the evidence of each interval about the class: rows, shares, weights.

        Returns
        -------
        pandas.DataFrame
            A row for each interval of each feature; see `evidence.interval_table`.
        """
        if any(counts is None for counts in self.counts):
            raise ValueError(
                "Rows in intervals were not counted. Either there are too many "
                "classes and intervals, or the cut points were read from JSON without "
                "counts.")
        return evidence.interval_table(self)

    def to_json(self) -> str:
        """
        Return the cuts as JSON, see `cutsjson`.

        Decisions are left out.

        Examples
        --------
        >>> from orangecontrib.sadd.core import FFDDiscretizer
        >>> cuts = FFDDiscretizer(frequency=2).fit([[0], [1], [8], [9]]).cuts_
        >>> Cuts.from_json(cuts.to_json()).cut_points
        [array([4.5])]
        """
        return cutsjson.to_text(self)

    @classmethod
    def from_json(cls, text: str) -> "Cuts":
        """
        Return the cuts that `to_json` has written.

        Nothing in the text is executed. A wrong text raises a ValueError, whose message
        continues "The file".
        """
        return cls(**cutsjson.from_text(text))


def _changed(values, features, new):
    """Return a list with new values for some features."""
    values = list(values)
    for feature, value in zip(features, new, strict=True):
        values[feature] = value
    return values


def kept_counts(counts: Sequence[npt.NDArray[Any] | None]
                ) -> Sequence[npt.NDArray[Any] | None]:
    """Return the counts of features, or none if they would take much memory."""
    if sum(table.size for table in counts if table is not None) > KEPT_CELLS:
        return [None] * len(counts)
    return counts
