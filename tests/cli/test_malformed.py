"""Malformed files: each fails with a sentence that names it, and nothing is lost."""

import bz2
import gzip
import io
import json
import lzma
import pickle
import sqlite3
import zipfile

import numpy as np
import pandas as pd
import pytest
from Orange.data import Table

from orangecontrib.sadd.__main__ import main

FRAME = pd.DataFrame({"x": np.arange(20) / 3, "class": ["a", "b"] * 10})
CSV = FRAME.to_csv(index=False).encode()
TAB = "x\tclass\nc\td\n\tclass\n"
CUTS = {"format": "Orange3-SADD cut points", "version": 1, "variables": [
    {"name": "sepal length", "type": "numeric", "cuts": [5.5]}]}
NOISE = np.random.default_rng(0).bytes(5000)


def excel():
    file = io.BytesIO()
    FRAME.to_excel(file, index=False)
    return file.getvalue()


def without(archive, part, content=None):
    """Return an archive in which a file is missing, or has other contents."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, \
            zipfile.ZipFile(result, "w") as new:
        for name in old.namelist():
            if name != part:
                new.writestr(name, old.read(name))
            elif content is not None:
                new.writestr(name, content)
    return result.getvalue()


def cuts(**changes):
    """Return a file of cut points whose variable has these changes."""
    variable = {**CUTS["variables"][0], **changes}
    return json.dumps({**CUTS, "variables": [variable]}).encode()


def of_sqlite():
    with sqlite3.connect(":memory:") as connection:
        FRAME.to_sql("t", connection)
        return connection.serialize()


EXCEL = excel()
SHEET = "xl/worksheets/sheet1.xml"
# Files that are not tables
UNREADABLE = {
    "empty.xlsx": b"", "text.xlsx": CSV, "half.xlsx": EXCEL[:len(EXCEL) // 2],
    "tail.xlsx": EXCEL[100:], "noise.xlsx": NOISE,
    "bits.xlsx": EXCEL.replace(b"\x00\x00", b"\xff\x00"),
    "no-sheet.xlsx": without(EXCEL, SHEET),
    "no-book.xlsx": without(EXCEL, "xl/workbook.xml"),
    "no-types.xlsx": without(EXCEL, "[Content_Types].xml"),
    "bad-sheet.xlsx": without(EXCEL, SHEET, b"<worksheet><row>"),
    "empty.xls": b"", "html.xls": b"<html><table><tr><td>1</td></tr></table></html>",
    "ole.xls": bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600,
    "half.csv.gz": gzip.compress(CSV)[:30], "plain.csv.gz": CSV,
    "noise.csv.gz": NOISE, "sum.csv.gz": gzip.compress(CSV)[:-8] + b"\0" * 8,
    "other.csv.gz": lzma.compress(CSV), "half.tab.xz": lzma.compress(CSV)[:40],
    "plain.tab.xz": CSV, "half.csv.bz2": bz2.compress(CSV)[:30],
    "plain.csv.bz2": CSV, "data.pkl": pickle.dumps(FRAME), "noise.pkl": NOISE,
    "data.pickle": b"", "data.pkl.gz": gzip.compress(pickle.dumps(FRAME)),
    "data.parquet": b"PAR1" + NOISE + b"PAR1", "data.json": b'[{"x": 1}]',
    "data.npy": b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'}", "data.sqlite": of_sqlite(),
    "data.zip": EXCEL, "noname": CSV, "data.": CSV,
    # A cell that takes minutes to read, in an archive of some kB
    "cell.csv.gz": gzip.compress(b"x,class\n" + b"x" * 40_000_000 + b",a\n"),
    "flags.csv": b"Q#x,C#class\n1.5,a\n2.5,b\n",
}
# Files that Orange reads, but in which there is nothing to learn from
USELESS = {
    "empty.csv": b"", "empty.tab": b"", "lines.csv": b"\n" * 9,
    "bom.csv": b"\xef\xbb\xbf", "nul.csv": b"\0" * 900, "noise.csv": NOISE,
    "noise.tab": NOISE, "header.csv": b"x,class\n", "header.tab": TAB.encode(),
    "one.csv": b"x", "commas.csv": b",,,\n" * 9, "quote.csv": b'x,class\n"1,a\n2,b\n',
    "half.csv": CSV[:11], **{f"{encoding}.csv": CSV.decode().encode(encoding)
                             for encoding in ("utf-16-le", "utf-32", "cp037")},
    "page.csv": b"<!DOCTYPE html>\n<html><body>404, not found</body></html>\n",
    "json.csv": json.dumps(FRAME.to_dict("records")).encode(), "zip.csv": EXCEL,
    "gzip.csv": gzip.compress(CSV), "pickle.csv": pickle.dumps(FRAME),
    "wide.csv": ",".join(f"x{i}" for i in range(3000)).encode() + b"\n",
    "long.csv": b"x" * 1_000_000 + b"\n",
    "words.tab": b"x\tclass\nd\td\n\tclass\nu\ta\nv\tb\n",
    "unlabelled.tab": (TAB + "1\t\n2\t?\n" * 9).encode(),
    "same.tab": (TAB + "1\ta\n2\ta\n" * 9).encode(),
    "types.tab": b"x\tclass\nspline\td\n\tclass\n1\ta\n2\tb\n",
    "no-class.tab": b"x\nc\n\n1\n2\n", "empty.basket": b"", "noise.basket": NOISE,
    "latin.basket": b"\xdf",
}
# Files that are not cut points
NOT_CUTS = {
    "empty.json": b"", "noise.json": NOISE, "half.json": cuts()[:60],
    "list.json": b"[]", "lists.json": b"[[]]", "null.json": b"null",
    "number.json": b"3", "string.json": b'"x"', "brace.json": b"{",
    "deep.json": b"[" * 100_000,
    **{f"variables-{i}.json": json.dumps({**CUTS, "variables": odd}).encode()
       for i, odd in enumerate([3, None, "x", {}, [3], [None], [[]], [{}],
                                [{"name": "sepal length"}]])},
    "utf-16.json": cuts().decode().encode("utf-16"), "csv.json": CSV,
    "version.json": json.dumps({**CUTS, "version": 99}).encode(),
    "format.json": json.dumps({**CUTS, "format": "x"}).encode(),
    "falling.json": cuts(cuts=[6, 5]), "type.json": cuts(type="spline"),
    "twice.json": json.dumps({**CUTS, "variables": CUTS["variables"] * 2}).encode(),
}
# Parts of messages, if they are of interest
MESSAGES = {
    **dict.fromkeys(UNREADABLE, ": cannot be read: "),
    "noname": "the file name has no known extension, such as .tab, ",
    "data.parquet": "the file name has no known extension, such as .tab, ",
    "cell.csv.gz": "it has a line of more than 16 MB. Is it a table?",
    "data.pkl": "a pickle can run any program", "empty.tab": "no numeric variables",
    "latin.basket": "is not text in UTF-8. Save it in this encoding.",
    "words.tab": "no numeric variables", "header.tab": "There are no rows.",
    "same.tab": "All labelled rows are of the same class.",
    "csv.json": "is not JSON: Expecting value", "version.json": "is of version 99",
    "list.json": "is not a file of cut points; --cuts writes one",
    "variables-0.json": "no list of variables", "falling.json": "in increasing order",
    "type.json": "has a variable without a",
    "twice.json": "has the variable sepal length twice",
}


@pytest.mark.parametrize(
    ["name", "content"], [*UNREADABLE.items(), *USELESS.items(), *NOT_CUTS.items()],
    ids=[*UNREADABLE, *USELESS, *NOT_CUTS])
def test_malformed_file_is_named_and_nothing_is_written(command, folder, name, content):
    (folder / name).write_bytes(content)
    before = sorted(folder.iterdir())
    arguments = ["iris.tab", "--apply", name] if name in NOT_CUTS else [name]
    said = command(*arguments, "-o", "out.tab", status=1)
    last = said.splitlines()[-1]
    assert f"{name}: " in last or last.startswith(f"discretize: {name} ")
    assert last.endswith((".", "?")) and MESSAGES.get(name, "") in last
    assert "unexpected" not in last
    assert sorted(folder.iterdir()) == before
    assert (folder / name).read_bytes() == content


def test_benchmark_names_each_malformed_file_and_does_the_rest(
        folder, capsys, few_samples):
    for name, content in UNREADABLE.items():
        (folder / name).write_bytes(content)
    assert main(["benchmark", *UNREADABLE, "iris.tab", "--folds", "2", "--discretizers",
                 "EW", "--classifiers", "NB", "--label-fraction", "1"]) == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert [line.split(": ")[0] for line in said.splitlines()
            if ": note: " not in line] == list(UNREADABLE)
    assert all((folder / name).read_bytes() == content
               for name, content in UNREADABLE.items())
    assert len(Table("iris.tab")) == 150
    assert (folder / "sadd-benchmark" / "report.html").exists()
