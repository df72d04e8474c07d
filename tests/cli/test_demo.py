"""The demo: its figures are right, and the command prints them."""

import re

import numpy as np
import pytest

from orangecontrib.sadd.__main__ import main
from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.core.registry import CLASSIFIERS

METHODS = ["SADD, transductive", "SADD, inductive",
           *(name for name in DISCRETIZERS if name != "SADD")]


class TestCommand:
    def test_tables(self, capsys):
        assert main(["demo", "--data", "iris", "heart_disease", "--folds", "2"]) == 0
        output = capsys.readouterr()
        assert output.err == ""
        legend, iris = output.out.split("\niris: ")
        iris, heart = iris.split("\nheart_disease: ")
        assert "means over 2 stratified folds" in legend
        assert iris.startswith("150 rows, 4 numeric variables, 3 classes\n")
        assert heart.startswith("303 rows, 6 numeric and 7 categorical variables")
        heart, mean = heart.split("Mean of all data sets\n")
        for name in ("RNB+", "SADD Tables", "random forest"):
            cells = r"\d+\.\d( +\d+\.\d{3}){3}"
            assert re.search(rf"^{re.escape(name)} +{cells}$", mean, re.M)
        for table in (iris, heart):
            for label in METHODS:
                cells = r"\d+\.\d +\d\.\d{3} +\d+ % +\d+\.\d ± +\d+\.\d"
                assert re.search(rf"^{label} +{cells}$", table, re.M)
        accuracies = [self.family(table) for table in (iris, heart, mean)]
        np.testing.assert_allclose(
            np.mean(accuracies[:2], axis=0), accuracies[2], atol=0.11
        )

    @staticmethod
    def family(table):
        """Cells of the family's table, k-NN last."""
        header = r"^accuracy +SADD, inductive +SADD, transductive +MDLP$"
        assert re.search(header, table, re.M)
        cells = []
        for name in CLASSIFIERS:
            (row,) = re.findall(rf"^{name} +([\d.]+) +([\d.]+) +([\d.]+)$", table, re.M)
            cells += row
        (neighbours,) = re.findall(r"of SADD has ([\d.]+) on its own", table)
        return np.array([*cells, neighbours], dtype=float)

    @pytest.mark.parametrize(
        ["arguments", "message"],
        [
            (["--folds", "1"], "a number of 2 or more is needed"),
            (["--folds", "many"], "a number of 2 or more is needed"),
            (["--data", "moon"], "invalid choice: 'moon'"),
        ],
    )
    def test_wrong_arguments(self, arguments, message, capsys):
        with pytest.raises(SystemExit, match="2"):
            main(["demo", *arguments])
        assert message in capsys.readouterr().err
