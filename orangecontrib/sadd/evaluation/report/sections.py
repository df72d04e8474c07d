"""What each section of the report shows. Templates of the same names put it in words.

A section is a function of `Contents`; it returns None if there is nothing to show.
"""

import pandas as pd

from orangecontrib.sadd.evaluation.report import plots
from orangecontrib.sadd.evaluation.report.accuracytable import beside
from orangecontrib.sadd.evaluation.report.candidatereport import candidate_section
from orangecontrib.sadd.evaluation.report.contents import Contents
from orangecontrib.sadd.evaluation.report.elements import Drawing, Section, TableCell
from orangecontrib.sadd.evaluation.report.published import (
    DIFFERENT,
    SIMILAR,
    legend_of,
    notes,
    published_table,
)
from orangecontrib.sadd.evaluation.report.scores import (
    BASE,
    KNN,
    Contender,
    family_contenders,
)
from orangecontrib.sadd.evaluation.report.statistics import ROPE, friedman

__all__ = ["SECTIONS"]

N_FAILURES = 200


def _notes(contents, *names):
    """Return the notes on tables of the paper, if its figures are shown."""
    return [text for name in names for text in notes(name) if contents.is_published]


def candidates(contents: Contents) -> Section | None:
    """Show the classifiers that were evaluated as a whole."""
    return candidate_section(contents.candidates)


def discretizers(contents: Contents) -> Section | None:
    """Compare the discretizers with all labels."""
    shown, base = contents.methods, contents.scores.base
    if not shown.table.contenders:
        return None
    is_compared = base == BASE
    return Section("discretizers", f"Discretizers with {base}", {
        "base": base, "table": shown.table, "wins": shown.wins,
        "notes": _notes(contents, "res") if is_compared else [],
        "win_notes": _notes(contents, "sum") if is_compared else [],
        "gains": _gains(contents),
        "ranks": _ranks(shown.table, "discretizers"),
    })


def _gains(contents):
    table, comparison = contents.methods.table, contents.comparison
    mdlp = table.find("MDLP")
    of_sadd = [c for c in contents.discretizers if c.method == "SADD"]
    if mdlp is None or not of_sadd:
        return None
    gains = table.means[of_sadd].sub(table.means[mdlp], axis=0)
    if gains.isna().all(axis=None):
        return None
    published = {}
    if of_sadd[0].reference is not None:
        for name in table.means.index:
            pair = [comparison.cell("res", name, c.method) for c in (of_sadd[0], mdlp)]
            if None not in pair:
                published[name] = pair[0][0] - pair[1][0]
    return plots.gain_plot(
        gains, published, "MDLP",
        "Mean accuracy minus that of MDLP with the same classifier, in points; right "
        "of zero is better than MDLP. The distance between the two marks of a data "
        "set is what the test rows give.",
    )


def _ranks(table, what):
    """Return critical-difference diagrams with SADD transductive and inductive."""
    drawings = []
    for pool, way in (("test", "transductive"), ("none", "inductive")):
        kept = [c for c in table.compared if c.method != "SADD" or c.pool == pool]
        if any(c.method == "SADD" for c in kept):
            drawings.append(_rank_plot(table.means[kept], f"{what}, SADD {way}"))
    return [drawing for drawing in drawings if drawing is not None]


def _rank_plot(means: pd.DataFrame, what: str) -> Drawing | None:
    test = friedman(means)
    if test is None:
        return None
    verdict = (
        "so the methods do not all rank alike" if test.p_value < 0.05
        else "so it does not show that the methods rank differently"
    )
    return plots.rank_plot(
        test,
        f"Average ranks of {what} over {test.n_datasets} data sets; 1 is the best. A "
        "bar joins methods that do not differ significantly (Nemenyi, 0.05). The "
        f"Friedman test gives chi-square {test.statistic:.1f}, p = {test.p_value:.2g}, "
        f"{verdict}.",
    )


def family(contents: Contents) -> Section | None:
    """Compare the classifiers, each with MDLP and with SADD."""
    table = contents.family
    if table is None or not table.contenders:
        return None
    return Section("family", "The naive Bayes family", {
        "table": table, "wins": contents.family_wins,
        "averages": _family_averages(contents), "n_common": len(table.common),
        "notes": _notes(contents, "res2"), "win_notes": _notes(contents, "sum1"),
        "ranks": _ranks(table, "classifiers"),
    })


def _family_averages(contents):
    """Return the rows of a table of averages: a classifier, and its three cells."""
    figures = contents.family.averages
    names = [
        name for name in contents.classifiers
        if family_contenders(name)[0] in figures.index
    ]
    if len(names) < 2 or figures["mean"].isna().all():
        return []
    best = figures["mean"][contents.family.compared.columns].max()

    def cell(contender):
        if contender not in figures.index:
            return TableCell()
        row = figures.loc[contender]
        return TableCell(f"{row['mean']:.2f}", beside(row), best=row["mean"] == best)

    return [(name, [cell(c) for c in family_contenders(name)]) for name in names]


def labels(contents: Contents) -> Section | None:
    """Compare the discretizers with a part of the labels."""
    parts = [
        {
            "percent": f"{100 * part.fraction:g} %", "which": part.classifier_labels,
            "table": part.table, "wins": part.wins,
            "finding": _label_finding(part.table),
            "notes": _notes(contents, "ablation-semi", "sum2")
            if any(c.reference for c in part.table.contenders) else [],
        }
        for part in contents.few_labels
    ]
    content = {"base": contents.scores.base, "parts": parts}
    return Section("labels", "Few labels", content) if parts else None


def _label_finding(table):
    """Say how SADD and the best other discretizer do with few labels."""
    means = table.averages["mean"]
    others = means[table.others]
    mine = [c for c in table.contenders if c.method == "SADD"]
    if means.isna().all() or others.empty or not mine:
        return None
    own = ", ".join(f"{c.label} has {means[c]:.2f} %" for c in mine)
    text = (
        f"On the average, {own}; the best other discretizer, {others.idxmax().label}, "
        f"{others.max():.2f} %."
    )
    if neighbours := table.find(KNN):
        text += f" Plain k-NN has {means[neighbours]:.2f} %."
    return text


def intervals(contents: Contents) -> Section | None:
    """Count the intervals."""
    frame, shown = contents.intervals, contents.shown_intervals
    if frame.empty:
        return None
    bins, names = published_table("interval")["bins"], frame["dataset"].unique()
    counts = frame.set_index(["dataset", "method", "pool"])
    marks = {name: contents.comparison.mark("interval", name) for name in names}
    is_shown = frame["method"].isin([c.method for c in shown]).any()
    means = counts["mean"].groupby(level=["method", "pool"]).mean()
    points = pd.DataFrame({
        "intervals": {c: means.get((c.method, c.pool)) for c in contents.discretizers},
        "accuracy": contents.methods.table.averages["mean"],
    }, index=pd.Index(contents.discretizers, dtype=object)).dropna()
    plot = None
    if len(points) > 1:
        plot = plots.interval_plot(
            points,
            "Mean number of intervals of a numeric attribute, averaged over data sets, "
            f"and average accuracy of {contents.scores.base}.",
        )
    if not is_shown and plot is None:
        return None
    return Section("intervals", "Numbers of intervals", {
        "contenders": shown if is_shown else [], "bins": bins, "marks": marks,
        "counts": counts[bins].to_dict("index"),
        "published": {name: contents.comparison.intervals(name) for name in names},
        "legend": legend_of(mark for mark, _ in marks.values()),
        "notes": _notes(contents, "interval"), "plot": plot,
    })


def vowel(contents: Contents) -> Section | None:
    """Show the case study of the paper."""
    frame = contents.case
    if frame is None:
        return None
    figures = {"intervals": ".1f", "information": ".4f"}
    published = {"intervals": "g", "information": ".4f"}
    groups = dict(iter(frame.groupby(["method", "pool"])))
    shown = [c for c in contents.shown_intervals if (c.method, c.pool) in groups]

    def cells(choose):
        for contender in shown:
            row = choose(groups[contender.method, contender.pool])
            for name, digits in figures.items():
                theirs = row[f"published_{name}"]
                yield TableCell(
                    f"{row[name]:{digits}}",
                    f"{theirs:{published[name]}}" if theirs == theirs else None,
                    kind="group" if name == "intervals" else None,
                )

    names = frame[["published_name", "attribute"]].drop_duplicates()
    return Section("vowel", "Case study: Vowel", {
        "contenders": shown,
        "rows": [
            (f"{published_name} ({attribute})",
             list(cells(lambda group, i=i: group.iloc[i])))
            for i, (published_name, attribute)
            in enumerate(names.itertuples(index=False))
        ],
        "average": list(cells(lambda group: group.mean(numeric_only=True))),
        "notes": _notes(contents, "case"),
    })


def bayesian(contents: Contents) -> Section | None:
    """Show probabilities that one contender is better than another."""
    rows = contents.bayesian
    if not rows:
        return None
    return Section("bayesian", "Bayesian comparison", {
        "is_single": len(contents.scores.datasets) == 1, "rope": f"{ROPE:g}",
        "n_comparisons": len(rows),
        "n_certain": sum(p[0] > 0.95 for *_, p in rows),
        "n_lost": sum(p[2] > 0.95 for *_, p in rows),
        "plot": plots.bayesian_plot(
            rows,
            "From left to right: left method better, equivalent, right method better.",
        ),
    })


def sweep(contents: Contents) -> Section | None:
    """Show the accuracy for each k and N0, if more than one was run."""
    base = contents.scores.base
    frame = contents.sweep[contents.sweep["classifier"] == base]
    if frame.empty or frame[["k", "n0"]].nunique().max() < 2:
        return None
    values = frame.pivot(
        index=["labelled", "classifier_labels", "pool", "k"], columns="n0",
        values="mean",
    )
    found = list(contents.scores.all["k"].unique())
    rows = []
    for key in sorted(
        values.index, key=lambda key: (-key[0], *key[1:3], found.index(key[3]))
    ):
        labelled, which, pool, k = key
        name = f"{Contender('SADD', pool, base, labelled, which).label}, k = {k}"
        if labelled < 1:
            trained = "all rows" if which == "all" else "labelled rows"
            name += f"; {100 * labelled:g} % labelled, {base} on {trained}"
        row = values.loc[key]
        rows.append((name, [
            TableCell() if value != value
            else TableCell(f"{value:.2f}", best=value == row.max())
            for value in row
        ]))
    return Section("sweep", "Values of k and N0", {
        "base": base, "columns": [f"N0 = {n0:g}" for n0 in values.columns],
        "rows": rows,
    })


def run_time(contents: Contents) -> Section | None:
    """Show the times of discretizers and classifiers."""
    frame, base = contents.times, contents.scores.base
    if frame.empty:
        return None
    shown = {}
    for what, title in (
        ("discretizer", "Discretization"), ("classifier", "Training and prediction")
    ):
        seconds = {}
        for row in frame[frame["what"] == what].itertuples():
            is_base = row.classifier == base
            contender = Contender(row.method, row.pool, row.classifier,
                                  in_family=not is_base)
            label = contender.label
            if what == "classifier" and is_base:
                label = f"{base} with {label}"
            seconds[label] = row.seconds
        if seconds:
            shown[title] = plots.time_plot(
                pd.Series(seconds), f"{title}, seconds in sum, in one process."
            )
    return Section("time", "Run time", {"plots": shown})


def data_sets(contents: Contents) -> Section:
    """Describe the data sets, and how they differ from the paper's."""
    facts, names = contents.run.get("datasets", {}), contents.scores.datasets
    return Section("datasets", "Data sets", {
        "names": [*names, *(name for name in facts if name not in names)],
        "with_results": names, "facts": facts, "comparison": contents.comparison,
        "different": DIFFERENT, "similar": SIMILAR,
    })


def failures(contents: Contents) -> Section | None:
    """List the failures."""
    frame = contents.failures
    others = contents.run.get("failures", [])
    if frame.empty and not others:
        return None
    return Section("failures", "Failures", {
        "n": len(frame), "others": others,
        "rows": frame.head(N_FAILURES).to_dict("records"),
    })


def environment(contents: Contents) -> Section | None:
    """Say how and where the benchmark was run."""
    if not contents.run:
        return None
    return Section("environment", "Environment", {"run": contents.run})


SECTIONS = (
    candidates, discretizers, family, labels, intervals, vowel, bayesian, sweep,
    run_time, data_sets, failures, environment,
)
