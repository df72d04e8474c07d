"""Data sets by name, from files and from folders."""

from dataclasses import replace

import numpy as np
import pytest
from Orange.data import Table

from orangecontrib.sadd.evaluation.datasets import (
    BUNDLED,
    DataSet,
    expand,
    load,
)


def save(table, path):
    Table(table).save(str(path))
    return str(path)


class TestBundled:
    @pytest.mark.parametrize("name", BUNDLED)
    def test_is_a_classification_problem(self, name):
        data = load(name)
        assert data.name == name
        assert data.X.shape == (len(data.y), len(data.categorical))
        assert len(data.attributes) == data.X.shape[1]
        assert data.y.min() == 0 and data.facts["classes"] > 1

class TestFiles:
    def test_table(self, tmp_path):
        data = load(save("heart_disease", tmp_path / "hearts.and minds.tab"))
        bundled = load("heart_disease")
        assert data.name == "hearts.and minds"
        np.testing.assert_array_equal(data.X, bundled.X)
        np.testing.assert_array_equal(data.y, bundled.y)
        assert data.attributes == bundled.attributes

    def test_unicode(self, tmp_path):
        path = tmp_path / "größe 数.csv"
        path.write_text("größe,数,class\n1.5,a,x\n2.5,b,y\n3.5,a,x\n4.5,b,y\n",
                        encoding="utf-8")
        data = load(str(path))
        assert data.attributes == ("größe", "数")
        assert data.categorical.tolist() == [False, True]

    def test_target_by_name(self, tmp_path):
        path = save("heart_disease", tmp_path / "heart.tab")
        data = load(path, target="gender")
        assert data.facts["classes"] == 2
        assert "gender" not in data.attributes
        assert "diameter narrowing" not in data.attributes  # another class
        with pytest.raises(ValueError, match="no variable 'sex' to be the target"):
            load(path, target="sex")

    def test_target_of_numbers_and_of_texts(self, tmp_path):
        path = tmp_path / "codes.csv"
        rows = [f"{i / 7},{i % 12 + 1},t{i}" for i in range(60)]
        path.write_text("x,grade,text\n" + "\n".join(rows) + "\n")
        assert load(str(path), target="grade").facts["classes"] == 12
        assert load(str(path), target="text").facts["classes"] == 60

    def test_rows_without_class_are_left_out(self, tmp_path):
        iris = Table("iris")
        with iris.unlocked():
            iris.Y[:30] = np.nan
        iris.save(str(tmp_path / "few.tab"))
        assert len(load(str(tmp_path / "few.tab")).y) == 120


class TestFolders:
    def test_files_that_orange_can_read(self, tmp_path):
        second = save("iris", tmp_path / "second.tab")
        first = save("zoo", tmp_path / "first.csv")
        (tmp_path / "notes.md").write_text("nothing")
        found = [path for path in expand(str(tmp_path)) if "metadata" not in path]
        assert found == [first, second]

    def test_nothing_to_read(self, tmp_path):
        with pytest.raises(ValueError, match="has no file that Orange can read"):
            list(expand(str(tmp_path)))

    def test_bundled_name_is_not_a_folder(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "iris").mkdir()
        assert list(expand("iris")) == ["iris"]


class TestDataSet:
    data = DataSet("d", np.array([[1, 0], [np.nan, 1], [3, 1], [5, np.nan]]),
                   np.array([0, 1, 0, 1]), np.array([False, True]), ("a", "b"))

    def test_imputed(self):
        np.testing.assert_array_equal(
            self.data.imputed().X, [[1, 0], [3, 1], [3, 1], [5, 1]])
        assert np.isnan(self.data.X).sum() == 2  # unchanged
        full = load("iris")
        assert full.imputed() is full

    def test_imputed_without_any_value(self):
        data = replace(self.data, X=np.full((4, 2), np.nan))
        assert not np.isnan(data.imputed().X).any()

    def test_digest_depends_on_contents(self):
        changed = replace(self.data, y=self.data.y[::-1])
        same = replace(self.data, name="other", X=self.data.X.copy(),
                       y=self.data.y.astype(np.int32))
        assert self.data.digest == same.digest != changed.digest
