"""Figures of candidates, the classifiers that are evaluated as a whole."""

from functools import cached_property
from typing import NamedTuple

import pandas as pd

from orangecontrib.sadd.evaluation.measures import calibration_error
from orangecontrib.sadd.evaluation.report.statistics import mean_interval
from orangecontrib.sadd.evaluation.resulttables import ResultTables

__all__ = ["FEW_LABELS", "FEW_LABELS_POOL", "LOGISTIC", "MEASURES", "PUBLISHED",
           "PUBLISHED_POOL", "CandidateKey", "CandidateScores"]

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
