"""The plots of the report: what is drawn of figures by contender or candidate."""

import numpy as np
import pandas as pd

from orangecontrib.sadd.evaluation.report.elements import (
    Drawing,
    log_ticks,
    nice_ticks,
    scale,
    shorten,
)
from orangecontrib.sadd.evaluation.report.scores import Contender
from orangecontrib.sadd.evaluation.report.statistics import Friedman, groups_alike

__all__ = ["bayesian_plot", "curve_plot", "gain_plot", "interval_plot", "rank_plot",
           "reliability_plot", "time_plot"]

WIDTH = 720
ROW = 19
LABEL = 26  # characters
KINDS = ("first", "second")

# Of plots of candidates
HEIGHT = 360
LEFT, RIGHT, TOP, BOTTOM = 56, 500, 20, 310
# Pixels between the marks of two candidates, so that their intervals can be seen
SHIFT = 4


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


def _levels(drawing, y, ticks, left, right):
    """Draw horizontal lines of a grid, with the figures on the left."""
    for tick in ticks:
        drawing.line(left, y(tick), right, y(tick), "grid")
        drawing.text(left - 8, y(tick) + 4, f"{tick:g}", "end")


def gain_plot(
    gains: pd.DataFrame, published: dict[str, float], reference: str, caption: str
) -> Drawing:
    """
    Draw the gains in accuracy on each data set.

    `gains` are in points, by data set and one or two contenders; `published` those of
    the first contender in the paper; `reference` is the method they are relative to.
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
    """Draw average ranks and the critical difference, as proposed by Demsar."""
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
    """Draw probabilities that the first is better, equivalent and worse as bars."""
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
    """Draw ``intervals`` against ``accuracy``, columns by contender."""
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
    _levels(drawing, y, levels, left, right)
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
    """Draw times, positive and by name of the method, on a logarithmic axis."""
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


def curve_plot(curves: dict[str, pd.DataFrame], what: str, caption: str) -> Drawing:
    """Draw ``mean``, ``low`` and ``high`` of candidates by the number of labels."""
    drawing = Drawing(
        WIDTH, HEIGHT, f"Learning curves: {what}",
        "; ".join(f"{name}: " + ", ".join(
            f"{n} labels {mean:.2f}" for n, mean in curve["mean"].items())
            for name, curve in curves.items()),
        caption)
    values = pd.concat(curves.values())
    numbers = sorted(set(values.index))
    ticks = nice_ticks(np.nanmin(values), np.nanmax(values))
    y = scale(ticks, BOTTOM, TOP)
    x = scale(np.array([numbers[0] * 0.9, numbers[-1] * 1.1]), LEFT, RIGHT, np.log10)
    _levels(drawing, y, ticks, LEFT, RIGHT)
    for n in numbers:
        drawing.text(x(n), BOTTOM + 18, n, "middle")
    drawing.text((LEFT + RIGHT) / 2, BOTTOM + 38, "labelled rows, logarithmic",
                 "middle", "muted")
    drawing.text(LEFT, TOP - 8, what, kind="muted")
    for i, (name, curve) in enumerate(curves.items()):
        kind = f"s{i + 1}"
        shift = SHIFT * (i - (len(curves) - 1) / 2)
        _path(drawing, [(x(n) + shift, y(m)) for n, m in curve["mean"].items()], kind)
        for row in curve.itertuples():
            at = x(row.Index) + shift
            tip = f"{name}, {row.Index} labels: {row.mean:.2f}"
            if row.low == row.low:
                drawing.line(at, y(row.low), at, y(row.high), f"{kind} thin")
                tip += f" [{row.low:.2f}, {row.high:.2f}]"
            drawing.circle(at, y(row.mean), 3.5, kind, tip)
    _names(drawing, {name: y(curve["mean"].iloc[-1]) for name, curve in curves.items()})
    return drawing


def reliability_plot(bins: dict[str, pd.DataFrame], caption: str) -> Drawing:
    """
    Draw how often a class is right that was predicted with a certain probability.

    `bins` have ``rows``, mean ``confidence`` and fraction ``right``, by candidate.
    """
    drawing = Drawing(
        WIDTH, HEIGHT, "Reliability of probabilities",
        "; ".join(f"{name}: " + ", ".join(
            f"{row.confidence:.2f} predicted, {row.right:.2f} right"
            for row in part.itertuples()) for name, part in bins.items()),
        caption)
    ticks = np.linspace(0, 1, 6)
    x, y = scale(ticks, LEFT, RIGHT), scale(ticks, BOTTOM, TOP)
    for tick in ticks:
        drawing.line(LEFT, y(tick), RIGHT, y(tick), "grid")
        drawing.text(LEFT - 8, y(tick) + 4, f"{tick:.1f}", "end")
        drawing.text(x(tick), BOTTOM + 18, f"{tick:.1f}", "middle")
    drawing.line(x(0), y(0), x(1), y(1), "zero")
    drawing.text((LEFT + RIGHT) / 2, BOTTOM + 38,
                 "probability of the predicted class", "middle", "muted")
    drawing.text(LEFT, TOP - 8, "fraction predicted right", kind="muted")
    for i, (name, part) in enumerate(bins.items()):
        kind = f"s{i + 1}"
        part = part.sort_values("bin")
        _path(drawing, [(x(row.confidence), y(row.right))
                        for row in part.itertuples()], kind)
        for row in part.itertuples():
            drawing.circle(
                x(row.confidence), y(row.right), 3, kind,
                f"{name}: {row.rows} rows, predicted with {row.confidence:.2f}, "
                f"right in {row.right:.2f}")
    _names(drawing, {name: i for i, name in enumerate(bins)})
    return drawing


def _names(drawing, ends):
    """Name the candidates on the right, in the order in which their lines end."""
    names = list(ends)
    for i, name in enumerate(sorted(names, key=ends.__getitem__)):
        y = TOP + 12 + 21 * i
        kind = f"s{names.index(name) + 1}"
        drawing.line(RIGHT + 22, y - 4, RIGHT + 42, y - 4, kind)
        drawing.circle(RIGHT + 32, y - 4, 3.5, kind)
        drawing.text(RIGHT + 50, y, name)


def _path(drawing, points, kind):
    for (x1, y1), (x2, y2) in zip(points, points[1:], strict=False):
        drawing.line(x1, y1, x2, y2, kind)
