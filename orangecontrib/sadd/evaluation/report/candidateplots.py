"""Plots of candidates: learning curves, and the reliability of probabilities."""

import numpy as np
import pandas as pd

from orangecontrib.sadd.evaluation.report.candidatescores import CandidateKey
from orangecontrib.sadd.evaluation.report.drawing import Drawing, nice_ticks, scale

__all__ = ["curve_plot", "reliability_plot"]

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 500, 20, 310
# Pixels between the marks of two candidates, so that their intervals can be seen
SHIFT = 4


def _legend(drawing, keys, ends):
    """Name the candidates on the right, in the order in which their lines end."""
    order = sorted(keys, key=lambda key: ends[key])
    for i, key in enumerate(order):
        y = TOP + 12 + 21 * i
        kind = f"s{keys.index(key) + 1}"
        drawing.line(RIGHT + 22, y - 4, RIGHT + 42, y - 4, kind)
        drawing.circle(RIGHT + 32, y - 4, 3.5, kind)
        drawing.text(RIGHT + 50, y, key.label)


def _path(drawing, points, kind):
    for (x1, y1), (x2, y2) in zip(points, points[1:], strict=False):
        drawing.line(x1, y1, x2, y2, kind)


def curve_plot(
    curves: dict[CandidateKey, pd.DataFrame], what: str, caption: str
) -> Drawing:
    """
    Draw learning curves.

    Parameters
    ----------
    curves : dict of CandidateKey and DataFrame
        ``mean``, ``low`` and ``high`` by the number of labels.
    what : str
        What the figures are.
    caption : str

    Returns
    -------
    Drawing
    """
    keys = list(curves)
    drawing = Drawing(
        WIDTH, HEIGHT, f"Learning curves: {what}",
        "; ".join(f"{key.label}: " + ", ".join(
            f"{n} labels {mean:.2f}" for n, mean in curve["mean"].items())
            for key, curve in curves.items()),
        caption)
    values = pd.concat(curves.values())
    numbers = sorted(set(values.index))
    ticks = nice_ticks(np.nanmin(values), np.nanmax(values))
    y = scale(ticks, BOTTOM, TOP)
    x = scale(np.array([numbers[0] * 0.9, numbers[-1] * 1.1]), LEFT, RIGHT, np.log10)
    for tick in ticks:
        drawing.line(LEFT, y(tick), RIGHT, y(tick), "grid")
        drawing.text(LEFT - 8, y(tick) + 4, f"{tick:g}", "end")
    for n in numbers:
        drawing.text(x(n), BOTTOM + 18, n, "middle")
    drawing.text((LEFT + RIGHT) / 2, BOTTOM + 38, "labelled rows, logarithmic",
                 "middle", "muted")
    drawing.text(LEFT, TOP - 8, what, kind="muted")
    for i, (key, curve) in enumerate(curves.items()):
        kind = f"s{i + 1}"
        shift = SHIFT * (i - (len(curves) - 1) / 2)
        _path(drawing, [(x(n) + shift, y(m)) for n, m in curve["mean"].items()], kind)
        for row in curve.itertuples():
            at = x(row.Index) + shift
            tip = f"{key.label}, {row.Index} labels: {row.mean:.2f}"
            if row.low == row.low:
                drawing.line(at, y(row.low), at, y(row.high), f"{kind} thin")
                tip += f" [{row.low:.2f}, {row.high:.2f}]"
            drawing.circle(at, y(row.mean), 3.5, kind, tip)
    _legend(drawing, keys, {key: y(curve["mean"].iloc[-1])
                            for key, curve in curves.items()})
    return drawing


def reliability_plot(bins: dict[CandidateKey, pd.DataFrame], caption: str) -> Drawing:
    """
    Draw how often a class is right that was predicted with a certain probability.

    Parameters
    ----------
    bins : dict of CandidateKey and DataFrame
        ``rows``, mean ``confidence`` and fraction ``right`` of each bin.
    caption : str

    Returns
    -------
    Drawing
    """
    keys = list(bins)
    drawing = Drawing(
        WIDTH, HEIGHT, "Reliability of probabilities",
        "; ".join(f"{key.label}: " + ", ".join(
            f"{row.confidence:.2f} predicted, {row.right:.2f} right"
            for row in part.itertuples()) for key, part in bins.items()),
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
    for i, (key, part) in enumerate(bins.items()):
        kind = f"s{i + 1}"
        part = part.sort_values("bin")
        _path(drawing, [(x(row.confidence), y(row.right))
                        for row in part.itertuples()], kind)
        for row in part.itertuples():
            drawing.circle(
                x(row.confidence), y(row.right), 3, kind,
                f"{key.label}: {row.rows} rows, predicted with {row.confidence:.2f}, "
                f"right in {row.right:.2f}")
    _legend(drawing, keys, {key: i for i, key in enumerate(keys)})
    return drawing
