"""Names of data sets are text, from the file to the page."""

import pytest

from orangecontrib.sadd.__main__ import main

pytestmark = pytest.mark.usefixtures("few_samples")

ROWS = "".join(f"{i / 3},{'pq'[i > 9]}\n" for i in range(20))


@pytest.mark.parametrize("names", [["007"], ["01", "1"], ["1000", "1e3"], ["NA", "x"]])
def test_names_that_look_like_something_else(names, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    for name in names:
        (data / f"{name}.csv").write_text(f"x,class\n{ROWS}")
    assert main([
        "benchmark", str(data), "-o", str(tmp_path / "out"), "--folds", "2",
        "--labelled", "1", "--methods", "MDLP", "--classifiers", "NB",
    ]) == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "No result." not in page
    for name in names:
        # In the tables of accuracies, of intervals and of data sets
        assert page.count(f'<th scope="row">{name}</th>') == 3
    summary = (tmp_path / "out" / "accuracy.csv").read_text(encoding="utf-8")
    assert [line.split(",")[0] for line in summary.splitlines()[1:]] == names
