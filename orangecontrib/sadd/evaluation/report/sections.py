"""Sections of the report that show what the paper shows."""

from dataclasses import dataclass

import pandas as pd

from orangecontrib.sadd.evaluation.report import plots
from orangecontrib.sadd.evaluation.report.findings import (
    INDUCTIVE,
    TRANSDUCTIVE,
    count,
    signed,
)
from orangecontrib.sadd.evaluation.report.intervaltables import (
    case_table,
    interval_table,
    mean_intervals,
)
from orangecontrib.sadd.evaluation.report.markup import (
    Cell,
    Markup,
    element,
    join,
    paragraph,
    table,
)
from orangecontrib.sadd.evaluation.report.published import notes
from orangecontrib.sadd.evaluation.report.scores import KNN
from orangecontrib.sadd.evaluation.report.statistics import friedman
from orangecontrib.sadd.evaluation.report.wins import wins_table

__all__ = ["Section", "case", "family", "intervals", "labels", "methods"]

CAUTION = (
    "The folds of a cross-validation share training rows, so that a t-test over them "
    "finds differences more often than its level says; it is the paper's test. A "
    "difference without any variance counts as significant."
)


@dataclass(frozen=True)
class Section:
    """A part of the report: its anchor, heading and contents."""

    anchor: str
    title: str
    content: Markup


def about_paper(*names, is_compared=True):
    """Return the notes on tables of the paper."""
    sentences = [text for name in names for text in notes(name) if is_compared]
    if not sentences:
        return None
    items = [element("li", sentence) for sentence in sentences]
    title = element("b", "About the published figures")
    return element("div", title, element("ul", *items), class_="notes")


def _is_published(contents):
    return any(contents.comparison.key(name) for name in contents.scores.datasets)


def methods(contents):
    """Return the section on discretizers."""
    shown = contents.methods
    if not shown.columns:
        return None
    is_published = _is_published(contents)
    base = contents.scores.base
    parts = [
        paragraph(
            f"Each discretizer with the classifier {base}. SADD stands twice: "
            "transductive, as published, it sees the test rows of a fold without their "
            "labels; inductive, it learns from the training rows only, as all others "
            "do. Plain k-NN is the classifier that gives SADD its pseudo-labels."
        ),
        shown.markup(f"Accuracy of {base} by discretizer"),
        about_paper("res", is_compared=is_published and base == "NB"),
    ]
    if contents.method_wins:
        parts += [
            element("h3", "Wins and losses"),
            paragraph("Data sets on which SADD has the higher, the same or the lower "
                      "mean accuracy; where published, beside what the paper says, and "
                      "wins / ties / losses in the paper's own rows. ", CAUTION),
            wins_table("SADD against the other methods", contents.method_wins),
            about_paper("sum", is_compared=is_published and base == "NB"),
        ]
    parts += [_gains(contents), _ranks(contents)]
    return Section("discretizers", f"Discretizers with {base}", join(parts))


def _gains(contents):
    means = contents.methods.means
    labels = [name for name in (TRANSDUCTIVE, INDUCTIVE) if name in means]
    if "MDLP" not in means or not labels:
        return None
    gains = means[labels].sub(means["MDLP"], axis=0)
    if gains.isna().all(axis=None):
        return None
    comparison, published = contents.comparison, {}
    if labels[0] == TRANSDUCTIVE and contents.scores.base == "NB":
        for name in means.index:
            pair = [comparison.cell("res", name, c) for c in ("SADD", "MDLP")]
            if None not in pair:
                published[name] = pair[0][0] - pair[1][0]
    return join([
        element("h3", "Gain over MDLP on each data set"),
        plots.gain_plot(
            gains, published, "MDLP",
            "Mean accuracy minus that of MDLP with the same classifier, in points; "
            "right of zero is better than MDLP. The distance between the two marks of "
            "a data set is what the test rows give.",
        ),
    ])


def rank_figure(means, what):
    """Return a critical-difference diagram, or None if there is too little for it."""
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


def _ranks(contents):
    means = contents.methods.means.drop(columns=KNN, errors="ignore")
    figures = [
        rank_figure(means.drop(columns=out, errors="ignore"), what)
        for out, what in (
            ([INDUCTIVE], "discretizers, SADD transductive"),
            ([TRANSDUCTIVE], "discretizers, SADD inductive"),
        )
        if any(c.startswith("SADD") for c in means.columns.drop(out, errors="ignore"))
    ]
    figures = [figure for figure in figures if figure is not None]
    return join([element("h3", "Critical differences"), *figures]) if figures else None


def labels(contents):
    """Return the section on discretization with a part of the labels."""
    parts = []
    for part in contents.labels:
        percent = f"{100 * part.fraction:g} %"
        if part.classifier_labels == "all":
            how = f"{percent} labelled, as the authors ran it"
            text = (
                f"Discretizers see the labels of {percent} of the training rows; SADD "
                "also sees the rest, unlabelled. The classifier is then trained with "
                "the true labels of all training rows, as in the authors' code. Plain "
                "k-NN, which makes the pseudo-labels, knows the same labels as SADD."
            )
        else:
            how = f"{percent} labelled, as one would run it"
            text = (
                f"Only {percent} of the training rows have a label, for discretizer "
                "and classifier alike. There are no published figures for this."
            )
        parts += [
            element("h3", how),
            paragraph(text),
            _label_finding(part),
            part.table.markup(f"Accuracy of {contents.scores.base}, {how}"),
        ]
        if part.wins:
            parts.append(wins_table(f"SADD against other methods, {how}", part.wins))
        is_published = any(column.published for column in part.table.columns)
        is_published = is_published and _is_published(contents)
        parts.append(about_paper("ablation-semi", "sum2", is_compared=is_published))
    return Section("labels", "Few labels", join(parts)) if parts else None


def _label_finding(part):
    means = part.table.averages["mean"]
    others = means[[
        c.label for c in part.table.columns if c.method not in ("SADD", KNN)
    ]]
    mine = [c.label for c in part.table.columns if c.method == "SADD"]
    if means.isna().all() or others.empty or not mine:
        return None
    own = ", ".join(f"{name} has {means[name]:.2f} %" for name in mine)
    text = (
        f"On the average, {own}; the best other discretizer, {others.idxmax()}, "
        f"{others.max():.2f} %."
    )
    if KNN in means:
        text += f" Plain k-NN has {means[KNN]:.2f} %."
    return paragraph(text)


def intervals(contents):
    """Return the section on numbers of intervals."""
    frame = contents.intervals
    columns = contents.shown_intervals
    if frame.empty:
        return None
    parts = []
    shown = frame[frame["column"].isin([column.label for column in columns])]
    if not shown.empty:
        parts += [
            paragraph(
                "How many numeric attributes have 1, 2, 3, 4, 5 or more intervals. The "
                "number of intervals of an attribute is the mean over folds, rounded; "
                "an attribute with one interval is lost to the classifier. Beneath: "
                "the published counts."
            ),
            interval_table("Numbers of attributes by their number of intervals", shown,
                           columns, contents.comparison),
            about_paper("interval", is_compared=_is_published(contents)),
        ]
    means = mean_intervals(frame, [column.label for column in contents.discretizers])
    points = pd.DataFrame({
        "intervals": means.mean(), "accuracy": contents.methods.averages["mean"]
    }).dropna()
    if len(points) > 1:
        parts.append(element("h3", "Intervals against accuracy"))
        parts.append(plots.interval_plot(
            points,
            "Mean number of intervals of a numeric attribute, averaged over data sets, "
            f"and average accuracy of {contents.scores.base}.",
        ))
    return Section("intervals", "Numbers of intervals", join(parts)) if parts else None


def case(contents):
    """Return the section on the paper's case study."""
    frame = contents.case
    if frame is None:
        return None
    return Section("vowel", "Case study: Vowel", join([
        paragraph(
            "Number of intervals of the ten numeric attributes of Vowel, and their "
            "mutual information with the class in the training rows, in bits: means "
            "over folds. Beneath: the published figures. Cutting an interval further "
            "never loses information; whether it helps to predict is another question."
        ),
        case_table("Intervals and information in Vowel", frame,
                   contents.shown_intervals),
        about_paper("case"),
    ]))


def family(contents):
    """Return the section on the naive Bayes family."""
    shown = contents.family
    if shown is None or not shown.columns:
        return None
    is_published = _is_published(contents)
    parts = [
        paragraph(
            "Weighted naive Bayes classifiers, each on the intervals of MDLP, and with "
            "“+” on those of SADD: transductive, as published, and inductive. Beneath: "
            "the published figure and, in brackets, ours minus it."
        ),
        _family_averages(contents),
        shown.markup("Accuracy of the naive Bayes family"),
        about_paper("res2", is_compared=is_published),
    ]
    if contents.family_wins:
        parts += [
            element("h3", "Wins and losses"),
            paragraph("Data sets on which a classifier with SADD has the higher, the "
                      "same or the lower mean accuracy than with MDLP. ", CAUTION),
            wins_table("With SADD against with MDLP", contents.family_wins),
            about_paper("sum1", is_compared=is_published),
        ]
    ways = (("+ inductive", "transductive"), ("+ transductive", "inductive"))
    figures = []
    for out, way in ways:
        kept = [c for c in shown.means if not c.endswith(out) and c != KNN]
        if any("+" in name for name in kept):
            figures.append(
                rank_figure(shown.means[kept], f"classifiers, SADD {way}")
            )
    if any(figure is not None for figure in figures):
        parts += [element("h3", "Critical differences"), *figures]
    return Section("family", "The naive Bayes family", join(parts))


def _family_averages(contents):
    figures = contents.family.averages
    names = [name for name in contents.classifiers if name in figures.index]
    if len(names) < 2 or figures["mean"].isna().all():
        return None
    ways = {"MDLP": "", "SADD transductive": "+ transductive",
            "SADD inductive": "+ inductive"}
    best = figures["mean"].drop(KNN, errors="ignore").max()

    def cell(label):
        if label not in figures.index:
            return Cell()
        row = figures.loc[label]
        published = row.get("published")
        small = None
        if published is not None and published == published:
            small = f"{published:.2f} ({signed(row['same'] - published)})"
        return Cell(f"{row['mean']:.2f}", small, best=row["mean"] == best)

    n = len(contents.family.common)
    return table(
        f"Averages over {count(n, 'data set')}",
        ["Classifier", *ways],
        [[name, *(cell(f"{name}{way}") for way in ways.values())] for name in names],
        kind="figures",
    )
