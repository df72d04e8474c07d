"""Figures of the committed runs, for pages and for the README.

    python doc/tools/benchmarkreport.py sadd-benchmark

takes a new run: its report and its summaries are put beside the pages, and its figures
into pages that are read without being built, between marks like ``<!-- results -->``.
Learning curves (`--labels`) and rivals (`--rivals`) have folders of their own. The
results of single folds are too large to be kept. Without an argument, figures are put
into pages anew; those of `benchmarks/scale_out.py` are where it has written them.
"""

import re
import shutil
import sys
from pathlib import Path

# The copy that this file is in, even if another one is installed
sys.path[:0] = [str(folder) for folder in Path(__file__).parents[1:3]]

from orangecontrib.sadd.evaluation.report.elements import signed  # noqa: E402
from orangecontrib.sadd.evaluation.report.statistics import (  # noqa: E402
    mean_interval,
)
from tools.runs import (  # noqa: E402
    FEW_LABELS,
    FOLDER,
    RIVALS,
    ROOT,
    SCALING,
    averages,
    difference,
    gap,
    gaps_of,
    in_brackets,
    leads,
    means_of,
    read_run,
    recipe_leads,
    rows_of,
)

__all__ = ["FEW_LABELS", "FOLDER", "FOLDERS", "PAGES", "RIVALS", "SCALING",
           "averages", "averages_table", "difference", "few_labels_table", "filled",
           "gaps_of", "leads", "means_of", "read_run", "rivals_table", "substitutions"]

FOLDERS = (FOLDER, FEW_LABELS, RIVALS, SCALING)
KEPT = ("report.html", "run.json", "accuracy.csv", "averages.csv", "bayesian.csv",
        "case_study.csv", "intervals.csv", "run_time.csv", "wins.csv")
KEPT_OF_CANDIDATES = ("report.html", "run.json", "candidates.csv",
                      "candidate_averages.csv", "differences.csv")
# Pages with figures between marks
PAGES = (ROOT / "README.md", ROOT / "doc" / "when-to-use-it.md",
         ROOT / "doc" / "scaling.md")
MARKED = re.compile(r"(<!-- (\w+) -->\n\n).*?(\n\n<!-- /\2 -->)", re.S)

CLASSIFIERS = {
    "NB": "naive Bayes", "WANBIA": "WANBIA", "CAWNB": "CAWNB",
    "AIWNB eager": "AIWNB, eager", "AIWNB lazy": "AIWNB, lazy",
    "RNB": "RNB (with SADD: RNB+)",
}
OTHERS = ("CAIM", "CACC", "ChiMerge", "EW", "EF", "PKID", "FFD")


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
    found = averages()
    mdlp, inductive, transductive = (
        float(found[method, pool, "NB"]["mean"]) for method, pool in (
            ("MDLP", "none"), ("SADD", "none"), ("SADD", "test")))
    vowel = {(row["method"], row["pool"]): round(float(row["mean"])) for row in rows}
    return {
        "averages": averages_table(),
        "few_labels": few_labels_table(),
        "few_labels_limits": few_labels_limits(),
        "rivals": rivals_table(),
        "gain_transductive": f"{transductive - mdlp:.1f}",
        "gain_inductive": f"{inductive - mdlp:.1f}",
        "vowel_mdlp": f"{vowel['MDLP', 'none']} %",
        "vowel_inductive": f"{vowel['SADD', 'none']} %",
        "vowel_transductive": f"{vowel['SADD', 'test']} %",
        "vowel_neighbours": f"{vowel['k-NN', 'test']} %",
    }


# Blocks of pages that are read without being built


def results_block():
    """The rivals in a few columns."""
    run = read_run(RIVALS)
    lines = ["| | Accuracy | Log loss | Calibration error | Seconds |",
             "|---|---|---|---|---|"]
    for (_, name, _), row in means_of(RIVALS).items():
        lines.append(
            f"| {name} | {float(row['accuracy']):.1f} % "
            f"| {float(row['log_loss']):.2f} "
            f"| {float(row['calibration_error']):.1f} % "
            f"| {float(row['seconds']):.1f} |")
    return (
        "\n".join(lines) + "\n\n"
        f"Averages over the paper's {len(run['datasets'])} data sets of at most 7,000 "
        f"rows, {run['settings']['folds']}-fold, with all rows labelled; seconds to "
        f"train and test once. Computed by\n\n    {run['command']}"
    )


def rivals_block():
    """What the run of rivals shows about RNB+ and about SADD."""
    means = {name: row for (_, name, _), row in means_of(RIVALS).items()}
    forest, boosting = "random forest", "gradient boosting"
    intervals, logistic = "SADD, logistic regression", "logistic regression"
    gaps = {name: difference("accuracy", name)
            for name in (forest, boosting, intervals, logistic)}
    by = {name: in_brackets(gap) for name, gap in gaps.items()}
    errors = {name: f"{float(row['calibration_error']):.1f} %"
              for name, row in means.items()}
    ahead = leads(RIVALS, forest, "RNB+")
    far = [name for name, lead in ahead.items() if lead > FAR]
    near = [lead for lead in ahead.values() if lead <= FAR]
    gain = leads(RIVALS, intervals, logistic)
    mean, low, high = map(signed, mean_interval(list(gain.values())))
    wins = sum(lead > 0 for lead in gain.values())
    best, *_, worst = gain
    return (
        "- **Random forest and boosting are more accurate than RNB+**, by "
        f"{by[forest]} and {by[boosting]} points. Most of the gap comes from some "
        f"data sets: on {len(far)} of {len(ahead)} the forest leads by more than {FAR} "
        f"points ({', '.join(far)}), on the other {len(near)} by "
        f"{sum(near) / len(near):.1f} on average. RNB+ adds up what each attribute "
        "says; it cannot see what two attributes say only together.\n"
        "- **Logistic regression on the intervals of SADD is more accurate than "
        f"RNB+**, by {by[intervals]} points, and better on {gaps[intervals]['better']} "
        f"of {len(ahead)} data sets. It has the lowest log loss and calibration error "
        "in the table. It can be read, too: it has a coefficient for each interval.\n"
        "- **Whether intervals help logistic regression depends on the data.** "
        f"Compared with plain numbers they gain {mean} [{low}, {high}] points on "
        f"average, and are better on {wins} of {len(gain)} data sets. The extremes are "
        f"{signed(gain[best])} on {best} and {signed(gain[worst])} on {worst}. Try "
        "both.\n"
        "- **By accuracy, this run does not tell RNB+ and logistic regression on plain "
        "numbers apart**: the latter minus the former is "
        f"{by[logistic]} points. The calibration error of RNB+, {errors['RNB+']}, lies "
        f"between those of logistic regression, {errors[logistic]}, and random forest, "
        f"{errors[forest]}."
    )


def few_labels_limits():
    """Where the recipe does not help."""
    fewest, found = next(iter(recipe_leads().items()))
    *_, worst = found
    better = sum(lead > 0 for lead in found.values())
    return (f"with {fewest} labels it is better than published RNB+ on {better} of "
            f"{len(found)} data sets, and on {worst.capitalize()} it is "
            f"{-found[worst]:.1f} points worse")


def recipe_block():
    """What the recipe for few labels gains over published RNB+."""
    found = recipe_leads()
    gains = [lead for by_set in found.values() for lead in by_set.values()]
    losses = [lead for by_set in recipe_leads("log_loss").values()
              for lead in by_set.values()]
    better = sum(gain > 0 for gain in gains)
    share = f"{100 * better / len(gains):.0f} %"
    surer = sum(loss < 0 for loss in losses)
    gaps = gaps_of(FEW_LABELS)
    logistic = [
        float(gaps[n, "accuracy", "RNB+ few labels", "training",
                   "logistic regression", "none"]["mean"]) for n in found]
    return (
        "With the same pool, the recipe for few labels is more accurate than published "
        f"RNB+ by {sum(gains) / len(gains):.1f} points, averaged over {len(gains)} "
        "pairs of a data set and a number of labels. It is better on "
        f"{better} of these pairs ({share}), and its log loss is lower on {surer}. "
        f"But {few_labels_limits()}. Its accuracy "
        "is about that of logistic regression, which learns from the labelled rows "
        f"alone: mean differences are from {signed(min(logistic))} to "
        f"{signed(max(logistic))} points, and all their intervals include 0."
    )


def curves_block():
    """Accuracy and log loss with few labels."""
    means = means_of(FEW_LABELS)
    numbers = list(dict.fromkeys(number for number, *_ in means))
    lines = ["| Labels | " + " | ".join(CURVES.values()) + " |",
             "|---" * (len(CURVES) + 1) + "|"]
    for n in numbers:
        rows = [means[n, *key] for key in CURVES]
        cells = [f"{float(row['accuracy']):.1f} %, {float(row['log_loss']):.2f}"
                 for row in rows]
        lines.append(f"| {n} | {' | '.join(cells)} |")
    run = read_run(FEW_LABELS)
    return (
        "\n".join(lines) + "\n\n"
        f"Accuracy and log loss, averaged over up to {len(run['datasets'])} data sets "
        f"and {run['settings']['repeats']} random splits of each. No method has seen "
        "the test rows."
    )


def discretizers_block():
    """What SADD adds to naive Bayes."""
    found = averages()
    mdlp, inductive, transductive = (
        f"{float(found[method, pool, 'NB']['mean']):.1f} %" for method, pool in (
            ("MDLP", "none"), ("SADD", "none"), ("SADD", "test")))
    neighbours = f"{float(found['k-NN', 'none', '']['mean']):.1f} %"
    return (
        f"Naive Bayes has an average accuracy of {mdlp} with MDLP and {inductive} with "
        f"SADD, over the paper's {found['SADD', 'none', 'NB']['datasets']} data sets "
        "and on rows that neither has seen. Under the paper's protocol SADD sees the "
        f"test rows without their class, and reaches {transductive}. The nearest "
        f"neighbours that lend the labels reach {neighbours} on their own."
    )


def listed(items, digits=".0f"):
    """Some figures in a sentence: a, b and c."""
    *first, last = (f"{item:{digits}}" for item in items)
    return f"{', '.join(first)} and {last}" if first else last


def scaling_block():
    """Time, memory and what moves, for data of several sizes."""
    run = read_run(SCALING)
    found = run["results"]
    peers = [row for row in found if "in_memory" in row]
    row_bytes = 8 * run["columns"]
    lines = ["| rows | data | processor seconds | seconds | rounds "
             "| client, peak (of which the fit) | worker, peak | moved |",
             "|---:" * 8 + "|"]
    for row in found:
        data, fit = row["rows"] * row_bytes, row["client"] - row["client_before"]
        lines.append(
            f"| {row['rows'] / 1e6:g} million | {data / 1e9:.1f} GB "
            f"| {row['processor']:.0f} | {row['seconds']:.0f} | {row['rounds']} "
            f"| {row['client'] / 1e6:.0f} MB ({fit / 1e6:.0f} MB) "
            f"| {row['worker'] / 1e6:.0f} MB "
            f"| {row['moved'] / 1e6:.0f} MB, {100 * row['moved'] / data:.1f} % |")
    load = [row["load"] for row in found]
    busy = (
        "Other programs kept the cores busy meanwhile, with load averages from "
        f"{min(load):.0f} to {max(load):.0f}, so that the seconds are longer than on a "
        "machine of your own; processor seconds, of all processes together, suffer "
        "less. "
    ) if min(load) > run["machine"]["cores"] else ""
    sizes = listed([row["rows"] / 1e6 for row in peers])
    memory = [row["in_memory"] for row in peers]
    rnb, rnb_in_memory = found[0]["rnb"], memory[0]["rnb"]
    calculated = run["calculated"]
    table = ["| workers | processor minutes of each | moved |", "|---:|---:|---:|"]
    for row in calculated["by_workers"]:
        share = 100 * row["moved"] / calculated["bytes"]
        table.append(f"| {row['workers']} | {row['processor'] / 60:.0f} "
                     f"| {row['moved'] / 1e9:.0f} GB, {share:.1f} % |")
    return (
        f"Data: {run['columns']} columns of untied float64 and {run['classes']} "
        f"classes in uncompressed parquet, {run['partition']:,} rows a file; SADD on a "
        f"`LocalCluster` of {run['workers']} workers with one thread and at most "
        f"{run['memory'].replace('GB', ' GB')} each, on {run['machine']['cores']} "
        "shared cores:\n\n" + "\n".join(lines) + "\n\n"
        f"{busy}A fit in memory of {sizes} million rows took "
        f"{listed([peer['processor'] for peer in memory])} processor seconds and "
        f"{listed([peer['peak'] / 1e9 for peer in memory], '.1f')} GB, after the files "
        f"were read. The cuts, {listed([row['cuts'] for row in peers])} of them, were "
        "identical.\n\n"
        f"RNB, with {run['iterations']} iterations after MDLP, took "
        f"{rnb['processor']:.0f} processor seconds for {found[0]['rows'] / 1e6:g} "
        f"million rows on the same workers, and moved {rnb['bytes'] / 1e6:.1f} MB in "
        f"{rnb['rounds']} evaluations of the loss. In memory it took "
        f"{rnb_in_memory['processor']:.0f} processor seconds, with identical "
        "weights.\n\n"
        f"For ten billion rows, {calculated['bytes'] / 1e9:.0f} GB, the terms measured "
        "here give the next table. It is a calculation, not a measurement: processors "
        "take as long for a row as in the largest run; the number of rounds grows with "
        f"the rows to the power {calculated['rounds_power']:.2f}, to "
        f"{calculated['rounds']:,}; the bytes moved grow with the rows to the power "
        f"{calculated['moved_power']:.2f}, and with the square root of the number of "
        "workers.\n\n" + "\n".join(table) + "\n\n"
        f"Computed on {run['finished'][:10]} with Dask {run['versions']['dask']}, by"
        f"\n\n    {run['command']}"
    )


# A lead of more points than this is a large one
FAR = 5
# Columns of `curves_block`
CURVES = {
    ("RNB+", "none"): "RNB+", ("RNB+", "training"): "RNB+ with pool",
    ("RNB+ few labels", "training"): "RNB+ *Few labels* with pool",
    ("committee", "none"): "committee alone",
    ("logistic regression", "none"): "logistic regression",
}
BLOCKS = {"results": results_block, "rivals": rivals_block, "curves": curves_block,
          "recipe": recipe_block, "discretizers": discretizers_block,
          "scaling": scaling_block}


def filled(path):
    """The text of a page with the figures of the runs between its marks."""
    return MARKED.sub(lambda found: found[1] + BLOCKS[found[2]]() + found[3],
                      path.read_text(encoding="utf-8"))


def keep(run):
    """Put the report and the summaries of a run beside the pages."""
    settings = read_run(run)["settings"]
    folder, kept = FOLDER, KEPT
    if settings["labels"] or settings["rivals"]:
        folder = FEW_LABELS if settings["labels"] else RIVALS
        kept = KEPT_OF_CANDIDATES
    folder.mkdir(exist_ok=True)
    for name in kept:
        shutil.copyfile(run / name, folder / name)


def main(*runs):
    for run in runs:
        keep(Path(run))
    for page in PAGES:
        page.write_text(filled(page), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
