#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site (scripts/docs.sh).

site.py links TREE        every link of the pages leads to a file of the tree, or to a heading
site.py stage TREE TO     prepares pages, public headers and examples for Doxygen: links by name, contracts as comments it
                          understands, and in each header's contract the examples that include it
site.py check HTML        every link of the site leads to an existing file and anchor
Each reports what is wrong and exits with 1, or else prints how many it checked.
"""

import html.parser
import pathlib
import re
import shutil
import sys
import urllib.parse

PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/tutorial.md", "docs/manual.md", "docs/python.md", "docs/spmd.md",
         "docs/design.md", "docs/performance.md", "docs/validation.md", "docs/dependencies.md", "docs/nightly.md"]
LINK = re.compile(r"(!?)\[([^\]\[]+)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^(#{1,6}) +(.*?) *#*$")


def pages(tree):
    return [page for page in PAGES if (tree / page).exists()]


def outside_code(text):
    """Lines with a flag: not in a fenced block."""
    fenced = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            yield line, False
        else:
            yield line, not fenced


def plain(heading):
    return re.sub(r"[`*]", "", LINK.sub(r"\2", heading))


def slug(heading):
    """A heading's anchor, as forges name it."""
    return re.sub(r"[^\w\- ]", "", plain(heading).lower()).replace(" ", "-")


def headings(text):
    """Lines with their heading's name, or None; repeated names are numbered."""
    times = {}
    for line, outside in outside_code(text):
        m = HEADING.match(line) if outside else None
        if not m:
            yield line, outside, None
            continue
        name = slug(m.group(2))
        times[name] = times.get(name, -1) + 1
        yield line, outside, name + (f"-{times[name]}" if times[name] else "")


def slugs(text):
    return {name for _, _, name in headings(text) if name}


def is_code(line, position):
    return line[:position].count("`") % 2 == 1


def links(tree):
    wrong, seen = [], 0
    for page in pages(tree):
        text = (tree / page).read_text()
        for number, (line, outside) in enumerate(outside_code(text), 1):
            for m in LINK.finditer(line) if outside else ():
                target, _, anchor = m.group(3).partition("#")
                if is_code(line, m.start()) or re.match(r"[a-z]+:", m.group(3)):
                    continue
                seen += 1
                path = (tree / page).parent / urllib.parse.unquote(target) if target else tree / page
                if not path.exists():
                    wrong.append(f"{page}:{number}: {m.group(3)}: there is no {target}")
                elif anchor and path.suffix == ".md" and anchor not in slugs(path.read_text()):
                    wrong.append(f"{page}:{number}: {m.group(3)}: there is no such heading")
    return wrong, seen, "links of pages"


def name_of(page):
    return pathlib.PurePath(page).stem.lower()


def staged_page(tree, page, to):
    names = {(tree / p).resolve(): name_of(p) for p in pages(tree)}
    own, first, lines = name_of(page), True, []

    def link(m):
        image, text, target = m.group(1), m.group(2), m.group(3)
        if re.match(r"[a-z]+:", target):
            return m.group(0)
        path, _, anchor = target.partition("#")
        file = ((tree / page).parent / path).resolve() if path else (tree / page).resolve()
        if file in names:
            return f"[{text}](@ref {names[file]}{'-' + anchor if anchor else ''})"
        if file.suffix in (".svg", ".png") and file.exists():
            shutil.copy(file, to / file.name)
            return f'<a href="{file.name}">{text}</a>' if not image else f'<img src="{file.name}" alt="{text}">'
        return f"{text} (`{file.relative_to(tree.resolve())}`)"

    for line, outside, heading in headings((tree / page).read_text()):
        if outside:
            line = "".join(part if k % 2 else LINK.sub(link, part) for k, part in enumerate(re.split(r"(`[^`]*`)", line)))
            if m := HEADING.match(line):
                line = f"{m.group(1)} {plain(m.group(2))} {{#{own if first else own + '-' + heading}}}"
                first = False
        lines.append(line)
    (to / page).parent.mkdir(parents=True, exist_ok=True)
    (to / page).write_text("\n".join(lines))


ESCAPES = {"<": "&lt;", ">": "&gt;", "@": "\\@", "\\": "\\\\", "#": "\\#", "[": "\\[", "]": "\\]", "*": "\\*", "|": "\\|",
           "&": "&amp;", "%": "%%", "_": "\\_"}


def escaped(text):
    return "".join(part if k % 2 else "".join(ESCAPES.get(c, c) for c in part)
                   for k, part in enumerate(re.split(r"(`[^`]*`)", text)))


INCLUDE = re.compile(r'^#include "(trellis/[^"]+)"', re.M)


def examples(tree):
    """Sources of examples/ that include public headers, by path from there: their text. Those of the tour come first."""
    folder = tree / "examples"
    files = [file for kind in ("*.cpp", "*.hpp") for file in folder.rglob(kind)
             if not file.name.startswith("by_hand") and not file.stem.endswith("_test")]
    texts = {file.relative_to(folder).as_posix(): file.read_text() for file in files}
    in_order = sorted(texts, key=lambda name: (not name.startswith("tour/"), name))
    return {name: texts[name] for name in in_order if INCLUDE.search(texts[name])}


def link_to_example(name):
    """To the page that Doxygen makes of an example."""
    page = name.replace("/", "_2").replace(".", "_8")
    return f'<a href="{page}-example.html">{name}</a>'


def contract_of(text):
    """The comment that a file opens with, after the licence."""
    lines = [line for line in text.split("\n") if "SPDX-" not in line and line != "#pragma once"]
    last = next((k for k, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return [line[2:].strip() for line in lines[:last]]


def stage_examples(texts, to):
    """Sources beside what is documented, and a page each that Doxygen shows them on."""
    pages_of_examples = []
    for name, text in texts.items():
        (to / "sources" / name).parent.mkdir(parents=True, exist_ok=True)
        (to / "sources" / name).write_text(text)
        pages_of_examples.append(f"/** @example {name}\n" + "\n".join(map(escaped, contract_of(text))) + "\n */\n")
    (to / "examples.dox").write_text("\n".join(pages_of_examples))


def staged_header(text, its_examples):
    """Comments before declarations and after members become Doxygen's; indented lines in them stay as they are."""
    out, comment, contract = [], [], True

    def close(indent):
        nonlocal comment, contract
        if not comment:
            return
        out.append(indent + "/**" + (" @file" if contract else ""))
        shown = False
        for line in comment:
            if line.startswith("  ") and line.strip():
                if not shown:
                    out.append(indent + " @verbatim")
                shown = True
                out.append(line)
                continue
            if shown:
                out.append(indent + " @endverbatim")
            shown = False
            out.append(indent + " " + escaped(line))
        if shown:
            out.append(indent + " @endverbatim")
        if contract and its_examples:
            out.extend([indent + " @par Examples", indent + " " + ", ".join(map(link_to_example, its_examples))])
        out.append(indent + " */")
        comment, contract = [], False

    lines, k = text.split("\n"), 0
    while k < len(lines) and not lines[k].startswith("#pragma once"):
        k += 1
    last_indent = ""
    for line in lines[k + 1:]:
        if m := re.match(r"^(\s*)// ?(.*)$", line):
            last_indent = m.group(1)
            comment.append(m.group(2))
            continue
        if line.startswith("namespace"):
            comment = []  # of what is in it
        close(last_indent)
        if m := re.match(r"^(.*[;,{)]) +// (.*)$", line):
            line = f"{m.group(1)}  ///< {escaped(m.group(2))}" if m.group(1)[-1] in ";," else m.group(1)
        out.append(line)
    close(last_indent)
    return "\n".join(["#pragma once"] + out)


def stage(tree, to):
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for page in pages(tree):
        staged_page(tree, page, to)
    shutil.copy(tree / "docs/site/Doxyfile", to / "Doxyfile")
    public = [line for line in (tree / "docs/site/public_headers.txt").read_text().split("\n") if line and line[0] != "#"]
    texts = examples(tree)
    stage_examples(texts, to)
    wrong = []
    for header in public:
        its_examples = [name for name, text in texts.items() if header in INCLUDE.findall(text)]
        source = tree / header if (tree / header).exists() else tree / (header + ".in")
        if not source.exists():
            wrong.append(f"docs/site/public_headers.txt: there is no {header}")
            continue
        (to / header).parent.mkdir(parents=True, exist_ok=True)
        (to / header).write_text(staged_header(source.read_text(), its_examples))
    return wrong, len(public), "public headers"


# Doxygen lists this section in the summary of a class whose nested classes are all private, and then omits the section.
LEFT_OUT = "nested-classes"


class Site(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("id", "name") and value:
                self.anchors.add(value)
            elif key in ("href", "src") and value:
                self.targets.append(value)


def check(folder):
    sites = {file.name: Site(file.read_text(errors="replace")) for file in folder.glob("*.html")}
    wrong, seen = [], 0
    for name, site in sorted(sites.items()):
        for target in site.targets:
            if re.match(r"([a-z]+:|#$)", target):
                continue
            seen += 1
            file, _, anchor = urllib.parse.unquote(target).partition("#")
            file = file or name
            if not (folder / file).exists():
                wrong.append(f"{name}: {target}: there is no {file}")
            elif anchor and anchor != LEFT_OUT and file in sites and anchor not in sites[file].anchors:
                wrong.append(f"{name}: {target}: there is no such anchor")
    return wrong, seen, f"links of {len(sites)} files"


def main(arguments):
    commands = {"links": links, "stage": stage, "check": check}
    if len(arguments) < 2 or arguments[0] not in commands:
        sys.exit(__doc__)
    wrong, seen, what = commands[arguments[0]](*map(pathlib.Path, arguments[1:]))
    print("\n".join(wrong) if wrong else f"{seen} {what}: all there")
    sys.exit(1 if wrong else 0)


main(sys.argv[1:])
