"""What the numbers say, in words."""

import pandas as pd

from orangecontrib.sadd.evaluation.report.scores import KNN

__all__ = ["agreement_findings", "family_findings", "method_findings", "signed"]

TRANSDUCTIVE, INDUCTIVE = "SADD transductive", "SADD inductive"
# With fewer data sets than this, an average says little about agreement.
FEW = 5


def count(n: int, singular: str) -> str:
    """
    Say how many.

    Examples
    --------
    >>> count(1, "data set"), count(3, "data set")
    ('1 data set', '3 data sets')
    """
    return f"{n} {singular if n == 1 else singular + 's'}"


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


def signed(value: float) -> str:
    """
    Write a difference with its sign.

    Examples
    --------
    >>> signed(-0.251)
    '−0.25'
    >>> signed(-0.001)
    '0.00'
    """
    return f"{value:+.2f}".replace("-", "−") if abs(value) >= 0.005 else "0.00"


def _where(table):
    n = len(table.common)
    return "On this data set" if n == 1 else f"Over {n} data sets"


def method_findings(table):
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
    competitors = means.drop([TRANSDUCTIVE, INDUCTIVE, KNN], errors="ignore")
    if means.isna().all() or len(means) < 2:
        return []
    sentences = []
    classifier = table.columns[0].classifier or "classifier"
    if TRANSDUCTIVE in means and len(competitors):
        sentences.append(_standing(
            f"{_where(table)}, SADD as published (transductive)", TRANSDUCTIVE, means,
            competitors, classifier,
        ))
    if INDUCTIVE in means and len(competitors):
        subject = "Inductively, without a look at the test rows, SADD"
        sentence = _standing(subject, INDUCTIVE, means, competitors, classifier)
        if TRANSDUCTIVE in means and "MDLP" in means:
            whole = means[TRANSDUCTIVE] - means["MDLP"]
            without = means[INDUCTIVE] - means["MDLP"]
            if whole > 0:
                share = 100 * (whole - without) / whole
                sentence += (
                    f" Of its {whole:.2f} points above MDLP, {whole - without:.2f} "
                    f"({share:.0f} %) come from the test rows."
                )
        sentences.append(sentence)
    if KNN in means:
        sentences.append(_neighbours(means))
    if TRANSDUCTIVE not in means and INDUCTIVE not in means:
        best = competitors.idxmax()
        sentences.append(f"{_where(table)}, {best} has the highest average, "
                         f"{competitors[best]:.2f} %; SADD was not run.")
    return sentences


def _standing(subject, label, means, competitors, classifier):
    better = competitors[competitors > means[label] + 5e-3]
    best = competitors.idxmax()
    rank = 1 + len(better)
    n = len(competitors) + 1
    if rank == 1:
        place = f"has the highest average of {count(n, 'discretizer')}"
    else:
        place = f"is number {rank} of {n} discretizers by its average"
    return (
        f"{subject} {place} with {classifier}: {means[label]:.2f} %, "
        f"{points(means[label] - competitors[best])} the best other method, {best} "
        f"({competitors[best]:.2f} %)."
    )


def _neighbours(means):
    mine = means.get(TRANSDUCTIVE, means.get(INDUCTIVE))
    sentence = (
        f"The plain k-NN that makes the pseudo-labels reaches {means[KNN]:.2f} % by "
        "itself"
    )
    if mine is None:
        return f"{sentence}."
    return f"{sentence}, {points(means[KNN] - mine)} naive Bayes on SADD's intervals."


def agreement_findings(*tables):
    """
    Say how far the averages are from the published ones.

    Parameters
    ----------
    *tables : AccuracyTable

    Returns
    -------
    list of str
        A sentence, if there are enough data sets to speak of averages.
    """
    gaps, n_datasets = {}, 0
    for table in tables:
        figures = table.averages
        if "comparable_published" in figures:
            gap = figures["comparable_same"] - figures["comparable_published"]
            gaps.update(gap.dropna())
            n_datasets = int(figures["comparable_published_datasets"].max())
    if n_datasets < FEW:
        return []
    far = {name: gap for name, gap in gaps.items() if abs(gap) > 1}
    sentence = (
        f"On {count(n_datasets, 'data set')} comparable with the paper's, "
        f"{len(gaps) - len(far)} of {count(len(gaps), 'average')} are within a point "
        "of the published one"
    )
    if far:
        listed = ", ".join(f"{name} {signed(gap)}" for name, gap in far.items())
        sentence += f"; not so {listed}"
    return [f"{sentence}."]


def family_findings(table, classifiers):
    """
    Say what SADD gives to each classifier.

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
        gains = [
            f"{signed(means[f'{name}+ {way}'] - means[name])} {way}"
            for way in ("transductive", "inductive")
            if name in means and f"{name}+ {way}" in means
        ]
        if gains:
            parts.append(f"{name} {', '.join(gains)}")
    if parts:
        sentences.append(
            f"{_where(table)}, SADD instead of MDLP changes the average accuracy by "
            f"these points: {'; '.join(parts)}."
        )
    known = pd.Series({
        label: means[label] for label in means.index if label != KNN
    })
    if len(known) > 1:
        best = known.idxmax()
        sentence = f"The highest average in the family is {known[best]:.2f} % ({best})"
        if KNN in means:
            sentence += f"; plain k-NN has {means[KNN]:.2f} %"
        sentences.append(f"{sentence}.")
    return sentences
