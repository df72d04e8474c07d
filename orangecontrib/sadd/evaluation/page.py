"""The report of a benchmark: a page, and summaries as CSV files."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined

from orangecontrib.sadd.evaluation import plots
from orangecontrib.sadd.evaluation.comparison import Comparison, comparisons
from orangecontrib.sadd.evaluation.contenders import shown_name
from orangecontrib.sadd.evaluation.measures import N_BINS
from orangecontrib.sadd.evaluation.run import failures_of, replacing, write_csv
from orangecontrib.sadd.evaluation.significance import (
    FEWEST_DATASETS,
    ROPE,
    friedman,
)
from orangecontrib.sadd.evaluation.summaries import MEASURES, shown_names, summaries

__all__ = ["figure", "rank_plots", "render", "signed", "write_report"]

# Bins of probabilities with fewer rows are not drawn.
FEWEST_ROWS = 30
# Learning curves that are in the tables only
NOT_DRAWN = ("NB on SADD", "NB on MDLP", "k-NN", "Gaussian NB")


def figure(value: Any, digits: int = 2) -> str:
    """
    Format a value: numbers with these digits, unless they are whole by type.

    Examples
    --------
    >>> figure(2 / 3), figure(3), figure(float("nan"))
    ('0.67', '3', '–')
    """
    if not isinstance(value, float):
        return str(value)
    return "–" if np.isnan(value) else f"{value:.{digits}f}"


def signed(value: float, digits: int = 2) -> str:
    """
    Format a difference with its sign.

    Examples
    --------
    >>> signed(-0.251), signed(1), signed(0.001)
    ('−0.25', '+1.00', '0.00')
    """
    text = f"{value:+.{digits}f}".replace("-", "−")
    return text if float(f"{value:.{digits}f}") else text[1:]


def rank_plots(comparison: Comparison) -> list[tuple[plots.Plot, Any]]:
    """Return plots of average ranks with either kind of SADD, and the tests."""
    found = []
    for pool in ("test", "none"):
        kept = [c for c in comparison.ranked
                if c.discretizer != "SADD" or c.pool == pool]
        names = [shown_name(c.discretizer, c.pool, classifier=c.classifier
                            if comparison.is_family else "") for c in kept]
        test = friedman(comparison.means[kept].set_axis(names, axis=1))
        if test is not None and any(c.discretizer == "SADD" for c in kept):
            what = "classifiers" if comparison.is_family else "discretizers"
            title = f"Average ranks of {what} with {shown_name('SADD', pool)}"
            found.append((plots.ranks(title, test), test))
    return found


def _gain_plot(comparison):
    """Return a plot of the gains of SADD over MDLP, or None."""
    mdlp = [c for c in comparison.contenders if c.discretizer == "MDLP"]
    gains = pd.DataFrame({
        comparison.name_of(c): comparison.means[c] - comparison.means[mdlp[0]]
        for c in comparison.contenders if c.discretizer == "SADD" and mdlp})
    if gains.empty:
        return None
    return plots.dots(
        "Gain of SADD over MDLP", gains.sort_values(gains.columns[0], ascending=False),
        "points of accuracy above MDLP")


def _interval_plot(frame, comparison):
    """Return a plot of intervals against accuracy, or None."""
    points = pd.DataFrame({
        "intervals": frame.groupby(["discretizer", "pool"])["mean"].mean(),
        "accuracy": comparison.averages["mean"].droplevel("classifier")}).dropna()
    points.index = [shown_name(*key) for key in points.index]
    return plots.scatter("Intervals against accuracy", points, [
        "mean number of intervals of a numeric variable", "accuracy, %",
    ]) if len(points) > 1 else None


def _time_plots(frame):
    """Return plots of the times of discretizers, and of classifiers."""
    frame = frame[frame["seconds"] > 0].sort_values("seconds")
    parts = {
        "Discretization": frame["measure"] == "seconds_discretize",
        "Training and prediction": (frame["measure"] == "seconds_classify")
        & frame["discretizer"].isin(["SADD", "MDLP"])}
    return [plots.dots(f"{title}, seconds in sum", part.set_axis(shown_names(part))[
        ["seconds"]], "seconds, logarithmic", seconds=True)
        for title, chosen in parts.items() if len(part := frame[chosen])]


def _bayesian_plot(frame):
    shares = frame[["first_better", "equivalent", "second_better"]]
    return plots.bars(
        "Bayesian comparison", shares.set_axis(shown_names(frame, "first_")),
        shown_names(frame, "second_", classifier=False))


def _whole_plots(frames, is_curve):
    """Return learning curves, or the reliability of classifiers."""
    curves, bins = frames["curves"], frames["reliability"]
    if is_curve:
        if curves.empty:
            return []
        curves = curves[~curves["classifier"].isin(NOT_DRAWN)]
        curves = curves.assign(name=shown_names(curves))
        texts = {"accuracy": "accuracy, %", "log_loss": "log loss"}
        return [plots.lines(f"Learning curves: {text}",
                            curves[curves["measure"] == measure], "labelled", "mean",
                            ["labelled rows, logarithmic", text])
                for measure, text in texts.items()]
    bins = bins[bins["rows"] >= FEWEST_ROWS]
    return [plots.lines(
        "Reliability of probabilities", bins.assign(name=bins["classifier"]),
        "confidence", "right", ["probability of the predicted class",
                                "fraction of correct predictions"], is_unit=True,
    )] if len(bins) else []


def render(name: str, loader: BaseLoader | None = None, **content: Any) -> str:
    """
    Render a template, which can extend ``page.html.j2``.

    Parameters
    ----------
    name : str
        Of the template.
    loader : jinja2 loader, optional
        Finds templates that are not in this package.
    **content
        Variables of the template.

    Returns
    -------
    str
    """
    package = PackageLoader("orangecontrib.sadd.evaluation", ".")
    environment = Environment(
        loader=ChoiceLoader([loader, package] if loader else [package]),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True)
    environment.filters |= {"figure": figure, "signed": signed}
    environment.globals |= {"shown_name": shown_name, "shown_names": shown_names}
    return environment.get_template(name).render(content).lstrip()


def write_report(folder: str | os.PathLike, table: pd.DataFrame, run: dict[str, Any]
                 ) -> Path:
    """
    Write ``report.html`` and the summaries, a CSV file each.

    Parameters
    ----------
    folder : path
    table : DataFrame
        Results, as from `run_benchmark`.
    run : dict
        Description of the run, as from `run_benchmark`.

    Returns
    -------
    Path
        Of the page.
    """
    folder = Path(folder)
    settings = run.get("settings", {})
    found = comparisons(table, settings.get("published", False))
    frames = summaries(table, found)
    for name, frame in frames.items():
        if len(frame):
            write_csv(folder / f"{name}.csv", frame, float_format="%.8g")
        else:  # of another experiment
            (folder / f"{name}.csv").unlink(missing_ok=True)
    full = [*found["discretizers"], *found["family"]]
    main = full[0] if found["discretizers"] else None
    text = render(
        "page.html.j2", run=run, frames=frames, compared=found, main=main,
        failures=failures_of(table), measures=MEASURES, rope=ROPE, n_bins=N_BINS,
        fewest_rows=FEWEST_ROWS, fewest_datasets=FEWEST_DATASETS,
        plots={
            "whole": _whole_plots(frames, (table["labelled"] > 1).any()),
            "gains": main and _gain_plot(main), "ranks": [*map(rank_plots, full)],
            "intervals": main and _interval_plot(frames["intervals"], main),
            "bayesian": len(frames["bayesian"]) and _bayesian_plot(frames["bayesian"]),
            "times": _time_plots(frames["run_time"]),
        })
    path = folder / "report.html"
    with replacing(path) as file:
        file.write(text.encode())
    return path
