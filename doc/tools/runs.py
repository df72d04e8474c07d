"""The committed runs: their folders, summaries and differences."""

import csv
import json
from pathlib import Path

from orangecontrib.sadd.evaluation.report.elements import signed

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "doc" / "benchmark-report"
FEW_LABELS, RIVALS, SCALING = (ROOT / "doc" / f"{name}-report"
                               for name in ("few-labels", "rivals", "scaling"))


def read_rows(folder, name):
    """Rows of a summary."""
    with open(folder / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows_of(name):
    """Rows of a summary with all labels."""
    return [row for row in read_rows(FOLDER, name) if row["labelled"] == "1"]


def read_run(folder):
    """How a run was made."""
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))


def averages():
    """Rows of the averages, by method, pool and classifier."""
    return {
        (row["method"], row["pool"], row["classifier"]): row
        for row in rows_of("averages")
    }


def gaps_of(folder):
    """Rows of the differences, by number, measure and the two candidates."""
    return {
        (row["labelled"], row["measure"], row["first"], row["first_pool"],
         row["second"], row["second_pool"]): row
        for row in read_rows(folder, "differences")
    }


def in_brackets(row):
    """A mean difference and its interval."""
    mean, low, high = (signed(float(row[name])) for name in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}]"


def gap(row):
    """A difference with its interval, and on how many data sets it is better."""
    return f"{in_brackets(row)}, {row['better']} of {row['datasets']}"


def means_of(folder):
    """Rows of the averages of candidates, by number, classifier and pool."""
    return {
        (row["labelled"], row["classifier"], row["pool"]): row
        for row in read_rows(folder, "candidate_averages")
    }


def difference(measure, first, second="RNB+"):
    """A row of the differences in the run of rivals."""
    return gaps_of(RIVALS)["1", measure, first, "none", second, "none"]


def leads(folder, first, second, labelled="1", pool="none", measure="accuracy"):
    """By how much a candidate is above another, by data set, the most first."""
    values = {(row["dataset"], row["classifier"]): float(row[measure])
              for row in read_rows(folder, "candidates")
              if (row["labelled"], row["pool"]) == (labelled, pool)}
    found = {name: value - values[name, second]
             for (name, classifier), value in values.items() if classifier == first}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def recipe_leads(measure="accuracy"):
    """Leads of the recipe over published RNB+ with the same pool, by number."""
    numbers = dict.fromkeys(number for number, *_ in means_of(FEW_LABELS))
    return {n: leads(FEW_LABELS, "RNB+ few labels", "RNB+", n, "training", measure)
            for n in numbers}
