"""Sections of the report beyond the paper, and on the run itself."""

import pandas as pd

from orangecontrib.sadd.evaluation.report import plots
from orangecontrib.sadd.evaluation.report.bayesian import ROPE
from orangecontrib.sadd.evaluation.report.differences import DIFFERENT, SIMILAR
from orangecontrib.sadd.evaluation.report.markup import (
    Cell,
    Markup,
    element,
    join,
    paragraph,
    table,
)
from orangecontrib.sadd.evaluation.report.scores import KEYS, POOLS, POOLS_OF_FEW
from orangecontrib.sadd.evaluation.report.sections import Section

__all__ = [
    "bayesian",
    "data_sets",
    "environment",
    "failures",
    "run_time",
    "sweep",
    "sweep_frame",
    "time_frame",
]

N_FAILURES = 200


def bayesian(contents):
    """Return the section with Bayesian comparisons."""
    frame = contents.bayesian
    title = "Bayesian comparison"
    if frame is None:
        return Section("bayesian", title, paragraph(
            "This needs the package baycomp, which comes with Orange and is not "
            "installed here."
        ))
    if frame.empty:
        return None
    n = len(contents.scores.datasets)
    test = (
        "the Bayesian signed-rank test over data sets" if n > 1
        else "the Bayesian correlated t-test over folds"
    )
    certain = frame[frame["first_better"] > 0.95]
    lost = frame[frame["second_better"] > 0.95]
    rows = [
        (row.first, row.second, (row.first_better, row.equivalent, row.second_better))
        for row in frame.itertuples()
    ]
    return Section("bayesian", title, join([
        paragraph(
            f"Probabilities, by {test}, that the method on the left is better by more "
            f"than {ROPE:g} point of accuracy, that the two are practically equivalent "
            "(grey), and that the one on the right is better. Of "
            f"{len(frame)} comparisons, the left one is better with a probability "
            f"above 0.95 in {len(certain)}, and the right one in {len(lost)}."
        ),
        plots.bayesian_plot(rows, "From left to right: left method better, equivalent, "
                                  "right method better."),
    ]))


def sweep_frame(scores):
    """
    Average the accuracy with SADD for each k and N0.

    Returns
    -------
    DataFrame
        ``labelled``, ``classifier_labels``, ``pool``, ``classifier``, ``k``, ``n0``,
        number of ``datasets`` and ``mean`` accuracy over them.
    """
    names = [*KEYS, "k", "n0"]
    rows = scores.all[(scores.all["method"] == "SADD") & scores.all["accuracy"].notna()]
    means = rows.groupby([*names, "dataset"])["accuracy"].mean()
    figures = means.groupby(level=names).agg(["size", "mean"]).reset_index()
    figures = figures.rename(columns={"size": "datasets"})
    return figures.drop(columns="method")


def sweep(contents):
    """Return the section on values of k and N0, if more than one was run."""
    frame = sweep_frame(contents.scores)
    frame = frame[frame["classifier"] == contents.scores.base]
    if frame[["k", "n0"]].nunique().max() < 2 if len(frame) else True:
        return None
    parts = [paragraph(
        f"Average accuracy of {contents.scores.base} on SADD's intervals for each "
        "number of neighbours k and each N0. The first k and N0 are those of the other "
        "sections. Without unlabelled rows there are no neighbours, and k does not "
        "matter."
    )]
    values = frame.pivot(
        index=["labelled", "classifier_labels", "pool", "k"], columns="n0",
        values="mean",
    )
    found = list(dict.fromkeys(contents.scores.all["k"]))
    order = sorted(
        values.index, key=lambda key: (-key[0], *key[1:3], found.index(key[3]))
    )
    body = []
    for key in order:
        labelled, which, pool, k = key
        ways = POOLS if labelled == 1 else POOLS_OF_FEW
        name = f"SADD {ways.get(pool, pool)}, k = {k}"
        if labelled < 1:
            rows = "all rows" if which == "all" else "labelled rows"
            name += f"; {100 * labelled:g} % labelled, {contents.scores.base} on {rows}"
        row = values.loc[key]
        body.append([name, *(
            Cell() if value != value else Cell(f"{value:.2f}", best=value == row.max())
            for value in row
        )])
    head = ["SADD", *(f"N0 = {n0:g}" for n0 in values.columns)]
    parts.append(table("Average accuracy by k and N0", head, body, kind="figures"))
    return Section("sweep", "Values of k and N0", join(parts))


def time_frame(contents):
    """
    Sum the times of each method and of each classifier.

    Returns
    -------
    DataFrame
        ``what`` (discretizer or classifier), ``name``, ``seconds`` over all folds,
        ``fits``, and ``data_sets``.
    """
    times = contents.times
    names = ["what", "name", "seconds", "fits", "data_sets"]
    if times is None or not len(times):
        return pd.DataFrame(columns=names)
    scores = contents.scores
    times = times.copy()
    for name in ("k", "method", "pool", "classifier"):
        times[name] = times[name].fillna("").astype(str)
    rows = []

    def add(what, label, column, seconds):
        chosen = times[
            (times["method"] == column.method) & (times["pool"] == column.pool)
            & (times["classifier"] == column.classifier) & (times["labelled"] == 1)
            & (times["n0"].isna() | (times["n0"] == scores.n0))
            & times["k"].str.removesuffix(".0").isin(["", scores.k])
        ]
        if len(chosen):
            rows.append((what, label, chosen[seconds].sum(), len(chosen),
                         chosen["dataset"].nunique()))

    for column in contents.discretizers:
        add("discretizer", column.label, column, "seconds_discretize")
    columns = contents.family.columns if contents.family else []
    for column in [*contents.discretizers, *columns]:
        if column.method in ("MDLP", "SADD") and column.pool in ("none", "test"):
            label = f"{column.classifier} with {column.label}"
            if column.classifier != scores.base:
                label = column.label
            add("classifier", label, column, "seconds_classify")
    return pd.DataFrame(rows, columns=names)


def run_time(contents):
    """Return the section on run time."""
    frame = time_frame(contents)
    if frame.empty:
        return None
    parts = [paragraph(
        "Time in all folds of all data sets together, with all labels. Runs at the "
        "same time on other cores make each other slower, so these are no measurements "
        "of speed."
    )]
    for what, title in (
        ("discretizer", "Discretization"), ("classifier", "Training and prediction")
    ):
        seconds = frame[frame["what"] == what].set_index("name")["seconds"]
        seconds = seconds[seconds > 0]
        if len(seconds):
            parts += [element("h3", title), plots.time_plot(
                seconds, f"{title}, seconds in sum, in one process."
            )]
    return Section("time", "Run time", join(parts)) if len(parts) > 1 else None


def data_sets(contents):
    """Return the section on data sets, and on how they differ from the paper's."""
    facts = contents.run.get("datasets", {})
    names = [*contents.scores.datasets]
    names += [name for name in facts if name not in names]
    comparison = contents.comparison
    body = []
    for name in names:
        known = facts.get(name) or {}
        remark = "Comparable."
        if name not in contents.scores.datasets:
            remark = "No result."
        elif comparison.key(name) is None:
            remark = "Not in the paper."
        elif reason := comparison.obstacle("res", name):
            remark = f"{DIFFERENT} {reason}"
        elif reason := comparison.caveat("res", name):
            remark = f"{SIMILAR} {reason} Numbers of intervals are not comparable."
        title = known.get("title")
        body.append([
            Cell(name, small=title if title and title != name else None),
            *(Cell(known.get(key, "–")) for key in (
                "rows", "numeric", "categorical", "classes", "missing"
            )),
            Cell(remark, kind="remark"),
        ])
    head = ["Data set", "Rows", "Numeric", "Categorical", "Classes", "Missing cells",
            Cell("Comparable with the paper?", kind="remark")]
    return Section("datasets", "Data sets", join([
        paragraph(
            "Rows, attributes, classes and missing cells, and whether the paper's "
            f"figures are for the same data. {DIFFERENT} marks those whose accuracy "
            "is not comparable; averages are given with and without them. "
            f"{SIMILAR} marks those that the paper describes otherwise, but whose "
            "accuracy is, as far as can be told, of the same data."
        ),
        table("Data sets of this run", head, body, kind="figures remarks"),
    ]))


def failures(contents):
    """Return the section on what failed."""
    frame = contents.scores.failures()
    others = contents.run.get("failures", [])
    if frame.empty and not others:
        return None
    parts = [paragraph(
        f"{len(frame)} results are missing because of an error; means are of the rest."
    )]
    if others:
        parts.append(element("ul", *(element("li", text) for text in others)))
    if not frame.empty:
        head = ["Data set", "Repeat", "Fold", "Labelled", "Method", "Pool",
                "Classifier", "Error"]
        keys = ["dataset", "repeat", "fold", "labelled", "method", "pool",
                "classifier", "error"]
        body = [
            [row[key] if row[key] != "" else "–" for key in keys]
            for row in frame[keys].head(N_FAILURES).to_dict("records")
        ]
        parts.append(table("Failed fits", head, body))
        if len(frame) > N_FAILURES:
            parts.append(paragraph(
                f"{len(frame) - N_FAILURES} more are in results.csv."
            ))
    return Section("failures", "Failures", join(parts))


def _folds(run):
    """How many folds were computed; the others were known from earlier runs."""
    if "computed" not in run:
        return None
    return f"{run['computed']} of {run['tasks']}"


def environment(contents):
    """Return the section on how and where the benchmark was run."""
    run = contents.run
    settings = {
        key: ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value
        for key, value in run.get("settings", {}).items()
    }
    machine = run.get("machine", {})
    facts = {
        "Command": element("code", run["command"]) if run.get("command") else None,
        "Started": run.get("started"),
        "Finished": run.get("finished"),
        "Seconds": run.get("seconds"),
        "Folds in this time": _folds(run),
        "Seconds of all folds": run.get("fold_seconds"),
        "Jobs": run.get("jobs"),
        "Processor": machine.get("cpu"),
        "Cores": machine.get("cores"),
        "System": machine.get("system"),
    }
    groups = [
        ("The run", facts),
        ("Settings", settings),
        ("Versions", run.get("versions", {})),
    ]
    parts = []
    for title, group in groups:
        body = [
            [name, value if isinstance(value, Markup) else f"{value}"]
            for name, value in group.items() if value is not None
        ]
        if body:
            parts.append(table(title, ["What", "Value"], body))
    return Section("environment", "Environment", join(parts)) if parts else None
