"""Candidates, the classifiers that are evaluated as a whole: figures and sections."""

from functools import cached_property
from typing import NamedTuple

import pandas as pd

from orangecontrib.sadd.evaluation.candidates import calibration_error
from orangecontrib.sadd.evaluation.report.elements import (
    Section,
    TableCell,
    count,
    signed,
)
from orangecontrib.sadd.evaluation.report.plots import curve_plot, reliability_plot
from orangecontrib.sadd.evaluation.report.statistics import mean_interval
from orangecontrib.sadd.evaluation.resulttables import ResultTables

__all__ = ["FEW_LABELS", "FEW_LABELS_POOL", "LOGISTIC", "MEASURES", "PUBLISHED",
           "PUBLISHED_POOL", "CandidateKey", "CandidateScores", "candidate_findings",
           "candidate_section"]

# Measures, and whether more of it is better
MEASURES = {"accuracy": True, "log_loss": False, "brier": False,
            "calibration_error": False}
KEYS = ["classifier", "pool"]
IN_PERCENT = ["accuracy", "calibration_error"]


class CandidateKey(NamedTuple):
    """
    What identifies a candidate in the results.

    Examples
    --------
    >>> CandidateKey("RNB+", "training").label
    'RNB+ with pool'
    """

    classifier: str
    pool: str = "none"

    @property
    def label(self) -> str:
        """Name to show."""
        return self.classifier + (" with pool" if self.pool != "none" else "")


PUBLISHED, PUBLISHED_POOL = CandidateKey("RNB+"), CandidateKey("RNB+", "training")
FEW_LABELS = CandidateKey("RNB+ few labels")
FEW_LABELS_POOL = CandidateKey("RNB+ few labels", "training")
LOGISTIC = CandidateKey("logistic regression")

# Whose differences the summaries have; in learning curves, and with all labels
PAIRS = (
    (FEW_LABELS_POOL, PUBLISHED_POOL), (FEW_LABELS_POOL, LOGISTIC),
    (FEW_LABELS_POOL, CandidateKey("committee")), (FEW_LABELS_POOL, FEW_LABELS),
    (PUBLISHED_POOL, PUBLISHED), (PUBLISHED_POOL, CandidateKey("NB on MDLP")),
)


# Of the learning curves that are drawn; those of others are in the table.
DRAWN = (FEW_LABELS_POOL, PUBLISHED_POOL, PUBLISHED, CandidateKey("NB on MDLP"),
         CandidateKey("committee"), LOGISTIC)
# Bins with fewer rows are not drawn; their fraction is chance.
FEWEST_ROWS = 30
DIGITS = {"accuracy": ".2f", "log_loss": ".3f", "brier": ".3f",
          "calibration_error": ".2f", "seconds": ".2f"}


class CandidateScores:
    """
    Measures of candidates by data set and number of labels.

    Parameters
    ----------
    tables : ResultTables
        Of which fits of candidates are read.

    Attributes
    ----------
    fits : DataFrame
        Of candidates, without those that failed.
    keys : list of CandidateKey
        In the order of the results.
    numbers : list of int
        Numbers of labelled rows in learning curves; empty if there are none.
    """

    def __init__(self, tables: ResultTables) -> None:
        fits = tables.fits
        self.fits = fits[(fits["method"] == "") & fits["accuracy"].notna()]
        self._bins = tables.bins
        self.keys = [
            CandidateKey(*key) for key in
            self.fits[KEYS].drop_duplicates().itertuples(index=False, name=None)
        ]
        self.numbers = sorted({int(n) for n in self.fits["labelled"] if n > 1})

    @cached_property
    def by_dataset(self) -> pd.DataFrame:
        """
        Means over folds or splits, a row for each data set, number and candidate.

        Accuracy and calibration error are in per cent. The latter is of the test rows
        of all folds together, since it is biased where rows are few.
        """
        names = ["dataset", "labelled", *KEYS]
        frame = self.fits.groupby(names, sort=False).agg(
            fits=("accuracy", "size"), accuracy=("accuracy", "mean"),
            log_loss=("log_loss", "mean"), brier=("brier", "mean"),
            seconds=("seconds_classify", "mean"),
        )
        errors = {
            key: calibration_error(bins)
            for key, bins in self._bins.groupby(names, sort=False)
        }
        frame["calibration_error"] = pd.Series(errors, dtype=float).reindex(frame.index)
        frame[IN_PERCENT] *= 100
        # Data sets on which each candidate has all its results
        most = frame.groupby(level=["dataset", "labelled"])["fits"]
        complete = (most.transform("min") == most.transform("max")) & (
            most.transform("size") == len(self.keys))
        return frame.assign(complete=complete).reset_index()

    @cached_property
    def _complete(self):
        return self.by_dataset[self.by_dataset["complete"]]

    @cached_property
    def averages(self) -> pd.DataFrame:
        """Means over data sets on which all candidates have all results."""
        groups = self._complete.groupby(["labelled", *KEYS], sort=False)
        frame = groups[[*MEASURES, "seconds"]].mean()
        frame.insert(0, "datasets", groups.size())
        return frame.reset_index().sort_values("labelled", kind="stable")

    def curve(self, key: CandidateKey, measure: str) -> pd.DataFrame:
        """
        Return means over data sets for each number of labels.

        Returns
        -------
        DataFrame
            ``mean`` and the limits of its confidence interval over repetitions,
            ``low`` and ``high``, by the number of labels.
        """
        complete = self._complete[["dataset", "labelled"]].drop_duplicates()
        fits = self.fits[(self.fits[KEYS] == list(key)).all(axis=1)]
        means = fits.merge(complete).groupby(["labelled", "repeat"])[measure].mean()
        if measure in IN_PERCENT:
            means *= 100
        rows = {
            int(n): mean_interval(values)
            for n, values in means.groupby(level="labelled")
        }
        return pd.DataFrame.from_dict(rows, "index", columns=["mean", "low", "high"])

    def differences(self, first: CandidateKey, second: CandidateKey, measure: str
                    ) -> pd.DataFrame:
        """
        Return by how much a measure of one candidate is above that of another.

        Returns
        -------
        DataFrame
            ``labelled``; the number of ``datasets``; the ``mean`` difference, with the
            limits ``low`` and ``high`` of its confidence interval over data sets; and
            on how many the first candidate is ``better``.
        """
        values = self._complete.pivot(
            index=["labelled", "dataset"], columns=KEYS, values=measure)
        rows = []
        # Rounded, so that the same figures are the same
        gaps = (values[first] - values[second]).round(9)
        for labelled, gap in gaps.groupby(level="labelled"):
            better = gap > 0 if MEASURES[measure] else gap < 0
            rows.append((labelled, len(gap), *mean_interval(gap), int(better.sum())))
        return pd.DataFrame(
            rows, columns=["labelled", "datasets", "mean", "low", "high", "better"])

    @cached_property
    def pairs(self) -> list[tuple[CandidateKey, CandidateKey]]:
        """Pairs of candidates whose differences are shown."""
        pairs = list(PAIRS) if self.numbers else [
            (key, PUBLISHED) for key in self.keys if key != PUBLISHED]
        return [pair for pair in pairs if set(pair) <= set(self.keys)]

    @cached_property
    def all_differences(self) -> pd.DataFrame:
        """Differences of all pairs in all measures."""
        frames = [
            self.differences(first, second, measure).assign(
                first=first.classifier, first_pool=first.pool,
                second=second.classifier, second_pool=second.pool, measure=measure)
            for first, second in self.pairs for measure in MEASURES
        ]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

    @cached_property
    def reliability(self) -> pd.DataFrame:
        """
        Fraction of rows predicted right, by the probability of the predicted class.

        All rows of all data sets together, with all labels: ``rows`` in a ``bin``,
        their mean ``confidence``, and the fraction ``right`` of them.
        """
        bins = self._bins[self._bins["labelled"] == 1]
        sums = bins.groupby([*KEYS, "bin"], sort=False)[
            ["rows", "confidence", "right"]].sum()
        for name in ("confidence", "right"):
            sums[name] /= sums["rows"]
        return sums.reset_index()

    def summaries(self) -> dict[str, pd.DataFrame]:
        """Return the tables for programs, by the name of the file."""
        if not self.keys:
            return {}
        return {
            "candidates": self.by_dataset.drop(columns="complete"),
            "candidate_averages": self.averages,
            "differences": self.all_differences,
            "reliability": self.reliability,
        }


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
    best = {
        name: shown[name].max() if MEASURES[name] else shown[name].min()
        for name in MEASURES
    }
    for key in keys:
        row = shown.loc[key]
        yield key, [
            TableCell(f"{row[name]:{DIGITS[name]}}", best=row[name] == best.get(name))
            for name in DIGITS
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


def candidate_section(scores: CandidateScores) -> Section | None:
    """Show learning curves with few labels, or rivals; None without candidates."""
    if not len(scores.averages):
        return None
    return _curves(scores) if scores.numbers else _rivals(scores)


def _curves(scores):
    """Show learning curves with few labels."""
    drawn = [key for key in DRAWN if key in scores.keys]
    interval = (
        "Means over data sets; bars are 95 % confidence intervals over the random "
        "splits. With more labels some small data sets drop out, so compare the lines "
        "at one number of labels.")
    plots = [
        curve_plot({key.label: scores.curve(key, measure) for key in drawn}, what,
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


def _rivals(scores):
    """Compare RNB+ with other classifiers on the same folds."""
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
    groups = {CandidateKey(*key).label: part for key, part in bins.groupby(
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
