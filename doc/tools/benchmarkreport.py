"""Figures of the committed runs of the benchmark, for pages and for the README.

    python doc/tools/benchmarkreport.py sadd-benchmark

takes a new run: its report and its summaries are put beside the pages, and a table of
the ordinary run into the README. Learning curves (`--labels`) and rivals (`--rivals`)
have folders of their own. The results of single folds are too large to be kept.
"""

import csv
import json
import re
import shutil
import sys
from pathlib import Path

from orangecontrib.sadd.evaluation.report.tables import signed

__all__ = ["FOLDER", "FOLDERS", "averages_table", "few_labels_table", "readme_with",
           "rivals_table", "substitutions"]

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "doc" / "benchmark-report"
FEW_LABELS, RIVALS = (ROOT / "doc" / f"{name}-report"
                      for name in ("few-labels", "rivals"))
FOLDERS = (FOLDER, FEW_LABELS, RIVALS)
KEPT = ("report.html", "run.json", "accuracy.csv", "averages.csv", "bayesian.csv",
        "case_study.csv", "intervals.csv", "run_time.csv", "wins.csv")
KEPT_OF_CANDIDATES = ("report.html", "run.json", "candidates.csv",
                      "candidate_averages.csv", "differences.csv")
MARKED = re.compile(r"(<!-- results -->\n\n).*(\n\n<!-- /results -->)", re.S)

CLASSIFIERS = {
    "NB": "naive Bayes", "WANBIA": "WANBIA", "CAWNB": "CAWNB",
    "AIWNB eager": "AIWNB, eager", "AIWNB lazy": "AIWNB, lazy",
    "RNB": "RNB (with SADD: RNB+)",
}
OTHERS = ("CAIM", "CACC", "ChiMerge", "EW", "EF", "PKID", "FFD")


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


def averages_table():
    """The averages over data sets as Markdown."""
    found = averages()

    def figure(name, method, pool="none", classifier="NB"):
        return f"{float(found[method, pool, classifier][name]):.2f}"

    titles = ("MDLP", "SADD, inductive", "SADD, transductive", "MDLP, published",
              "SADD, published")
    lines = [f"| | {' | '.join(titles)} |", "|---|---|---|---|---|---|"]
    for classifier, name in CLASSIFIERS.items():
        cells = [
            figure(what, method, pool, classifier) for what, method, pool in (
                ("mean", "MDLP", "none"), ("mean", "SADD", "none"),
                ("mean", "SADD", "test"), ("published", "MDLP", "none"),
                ("published", "SADD", "test"))
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    run = read_run(FOLDER)
    others = ", ".join(f"{name} {figure('mean', name)}" for name in OTHERS)
    neighbours = figure("mean", "k-NN", classifier="")
    versions = run["versions"]
    row = found["MDLP", "none", "NB"]
    differ = int(row["published_datasets"]) - int(row["comparable_published_datasets"])
    return (
        f"Average accuracy over the paper's {len(run['datasets'])} data sets, "
        f"{run['settings']['folds']}-fold, in per cent:\n\n" + "\n".join(lines) + "\n\n"
        f"Naive Bayes with the other discretizers: {others}. The nearest neighbours "
        f"that lend labels to SADD have {neighbours} by themselves. The copies of "
        f"{differ} data sets differ from the authors'; the report has averages without "
        "them, too. Computed on "
        f"{run['finished'][:10]} in {round(run['seconds'] / 60)} minutes on "
        f"{run['machine']['cores']} cores, with Orange {versions['Orange3']} and "
        f"scikit-learn {versions['scikit-learn']}, by\n\n    {run['command']}"
    )


def gaps_of(folder):
    """Rows of the differences, by number, measure and the two candidates."""
    return {
        (row["labelled"], row["measure"], row["first"], row["first_pool"],
         row["second"], row["second_pool"]): row
        for row in read_rows(folder, "differences")
    }


def gap(row):
    """A difference with its interval, and on how many data sets it is better."""
    mean, low, high = (signed(float(row[name])) for name in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}], {row['better']} of {row['datasets']}"


def means_of(folder):
    """Rows of the averages of candidates, by number, classifier and pool."""
    return {
        (row["labelled"], row["classifier"], row["pool"]): row
        for row in read_rows(folder, "candidate_averages")
    }


def few_labels_table():
    """Differences of the recipe for few labels as Markdown."""
    gaps, means = gaps_of(FEW_LABELS), means_of(FEW_LABELS)
    numbers = list(dict.fromkeys(number for number, *_ in means))
    recipe, published = ("RNB+ few labels", "training"), ("RNB+", "training")
    logistic = ("logistic regression", "none")
    titles = ("Labels", "Accuracy against RNB+ with the same pool",
              "against logistic regression", "Log loss against RNB+",
              "against logistic regression",
              "Calibration error: recipe, RNB+, logistic regression")
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for n in numbers:
        cells = [gap(gaps[n, measure, *recipe, *other])
                 for measure in ("accuracy", "log_loss")
                 for other in (published, logistic)]
        errors = ", ".join(
            f"{float(means[n, *key]['calibration_error']):.1f} %"
            for key in (recipe, published, logistic))
        lines.append(f"| {n} | {' | '.join(cells)} | {errors} |")
    run = read_run(FEW_LABELS)
    return (
        f"{len(run['datasets'])} data sets, {run['settings']['repeats']} random splits "
        "of each:\n\n" + "\n".join(lines) + "\n\n"
        "Each cell has the mean difference, in points or in nats, its 95 % confidence "
        "interval over data sets, and on how many of them the recipe is better. "
        f"Computed by\n\n    {run['command']}"
    )


def rivals_table():
    """Measures of RNB+ and other classifiers as Markdown."""
    gaps = gaps_of(RIVALS)
    titles = ("", "Accuracy", "Log loss", "Brier score", "Calibration error", "Seconds",
              "Accuracy minus RNB+", "Log loss minus RNB+")
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for key, row in means_of(RIVALS).items():
        cells = [f"{float(row[name]):{digits}}" for name, digits in (
            ("accuracy", ".2f"), ("log_loss", ".3f"), ("brier", ".3f"),
            ("calibration_error", ".1f"), ("seconds", ".2f"))]
        for measure in ("accuracy", "log_loss"):
            found = gaps.get(("1", measure, *key[1:], "RNB+", "none"))
            cells.append(gap(found) if found else "")
        lines.append(f"| {key[1]} | {' | '.join(cells)} |")
    run = read_run(RIVALS)
    return (
        f"{len(run['datasets'])} data sets, {run['settings']['folds']}-fold:\n\n"
        + "\n".join(lines) + "\n\n"
        "Accuracy and calibration error are in per cent; seconds are to train and to "
        "test. Differences have their 95 % confidence interval over data sets, and "
        f"on how many of them they are better. Computed by\n\n    {run['command']}"
    )


def substitutions():
    """Words that pages take from the run."""
    rows = [row for row in rows_of("accuracy") if row["dataset"] == "vowel"
            and row["classifier"] in ("NB", "")]
    vowel = {(row["method"], row["pool"]): round(float(row["mean"])) for row in rows}
    return {
        "averages": averages_table(),
        "few_labels": few_labels_table(),
        "rivals": rivals_table(),
        "vowel_mdlp": f"{vowel['MDLP', 'none']} %",
        "vowel_inductive": f"{vowel['SADD', 'none']} %",
        "vowel_transductive": f"{vowel['SADD', 'test']} %",
        "vowel_neighbours": f"{vowel['k-NN', 'test']} %",
    }


def readme_with(table):
    """The README with this table."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return MARKED.sub(lambda found: found[1] + table + found[2], text)


def main(run):
    run = Path(run)
    settings = read_run(run)["settings"]
    folder, kept = FOLDER, KEPT
    if settings["labels"] or settings["rivals"]:
        folder = FEW_LABELS if settings["labels"] else RIVALS
        kept = KEPT_OF_CANDIDATES
    folder.mkdir(exist_ok=True)
    for name in kept:
        shutil.copyfile(run / name, folder / name)
    if folder == FOLDER:
        (ROOT / "README.md").write_text(
            readme_with(averages_table()), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
