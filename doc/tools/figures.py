"""Figures that explain the method, with the functions of the add-on itself."""

import io
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from orangecontrib.sadd.core.splitting.criterion import adaptive_factor, judge, n_log_n
from tools.picture import Picture, Taken

__all__ = ["FIGURES"]

BLUE, ORANGE, GREY = "#2a6ebb", "#c8641e", "#777777"
N0 = 2000


@dataclass
class Drawing(Picture):
    """A figure; `draw` is given axes, and yields the numbers that it has drawn."""

    draw: Callable
    size: tuple[float, float] = (6.4, 3.2)

    def take(self):
        file = io.StringIO()
        # Identifiers and the date would make each file another one
        with rc_context({"svg.hashsalt": self.name, "font.size": 9,
                         "axes.spines.top": False, "axes.spines.right": False}):
            figure = Figure(self.size, layout="constrained")
            numbers = [f"{number:.4g}" for line in self.draw(figure.subplots())
                       for number in line]
            figure.savefig(file, format="svg", metadata={"Date": None})
        text = "\n".join(map(str.rstrip, file.getvalue().splitlines())) + "\n"
        return Taken(text, {"shows": numbers})


def threshold(axes):
    """The threshold of MDLP and SADD over the number of rows, halves alike."""
    rows = np.round(np.geomspace(10, 20000, 60) / 4) * 4
    # The cut leaves in both halves the two classes as they were: the gain is nothing
    totals = np.column_stack((rows / 2, rows / 2))
    theta = judge(totals, totals / 2, None).theta
    adapted = adaptive_factor(rows, N0) * theta
    axes.loglog(rows, theta, "--", color=GREY, label="MDLP")
    axes.loglog(rows, adapted, color=BLUE, label=f"SADD, N0 = {N0:,}")
    axes.fill_between(rows, adapted, theta, color=BLUE, alpha=.12, lw=0)
    axes.set(xlabel="rows in the interval, N", ylabel="gain needed (bits)")
    axes.legend(frameon=False)
    yield from (rows, theta, adapted)


def factor(axes):
    """The factor by which SADD lowers the threshold."""
    rows = np.linspace(0, 10000, 101)
    for n0, style in ((500, ":"), (2000, "-"), (8000, "--")):
        factors = adaptive_factor(rows, n0)
        axes.plot(rows, factors, style, color=BLUE, label=f"N0 = {n0:,}")
        yield factors
    axes.axhline(1, color=GREY, lw=.8)
    axes.annotate("MDLP", (9600, 1), (0, -11), textcoords="offset points",
                  color=GREY, ha="center")
    axes.set(xlabel="rows in the interval, N", ylabel="s(N / N0)", ylim=(.45, 1.05))
    axes.legend(frameon=False, loc="lower right")


def bound(axes):
    """The score of all cuts of a column, and the bound of blocks between them."""
    rng = np.random.default_rng(3)
    n_rows, n_blocks = 4000, 16
    values = rng.normal(size=n_rows)
    classes = (rng.random(n_rows) < 1 / (1 + np.exp(-2 * values))).astype(int)
    left = np.cumsum(np.eye(2)[classes[np.argsort(values)]], axis=0)[:-1]
    totals = np.bincount(classes)
    scores = information(left, totals)
    ends = np.linspace(0, n_rows - 2, n_blocks + 1).astype(int)
    bounds = np.array([block_bound(left[a], left[b], totals)
                       for a, b in zip(ends[:-1], ends[1:], strict=True)])
    known = scores[ends].max()
    axes.plot(np.arange(1, n_rows), scores, color=BLUE, lw=1.2, label="every cut")
    axes.plot(ends + 1, scores[ends], "o", color=BLUE, ms=4, label="cuts of the grid")
    for a, b, height in zip(ends[:-1], ends[1:], bounds, strict=True):
        scanned = height >= known
        axes.plot((a, b), (height, height), lw=2.5,
                  color=ORANGE if scanned else GREY, alpha=1 if scanned else .6,
                  label="bound of a block" if b == ends[-1] else None)
    axes.axhline(known, color=ORANGE, lw=.8, ls="--", label="best cut of the grid")
    axes.set(xlabel="rows left of the cut", ylabel="information gain (bits)")
    axes.legend(frameon=False)
    yield from (bounds, scores[ends])


def information(left, totals):
    """The information gain of cuts with these counts on their left."""
    rows = totals.sum()
    score = (n_log_n(left) + n_log_n(totals - left)).sum(axis=-1)
    split = left.sum(axis=-1)
    score -= n_log_n(split) + n_log_n(rows - split)
    return (score - n_log_n(totals).sum() + n_log_n(rows)) / rows


def block_bound(start, end, totals):
    """The bound of the gain of all cuts between two of the grid."""
    rows = totals.sum()
    middle = (start.sum() + end.sum()) / 2
    slope = np.log2(middle / (rows - middle))
    before = n_log_n(start) + n_log_n(totals - start)
    after = n_log_n(end) + n_log_n(totals - end)
    score = (before.sum() - n_log_n(middle) - n_log_n(rows - middle)
             + slope * (middle - start.sum())
             + np.maximum(after - before - slope * (end - start), 0).sum())
    return (score - n_log_n(totals).sum() + n_log_n(rows)) / rows


FIGURES = (
    Drawing("threshold.svg", threshold),
    Drawing("threshold-factor.svg", factor, (6.4, 2.8)),
    Drawing("class-runs-bound.svg", bound, (6.4, 3.6)),
)
