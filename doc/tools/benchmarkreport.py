"""Figures of the committed run of the benchmark, for pages and for the README.

    python doc/tools/benchmarkreport.py sadd-benchmark

takes a new run: its report and its summaries are put beside the pages, and its table
into the README. The results of single folds are too large to be kept.
"""

import csv
import json
import re
import shutil
import sys
from pathlib import Path

__all__ = ["FOLDER", "averages_table", "readme_with", "substitutions"]

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "doc" / "benchmark-report"
KEPT = ("report.html", "run.json", "accuracy.csv", "averages.csv", "bayesian.csv",
        "case_study.csv", "intervals.csv", "run_time.csv", "wins.csv")
MARKED = re.compile(r"(<!-- results -->\n\n).*(\n\n<!-- /results -->)", re.S)

CLASSIFIERS = {
    "NB": "naive Bayes", "WANBIA": "WANBIA", "CAWNB": "CAWNB",
    "AIWNB eager": "AIWNB, eager", "AIWNB lazy": "AIWNB, lazy",
    "RNB": "RNB (with SADD: RNB+)",
}
OTHERS = ("CAIM", "CACC", "ChiMerge", "EW", "EF", "PKID", "FFD")


def rows_of(name):
    """Rows of a summary with all labels."""
    with open(FOLDER / f"{name}.csv", encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["labelled"] == "1"]


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
    run = json.loads((FOLDER / "run.json").read_text(encoding="utf-8"))
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


def substitutions():
    """Words that pages take from the run."""
    rows = [row for row in rows_of("accuracy") if row["dataset"] == "vowel"
            and row["classifier"] in ("NB", "")]
    vowel = {(row["method"], row["pool"]): round(float(row["mean"])) for row in rows}
    return {
        "averages": averages_table(),
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
    FOLDER.mkdir(exist_ok=True)
    for name in KEPT:
        shutil.copyfile(Path(run) / name, FOLDER / name)
    (ROOT / "README.md").write_text(readme_with(averages_table()), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
