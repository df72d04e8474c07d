"""The style sheet of the report: light and dark, on screens, phones and paper."""

__all__ = ["STYLE"]

LIGHT = """\
--ink: #1c2330; --muted: #5b6675; --faint: #e3e7ee; --paper: #ffffff;
--panel: #f5f7fa; --line: #c9d0db; --link: #1d4ed8;
--first: #2459c9; --second: #d9730d; --third: #b4472f; --plain: #7b8797;
--rope: #d8dee8; --inside: #ffffff; color-scheme: light;"""

DARK = """\
--ink: #e6e9ef; --muted: #a2acba; --faint: #2a313c; --paper: #14181f;
--panel: #1c222b; --line: #3d4655; --link: #8ab4ff;
--first: #6c9cf5; --second: #f0a04b; --third: #e58a72; --plain: #8793a5;
--rope: #3a4352; --inside: #10141a; color-scheme: dark;"""

STYLE = f"""\
:root {{ {LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {DARK} }} }}
@media print {{ :root {{ {LIGHT} }} }}
* {{ box-sizing: border-box; }}
html {{ -webkit-text-size-adjust: 100%; }}
body {{
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue",
    "Noto Sans", "Liberation Sans", Arial, sans-serif;
}}
main {{ max-width: 84rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }}
h1 {{ font-size: 2rem; line-height: 1.15; margin: .5rem 0 .25rem; }}
h2 {{
  font-size: 1.4rem; line-height: 1.25; margin: 3rem 0 .75rem; padding-top: .9rem;
  border-top: 2px solid var(--faint);
}}
h3 {{ font-size: 1.08rem; margin: 2rem 0 .4rem; }}
p, ul {{ max-width: 46rem; margin: .5rem 0; }}
a {{ color: var(--link); }}
p.lead {{ max-width: none; color: var(--muted); font-size: 1.05rem; }}
.legend, .notes, figcaption {{ color: var(--muted); font-size: .86rem; }}
.notes, .notes ul {{ max-width: none; }}
.notes ul, ul.notes {{ columns: 30rem; column-gap: 2.5rem; padding-left: 1.1rem; }}
.notes li {{ break-inside: avoid; margin: .2rem 0; }}
div.notes {{ margin: .75rem 0; }}
.findings {{
  background: var(--panel); border-radius: .6rem; padding: .4rem 1.25rem .9rem;
  max-width: none; margin: 1.25rem 0;
}}
.findings h2 {{ border: 0; margin: .6rem 0 .2rem; padding: 0; font-size: 1.1rem; }}
.findings ul {{ max-width: 60rem; padding-left: 1.1rem; }}
.findings li {{ margin: .4rem 0; }}
nav ul {{
  columns: 16rem; column-gap: 2rem; list-style: none; padding: 0; max-width: none;
}}
nav li {{ break-inside: avoid; padding: .12rem 0; }}
/* The container of what is placed absolutely, so that it is cut off, too. */
.scroll {{ position: relative; overflow-x: auto; margin: .75rem 0 .5rem; }}
.scroll:focus-visible {{ outline: 2px solid var(--link); outline-offset: 2px; }}
table {{
  border-collapse: separate; border-spacing: 0; font-size: .8rem; line-height: 1.3;
  font-variant-numeric: tabular-nums;
}}
caption {{
  text-align: left; font-weight: 600; font-size: .95rem; padding: .3rem 0 .5rem;
  position: sticky; left: 0;
}}
th, td {{
  padding: .32rem .6rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--faint);
}}
.figures td, .figures thead th {{
  text-align: right; white-space: nowrap; padding: .3rem 1.2em .3rem .45rem;
}}
.figures thead tr:first-child th:first-child {{ text-align: left; }}
thead th {{
  vertical-align: bottom; border-bottom: 2px solid var(--line); white-space: nowrap;
}}
.figures thead th {{ white-space: normal; }}
.figures .remark {{ text-align: left; white-space: normal; min-width: 18rem; }}
tbody th {{ font-weight: 500; white-space: nowrap; }}
tfoot th {{ white-space: nowrap; }}
tfoot th, tfoot td {{ background: var(--panel); }}
tfoot tr:first-child > * {{ border-top: 2px solid var(--line); }}
tbody th, tfoot th, thead tr:first-child th:first-child {{
  position: sticky; left: 0; background: var(--paper); z-index: 1;
  border-right: 1px solid var(--faint);
}}
tfoot th {{ background: var(--panel); }}
tbody tr:hover > * {{ background: var(--panel); }}
small {{ display: block; color: var(--muted); font-size: .8em; font-weight: 400; }}
/* Marks stand outside of the alignment of figures. */
.mark {{ position: absolute; padding-left: .15em; font-weight: 400; }}
td .mark {{ color: var(--first); }}
th .mark {{ color: var(--second); }}
.counts td, .counts thead th {{ padding: .25rem .5rem; }}
.figures .group {{ border-left: 1px solid var(--line); }}
thead th.group[colspan] {{ text-align: center; border-bottom: 1px solid var(--faint); }}
code {{
  font: .88em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono",
    monospace; overflow-wrap: anywhere;
}}
figure {{ margin: 1rem 0 1.5rem; }}
figcaption {{ max-width: 46rem; }}
svg {{ display: block; width: 100%; height: auto; font-size: 12.5px; }}
svg text {{ fill: var(--ink); }}
svg .muted {{ fill: var(--muted); }}
svg .strong {{ font-weight: 700; }}
svg .halo {{ paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }}
svg .inside {{ fill: var(--inside); }}
svg line {{ stroke: var(--ink); stroke-width: 1; }}
svg .grid, svg .row {{ stroke: var(--faint); }}
svg .row {{ stroke-dasharray: 1 3; stroke: var(--line); }}
svg .zero {{ stroke: var(--muted); stroke-width: 1.5; }}
svg .link {{ stroke: var(--plain); stroke-width: 1.5; }}
svg .tick {{ stroke: var(--ink); stroke-width: 2; }}
svg .group {{ fill: var(--ink); }}
svg .first {{ fill: var(--first); }}
svg .second {{ fill: var(--paper); stroke: var(--second); stroke-width: 2.5; }}
svg .third {{ fill: var(--third); }}
svg .plain {{ fill: var(--plain); }}
svg .rope {{ fill: var(--rope); }}
@media (max-width: 40rem) {{
  main {{ padding: .75rem .8rem 3rem; }}
  h1 {{ font-size: 1.6rem; }}
  tbody th, tfoot th {{
    min-width: 5.5rem; max-width: 8.5rem; white-space: normal;
    overflow-wrap: break-word;
  }}
  th, td {{ padding: .3rem .45rem; }}
}}
@page {{ size: A4 landscape; margin: 12mm; }}
@media print {{
  body {{ font-size: 10pt; }}
  main {{ max-width: none; padding: 0; }}
  nav {{ display: none; }}
  .scroll {{ overflow: visible; }}
  table {{ font-size: 7pt; }}
  table.wide {{ font-size: 5.2pt; }}
  th, td, .figures td, .figures thead th {{ padding: 1pt 2pt; }}
  .figures td {{ padding-right: 1.2em; }}
  tbody th, tfoot th, thead tr:first-child th:first-child, caption {{
    position: static;
  }}
  thead {{ display: table-header-group; }}
  tfoot {{ display: table-row-group; }}
  tr, figure {{ break-inside: avoid; }}
  h2, h3, caption {{ break-after: avoid; }}
  .findings {{ border: 1px solid var(--line); }}
  /* A heading, a figure and its caption fit on a page. */
  svg {{ min-width: 0 !important; max-height: 140mm; }}
  a {{ color: inherit; text-decoration: none; }}
}}
"""
