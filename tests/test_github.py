"""Files for GitHub: they parse, and what they name exists."""

import os
import re
import shutil
import subprocess
import tomllib

import pytest
import yaml

from tests.shared import ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = [path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml")
         if path.name != "config.yml"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PROJECT = tomllib.loads(PYPROJECT)["project"]


def load(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path):
    return [step for job in load(path)["jobs"].values()
            for step in job.get("steps", ())]


def needs(job):
    named = job.get("needs", [])
    return [named] if isinstance(named, str) else named


def ids(path):
    return path.stem


def test_files_are_there():
    assert [path.stem for path in WORKFLOWS] == ["docs", "release", "tests"]
    assert len(FORMS) == 2
    assert (GITHUB / "pull_request_template.md").exists()
    for path in GITHUB.rglob("*.yml"):
        assert isinstance(load(path), dict), path


@pytest.mark.parametrize("path", WORKFLOWS, ids=ids)
class TestWorkflow:
    def test_is_bounded(self, path):
        workflow = load(path)
        assert workflow["permissions"] == {"contents": "read"}
        assert True in workflow  # YAML 1.1 reads the key "on" so
        for job in workflow["jobs"].values():
            assert set(needs(job)) <= set(workflow["jobs"])
            if "uses" in job:
                assert (ROOT / job["uses"]).exists()
            else:
                assert job["runs-on"] and job["timeout-minutes"] <= 60

    def test_steps_do_something(self, path):
        for step in steps(path):
            assert ("run" in step) != ("uses" in step)
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False

    def test_actions_are_pinned_by_commit(self, path):
        for line in path.read_text(encoding="utf-8").splitlines():
            if re.search(r"uses: (?!\./)", line):
                assert re.search(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)

    def test_commands_exist(self, path):
        for step in steps(path):
            command = step.get("run", "")
            for target in re.findall(r"\bmake (\w+)", command):
                assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target
            for script in re.findall(r"\.ci/[\w-]+(?![\w.-])", command):
                assert os.access(ROOT / script, os.X_OK), script
            for named in re.findall(r"(?:tests|\.ci)/[\w/]+\.\w+", command):
                assert (ROOT / named).exists(), named

    def test_names_no_index(self, path):
        # Where packages come from and go to is a setting of the machines
        assert not re.search(r"https?://|index-url", path.read_text(encoding="utf-8"))


def test_matrix():
    jobs = load(GITHUB / "workflows" / "tests.yml")["jobs"]
    matrix = jobs["test"]["strategy"]["matrix"]
    rows = matrix.pop("include")
    assert all(sorted(row) == sorted(matrix) for row in rows)
    assert len(matrix["os"]) == 3
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert matrix["python"][0] == oldest
    # The next Python is tried, too, and may fail
    *tested, tried = matrix["python"]
    assert tested == [name.split(" :: ")[-1] for name in PROJECT["classifiers"]
                      if re.search(r":: 3\.\d+$", name)]
    assert f"'{tried}'" in jobs["test"]["continue-on-error"]
    assert {"schedule", "workflow_dispatch"} <= set(
        re.findall(r"\w+", jobs["bare"]["if"]))
    for key, values in {"qt": {"PyQt5", "PyQt6"},
                        "orange": {"", "oldest", "master"}}.items():
        assert {*matrix[key], *(row[key] for row in rows)} == values
    assert {row["os"] for row in rows if row["orange"] == "oldest"} == set(matrix["os"])
    # The oldest numpy and scipy have wheels for the oldest Python only
    assert {row["python"] for row in rows if row["orange"] == "oldest"} == {oldest}


def test_release_is_tested_first():
    jobs = load(GITHUB / "workflows" / "release.yml")["jobs"]
    assert set(needs(jobs["publish"])) == {"suite", "build"}
    assert jobs["suite"]["uses"].endswith("/tests.yml")
    assert "workflow_call" in load(GITHUB / "workflows" / "tests.yml")[True]
    names = [step.get("name", step.get("uses", "")) for step in jobs["build"]["steps"]]
    test = names.index("Install and test these very files")
    assert names.index("Build") < test
    assert "upload-artifact" in names[test + 1]
    assert jobs["build"]["steps"][test]["env"]["SADD_DIST"] == "dist"


@pytest.mark.parametrize("path", FORMS, ids=ids)
def test_issue_form(path):
    form = load(path)
    assert {"name", "description", "body"} <= set(form)
    names = [field["id"] for field in form["body"]]
    assert len(set(names)) == len(names)
    for field in form["body"]:
        assert field["type"] in {"textarea", "input", "dropdown", "checkboxes"}
        assert field["attributes"]["label"]
    assert any(field.get("validations", {}).get("required") for field in form["body"])


def test_citation():
    """The keys that version 1.2.0 of the Citation File Format asks for, and ours."""
    citation = load(ROOT / "CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)
    assert citation["type"] == "software"
    assert citation["license"] == PROJECT["license"]
    assert citation["title"] == PROJECT["name"]
    assert citation["authors"] == PROJECT["authors"]
    assert "version" not in citation  # it stands in pyproject.toml only
    paper = citation["preferred-citation"]
    assert paper["type"] == "article"
    assert [author["family-names"] for author in paper["authors"]] == \
        ["Wang", "Ren", "Bai"]
    assert (paper["volume"], paper["year"], paper["start"]) == (225, 2023, "120094")
    assert re.fullmatch(r"10\.\d{4,}/\S+", paper["doi"])
    assert paper["title"] in " ".join(
        (ROOT / "README.md").read_text(encoding="utf-8").split())


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
class TestReleaseNotes:
    @pytest.fixture
    def notes(self, tmp_path):
        """Runs the script with a version and a changelog."""
        (tmp_path / ".ci").mkdir()
        shutil.copy(ROOT / ".ci" / "release-notes", tmp_path / ".ci")
        (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')

        def run(version, changelog):
            (tmp_path / "CHANGELOG.md").write_text(changelog)
            return subprocess.run(
                [tmp_path / ".ci" / "release-notes", version], capture_output=True,
                text=True, check=False)

        return run

    def test_are_the_section_of_the_version(self, notes):
        result = notes("1.2.0", "# Changelog\n\n## 1.2.0 (2026-01-02)\n\n### Added\n\n"
                                "- This.\n\n## 1.1.0 (2025-01-02)\n\n- That.\n")
        assert result.returncode == 0, result.stderr
        assert result.stdout.strip() == "### Added\n\n- This."

    @pytest.mark.parametrize(["version", "changelog", "message"], [
        ("1.3.0", "## 1.3.0 (2026-01-02)\n- This.\n", "another version than 1.3.0"),
        ("1.2.0", "## 1.2.0 (unreleased)\n- This.\n", "needs the title: ## 1.2.0 (20"),
        ("1.2.0", "## 1.1.0 (2025-01-02)\n- This.\n", "needs the title"),
        ("1.2.0", "## 1.2.0 (2026-01-02)\n\n## 1.1.0 (2025-01-02)\n", "says nothing"),
    ])
    def test_disagree(self, notes, version, changelog, message):
        result = notes(version, changelog)
        assert result.returncode == 1 and message in result.stderr
