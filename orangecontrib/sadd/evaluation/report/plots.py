"""The plots of the report, of figures by contender."""

import numpy as np
import pandas as pd

from orangecontrib.sadd.evaluation.report.drawing import (
    Drawing,
    log_ticks,
    nice_ticks,
    scale,
    shorten,
)
from orangecontrib.sadd.evaluation.report.scores import Contender
from orangecontrib.sadd.evaluation.report.statistics import Friedman, groups_alike

__all__ = [
    "bayesian_plot",
    "gain_plot",
    "interval_plot",
    "rank_plot",
    "time_plot",
]

WIDTH = 720
ROW = 19
LABEL = 26  # characters
KINDS = ("first", "second")


def _signed(tick):
    return f"{tick:+g}".replace("-", "−") if tick else "0"


def _legend(drawing, x, y, entries):
    for kind, label in entries:
        if kind == "tick":
            drawing.line(x, y - 9, x, y + 1, "tick")
        else:
            drawing.circle(x, y - 4, kind=kind)
        drawing.text(x + 9, y, label, kind="muted")
        x += 28 + 7 * len(label)


def gain_plot(
    gains: pd.DataFrame, published: dict[str, float], reference: str, caption: str
) -> Drawing:
    """
    Draw the gains in accuracy on each data set.

    Parameters
    ----------
    gains : DataFrame
        In points, by data set and one or two contenders.
    published : dict of str and float
        Published gains of the first contender.
    reference : str
        The method that the gains are relative to.
    caption : str

    Returns
    -------
    Drawing
    """
    gains = gains.dropna(how="all")
    gains = gains.sort_values(gains.columns[0], ascending=False, kind="stable")
    published = {name: gain for name, gain in published.items() if name in gains.index}
    left, top = 150, 44
    bottom = top + ROW * len(gains)
    drawing = Drawing(
        WIDTH, bottom + 40, f"Gain in accuracy over {reference}",
        "; ".join(
            f"{name}: " + ", ".join(
                f"{c.label} {gain:+.1f}" for c, gain in row.dropna().items()
            )
            for name, row in gains.iterrows()
        ),
        caption,
    )
    values = [*gains.to_numpy().ravel(), *published.values(), 0]
    ticks = nice_ticks(np.nanmin(values), np.nanmax(values), 8)
    x = scale(ticks, left + 10, WIDTH - 20)
    labels = [contender.label for contender in gains.columns]
    entries = list(zip(KINDS, labels, strict=False))
    if published:
        entries.append(("tick", f"{labels[0]}, published"))
    _legend(drawing, left + 10, 16, entries)
    for tick in ticks:
        drawing.line(x(tick), top - 8, x(tick), bottom, "grid" if tick else "zero")
        drawing.text(x(tick), bottom + 16, _signed(tick), "middle")
    drawing.text(
        (left + WIDTH) / 2, bottom + 35, f"points of accuracy above {reference}",
        "middle", "muted",
    )
    for i, (name, row) in enumerate(gains.iterrows()):
        y = top + ROW * (i + 0.5)
        drawing.text(left - 8, y + 4, shorten(name), "end", tip=name)
        drawing.line(left, y, WIDTH - 10, y, "row")
        if name in published:
            drawing.line(x(published[name]), y - 6, x(published[name]), y + 6, "tick")
        known = row.dropna()
        if len(known) == 2:
            drawing.line(x(known.iloc[0]), y, x(known.iloc[1]), y, "link")
        for kind, c in reversed(list(zip(KINDS, gains.columns, strict=False))):
            if c in known:
                tip = f"{name}, {c.label}: {known[c]:+.2f}"
                drawing.circle(x(known[c]), y, kind=kind, tip=tip)
    return drawing


def rank_plot(test: Friedman, caption: str) -> Drawing:
    """
    Draw average ranks and the critical difference, as proposed by Demsar.

    Parameters
    ----------
    test : Friedman
        Of contenders.
    caption : str

    Returns
    -------
    Drawing
    """
    ranks = test.ranks
    n = len(ranks)
    half = (n + 1) // 2
    groups = groups_alike(ranks, test.critical_difference)
    # A bold character of the labels is about 8 wide; a rank takes 40.
    left = 55 + 8 * min(max(len(c.label) for c in ranks.index), LABEL)
    right, top = left + 380, 62
    below = top + 16 + 9 * len(groups)
    drawing = Drawing(
        left + right, below + ROW * half + 12, "Average ranks and critical difference",
        "; ".join(f"{c.label} {rank:.2f}" for c, rank in ranks.items())
        + f"; critical difference {test.critical_difference:.2f}",
        caption,
    )
    x = scale((1, n), left, right)
    drawing.line(left, top, right, top)
    for rank in range(1, n + 1):
        drawing.line(x(rank), top - 6, x(rank), top)
        drawing.text(x(rank), top - 11, rank, "middle", "muted")
    end = min(x(1 + test.critical_difference), right)
    for tick in (left, end):
        drawing.line(tick, 16, tick, 24)
    drawing.line(left, 20, end, 20)
    drawing.text(
        end + 8, 24, f"critical difference {test.critical_difference:.2f}", kind="muted"
    )
    for i, (contender, rank) in enumerate(ranks.items()):
        name = contender.label
        is_left = i < half
        y = below + ROW * (i if is_left else n - 1 - i) + 8
        edge = left - 10 if is_left else right + 10
        drawing.line(x(rank), top, x(rank), y)
        drawing.line(x(rank), y, edge, y)
        kind = "strong" if contender.method == "SADD" else None
        anchor, label_x = ("end", edge - 5) if is_left else ("start", edge + 5)
        label = f"{shorten(name, LABEL)} {rank:.2f}"
        if not is_left:
            label = f"{rank:.2f} {shorten(name, LABEL)}"
        drawing.text(label_x, y + 4, label, anchor, kind, name)
    for i, (first, last) in enumerate(groups):
        y = top + 9 + 9 * i
        ends = x(ranks.iloc[first]) - 4, x(ranks.iloc[last]) + 4
        drawing.rect(ends[0], y - 2, ends[1] - ends[0], 4, "group")
    return drawing


def bayesian_plot(
    rows: list[tuple[Contender, Contender, tuple[float, float, float]]], caption: str
) -> Drawing:
    """
    Draw probabilities of better, equivalent and worse as bars.

    Parameters
    ----------
    rows : list of (Contender, Contender, (float, float, float))
        Two contenders and the probabilities that the first is better, that they are
        equivalent, and that the second is better.
    caption : str

    Returns
    -------
    Drawing
    """
    left, right, top, height = 205, WIDTH - 145, 12, 24
    named = [(one.label, other.label, p) for one, other, p in rows]
    drawing = Drawing(
        WIDTH, top + height * len(rows) + 8, "Bayesian comparison",
        "; ".join(
            f"{one} better than {other} {p[0]:.2f}, equivalent {p[1]:.2f}, "
            f"worse {p[2]:.2f}"
            for one, other, p in named
        ),
        caption,
    )
    x = scale((0, 1), left, right)
    for i, (one, other, p) in enumerate(named):
        y = top + height * i
        drawing.text(left - 8, y + 14, shorten(one, 27), "end", tip=one)
        drawing.text(right + 8, y + 14, shorten(other, 19), tip=other)
        start = 0.0
        for probability, kind in zip(p, ("first", "rope", "third"), strict=True):
            drawing.rect(
                x(start), y, x(start + probability) - x(start), 18, kind,
                f"{probability:.3f}",
            )
            if probability >= 0.08:
                drawing.text(
                    x(start + probability / 2), y + 13.5, f"{probability:.2f}",
                    "middle", "inside" if kind != "rope" else None,
                )
            start += probability
    return drawing


def _free_spot(x, y, text, placed):
    """Return where a label covers none of those placed, and add it to them."""
    width = 7 * len(text)
    while any(
        abs(y - other_y) < 13 and x < other_x + other_width and other_x < x + width
        for other_x, other_y, other_width in placed
    ):
        y += 1
    placed.append((x, y, width))
    return x, y


def interval_plot(points: pd.DataFrame, caption: str) -> Drawing:
    """
    Draw the number of intervals against the accuracy.

    Parameters
    ----------
    points : DataFrame
        Columns ``intervals`` and ``accuracy``, by contender.
    caption : str

    Returns
    -------
    Drawing
    """
    points = points.dropna().sort_values("accuracy", kind="stable")
    left, right, top, bottom = 60, WIDTH - 110, 20, 300
    drawing = Drawing(
        WIDTH, bottom + 44, "Intervals against accuracy",
        "; ".join(
            f"{c.label}: {row.intervals:.1f} intervals, {row.accuracy:.2f} %"
            for c, row in points.iterrows()
        ),
        caption,
    )
    columns = log_ticks(points["intervals"].min(), points["intervals"].max())
    levels = nice_ticks(points["accuracy"].min() - 0.2, points["accuracy"].max() + 0.2)
    x = scale(columns, left, right, np.log10)
    y = scale(levels, bottom, top)
    for tick in columns:
        drawing.line(x(tick), top, x(tick), bottom, "grid")
        drawing.text(x(tick), bottom + 17, f"{tick:g}", "middle")
    for tick in levels:
        drawing.line(left, y(tick), right, y(tick), "grid")
        drawing.text(left - 8, y(tick) + 4, f"{tick:g}", "end")
    drawing.text(left, 10, "accuracy, %", "middle", "muted")
    drawing.text(
        (left + right) / 2, bottom + 38,
        "intervals of a numeric attribute, logarithmic", "middle", "muted",
    )
    placed: list[tuple[float, float, float]] = []
    for contender, row in points.iloc[::-1].iterrows():
        name = contender.label
        spot = x(row["intervals"]), y(row["accuracy"])
        kind = "first" if contender.method == "SADD" else "plain"
        tip = f"{name}: {row['intervals']:.2f} intervals, {row['accuracy']:.2f} %"
        drawing.circle(*spot, 5.5, kind, tip)
        label_x, label_y = _free_spot(spot[0] + 10, spot[1] + 4, name, placed)
        drawing.text(label_x, label_y, name)
    return drawing


def time_plot(seconds: pd.Series, caption: str) -> Drawing:
    """
    Draw times on a logarithmic axis.

    Parameters
    ----------
    seconds : Series
        Positive, by name of the method.
    caption : str

    Returns
    -------
    Drawing
    """
    seconds = seconds.sort_values(kind="stable")
    left, right, top = 205, WIDTH - 80, 8
    bottom = top + 22 * len(seconds)
    drawing = Drawing(
        WIDTH, bottom + 42, "Run time",
        "; ".join(f"{name} {value:.3g} s" for name, value in seconds.items()),
        caption,
    )
    ticks = 10.0 ** np.arange(
        np.floor(np.log10(seconds.min()) - 0.2), np.ceil(np.log10(seconds.max())) + 1
    )
    x = scale(ticks, left, right, np.log10)
    for tick in ticks:
        drawing.line(x(tick), top, x(tick), bottom, "grid")
        drawing.text(x(tick), bottom + 16, f"{tick:g}", "middle")
    drawing.text(
        (left + right) / 2, bottom + 36, "seconds, logarithmic", "middle", "muted"
    )
    for i, (name, value) in enumerate(seconds.items()):
        y = top + 22 * i
        drawing.text(left - 8, y + 15, shorten(name, 28), "end", tip=name)
        kind = "first" if "SADD" in name or "+" in name else "plain"
        drawing.line(left, y + 11, right, y + 11, "row")
        drawing.circle(x(value), y + 11, 5.5, kind)
        drawing.text(x(value) + 10, y + 15, f"{value:.3g} s", kind="halo")
    return drawing
