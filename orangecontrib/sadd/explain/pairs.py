"""Contributions of pairs of variables, in pictures and in words."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from Orange.data import DiscreteVariable, Table, Variable
from scipy.ndimage import maximum_filter

from orangecontrib.sadd.core.additive.terms import TermModel
from orangecontrib.sadd.core.types import Floats, Integers
from orangecontrib.sadd.explain.contributions import (
    ValueContributions,
    phrase_contributions,
    split_columns,
    value_name,
)
from orangecontrib.sadd.explain.picture import bin_edges
from orangecontrib.sadd.scripting.smoothtables import SADDTablesModel

__all__ = ["CategoryCurves", "PairContributions", "pair_contributions"]

TOGETHER = "beyond what each adds alone"
# Cells of the picture along either axis
N_CELLS = 80
# Rows among which the extremes are sought, so that a window does not wait
MOST_ROWS = 50_000
# Rows are near a place if neither value is farther than this part of the range
NEAR = .05


@dataclass(frozen=True, eq=False)
class PairContributions:
    """
    What two variables add together to the log-odds of each class.

    Attributes
    ----------
    variables : tuple of Variable
    class_var : DiscreteVariable
    classes : ndarray of int
        Indices of the classes that occur in the training rows.
    model : TermModel
        The two variables, and the pair last.
    labelled, unlabelled : ndarray of float64, shape (n_rows, 2)
        Both values of the rows in which both are finite.
    row_classes : ndarray of int
        Of the labelled rows.
    """

    variables: tuple[Variable, Variable]
    class_var: DiscreteVariable
    classes: Integers
    model: TermModel
    labelled: Floats
    unlabelled: Floats
    row_classes: Integers

    @property
    def name(self) -> str:
        """The names of both variables."""
        return " × ".join(var.name for var in self.variables)

    @property
    def n_numeric(self) -> int:
        """How many of the variables are numeric."""
        return sum(knots is not None for knots in self.model.terms[-1].knots)

    @property
    def shown(self) -> Integers:
        """Indices of the classes to choose from: the second one of two."""
        return self.classes[1:] if len(self.classes) == 2 else self.classes

    @property
    def strongest(self) -> int:
        """The class, among those shown, to which the pair adds most."""
        table = np.abs(self.model.terms[-1].table)[..., self.shown]
        return int(self.shown[table.max(axis=(0, 1)).argmax()])

    def reference(self, target: int) -> str:
        """Return what the numbers are."""
        return f"Log-odds for {self.class_var.values[target]}, {TOGETHER}"

    @cached_property
    def rows(self) -> Floats:
        """Both values of all rows in which both are finite."""
        return np.concatenate((self.labelled, self.unlabelled))

    def added(self, places: Floats) -> Floats:
        """Return what the pair adds at places, shape (n_places, n_classes)."""
        return self.model.contributions(places)[:, -1]

    @cached_property
    def ranges(self) -> Floats:
        """The least and the largest value of each variable, shape (2, 2)."""
        ends = []
        for side, knots in enumerate(self.model.terms[-1].knots):
            values = self.rows[:, side] if len(self.rows) or knots is None else knots
            edges = bin_edges(values if len(values) else np.zeros(1))
            ends.append(edges[[0, -1]])
        return np.array(ends)

    def grid(self, target: int) -> tuple[Floats, Floats]:
        """
        Return the picture of two numeric variables.

        Returns
        -------
        adds : ndarray, shape (N_CELLS, N_CELLS)
            In the middle of each cell; the first axis is the first variable.
        is_near : ndarray of bool, shape (N_CELLS, N_CELLS)
            Whether rows lie nearby.
        """
        edges = [np.linspace(low, high, N_CELLS + 1) for low, high in self.ranges]
        first, second = np.meshgrid(
            *((ends[1:] + ends[:-1]) / 2 for ends in edges), indexing="ij")
        adds = self.added(np.column_stack((first.ravel(), second.ravel())))
        counts, *_ = np.histogram2d(
            self.rows[:, 0], self.rows[:, 1], bins=edges)
        reach = 2 * round(NEAR * N_CELLS) + 1
        return (adds[:, target].reshape(first.shape),
                maximum_filter(counts, size=reach) > 0)

    def cells(self, target: int) -> tuple[Floats, Integers, Integers]:
        """
        Return the contributions of two categorical variables, and their rows.

        Returns
        -------
        adds, labelled, unlabelled : ndarray, shape (n_first, n_second)
            Contributions are NaN where there are no rows.
        """
        shape = tuple(len(var.values) for var in self.variables)
        counts = []
        for rows in (self.labelled, self.unlabelled):
            codes = np.ravel_multi_index(rows.astype(np.intp).T, shape)
            counts.append(np.bincount(codes, minlength=shape[0] * shape[1])
                          .reshape(shape))
        table = self.model.terms[-1].table[:shape[0], :shape[1], target]
        adds = np.full(shape, np.nan)
        adds[:table.shape[0], :table.shape[1]] = table
        labelled, unlabelled = counts
        return np.where(labelled + unlabelled > 0, adds, np.nan), labelled, unlabelled

    def curves(self, target: int) -> ValueContributions:
        """Return a curve for each category of a categorical and a numeric variable."""
        term = self.model.terms[-1]
        number = next(side for side in (0, 1) if term.knots[side] is not None)
        category = 1 - number
        table = term.table[..., target]
        seen = np.unique(self.rows[:, category])
        categories = seen.astype(np.intp)[seen < table.shape[category]]
        edges = bin_edges(self.rows[:, number])
        labelled, unlabelled = (np.histogram(rows[:, number], edges)[0]
                                for rows in (self.labelled, self.unlabelled))
        adds = np.moveaxis(table, number, 0)[:, categories]
        return CategoryCurves(
            self.variables[number], self.variables[category], categories, adds,
            labelled, unlabelled, knots=term.knots[number], edges=edges,
            reference=self.reference(target),
            target=str(self.class_var.values[target]))

    def describe_ends(self, target: int) -> str:
        """Return the rows to which the pair adds most and least, in a sentence."""
        if not len(self.rows):
            return ""
        rows = self.rows[::1 + len(self.rows) // MOST_ROWS]
        adds = self.added(rows)[:, target]
        most, least = (f"{self._names(*rows[row])} ({adds[row]:+.2f})"
                       for row in (adds.argmax(), adds.argmin()))
        return f"Adds most to {self.class_var.values[target]} at {most}, " \
               f"least at {least}."

    def _names(self, *values):
        return ", ".join(f"{var.name} {value_name(var, value)}" for var, value
                         in zip(self.variables, values, strict=True))

    def describe_at(self, first: float, second: float, target: int) -> str:
        """Return both values, what they add together, and the rows nearby."""
        classes = self.classes if len(self.classes) == 2 else np.array([target])
        adds = self.added(np.array([[first, second]]))[0, [target]]
        phrase, = phrase_contributions(adds, classes, self.class_var)
        reach = NEAR * np.diff(self.ranges, axis=1).T
        counts = [int(np.all(np.abs(rows - [first, second]) <= reach, axis=1).sum())
                  for rows in (self.labelled, self.unlabelled)]
        rows = f"{counts[0]:,} labelled" + (
            f" and {counts[1]:,} unlabelled" if counts[1] else "")
        return f"{self._names(first, second)}: adds {phrase}; {rows} rows nearby"


@dataclass(frozen=True, eq=False)
class CategoryCurves(ValueContributions):
    """Curves for the categories of a variable, in place of classes."""

    target: str = ""

    @property
    def shown(self) -> tuple[Integers, Floats]:
        return self.classes, self.adds

    @property
    def scale(self) -> str:
        return f"Log-odds for {self.target}"

    def _phrases(self, adds):
        names = self.class_var.values
        return [f"{add:+.2f} with {names[index]}"
                for index, add in zip(self.classes, adds, strict=True)]


def pair_contributions(model: SADDTablesModel, data: Table, pool: Table | None,
                       index: int) -> PairContributions:
    """
    Return the contributions of a pair of a SADD Tables model.

    Parameters are those of `bayes_contributions`; the index is that of the term.

    Examples
    --------
    >>> from orangecontrib.sadd.scripting.smoothtables import SADDTablesLearner
    >>> heart = Table("heart_disease")
    >>> model = SADDTablesLearner(pairs=3, penalty=1)(heart)
    >>> pair = pair_contributions(model, heart, None, len(heart.domain.attributes))
    >>> len(pair.name.split(" × ")), pair.reference(1)
    (2, 'Log-odds for 1, beyond what each adds alone')
    """
    fitted, term = model.fitted, model.fitted.terms[index]
    variables = [model.domain.attributes[feature] for feature in term.features]
    labelled, unlabelled, classes = split_columns(variables, data, pool)
    known, others = (np.isfinite(rows).all(axis=1) for rows in (labelled, unlabelled))
    both = replace(fitted, terms=[*(fitted.terms[feature] for feature in term.features),
                                  replace(term, features=(0, 1))])
    first, second = variables
    return PairContributions(
        (first, second), model.domain.class_var,
        np.flatnonzero(np.isfinite(fitted.intercept)), both,
        labelled[known], unlabelled[others], classes[known].astype(np.intp))
