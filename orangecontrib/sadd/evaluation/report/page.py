"""The report of a benchmark: a page for people and tables for programs."""

import os
import re
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from orangecontrib.sadd.evaluation.report.candidatesections import (
    candidate_findings,
)
from orangecontrib.sadd.evaluation.report.contents import Contents
from orangecontrib.sadd.evaluation.report.published import paper
from orangecontrib.sadd.evaluation.report.sections import SECTIONS
from orangecontrib.sadd.evaluation.report.sentences import (
    agreement_findings,
    count,
    family_findings,
    method_findings,
)
from orangecontrib.sadd.evaluation.resulttables import (
    ResultTables,
    replacing,
    write_csv,
)

__all__ = ["page", "write_report"]

TEMPLATES = Environment(
    loader=PackageLoader("orangecontrib.sadd.evaluation.report"), autoescape=True,
    undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
)


def write_report(folder: str | os.PathLike, tables: ResultTables, run: dict) -> Path:
    """
    Write the report.

    Parameters
    ----------
    folder : path
        Where to write ``report.html`` and the summaries: ``accuracy.csv``,
        ``averages.csv``, ``wins.csv``, ``intervals.csv``, ``case_study.csv``,
        ``bayesian.csv``, ``sweep.csv``, ``run_time.csv``, ``candidates.csv``,
        ``candidate_averages.csv``, ``differences.csv`` and ``reliability.csv``, those
        of them for which there are results.
    tables : ResultTables
    run : dict
        How it was run, as in ``run.json``.

    Returns
    -------
    Path
        Of the page.
    """
    folder = Path(folder)
    contents = Contents(tables, run)
    for name, frame in contents.summaries().items():
        if frame is not None and len(frame):
            write_csv(folder / f"{name}.csv", frame, float_format="%.8g")
    path = folder / "report.html"
    with replacing(path) as file:
        file.write(page(contents))
    return path


def page(contents: Contents) -> str:
    """Return the page as text."""
    sections = [make(contents) for make in SECTIONS]
    text = TEMPLATES.get_template("page.html.j2").render(
        protocol=_protocol(contents), findings=_findings(contents),
        # The paper says nothing about candidates.
        paper=paper() if len(contents.scores.all) else None,
        sections=[section for section in sections if section is not None],
    )
    # Indentation is for those who read templates.
    return re.sub(r"\n\s+", "\n", text) + "\n"


def _protocol(contents):
    """Return what was run, in a line."""
    run, scores = contents.run, contents.scores
    settings = run.get("settings", {})
    protocol = count(len(scores.datasets), "data set")
    if settings.get("labels"):
        numbers = ", ".join(map(str, settings["labels"]))
        protocol += (
            f", {count(settings['repeats'], 'random split')} of each, "
            f"{numbers} labelled rows"
        )
    elif settings.get("folds"):
        protocol += f", stratified {settings['folds']}-fold cross-validation"
        if settings.get("repeats", 1) > 1:
            protocol += f" repeated {settings['repeats']} times"
    if scores.k:
        protocol += f", SADD with k = {scores.k} and N0 = {scores.n0:g}"
    if run.get("finished"):
        protocol += f"; {str(run['finished'])[:10]}"
    return f"{protocol}."


def _findings(contents):
    found = []
    tables = [contents.methods.table]
    if tables[0].contenders:
        found += method_findings(tables[0])
    if contents.family is not None:
        tables.append(contents.family)
        found += family_findings(contents.family, contents.classifiers)
    found += candidate_findings(contents.candidates)
    found += agreement_findings(*(table for table in tables if table.contenders))
    missing = len(contents.failures)
    if missing:
        found.append(f"{count(missing, 'result')} failed; see “Failures”.")
    return found
