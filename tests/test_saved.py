"""What users save is read: by a fresh process, and by later versions."""

import json
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from Orange.data import Table
from Orange.widgets.tests import base  # pytest would collect GuiTest itself
from sklearn.exceptions import ConvergenceWarning

from orangecontrib.sadd import SADD, SADDDiscretize, classification
from orangecontrib.sadd.core import (
    DISCRETIZERS,
    RNBPlusClassifier,
    SADDTablesClassifier,
    make_discretizer,
)
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.registry import CLASSIFIERS
from orangecontrib.sadd.smoothtables import SADDTablesLearner
from tests.saved import COMMAND, FOLDER, LABELS, ROWS, WINDOWS
from tests.widgets.canvas import complaints, opened, widgets

VERSIONS = sorted(path for path in FOLDER.iterdir() if path.name[0].isdigit())
every_version = pytest.mark.parametrize(
    "version", VERSIONS, ids=[path.name for path in VERSIONS])


@every_version
def test_cut_points_of_older_versions_are_read(version):
    codes = json.loads((version / "codes.txt").read_text(encoding="utf-8"))
    for name, expected in codes.items():
        text = (version / f"{name}.json").read_text(encoding="utf-8")
        fitted = Discretizer.by_name[name].from_json(text)
        np.testing.assert_array_equal(fitted.transform(ROWS), expected)
        assert fitted.classes_.tolist() == sorted(set(LABELS))
        assert len(fitted.interval_table()) == fitted.n_intervals_.sum()


@every_version
def test_command_line_applies_cut_points_of_older_versions(version, tmp_path):
    for name in ("rows.csv", "command.json"):
        (tmp_path / name).write_bytes((version / name).read_bytes())
    subprocess.run([sys.executable, "-m", "orangecontrib.sadd", *COMMAND, "out.csv"],
                   cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "out.csv").read_bytes() == \
        (version / "command.csv").read_bytes()


class TestWorkflow(base.GuiTest):
    def test_windows_have_the_settings_of_older_versions(self):
        for version in VERSIONS:
            with opened(version / "windows.ows") as scheme:
                self.assertEqual(complaints(scheme), [])
                for title, (_, settings) in WINDOWS.items():
                    widget = widgets(scheme)[title]
                    found = widget.settingsHandler.pack_data(widget)
                    for name, value in settings.items():
                        with self.subTest(title=title, name=name):
                            if isinstance(value, dict):
                                self.assertEqual({**found[name], **value}, found[name])
                            elif name != "__version__":
                                self.assertEqual(found[name], value)
                    self.assertIsNotNone(widget.data)


# Called in a fresh process, which has imported nothing of this package
READ = """
import pickle, sys
import numpy as np

for path in sys.argv[1:]:
    with open(path, "rb") as file:
        found, calls, expected = pickle.load(file)
    for method, argument in calls:
        found = getattr(found, method)(argument)
    np.testing.assert_array_equal(getattr(found, "X", found), expected, path)
print(len(sys.argv[1:]))
"""


def saved_things():
    """Yield what users pickle, with methods, their arguments, and the result."""
    iris = Table("iris")
    estimators = [make_discretizer(name, categorical_features="from_dtype")
                  for name in DISCRETIZERS]
    estimators += [method.make() for method in CLASSIFIERS.values()]
    estimators += [RNBPlusClassifier(), SADDTablesClassifier()]
    for estimator in estimators:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            estimator.fit(ROWS, LABELS)
        method = "predict_proba" if hasattr(estimator, "predict_proba") else "transform"
        yield estimator, [(method, ROWS)], getattr(estimator, method)(ROWS)
    for learner in (classification.NBLearner(), classification.WANBIALearner(),
                    classification.CAWNBLearner(), classification.RNBLearner(),
                    classification.AIWNBLearner(),
                    classification.AIWNBLearner(instance_weighting="lazy"),
                    classification.RNBPlusLearner(unlabelled=iris),
                    SADDTablesLearner(unlabelled=iris)):
        model = learner(iris[::2])
        yield model, [("__call__", iris)], model(iris)
        yield learner, [("__call__", iris[::2]), ("__call__", iris)], model(iris)
    for preprocessor in (SADDDiscretize(unlabelled=iris),
                         SADDDiscretize(method="EF", intervals_as="evidence"),
                         SADDDiscretize(method=SADD(k=3))):
        table = preprocessor(iris[::2])
        yield preprocessor, [("__call__", iris[::2])], table.X
        yield iris, [("transform", table.domain)], iris.transform(table.domain).X


def test_pickles_are_read_by_a_fresh_process(tmp_path):
    paths = []
    for index, things in enumerate(saved_things()):
        paths.append(tmp_path / f"{index}.pickle")
        paths[-1].write_bytes(pickle.dumps(things))
    read = subprocess.run([sys.executable, "-c", READ, *map(str, paths)], check=True,
                          capture_output=True, text=True, cwd=tmp_path)
    assert read.stdout.split() == [str(len(paths))]
