"""Data sets by name, from files and folders, and from OpenML's cache."""

import gzip
import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from Orange.data import Table

from orangecontrib.sadd.evaluation.datasets import (
    BUNDLED,
    DataSet,
    expand,
    load,
    load_bundled,
)
from tests.shared import DATASETS, data_set_names, manifest, needs_shared


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

    def test_unknown(self):
        with pytest.raises(ValueError, match="'moon'; choose from iris, wine"):
            load_bundled("moon")

    def test_some_of_the_rows(self):
        data = load_bundled("digits", every=3)
        assert data.name == "digits (one row in 3)"
        assert len(data.y) == 599

    def test_others_that_orange_finds(self):
        assert load("titanic").categorical.all()


class TestFiles:
    def test_table(self, tmp_path):
        data = load(save("heart_disease", tmp_path / "hearts and minds.tab"))
        bundled = load("heart_disease")
        assert data.name == "hearts and minds"
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

    def test_name_keeps_its_dots(self, tmp_path):
        assert load(save("iris", tmp_path / "s.2024.tab")).name == "s.2024"

    @pytest.mark.parametrize("source, message", [
        ("moon", "no data set 'moon': it is neither"),
        ("plain.csv", "no target; name its column with"),
        ("notes.txt.xyz", "neither a file that Orange can read"),
        ("housing", "is numeric, and a categorical one is")])
    def test_no_data_set(self, source, message, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        if "." in source:
            Path(source).write_text("a,b\n1.5,2.5\n2.5,3.5\n3.5,4.25\n")
        with pytest.raises(ValueError, match=message):
            load(source)

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

    def test_manifest_decides(self, tmp_path):
        (tmp_path / "MANIFEST.csv").write_text("name,rows\nb,3\na,3\n")
        # Zeros and ones are numbers here; Orange would take them as categories.
        text = "flag,kind,size,class\n0,x,1.5,c1\n1,y,,c2\n0,,2.5,c1\n"
        for name in "ab":
            with gzip.open(tmp_path / f"{name}.csv.gz", "wt") as file:
                file.write(text)
        sources = list(expand(str(tmp_path)))
        assert [load(source).name for source in sources] == ["b", "a"]
        data = load(sources[0])
        assert data.categorical.tolist() == [False, True, False]
        np.testing.assert_array_equal(
            data.X, [[0, 0, 1.5], [1, 1, np.nan], [0, np.nan, 2.5]])
        assert data.y.tolist() == [0, 1, 0]

    def test_names_in_a_manifest_are_text(self, tmp_path):
        (tmp_path / "MANIFEST.csv").write_text("name\n007\n1e3\nNA\n")
        assert [Path(found).name for found in expand(str(tmp_path))] == [
            "007.csv.gz", "1e3.csv.gz", "NA.csv.gz"]
        (tmp_path / "MANIFEST.csv").write_text("file\na\n")
        with pytest.raises(ValueError, match="has no column called name"):
            list(expand(str(tmp_path)))

    @needs_shared
    def test_the_papers_data_sets(self):
        sources = list(expand(str(DATASETS)))
        assert len(sources) == 31
        for name in data_set_names():
            if name in ("indoorloc", "musk", "madelon"):
                continue  # they take seconds to read
            data, row = load(str(DATASETS / f"{name}.csv.gz")), manifest().loc[name]
            assert data.name == name
            assert len(data.y) == row["rows"]
            assert data.facts["classes"] == row["classes"]
            assert data.categorical.sum() == row["categorical_attributes"]
            assert (~data.categorical).sum() == row["numeric_attributes"]
            assert data.facts["missing"] == row["missing_cells"]


class TestOpenML:
    """The real client, on a cache as it leaves one; there may be no network."""

    ARFF = """@relation tiny
@attribute size numeric
@attribute kind {x, y}
@attribute class {a, b}
@data
1.5,x,a
2.5,y,b
?,y,b
"""

    def cache(self, folder):
        arff = self.ARFF.encode()
        api = folder / "openml" / "openml.org" / "api" / "v1" / "json" / "data"
        features = [
            {"index": str(i), "name": name, "data_type": kind, "is_ignore": "false",
             "is_target": str(name == "class").lower(),
             "is_row_identifier": "false", "number_of_missing_values": "0"}
            for i, (name, kind) in enumerate(
                [("size", "numeric"), ("kind", "nominal"), ("class", "nominal")])]
        description = {
            "id": "7", "name": "tiny", "version": "1", "format": "ARFF",
            "status": "active", "file_id": "9", "default_target_attribute": "class",
            "url": "https://openml.org/data/v1/download/9",
            "md5_checksum": hashlib.md5(arff).hexdigest(), "description": "tiny"}
        found = {"did": 7, "name": "tiny", "version": 1, "status": "active"}
        named = api / "list" / "data_name" / "tiny" / "limit" / "2"
        files = {
            f"{named}/status/active/": {"data": {"dataset": [found]}},
            api / "7": {"data_set_description": description},
            api / "features" / "7": {"data_features": {"feature": features}},
            api / "qualities" / "7": {"data_qualities": {"quality": []}},
        }
        files = {path: json.dumps(content).encode() for path, content in files.items()}
        # Where it would be downloaded from changed between versions of scikit-learn.
        for path in ("data/v1/download/9", "data/v1/download/9/tiny.arff"):
            files[folder / "openml" / "openml.org" / path] = arff
        for address, content in files.items():
            path = Path(f"{address}.gz")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress(content))
        return folder

    @pytest.mark.parametrize("source", ["openml:7", "openml:tiny"])
    def test_from_the_cache(self, source, tmp_path):
        data = load(source, cache=str(self.cache(tmp_path)))
        assert data.name == "tiny"
        assert data.categorical.tolist() == [False, True]
        np.testing.assert_array_equal(data.X, [[1.5, 0], [2.5, 1], [np.nan, 1]])
        assert data.y.tolist() == [0, 1, 1]

    def test_no_network(self, tmp_path, monkeypatch):
        # A closed port of this machine
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
        monkeypatch.setattr("time.sleep", lambda seconds: None)  # between attempts
        with pytest.raises(ValueError, match="openml:nothing-here cannot be fetched"):
            load("openml:nothing-here", cache=str(tmp_path))


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
        data = DataSet("d", np.full((3, 2), np.nan), np.arange(3),
                       np.array([False, True]), ("a", "b"))
        assert not np.isnan(data.imputed().X).any()

    def test_digest_depends_on_contents(self):
        changed = DataSet("d", self.data.X, self.data.y[::-1], self.data.categorical,
                          ("a", "b"))
        same = DataSet("other", self.data.X.copy(), self.data.y.astype(np.int32),
                       self.data.categorical, ("a", "b"))
        assert self.data.digest == same.digest != changed.digest

    def test_nullable_columns(self):
        from orangecontrib.sadd.evaluation.datasets import _from_frame

        frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"),
                              "b": pd.Categorical(["x", None, "y"])})
        data = _from_frame(frame, pd.Series(["p", "q", "p"]), "frame")
        np.testing.assert_array_equal(data.X, [[1, 0], [np.nan, np.nan], [3, 1]])
