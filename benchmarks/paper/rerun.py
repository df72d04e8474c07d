"""Rerun the paper's experiments and compare the figures with the published ones.

    python benchmarks/paper/rerun.py ../shared/datasets --jobs 2

runs the benchmark on the 31 data sets of the paper, which are not a part of the
repository. It writes the report, CSV files and ``comparison.html`` to the folder
``paper-rerun``. ``accuracy.csv``, ``averages.csv`` and ``wins.csv`` also have the
published figures; ``case_study.csv`` is the paper's study of Vowel. An interrupted run
continues from the finished folds.
"""

import argparse
import shlex
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from jinja2 import FileSystemLoader

from orangecontrib.sadd.evaluation.comparison import comparisons
from orangecontrib.sadd.evaluation.contenders import shown_name
from orangecontrib.sadd.evaluation.experiment import PUBLISHED, Experiment
from orangecontrib.sadd.evaluation.page import render, signed, write_report
from orangecontrib.sadd.evaluation.run import run_benchmark, write_csv
from orangecontrib.sadd.evaluation.summaries import accuracy_table, interval_counts

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import papers_data  # noqa: E402
import published  # noqa: E402

PAIR = ["labelled", "classifier_labels", "classifier", "first_discretizer",
        "first_pool", "second_discretizer", "second_pool"]


def with_published(frame, facts):
    """
    Add the published figures to a table of accuracies.

    Parameters
    ----------
    frame : DataFrame
        As from `accuracy_table`.
    facts : dict
        Facts on data sets, as in ``run.json``.

    Returns
    -------
    DataFrame
        With the columns ``published``, ``published_std``, ``difference`` and
        ``comparable``, "yes" or "no".
    """
    keys = {name: published.key_of(name, found["rows"])
            for name, found in facts.items()}
    theirs = published.accuracies().drop(columns="printed")
    frame = frame.assign(key=frame["dataset"].map(keys)).merge(
        theirs, "left", [*published.KEYS, "key"])
    obstacles = {name: published.difference(name, facts[name])[1] for name in keys}
    comparable = [None if table != table else "no" if table in obstacles[name]
                  else "yes" for name, table in zip(frame["dataset"], frame["table"],
                                                    strict=True)]
    return frame.assign(difference=frame["mean"] - frame["published"],
                        comparable=comparable).drop(columns=["key", "table", "column"])


def with_published_averages(averages, accuracy):
    """
    Add averages of the paper's rows to a table of averages.

    ``published`` is over the same data sets and ``same`` is ours on these;
    ``comparable_...`` leave out data sets that differ from the authors'; ``printed`` is
    what the paper prints, if all its data sets were run.
    """
    for prefix, rows in (("", accuracy.dropna(subset="published")),
                         ("comparable_", accuracy[accuracy["comparable"] == "yes"])):
        found = rows.groupby(published.KEYS, as_index=False).agg(**{
            f"{prefix}published_datasets": ("published", "size"),
            f"{prefix}same": ("mean", "mean"),
            f"{prefix}published": ("published", "mean")})
        averages = averages.merge(found, "left", published.KEYS)
    averages = averages.merge(
        published.columns().drop(columns=["table", "column"]), "left", published.KEYS)
    n = len(published.published_table("res")["rows"])
    averages.loc[averages["published_datasets"] != n, "printed"] = np.nan
    return averages


def with_published_wins(wins, facts):
    """Add the wins that the paper prints, if all its data sets were run."""
    keys = {published.key_of(name, found["rows"]) for name, found in facts.items()}
    if not set(published.published_table("res")["rows"]) <= keys:
        return wins
    rows = []
    for table, summary in (("res", "sum"), ("ablation-semi", "sum2"), ("res2", "sum1")):
        for other, printed in published.published_table(summary)["wins"].items():
            first = f"{other}+" if table == "res2" else "SADD"
            found = published.columns()
            found = found[found["table"] == table].set_index("column")
            one, two = found.loc[first], found.loc[other]
            in_rows = published.wins_in_rows(table, first, other)
            rows.append((
                *one[["labelled", "classifier_labels", "classifier", "discretizer",
                      "pool"]], *two[["discretizer", "pool"]], *printed,
                " / ".join(map(str, in_rows))))
    theirs = pd.DataFrame(rows, columns=[
        *PAIR, "published_wins", "published_significant_wins", "in_published_rows"])
    return wins.merge(theirs, "left", PAIR)


def case_study(table, facts):
    """Return intervals and information of the paper's case study; empty without it."""
    case = published.published_table("case")
    names = {attribute: name for name, attribute in case["attributes"].items()}
    dataset = [name for name, found in facts.items()
               if published.key_of(name, found["rows"]) == case["dataset"]]
    rows = table[table["dataset"].isin(dataset) & table["item"].isin(names)
                 & table["measure"].isin(["intervals", "information"])
                 & table["discretizer"].isin(["SADD", "MDLP"])]
    frame = rows.groupby(["discretizer", "pool", "item", "measure"], sort=False)[
        "value"].mean().unstack("measure").reset_index()
    if not set(names) <= set(frame["item"]):
        return frame[:0]
    frame = frame.rename(columns={"item": "attribute"})
    frame.insert(0, "published_name", frame["attribute"].map(names))
    theirs = [case["rows"][row.published_name][row.discretizer]
              if row.pool == ("test" if row.discretizer == "SADD" else "none")
              else (np.nan, np.nan) for row in frame.itertuples()]
    return frame.assign(
        published_intervals=[intervals for intervals, _ in theirs],
        published_information=[bits for _, bits in theirs])


def agreement(averages):
    """Return a sentence on how close the averages are to the published ones."""
    gaps = (averages["comparable_same"] - averages["comparable_published"]).dropna()
    far = [f"{row.classifier} on {shown_name(row.discretizer, row.pool, row.labelled)} "
           f"{signed(gaps[row.Index])}" for row in averages.loc[gaps.index].itertuples()
           if abs(gaps[row.Index]) > 1]
    n = averages["comparable_published_datasets"].max()
    return (f"On up to {n:g} comparable data sets, {len(gaps) - len(far)} of "
            f"{len(gaps)} averages are within a point of the published ones."
            + (f" Exceptions: {', '.join(far)}." if far else ""))


def sections(found, accuracy, averages, wins, facts):
    """Return tables of the paper with our comparison and the figures for its page."""
    theirs = accuracy.set_index(["dataset", *published.KEYS])["published"]
    parts = []
    for table, summary, compared in (
            ("res", "sum", found["discretizers"]), ("res2", "sum1", found["family"]),
            ("ablation-semi", "sum2", [c for c in found["labels"] if c.labelled == 0.4
                                       and c.classifier_labels == "all"])):
        for c in compared:
            beneath = c.means.apply(lambda means, c=c: pd.Series([
                theirs.get((name, c.labelled, "all", *means.name), np.nan)
                for name in means.index], means.index))
            marks = {name: sign for name in c.means.index
                     if (sign := published.mark(table, name, facts[name]))}
            own = averages.merge(c.averages.reset_index()[published.KEYS])
            pairs = wins.merge(c.wins[PAIR])
            parts.append({
                "table": table, "comparison": c, "published": beneath, "marks": marks,
                "averages": own.dropna(subset="published"), "wins": pairs,
                "notes": [note for name in (table, summary)
                          for note in published.content()["notes"].get(name, [])],
                "cell_notes": [note for note in published.content()["cell_notes"]
                               if note["table"] == table]})
    return parts


def write_comparison(folder, table, run):
    """Write ``comparison.html``, and published figures into the CSV files."""
    facts, found = run["datasets"], comparisons(table, published=True)
    every = [*found["discretizers"], *found["family"], *found["labels"]]
    accuracy = with_published(accuracy_table(table), facts)
    averages = with_published_averages(
        pd.concat([c.averages.reset_index() for c in every]), accuracy)
    wins = with_published_wins(pd.concat([c.wins for c in every]), facts)
    case = case_study(table, facts)
    for name, frame in (("accuracy", accuracy), ("averages", averages), ("wins", wins),
                        ("case_study", case)):
        if len(frame):
            write_csv(folder / f"{name}.csv", frame, float_format="%.8g")
    counts = interval_counts(table)
    text = render(
        "comparison.html.j2", FileSystemLoader(HERE), run=run, published=published,
        paper=published.content()["paper"], agreement=agreement(averages),
        sections=sections(found, accuracy, averages, wins, facts), case=case,
        intervals=counts[counts["discretizer"].isin(["SADD", "MDLP"])])
    path = folder / "comparison.html"
    path.write_text(text, encoding="utf-8")
    return path


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", help="the folder of the data sets, or files")
    parser.add_argument("-o", "--output", type=Path, default=Path("paper-rerun"))
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args(argv)
    data_sets = [papers_data.load(path) for source in args.data
                 for path in papers_data.files(source)]
    command = shlex.join(["python", *sys.argv])
    table, run = run_benchmark(data_sets, Experiment(**PUBLISHED), args.output,
                               jobs=args.jobs, command=command)
    print(write_report(args.output, table, run))
    print(write_comparison(args.output, table, run))


if __name__ == "__main__":
    main()
