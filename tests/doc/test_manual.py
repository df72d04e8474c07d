"""The manual as it is built: links, no requests to other sites, help in the canvas."""

import json
import re
from html.parser import HTMLParser
from unittest.mock import patch
from urllib.parse import unquote, urlsplit

import pytest
from AnyQt.QtCore import QUrl
from orangecanvas.help import HelpManager

from orangecontrib.sadd import widgets
from tests.doc import DOC
from tests.manual import manual  # noqa: F401 (a fixture)
from tests.shared import ROOT
from tests.widgets.canvas import registry

OURS = [desc for desc in registry().widgets() if desc.category == "SADD"]
# Attributes by which a page makes a browser load something
LOADED = {"script": "src", "img": "src", "iframe": "src", "link": "href",
          "source": "src", "video": "src", "object": "data"}


class Page(HTMLParser):
    """What a page has and refers to."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loaded, self.title = set(), set(), set(), ""
        self._in_title = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get("id"))
        self._in_title = tag == "h1" or self._in_title and tag != "a"
        if tag == "a" and attrs.get("href"):
            self.links.add(attrs["href"])
        if attrs.get("rel") != "canonical" and attrs.get(LOADED.get(tag)):
            self.loaded.add(attrs[LOADED[tag]])

    def handle_endtag(self, tag):
        self._in_title = self._in_title and tag != "h1"

    def handle_data(self, data):
        if self._in_title:
            self.title += data


@pytest.fixture(scope="module")
def pages(manual):  # noqa: F811
    return {path: Page(path) for path in manual.rglob("*.html")}


def test_every_local_link_leads_somewhere(manual, pages):  # noqa: F811
    assert len(pages) > 10
    for path, page in pages.items():
        for link in page.links | page.loaded:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto", "data"):
                continue
            assert not parts.scheme, (path.name, link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path \
                else path
            assert target.is_file(), (path.name, link)
            assert target.is_relative_to(manual), (path.name, link)
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].ids, (path.name, link)


def test_nothing_is_loaded_from_other_sites(manual, pages):  # noqa: F811
    for path, page in pages.items():
        for address in page.loaded:
            assert urlsplit(address).scheme in ("", "data"), (path.name, address)
            assert not address.startswith("//"), (path.name, address)
    for path in manual.rglob("*.css"):
        style = path.read_text(encoding="utf-8")
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", style), path.name


def test_formulas_are_drawn(pages):
    how, = (path for path in pages if path.name == "how-it-works.html")
    text = how.read_text(encoding="utf-8")
    assert text.count('<svg class="formula"') > 30
    assert "$" not in re.sub(r'aria-label="[^"]*"|<script.*?</script>', "", text,
                             flags=re.DOTALL)


@pytest.mark.parametrize("desc", OURS, ids=lambda desc: desc.name)
def test_help_opens_the_page_of_the_widget(desc, manual, pages):  # noqa: F811
    manager = HelpManager()
    manager.set_registry(registry())
    with patch.object(widgets, "WIDGET_HELP_PATH",
                      ((str(manual / "index.html"), None),)):
        url = manager.search(QUrl(f"help://search?id={desc.qualified_name}"))
    assert url.isLocalFile(), "run make install"
    page, = (page for path, page in pages.items()
             if str(path) == QUrl(url).toLocalFile())
    assert page.title == desc.name


def test_help_looks_into_the_working_copy_first():
    path, _ = widgets.WIDGET_HELP_PATH[0]
    assert path == "{DEVELOP_ROOT}/doc/_build/html/index.html"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "doc doc/_build/html" in makefile


def test_catalogue_has_the_widgets():
    (category, entries), = json.loads((DOC / "widgets.json").read_text("utf-8"))
    assert category == widgets.NAME
    assert [entry["text"] for entry in entries] == [desc.name for desc in OURS]
    for entry, desc in zip(entries, OURS, strict=True):
        title, = re.findall("^# (.*)$", (DOC / entry["doc"]).read_text("utf-8"),
                            re.MULTILINE)
        assert title == desc.name
        assert (DOC / entry["icon"]).resolve().name == desc.icon.split("/")[-1]
        assert (DOC / entry["icon"]).is_file()
        assert entry["background"] == widgets.BACKGROUND
        assert entry["keywords"] == [str(word).strip() for word in desc.keywords]
