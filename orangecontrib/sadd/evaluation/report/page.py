"""The report of a benchmark: a page for people and tables for programs."""

import os
from pathlib import Path

import pandas as pd

from orangecontrib.sadd.evaluation.report import runsections, sections
from orangecontrib.sadd.evaluation.report.contents import Contents
from orangecontrib.sadd.evaluation.report.findings import (
    agreement_findings,
    count,
    family_findings,
    method_findings,
)
from orangecontrib.sadd.evaluation.report.markup import Markup, element, join, paragraph
from orangecontrib.sadd.evaluation.report.published import paper
from orangecontrib.sadd.evaluation.report.style import STYLE
from orangecontrib.sadd.evaluation.report.summaries import summaries

__all__ = ["page", "write_report"]

SECTIONS = (
    sections.methods,
    sections.family,
    sections.labels,
    sections.intervals,
    sections.case,
    runsections.bayesian,
    runsections.sweep,
    runsections.run_time,
    runsections.data_sets,
    runsections.failures,
    runsections.environment,
)


def write_report(
    folder: str | os.PathLike,
    results: pd.DataFrame,
    times: pd.DataFrame | None,
    run: dict,
) -> Path:
    """
    Write the report.

    Parameters
    ----------
    folder : path
        Where to write ``report.html`` and the summaries: ``accuracy.csv``,
        ``averages.csv``, ``wins.csv``, ``intervals.csv``, ``case_study.csv``,
        ``bayesian.csv``, ``sweep.csv`` and ``run_time.csv``, those of them for which
        there are results.
    results : DataFrame
        Accuracy of each method and classifier in each fold, as in ``results.csv``.
    times : DataFrame or None
        Seconds, as in ``times.csv``.
    run : dict
        How it was run, as in ``run.json``.

    Returns
    -------
    Path
        Of the page.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    contents = Contents(results, times, run)
    for name, frame in summaries(contents).items():
        if frame is not None and len(frame):
            frame.to_csv(folder / f"{name}.csv", index=False, float_format="%.8g",
                         lineterminator="\n")
    path = folder / "report.html"
    path.write_text(page(contents), encoding="utf-8", newline="\n")
    return path


def page(contents: Contents) -> str:
    """Return the page as text."""
    found = [make(contents) for make in SECTIONS]
    found = [section for section in found if section is not None]
    links = [
        element("li", element("a", section.title, href=f"#{section.anchor}"))
        for section in found
    ]
    body = element(
        "main",
        _header(contents),
        _findings(contents),
        element("nav", element("ul", *links), aria_label="Contents"),
        *(
            element("section", element("h2", section.title), section.content,
                    id=section.anchor)
            for section in found
        ),
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", "SADD benchmark"),
        element("style", Markup(STYLE)),
    )
    whole = element("html", head, element("body", body), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def _header(contents):
    run, scores = contents.run, contents.scores
    settings = run.get("settings", {})
    protocol = count(len(scores.datasets), "data set")
    if settings.get("folds"):
        protocol += f", stratified {settings['folds']}-fold cross-validation"
        if settings.get("repeats", 1) > 1:
            protocol += f" repeated {settings['repeats']} times"
    if scores.k:
        protocol += f", SADD with k = {scores.k} and N0 = {scores.n0:g}"
    if run.get("finished"):
        protocol += f"; {str(run['finished'])[:10]}"
    return join([
        element("h1", "SADD benchmark"),
        paragraph(f"{protocol}.", class_="lead"),
        paragraph("Published figures are those of ", paper(), class_="legend"),
    ])


def _findings(contents):
    found = []
    if contents.methods.columns:
        found += method_findings(contents.methods)
    if contents.family is not None:
        found += family_findings(contents.family, contents.classifiers)
    tables = [contents.methods, contents.family]
    found += agreement_findings(*(t for t in tables if t is not None and t.columns))
    missing = len(contents.scores.failures())
    if missing:
        found.append(f"{count(missing, 'result')} failed; see “Failures”.")
    if not found:
        return None
    items = [element("li", sentence) for sentence in found]
    return element("div", element("h2", "Findings"), element("ul", *items),
                   class_="findings")
