"""Plots of the report, drawn by matplotlib for a light background."""

import io
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from matplotlib.ticker import LogLocator

from orangecontrib.sadd.evaluation.significance import Friedman

__all__ = ["Plot", "bars", "dots", "lines", "ranks", "scatter"]

INK, MUTED, FAINT, PAPER = "#1c2330", "#5b6675", "#e3e7ee", "#ffffff"
FIRST, SECOND, THIRD = "#2459c9", "#d9730d", "#b4472f"
PLAIN, ROPE, INSIDE = "#7b8797", "#d8dee8", "#fefefe"
# Colours of lines
CYCLE = ["#2b7bd0", "#d98200", "#0a9a6c", "#c4569a", "#8a78d8", "#cf5a2a", "#7b8797",
         "#3aa5c8", "#a08a00", "#4f6bd8", "#b0566b"]

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "text.parse_math": False, "font.size": 9.5,
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"],
    "text.color": INK, "axes.labelcolor": MUTED,
    "axes.edgecolor": FAINT, "xtick.color": FAINT, "ytick.color": FAINT,
    "xtick.labelcolor": INK, "ytick.labelcolor": INK, "grid.color": FAINT,
    "axes.grid": True, "axes.axisbelow": True, "axes.spines.top": False,
    "axes.spines.right": False, "axes.prop_cycle": cycler(color=CYCLE),
    "legend.frameon": False, "figure.constrained_layout.use": True,
}
WIDTH, ROW = 7.5, 0.21  # inches


class Plot(NamedTuple):
    """
    A plot on the page.

    Attributes
    ----------
    svg : str
    title : str
    description : str
        All figures, for screen readers.
    """

    svg: str
    title: str
    description: str


def _plot(title: str, frame: pd.DataFrame, height: float, draw: Callable[[Axes], Any]
          ) -> Plot:
    """Draw on axes, and describe the figures that are drawn."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": title}):
        figure, file = Figure((WIDTH, height)), io.StringIO()
        draw(figure.add_subplot())
        figure.savefig(file, format="svg", metadata=dict.fromkeys(
            ["Creator", "Date", "Format", "Type"]))
    # Without the size, and without numbered ids, which all plots of a page would share
    svg = re.sub(r' (width|height)="[\d.]+pt"| id="[\w.]+_\d+"', "",
                 file.getvalue().partition("<svg")[2])
    description = "; ".join(
        f"{key if isinstance(key, str) else ', '.join(map(str, key))}: "
        + ", ".join(f"{name} {value:.3g}" for name, value in row.dropna().items())
        for key, row in frame.iterrows())
    return Plot(f"<svg{svg}", title, description)


def _logarithmic(axes):
    """Scale the x axis logarithmically, with ticks 1, 2, 5, 10 in plain numbers."""
    axes.set_xscale("log", subs=[])
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.margins(x=0.12)


def _rows(axes, names):
    short = [name if len(name) < 32 else f"{name[:30]}…" for name in names]
    axes.set_yticks(range(len(names)), short)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)


def dots(title: str, frame: pd.DataFrame, label: str, *, seconds: bool = False) -> Plot:
    """
    Draw a row of marks for each row of a table.

    Parameters
    ----------
    title : str
    frame : DataFrame
        Columns are series: filled circles, hollow circles, ticks.
    label : str
        Of the axis.
    seconds : bool
        Whether values are times, on a logarithmic axis and in figures.

    Returns
    -------
    Plot
    """
    def draw(axes):
        _rows(axes, frame.index)
        axes.set_xlabel(label)
        for y, row in enumerate(frame.to_numpy()):
            axes.plot(row[:2], [y] * len(row[:2]), color=PLAIN, zorder=1)
            if seconds:
                axes.annotate(f"{row[0]:.3g} s", (row[0], y), (6, -3),
                              textcoords="offset points")
        for name, style in zip(frame, ({"marker": "o", "color": FIRST},
                                       {"marker": "o", "color": SECOND, "mfc": PAPER},
                                       {"marker": "|", "color": INK, "ms": 9}),
                               strict=False):
            axes.plot(frame[name], range(len(frame)), ls="", label=name, **style)
        if seconds:
            _logarithmic(axes)
        else:
            axes.axvline(0, color=MUTED, lw=1.2, zorder=0)
            axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)

    return _plot(title, frame, 0.9 + ROW * len(frame), draw)


def ranks(title: str, test: Friedman) -> Plot:
    """Draw average ranks and the critical difference as proposed by Demsar."""
    names, values = list(test.ranks.index), test.ranks.to_numpy()
    n, width = len(names), test.critical_difference
    half = (n + 1) // 2
    last = np.searchsorted(values, values + width, side="right") - 1
    groups = [(i, end) for i, end in enumerate(last)
              if end > i and (i == 0 or end > last[i - 1])]
    below = 0.7 + 0.4 * len(groups)

    def draw(axes):
        axes.set_axis_off()
        axes.plot([1, n], [0, 0], color=INK, lw=1)
        for rank in range(1, n + 1):
            axes.plot([rank, rank], [0, -0.3], color=INK, lw=1)
            axes.annotate(str(rank), (rank, -0.4), ha="center", color=MUTED)
        axes.plot([1, 1 + width], [-2, -2], color=INK, marker="|", lw=1)
        axes.annotate(f"critical difference {width:.2f}", (1 + width, -2), (6, 0),
                      textcoords="offset points", va="center", color=MUTED)
        for i, (name, rank) in enumerate(zip(names, values, strict=True)):
            is_left = i < half
            y, edge = below + (i if is_left else n - 1 - i), 0.7 if is_left else n + 0.3
            axes.plot([rank, rank, edge], [0, y, y], color=INK, lw=1)
            axes.annotate(
                f"{name} {rank:.2f}" if is_left else f"{rank:.2f} {name}", (edge, y),
                (-4 if is_left else 4, 0), textcoords="offset points", va="center",
                ha="right" if is_left else "left",
                weight="bold" if "SADD" in name else None)
        for i, (first, end) in enumerate(groups):
            axes.plot([values[first] - 0.05, values[end] + 0.05], [0.4 + 0.4 * i] * 2,
                      color=INK, lw=3.5, solid_capstyle="butt")
        # Shares of the width for the names at the left and at the right
        left, right = (min(0.06 + 0.012 * max(map(len, part)), 0.42)
                       for part in (names[:half], names[half:]))
        width_of_share = n / (1 - left - right)
        axes.set_xlim(0.7 - left * width_of_share, n + 0.3 + right * width_of_share)
        axes.set_ylim(below + half, -2.5)

    return _plot(title, test.ranks.to_frame("rank"), 0.5 + ROW * (below + half + 2),
                 draw)


def bars(title: str, frame: pd.DataFrame, right: list[str]) -> Plot:
    """Draw probabilities as stacked bars, with further names on the right."""
    def draw(axes):
        _rows(axes, frame.index)
        axes.grid(False)
        axes.set_xlim(0, 1)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        start = np.zeros(len(frame))
        for name, colour, ink in zip(frame, (FIRST, ROPE, THIRD), (INSIDE, INK, INSIDE),
                                     strict=True):
            drawn = axes.barh(range(len(frame)), frame[name], 0.75, start, color=colour)
            axes.bar_label(drawn, label_type="center", color=ink, labels=[
                f"{chance:.2f}" if chance >= 0.08 else "" for chance in frame[name]])
            start += frame[name].to_numpy()
        for y, name in enumerate(right):
            axes.annotate(name, (1, y), (4, 0), textcoords="offset points", va="center",
                          annotation_clip=False)

    return _plot(title, frame.set_axis([f"{one} against {other}" for one, other in zip(
        frame.index, right, strict=True)]), 0.2 + ROW * len(frame), draw)


def scatter(title: str, frame: pd.DataFrame, labels: list[str]) -> Plot:
    """Draw the two columns of a table against each other, the first logarithmic."""
    def draw(axes):
        _logarithmic(axes)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        placed = []
        rows = frame.sort_values(frame.columns[1], ascending=False)
        step = np.ptp(rows.iloc[:, 1]) / 20 or 1
        for name, (x, y) in zip(rows.index, rows.to_numpy(), strict=True):
            axes.plot(x, y, "o", color=FIRST if "SADD" in name else PLAIN)
            # A label below those that it would cover
            for other_x, other_y in placed:
                if 0.4 < x / other_x < 2.5:
                    y = min(y, other_y - step)
            placed.append((x, y))
            axes.annotate(name, (x, y), (6, 0), textcoords="offset points", va="center")

    return _plot(title, frame, 3.6, draw)


def lines(title: str, frame: pd.DataFrame, x: str, y: str, labels: list[str], *,
          is_unit: bool = False) -> Plot:
    """
    Draw a line for each contender.

    Parameters
    ----------
    title : str
    frame : DataFrame
        With a column ``name``, the columns `x` and `y`, and perhaps ``low`` and
        ``high``, which are drawn as intervals.
    x, y : str
        Names of columns.
    labels : list of str
        Of the axes.
    is_unit : bool
        Whether both axes are up to 1, with a diagonal. Otherwise the horizontal
        axis is logarithmic.

    Returns
    -------
    Plot
    """
    groups = list(frame.groupby("name", sort=False))

    def draw(axes):
        for i, (name, part) in enumerate(groups):
            part = part.sort_values(x)
            # Shifted, so that intervals do not cover each other
            shift = 1 if is_unit else 1.012 ** (i - len(groups) / 2)
            # No measure is negative
            error = None if "low" not in part else np.nan_to_num(
                [part[y] - part["low"].clip(lower=0), part["high"] - part[y]])
            axes.errorbar(part[x] * shift, part[y], error, marker="o", ms=3.5,
                          elinewidth=0.8, label=name)
        if is_unit:
            low = np.floor(10 * frame[[x, y]].to_numpy().min()) / 10
            axes.plot([low, 1], [low, 1], color=MUTED, lw=1.2, zorder=0)
        else:
            axes.set_xscale("log")
            axes.set_xticks(frame[x].unique(), [f"{n:g}" for n in frame[x].unique()])
            axes.minorticks_off()
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)

    described = frame.assign(at=frame[x].map("{:.3g}".format)).pivot_table(
        index="name", columns="at", values=y, sort=False)
    return _plot(title, described, 3.4 + ROW * (len(groups) // 2 + 1), draw)
