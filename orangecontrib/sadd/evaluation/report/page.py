"""The report of a benchmark: a page for people and tables for programs."""

import os
import re
from pathlib import Path

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined

from orangecontrib.sadd.evaluation.report.accuracytable import AccuracyTable
from orangecontrib.sadd.evaluation.report.candidatereport import (
    candidate_findings,
)
from orangecontrib.sadd.evaluation.report.contents import Contents
from orangecontrib.sadd.evaluation.report.elements import count, signed
from orangecontrib.sadd.evaluation.report.published import paper
from orangecontrib.sadd.evaluation.report.scores import (
    KNN,
    Contender,
    family_contenders,
)
from orangecontrib.sadd.evaluation.report.sections import SECTIONS
from orangecontrib.sadd.evaluation.resulttables import (
    ResultTables,
    replacing,
    write_csv,
)

__all__ = ["agreement_findings", "family_findings", "method_findings", "page",
           "write_report"]

# With fewer data sets than this, an average says little about agreement.
FEW = 5

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




def points(value: float) -> str:
    """
    Say how many points one average is above another.

    Examples
    --------
    >>> points(-0.251)
    '0.25 points below'
    """
    if abs(value) < 0.005:
        return "level with"
    return f"{abs(value):.2f} points {'above' if value > 0 else 'below'}"


def _where(table):
    n = len(table.common)
    return "On this data set" if n == 1 else f"Over {n} data sets"


def method_findings(table: AccuracyTable) -> list[str]:
    """
    Say which discretizer is the best, and how far SADD is from the others.

    Parameters
    ----------
    table : AccuracyTable

    Returns
    -------
    list of str
        Sentences; none if nothing can be compared.
    """
    means = table.averages["mean"]
    if means.isna().all() or len(means) < 2:
        return []
    others = means[table.others]
    transductive, inductive, neighbours, mdlp = (
        table.find("SADD", "test"), table.find("SADD", "none"), table.find(KNN),
        table.find("MDLP"),
    )
    sentences = []
    if transductive and len(others):
        subject = f"{_where(table)}, SADD as published (transductive)"
        sentences.append(_standing(subject, transductive, means, others))
    if inductive and len(others):
        subject = "Inductively, without a look at the test rows, SADD"
        sentence = _standing(subject, inductive, means, others)
        if transductive and mdlp:
            whole = means[transductive] - means[mdlp]
            from_tests = means[transductive] - means[inductive]
            if whole > 0:
                sentence += (
                    f" Of its {whole:.2f} points above MDLP, {from_tests:.2f} "
                    f"({100 * from_tests / whole:.0f} %) come from the test rows."
                )
        sentences.append(sentence)
    if neighbours:
        sentence = (
            "The plain k-NN that makes the pseudo-labels reaches "
            f"{means[neighbours]:.2f} % by itself"
        )
        mine = transductive or inductive
        if mine:
            gap = points(means[neighbours] - means[mine])
            sentence += f", {gap} naive Bayes on SADD's intervals"
        sentences.append(f"{sentence}.")
    if not transductive and not inductive:
        best = others.idxmax()
        sentences.append(f"{_where(table)}, {best.label} has the highest average, "
                         f"{others[best]:.2f} %; SADD was not run.")
    return sentences


def _standing(subject: str, contender: Contender, means: pd.Series, others: pd.Series
              ) -> str:
    rank = 1 + int((others > means[contender] + 5e-3).sum())
    best = others.idxmax()
    n = len(others) + 1
    if rank == 1:
        place = f"has the highest average of {count(n, 'discretizer')}"
    else:
        place = f"is number {rank} of {n} discretizers by its average"
    return (
        f"{subject} {place} with {contender.classifier}: {means[contender]:.2f} %, "
        f"{points(means[contender] - others[best])} the best other method, "
        f"{best.label} ({others[best]:.2f} %)."
    )


def agreement_findings(*tables: AccuracyTable) -> list[str]:
    """
    Say how close the averages are to the published ones.

    Parameters
    ----------
    *tables : AccuracyTable

    Returns
    -------
    list of str
        A sentence, if there are enough data sets to speak of averages.
    """
    gaps, n_datasets = [], 0
    for table in tables:
        figures = table.averages
        if "comparable_published" in figures:
            gap = figures["comparable_same"] - figures["comparable_published"]
            gaps += gap.dropna().items()
            n_datasets = int(figures["comparable_published_datasets"].max())
    if n_datasets < FEW:
        return []
    far = [
        f"{contender.label} {signed(gap)}" for contender, gap in gaps if abs(gap) > 1
    ]
    sentence = (
        f"On {count(n_datasets, 'data set')} comparable with the paper's, "
        f"{len(gaps) - len(far)} of {count(len(gaps), 'average')} are within a point "
        "of the published one"
    )
    if far:
        sentence += f"; not so {', '.join(far)}"
    return [f"{sentence}."]


def family_findings(table: AccuracyTable, classifiers: list[str]) -> list[str]:
    """
    Say how much SADD adds to the accuracy of each classifier.

    Parameters
    ----------
    table : AccuracyTable
    classifiers : list of str

    Returns
    -------
    list of str
    """
    means = table.averages["mean"]
    if means.isna().all():
        return []
    sentences, parts = [], []
    for name in classifiers:
        with_mdlp, *with_sadd = family_contenders(name)
        gains = [
            f"{signed(means[c] - means[with_mdlp])} {c.way}"
            for c in with_sadd if with_mdlp in means and c in means
        ]
        if gains:
            parts.append(f"{name} {', '.join(gains)}")
    if parts:
        sentences.append(
            f"{_where(table)}, SADD instead of MDLP changes the average accuracy by "
            f"these points: {'; '.join(parts)}."
        )
    known = means[[c for c in table.contenders if c.method != KNN]]
    if len(known) > 1:
        best = known.idxmax()
        sentence = (
            f"The highest average in the family is {known[best]:.2f} % ({best.label})"
        )
        if neighbours := table.find(KNN):
            sentence += f"; plain k-NN has {means[neighbours]:.2f} %"
        sentences.append(f"{sentence}.")
    return sentences
