"""One file after the other, as Orange tables: learn or take cuts, apply them, write."""

import os

import numpy as np
from Orange.data import Table

from orangecontrib.sadd.cli.columns import join_pool, with_numeric
from orangecontrib.sadd.cli.cutsfile import SavedCuts, SavedVariable, write_cuts
from orangecontrib.sadd.cli.errors import CommandError
from orangecontrib.sadd.cli.plan import STREAM, Job
from orangecontrib.sadd.cli.tablefiles import read_table, write_table
from orangecontrib.sadd.cli.work import Outcome, Settings
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.cutting import Discretized, find_cuts, method_of
from orangecontrib.sadd.intervals import interval_names
from orangecontrib.sadd.tables import read_rows
from orangecontrib.sadd.targets import set_target

__all__ = ["TableWorker"]


class TableWorker:
    """
    Discretizes files that Orange reads into memory.

    Parameters
    ----------
    settings : Settings
        What is the same for all files.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._pool: list[tuple[str, Table]] = []
        self._notes: list[str] = []
        for path in settings.unlabelled:
            try:
                table, notes = read_table(path)
            except CommandError as error:
                raise CommandError(f"{path} {error}") from error
            self._pool.append((path, table))
            self._notes += [f"{path}: {note}" for note in notes]

    def __call__(self, job: Job) -> Outcome:
        """
        Discretize a file.

        Parameters
        ----------
        job : Job

        Returns
        -------
        Outcome
        """
        settings = self.settings
        data, notes = read_table(job.source, job.source_suffix)
        if settings.target is not None:
            try:
                data = set_target(data, settings.target)
            except ValueError as error:
                raise CommandError(str(error)) from error
        if settings.saved is None:
            found, outcome = self._learn(job, data)
        else:
            data, found, outcome = self._take(data)
        outcome.notes = notes + outcome.notes
        # Cut points come last: they would remain if the data could not be written
        if job.output is not None:
            write_table(found.transform(data, not settings.keep_constant), job.output,
                        job.output_suffix, annotations=settings.annotations,
                        force=settings.force)
        if job.cuts is not None:
            write_cuts(outcome.cuts, job.cuts, settings.force)
        return outcome

    def _learn(self, job, data):
        settings, notes = self.settings, []
        pool = None
        tables = self._pool_tables(job, notes)
        if tables:
            pool, missing = join_pool(tables, data)
            if missing:
                notes.append("The unlabelled data lacks some variables, which "
                             f"therefore do not gain from it: {_list(missing)}.")
        rows = read_rows(data, pool)
        found = find_cuts(rows, settings.estimator)
        if found.reason:
            raise CommandError(f"{found.reason}{self._advice(found)}")
        k = None if found.labels is None else found.labels.k
        return found, Outcome(
            self._saved(found, data, k), len(data),
            int(np.count_nonzero(rows.labelled[:len(data)])), rows.n_pool, k, notes)

    def _pool_tables(self, job, notes):
        """Tables of the pool, without the file that is being discretized."""
        notes += self._notes
        self._notes = []  # once is enough
        tables = []
        for path, table in self._pool:
            if job.source != STREAM and os.path.samefile(path, job.source):
                notes.append(f"{path} is the data itself, and adds no rows to it.")
            else:
                tables.append(table)
        return tables

    def _advice(self, found):
        """What to do about data that cannot be discretized."""
        if found.rows.has_class or not len(found.columns):
            return ""
        others = [name for name, other in DISCRETIZERS.items() if not other.uses_class]
        return f" Name the class with --target, or take a --method without: " \
            f"{', '.join(others)}."

    def _saved(self, found, data, k):
        settings = self.settings
        parameters = {
            parameter.name: getattr(settings.estimator, parameter.name)
            for parameter in method_of(settings.estimator).parameters}
        labels = found.rows.labelled
        about = {
            "method": method_of(settings.estimator).name,
            "parameters": parameters,
            "target": data.domain.class_var.name if found.rows.has_class else None,
            "labelled_rows": int(np.count_nonzero(labels)),
            "unlabelled_rows": int(np.count_nonzero(np.isnan(found.rows.y))),
            "neighbours": k,
        }
        return SavedCuts(tuple(
            SavedVariable(
                var.name, "time" if var.is_time else "numeric", tuple(cuts.tolist()),
                None if np.isnan(information) else round(float(information), 6),
                interval_names(var, cuts.tolist()) if len(cuts) else None)
            for var, cuts, information in zip(
                found.variables, found.cut_points, found.mutual_information,
                strict=True)), about)

    def _take(self, data):
        """Find the variables of saved cuts in the data."""
        saved = self.settings.saved
        data = with_numeric(
            data, {var.name for var in saved.variables if var.type == "numeric"})
        attributes = {var.name: (index, var)
                      for index, var in enumerate(data.domain.attributes)}
        columns, missing = [], []
        for var in saved.variables:
            index, attribute = attributes.get(var.name, (None, None))
            columns.append(index)
            if attribute is None:
                missing.append(var.name)
            elif not attribute.is_continuous or \
                    attribute.is_time != (var.type == "time"):
                raise CommandError(
                    f"{var.name!r} is not of type {var.type}, as when it was cut.")
        if missing:
            raise CommandError("There are cut points for variables that are missing: "
                               f"{_list(missing)}.")
        rows = read_rows(data)
        others = [var.name for index, var in enumerate(data.domain.attributes)
                  if var.is_continuous and index not in columns]
        notes = [f"There are no cut points for {_list(others)}, which stay numeric."] \
            if others else []
        found = Discretized(
            rows, np.array(columns, dtype=int),
            [np.array(var.cuts, dtype=float) for var in saved.variables],
            np.full(len(columns), np.nan), [[] for _ in columns],
            names=[var.intervals for var in saved.variables])
        return data, found, Outcome(
            saved, len(data), int(np.count_nonzero(rows.labelled)), notes=notes)


def _list(names, most=5):
    """Name the first few."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
