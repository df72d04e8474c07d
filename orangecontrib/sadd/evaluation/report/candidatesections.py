"""Sections on candidates: learning curves with few labels, and rivals; their plots."""

import numpy as np
import pandas as pd

from orangecontrib.sadd.evaluation.report.accuracytable import TableCell, signed
from orangecontrib.sadd.evaluation.report.candidatescores import (
    FEW_LABELS,
    FEW_LABELS_POOL,
    LOGISTIC,
    MEASURES,
    PUBLISHED,
    PUBLISHED_POOL,
    CandidateKey,
    CandidateScores,
)
from orangecontrib.sadd.evaluation.report.contents import Contents, Section
from orangecontrib.sadd.evaluation.report.drawing import Drawing, nice_ticks, scale
from orangecontrib.sadd.evaluation.report.sentences import count

__all__ = ["candidate_findings", "curve_plot", "curves", "reliability_plot",
           "rivals"]

# Of the learning curves that are drawn; those of others are in the table.
DRAWN = (FEW_LABELS_POOL, PUBLISHED_POOL, PUBLISHED, CandidateKey("NB on MDLP"),
         CandidateKey("committee"), LOGISTIC)
# Bins with fewer rows are not drawn; their fraction is chance.
FEWEST_ROWS = 30
DIGITS = {"accuracy": ".2f", "log_loss": ".3f", "brier": ".3f",
          "calibration_error": ".2f", "seconds": ".2f"}

# Of plots
WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 500, 20, 310
# Pixels between the marks of two candidates, so that their intervals can be seen
SHIFT = 4


def _interval(row):
    if row.low != row.low:
        return "of one data set"
    return f"[{signed(row.low)}, {signed(row.high)}]"


def _gap_cell(row):
    """Return the cell of a difference: mean, interval, on how many sets better."""
    return TableCell(
        signed(row.mean),
        f"{_interval(row)}, better on {row.better} of {row.datasets}",
        best=bool(row.low > 0 or row.high < 0))


def _measure_cells(averages, keys):
    """Yield for each candidate the cells of its averages, the best in bold."""
    shown = averages.set_index(["classifier", "pool"])
    names = [name for name in DIGITS if name in MEASURES or name == "seconds"]
    best = {
        name: shown[name].max() if MEASURES[name] else shown[name].min()
        for name in MEASURES
    }
    for key in keys:
        row = shown.loc[key]
        yield key, [
            TableCell(f"{row[name]:{DIGITS[name]}}", best=row[name] == best.get(name))
            for name in names
        ]


def _gap_sentence(scores, first, second):
    """Say how far one candidate is from another."""
    parts = []
    accuracy = scores.differences(first, second, "accuracy")
    loss = scores.differences(first, second, "log_loss")
    for gain, change in zip(accuracy.itertuples(), loss.itertuples(), strict=True):
        where = f"with {gain.labelled:g} labels " if scores.numbers else ""
        parts.append(
            f"{where}{signed(gain.mean)} points {_interval(gain)}, better on "
            f"{gain.better} of {count(gain.datasets, 'data set')}; log loss "
            f"{signed(change.mean)} {_interval(change)}, lower on {change.better}")
    sentence = f"{first.label} against {second.label}: {parts[0]}"
    sentences = [part[0].upper() + part[1:] for part in (sentence, *parts[1:])]
    return ". ".join(sentences) + "."


def candidate_findings(scores: CandidateScores) -> list[str]:
    """
    Say how the recipe for few labels does against the published one and others.

    Returns
    -------
    list of str
        Sentences, all of figures; none if no candidate was run.
    """
    wanted = [
        (FEW_LABELS_POOL, PUBLISHED_POOL), (FEW_LABELS_POOL, LOGISTIC),
    ] if scores.numbers else [
        (FEW_LABELS, PUBLISHED), (LOGISTIC, PUBLISHED),
        (CandidateKey("SADD, logistic regression"), PUBLISHED),
    ]
    return [
        _gap_sentence(scores, *pair) for pair in wanted
        if set(pair) <= set(scores.keys) and len(scores.averages)
    ]


def curves(contents: Contents) -> Section | None:
    """Show learning curves with few labels."""
    scores = contents.candidates
    if not scores.numbers or not len(scores.averages):
        return None
    drawn = [key for key in DRAWN if key in scores.keys]
    interval = (
        "Means over data sets; bars are 95 % confidence intervals over the random "
        "splits. With more labels some small data sets drop out, so compare the lines "
        "at one number of labels.")
    plots = [
        curve_plot({key: scores.curve(key, measure) for key in drawn}, what,
                   f"{what[0].upper()}{what[1:]} on test rows. {interval}")
        for measure, what in (("accuracy", "accuracy in per cent"),
                              ("log_loss", "log loss"))
    ]
    tables = [
        {
            "number": n,
            "datasets": int(part["datasets"].iloc[0]),
            "rows": list(_measure_cells(part, scores.keys)),
        }
        for n, part in scores.averages.groupby("labelled")
    ]
    return Section("curves", "Learning curves", {
        "plots": plots, "tables": tables, "numbers": scores.numbers,
        "gaps": [
            (measure, [
                (f"{first.label} minus {second.label}",
                 _by_number(scores.differences(first, second, name), scores.numbers))
                for first, second in scores.pairs
            ])
            for name, measure in (("accuracy", "accuracy, in points"),
                                  ("log_loss", "log loss"))
        ],
    })


def _by_number(frame: pd.DataFrame, numbers: list[int]) -> list[TableCell]:
    rows = {int(row.labelled): row for row in frame.itertuples()}
    return [_gap_cell(rows[n]) if n in rows else TableCell() for n in numbers]


def rivals(contents: Contents) -> Section | None:
    """Compare RNB+ with other classifiers on the same folds."""
    scores = contents.candidates
    if scores.numbers or not len(scores.averages):
        return None
    gaps = {
        (pair[0], measure): next(
            scores.differences(*pair, measure).itertuples(index=False))
        for pair in scores.pairs for measure in ("accuracy", "log_loss")
    }
    rows = [
        (key.label, [*cells, *(
            _gap_cell(gaps[key, measure]) if (key, measure) in gaps else TableCell("")
            for measure in ("accuracy", "log_loss"))])
        for key, cells in _measure_cells(scores.averages, scores.keys)
    ]
    bins = scores.reliability
    bins = bins[bins["rows"] >= FEWEST_ROWS]
    groups = {CandidateKey(*key): part for key, part in bins.groupby(
        ["classifier", "pool"], sort=False)}
    plot = reliability_plot(
        groups,
        "All test rows of all data sets together, in fifteen bins of the probability "
        "of the predicted class. Above the diagonal a classifier is too cautious, "
        f"below it too sure. Bins of fewer than {FEWEST_ROWS} rows are left out.",
    ) if groups else None
    return Section("rivals", "Rivals", {
        "datasets": int(scores.averages["datasets"].iloc[0]), "rows": rows,
        "plot": plot,
    })


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
