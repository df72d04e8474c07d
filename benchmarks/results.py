"""Write the tables of ``doc/results.md`` and ``README.md``.

    python benchmarks/results.py

Tables are computed from the CSV files in ``doc/benchmark-report``. In the pages, a
table follows a comment with its name, as ``<!-- few-accuracy -->``, and ends before an
empty line. A test compares the pages with the CSV files.

Differences are those of means of data sets. Their 95 % intervals are over data sets, by
bootstrap. The CSV files are written by `smooth_tables.py`, `significance.py` and the
scripts in `paper`.
"""

import re
import textwrap
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "doc" / "benchmark-report"
PAGES = ("README.md", "doc/results.md")
OURS, FOREST = "SADD Tables", "random forest"
# Digits of means and of differences
DIGITS = {"accuracy": (1, 1), "log loss": (3, 2)}
# The order of models in tables
MODELS = (
    OURS, f"{OURS}, labelled rows", f"{OURS}, no pairs", f"{OURS}, 20 quantiles",
    "EBM", "EBM, no interactions", "RNB+", "RNB+, labelled rows", "naive Bayes, SADD",
    "naive Bayes, MDLP", "SADD, logistic regression", "logistic regression",
    "self-training", "label spreading", "committee", FOREST, "boosting")
SPACE = "\N{NO-BREAK SPACE}"  # keeps an interval in a line of a narrow table
COUNTS = ("10", "30", "100")
MARKED = re.compile(r"(?<=<!-- )([\w-]+)( -->\n)(.+?)(?=\n\n|\n?\Z)", re.DOTALL)


@cache
def figures(kind):
    """Return measures of models by labels, model and data set."""
    return pd.read_csv(REPORT / f"sadd-tables-{kind}.csv", dtype={"labels": str})


def wide(kind, labels, measure):
    """Return a measure, with a row for each data set and a column for each model."""
    found = figures(kind).query("labels == @labels").pivot(
        index="dataset", columns="model", values=measure)
    return found[[model for model in MODELS if model in found]]


def mean_interval(gaps):
    """Return the mean of differences, and the limits of its interval."""
    draws = np.random.default_rng(0).integers(len(gaps), size=(5000, len(gaps)))
    return gaps.mean(), *np.percentile(gaps.to_numpy()[draws].mean(axis=1), [2.5, 97.5])


def difference(one, other, measure):
    """Return the interval of a difference, and the number of data sets won."""
    gaps, digits = one - other, DIGITS[measure][1]
    won = (gaps > 0) if measure == "accuracy" else (gaps < 0)
    return f"{interval_text(gaps, digits)}, {won.sum()}{SPACE}of{SPACE}{len(gaps)}"


def interval_text(gaps, digits=1):
    # Adding 0 makes -0.0 positive
    mean, low, high = (round(value, digits) + 0.0 for value in mean_interval(gaps))
    return (f"{mean:+.{digits}f} [{low:.{digits}f},{SPACE}{high:.{digits}f}]"
            ).replace("-", "−")


def gap_text(one, other):
    """Return the difference in accuracy of two models, all rows labelled."""
    table = wide("ample", "all", "accuracy")
    return interval_text(table[one] - table[other])


def mean_text(values, measure):
    return f"{values.mean():.{DIGITS[measure][0]}f}" + " %" * (measure == "accuracy")


def markdown(head, rows):
    """Return a table."""
    lines = [["", *head], ["---"] * (len(head) + 1), *rows]
    return "\n".join("|" + "|".join(
        cell if cell == "---" else f" {cell} ".replace("  ", " ")
        for cell in line) + "|" for line in lines)


def few_means(measure):
    tables = [wide("few", labels, measure) for labels in COUNTS]
    return markdown([f"{labels} labels" for labels in COUNTS], [
        [model, *(mean_text(table[model], measure) for table in tables)]
        for model in tables[0]])


def few_differences(measure):
    tables = [wide("few", labels, measure) for labels in COUNTS]
    return markdown([f"{labels} labels" for labels in COUNTS], [
        [model, *(difference(table[OURS], table[model], measure) for table in tables)]
        for model in tables[0] if model != OURS])


def few_unlabelled():
    """Return what unlabelled rows add."""
    rows = []
    for measure in DIGITS:
        tables = [wide("few", labels, measure) for labels in COUNTS]
        rows += [[f"{model}, {measure}", *(difference(
            table[model], table[f"{model}, labelled rows"], measure)
            for table in tables)] for model in (OURS, "RNB+")]
    return markdown([f"{labels} labels" for labels in COUNTS], rows)


def data_sets(kind, unit):
    """Return the number of data sets, and the range of numbers of draws or folds."""
    found = figures(kind).query("model == @OURS")
    first, last = found["splits"].min(), found["splits"].max()
    return (f"{found['dataset'].nunique()} data sets, "
            f"{first}{f' to {last}' * (first < last)} {unit} each")


def fewer_data_sets():
    """Return a sentence on numbers of labels that not all data sets have."""
    counts = figures("few").query("model == @OURS")["labels"].value_counts()
    return " ".join(
        f"With {labels} labels, {count} data sets have a row of each class."
        for labels, count in counts.items() if count < counts.max())


def sentences(*parts):
    return "\n".join(textwrap.wrap(" ".join(parts), 88, break_on_hyphens=False))


def ample_table(kind, measure):
    own, digits = wide(kind, "all", measure), DIGITS[measure][0]
    more = ["calibration", "seconds"] if measure == "accuracy" else []
    others = [wide(kind, "all", name) for name in more]
    rows = [[model, f"{own[model].mean():.{digits}f}" + " %" * (digits == 1),
             *(spec.format(table[model].mean()) for table, spec in zip(
                 others, ("{:.1f} %", "{:.2f}"), strict=False)),
             "" if model == OURS else difference(own[OURS], own[model], measure)]
            for model in own]
    heads = ["calibration error", "seconds"] if more else []
    return markdown([measure, *heads, f"{OURS} minus it, better on"], rows)


@cache
def paper():
    """Return accuracies of the paper's experiments, ours and the published ones."""
    return pd.read_csv(REPORT / "accuracy.csv", keep_default_na=False).replace(
        {"published": {"": np.nan}}).astype({"published": float})


def paper_mean(classifier, discretizer, pool="none", labelled=1.0, labels="all",
               column="mean"):
    """Return a mean over the paper's data sets; NaN if none is published."""
    keys = {"classifier": classifier, "discretizer": discretizer, "pool": pool,
            "labelled": labelled, "classifier_labels": labels}
    rows = paper()[(paper()[list(keys)] == pd.Series(keys)).all(axis=1)]
    assert rows["dataset"].is_unique and len(rows) == 31
    return rows[column].mean()


def paper_cell(*way, **more):
    mean = paper_mean(*way, **more)
    return "" if np.isnan(mean) else f"{mean:.2f}"


def paper_family():
    names = {"NB": "naive Bayes", "WANBIA": "WANBIA", "CAWNB": "CAWNB",
             "AIWNB eager": "AIWNB, eager", "AIWNB lazy": "AIWNB, lazy",
             "RNB": "RNB (with SADD: RNB+)"}
    sources = [("MDLP", "none"), ("SADD", "none"), ("SADD", "test")]
    ways = [*((*source, "mean") for source in sources),
            *((*source, "published") for source in sources[::2])]
    return markdown(
        ["MDLP", "SADD, inductive", "SADD, transductive", "MDLP, published",
         "SADD, published"],
        [[shown, *(paper_cell(name, discretizer, pool, column=column)
                   for discretizer, pool, column in ways)]
         for name, shown in names.items()])


def paper_few():
    ways = [("SADD", "training"), ("SADD", "none"), *(
        (name, "none") for name in ("MDLP", "CAIM", "CACC", "ChiMerge"))]
    rows = [("here", "all", "mean"), ("published", "all", "published"),
            ("naive Bayes gets the same 40 %", "labelled", "mean")]
    return markdown(
        ["SADD, with unlabelled rows", "SADD, labelled rows",
         *(name for name, _ in ways[2:])],
        [[shown, *(paper_cell("NB", *way, 0.4, labels, column) for way in ways)]
         for shown, labels, column in rows])


def paper_others():
    names = ["CAIM", "CACC", "ChiMerge", "EW", "EF", "PKID", "FFD"]
    return markdown(names, [
        [shown, *(paper_cell("NB", name, column=column) for name in names)]
        for shown, column in (("here", "mean"), ("published", "published"))])


def paper_gaps(pool):
    """Return differences of naive Bayes with SADD and with MDLP, by data set."""
    rows = paper()
    rows = rows[(rows["classifier"] == "NB") & (rows["labelled"] == 1)]
    means = rows.pivot(index="dataset", columns=["discretizer", "pool"], values="mean")
    return means["SADD", pool] - means["MDLP", "none"]


def paper_sentence():
    return sentences(
        f"For naive Bayes, SADD minus MDLP is {interval_text(paper_gaps('test'))} "
        f"transductive and {interval_text(paper_gaps('none'))} inductive.",
        "The nearest neighbours that label the test rows reach "
        f"{paper_cell('', 'k-NN', 'test')} on their own.")


def paper_cacc():
    """Return a sentence on CACC with the stopping rule of a MATLAB program."""
    mean = pd.read_csv(REPORT / "cacc.csv")["mean"].mean()
    published = paper_mean("NB", "CACC", column="published")
    return sentences(f"With the stopping rule of the MATLAB program, CACC reaches "
                     f"{mean:.2f} on the 31 data sets. Published are {published:.2f}.")


def significance_table():
    """Return how often tests reject true hypotheses."""
    found = pd.read_csv(REPORT / "significance.csv", index_col="contenders")
    return markdown(["the report's test", "uncorrected", "correlation of folds"], [
        [name, f"{100 * row.corrected:.1f} %", f"{100 * row.uncorrected:.1f} %",
         f"{row.correlation:.2f}"] for name, row in found.iterrows()])


def readme_table():
    few, ample = wide("few", "30", "accuracy"), wide("ample", "all", "accuracy")
    names = [OURS, "RNB+", "logistic regression", FOREST]
    rows = []
    for name in names:
        cells = [f"{table[name].mean():.1f} %" for table in (few, ample)]
        best = [table[names].mean().idxmax() == name for table in (few, ample)]
        rows.append([f"{name} (not readable)" if name == FOREST else name, *(
            f"**{cell}**" if bold else cell
            for cell, bold in zip(cells, best, strict=True))])
    return markdown(["30 labels", "all labels"], rows).replace(
        "| |", "| Accuracy on unseen rows |", 1)


TABLES = {
    "few": lambda: sentences(
        f"{data_sets('few', 'draws of labels')}, and up to 600 unlabelled rows.",
        fewer_data_sets(), "SADD Tables, RNB+, naive Bayes with SADD, self-training "
        "and label spreading use the unlabelled rows, unless the table says *labelled "
        "rows*."),
    "few-accuracy": lambda: few_means("accuracy"),
    "few-accuracy-differences": lambda: few_differences("accuracy"),
    "few-log-loss": lambda: few_means("log loss"),
    "few-log-loss-differences": lambda: few_differences("log loss"),
    "few-unlabelled": few_unlabelled,
    "ample": lambda: sentences(
        f"{data_sets('ample', 'folds')}. Seconds are CPU time of one fit on a busy "
        "computer."),
    "ample-accuracy": lambda: ample_table("ample", "accuracy"),
    "ample-log-loss": lambda: ample_table("ample", "log loss"),
    "ebm": lambda: sentences(f"{data_sets('ample-ebm', 'folds of 10')}: "
                             f"{', '.join(wide('ample-ebm', 'all', 'accuracy').index)}."
                             ),
    "ebm-accuracy": lambda: ample_table("ample-ebm", "accuracy"),
    "ebm-log-loss": lambda: ample_table("ample-ebm", "log loss"),
    "other-logistic": lambda: sentences(
        "Here, intervals of SADD minus none for logistic regression are "
        f"{gap_text('SADD, logistic regression', 'logistic regression')}."),
    "paper-family": paper_family,
    "paper-gaps": paper_sentence,
    "paper-few": paper_few,
    "paper-few-neighbours": lambda: sentences(
        "The nearest neighbours with 40 % of the labels reach "
        f"{paper_cell('', 'k-NN', 'training', 0.4, 'labelled')}."),
    "paper-others": paper_others,
    "paper-cacc": paper_cacc,
    "significance": significance_table,
    "readme": readme_table,
    "readme-data-sets": lambda: sentences(
        f"30 labels: {data_sets('few', 'draws')}, unlabelled rows for the first two "
        f"models. All labels: {data_sets('ample', 'folds')}."),
}


def written(text):
    """Return the text of a page with its tables computed again."""
    return MARKED.sub(lambda m: f"{m[1]}{m[2]}{TABLES[m[1]]()}", text)


def main():
    for name in PAGES:
        path = ROOT / name
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
