"""Workflows of GitHub and the release notes: they parse and name what exists."""

import os
import re
import shutil
import subprocess
from importlib.metadata import version

import pytest
import yaml

from tests.shared import ROOT
from tests.widgets.canvas import registry

GITHUB = ROOT / ".github"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def load(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_files_parse():
    paths = [*GITHUB.rglob("*.yml"), ROOT / "CITATION.cff"]
    assert len(paths) > 4
    for path in paths:
        assert isinstance(load(path), dict), path


@pytest.mark.parametrize("path", sorted((GITHUB / "workflows").glob("*.yml")),
                         ids=lambda path: path.stem)
def test_workflow_is_bounded_pinned_and_names_what_exists(path):
    workflow, text = load(path), path.read_text(encoding="utf-8")
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert "uses" in job or job["timeout-minutes"] <= 60
        for step in job.get("steps", ()):
            assert ("run" in step) != ("uses" in step)
    for action in re.findall(r"uses: (?!\./)(.*)", text):
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action
    for target in re.findall(r"\bmake (\w+)", text):
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target
    for named in re.findall(r"\./(?:\.github|\.ci)/[\w./-]+|(?:tests|\.ci)/[\w./-]+",
                            text):
        assert (ROOT / named).exists(), named
    # Where packages come from and go to is a setting of the machines
    assert not re.search(r"https?://|index-url", text)


def test_release_by_hand_makes_wheels_and_releases_nothing():
    workflow = load(GITHUB / "workflows" / "release.yml")
    # YAML 1.1 reads "on" as true
    assert set(workflow[True]) == {"push", "workflow_dispatch"}
    jobs = workflow["jobs"]
    assert jobs["suite"]["if"] == "github.event_name == 'push'"
    assert "if" not in jobs["wheels"]
    # A job is skipped with those it needs
    assert "suite" in jobs["publish"]["needs"]
    assert jobs["announce"]["needs"] == "publish"


def test_release_does_not_wait_for_wheels_of_arm():
    wheels = load(GITHUB / "workflows" / "release.yml")["jobs"]["wheels"]
    machines = wheels["strategy"]["matrix"]["os"]
    assert [name for name in machines if name.endswith("-arm")] == ["ubuntu-24.04-arm"]
    assert wheels["continue-on-error"] == "${{ endsWith(matrix.os, '-arm') }}"
    assert wheels["strategy"]["fail-fast"] is False


def test_bug_report_names_each_widget():
    form = load(GITHUB / "ISSUE_TEMPLATE" / "bug.yml")["body"]
    (where,) = (part["attributes"]["options"] for part in form
                if part["type"] == "dropdown")
    assert {name[len("Widget "):] for name in where if name.startswith("Widget ")} == {
        desc.name for desc in registry().widgets() if desc.category == "SADD"}


def test_citation_has_the_version_and_a_date():
    citation = load(ROOT / "CITATION.cff")
    assert citation["version"] == version("Orange3-SADD")
    title = re.search(r"^## (\S+) \((.+)\)$", (ROOT / "CHANGELOG.md").read_text(
        encoding="utf-8"), re.MULTILINE)
    assert title[1] == citation["version"]
    assert title[2] in ("unreleased", citation["date-released"].isoformat())


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
@pytest.mark.parametrize(["version", "changelog", "status", "message"], [
    ("1.2.0", "# Changelog\n\n## 1.2.0 (2026-01-02)\n\n- This.\n\n## 1.1.0 "
     "(2025-01-02)\n\n- That.\n", 0, "\n- This.\n"),
    ("1.3.0", "## 1.3.0 (2026-01-02)\n- This.\n", 1, "another version than 1.3.0"),
    ("1.2.0", "## 1.2.0 (unreleased)\n- This.\n", 1, "needs the title: ## 1.2.0 (20"),
    ("1.2.0", "## 1.2.0 (2026-01-02)\n\n## 1.1.0 (2025-01-02)\n", 1, "says nothing"),
])
def test_release_notes_are_the_section_of_the_version(
        version, changelog, status, message, tmp_path):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "release-notes", tmp_path / ".ci")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    result = subprocess.run([tmp_path / ".ci" / "release-notes", version],
                            capture_output=True, text=True, check=False)
    assert result.returncode == status
    assert message in result.stdout + result.stderr
    assert "That" not in result.stdout
