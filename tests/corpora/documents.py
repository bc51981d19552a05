#!/usr/bin/env python3
"""Compares the words, in order, and the structure of converted documents with those that pandoc finds.

    tests/corpora/documents.py read FORMAT FILE...     what convertd reads in files of the format
    tests/corpora/documents.py write FORMAT FILE...    what pandoc reads in files of the format that convertd wrote
                         [--binary target/release/convertd] [--expect tests/corpora/documents.txt] [--list]
                         [--cache FOLDER] [--jobs N]

The files come from other projects; see tests/corpora/README.md. A document that convertd reads is judged by the HTML
that it writes, which pandoc reads as well. The likeness of two sequences is twice the length of their longest common
sequence, divided by the sum of both lengths. The structure is a sequence of blocks, with the ends of those that contain
others. For written files, and for OpenDocument that is read, only the kinds of blocks count that pandoc finds in any
file of the format: in Rich Text it finds no rules, in OpenDocument no code.

Pandoc is not always right: it knows no code pages in Rich Text, and no frames in OpenDocument. So there is a second
opinion. For rtf, odt and docx, LibreOffice converts the file to a Word document for pandoc. For a page, lxml decodes
it, removes hidden content and menus, and replaces the element main, because pandoc leaves out everything around it. If
the likeness with pandoc is below 0.95, the better of the two opinions counts. Lines of documents.txt (a pattern of the
name's end, and the reason) explain why other files are below 0.9. The exit code is 1 if a file is below 0.9 and not in
the list.
"""

import argparse
import concurrent.futures
import difflib
import fnmatch
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

SECONDS = 120
DIALECT = {"md": "gfm+footnotes+definition_lists+tex_math_dollars+yaml_metadata_block"}
INLINE = {"Emph", "Underline", "Strong", "Strikeout", "Superscript", "Subscript", "SmallCaps"}
BLANK = {"Space", "SoftBreak", "LineBreak"}


def start(*command):
    """Runs a program. Returns its exit code, standard output and standard error."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return 124, b"", "took too long"
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()


class View:
    """The words and the structure of a document in pandoc's JSON, as far as this test can compare them."""

    def __init__(self, blocks, test, is_page):
        mode, form = test
        self.words, self.structure, self.word, self.notes = [], [], "", []
        # OpenDocument has a paragraph for each line of code.
        self.has_code_in_lines = test == ("read", "odt")
        # A linked picture cannot be embedded in other formats, which show its alternative text instead.
        self.embeds = is_page and mode == "write" and form not in ("html", "md")
        # Markdown gives a table without a header an empty one.
        self.has_bare_heads = test != ("write", "md")
        unseen = UNSEEN.get(form, ()) if mode == "write" or form == "odt" else ()
        self.blocks(blocks)
        self.end()
        self.structure = seen(joined_quotations(self.structure), unseen)

    def end(self):
        """Ends a paragraph: its notes follow it."""
        self.words += self.word.split()
        self.words += self.notes
        self.word, self.notes = "", []

    def inlines(self, inlines):
        for inline in inlines:
            kind, content = inline["t"], inline.get("c")
            if kind == "Str":
                self.word += content
            elif kind in BLANK:
                self.word += " "
            elif kind == "Code":
                self.word += content[1]
            elif kind == "Math":
                self.word += " ∑ "
            elif kind in INLINE:
                self.inlines(content)
            elif kind in ("Cite", "Link", "Span"):
                self.inlines(content[1])
            elif kind == "Quoted":
                marks = "‘’" if content[0]["t"] == "SingleQuote" else "“”"
                self.word += marks[0]
                self.inlines(content[1])
                self.word += marks[1]
            elif kind == "Image" and self.embeds and not content[2][0].startswith("data:"):
                self.inlines(content[1])
            elif kind == "Image":
                self.structure.append("IMG")
            elif kind == "Note":
                kept, self.word = (self.word, self.notes, self.words), ""
                self.notes, self.words = [], []
                self.structure.append("N")
                self.blocks(content)
                self.end()
                found = self.words
                self.word, self.notes, self.words = kept
                self.notes = self.notes + found

    def blocks(self, blocks, is_only_text_plain=False):
        """Adds blocks. The first paragraph of an item or a cell counts only as text, because spacing decides whether
        there is a paragraph."""
        for block in blocks:
            kind, content = block["t"], block.get("c")
            if kind in ("Para", "Plain"):
                if is_empty(content):
                    continue
                if not is_only_text_plain:
                    self.structure.append("P")
                is_only_text_plain = False
                self.inlines(content)
                self.end()
            elif kind == "LineBlock":
                self.blocks([{"t": "Para", "c": [inline for line in content for inline in [*line, {"t": "Space"}]]}])
            elif kind == "Header" and not is_empty(content[2]):
                self.structure.append(f"H{content[0]}")
                self.inlines(content[2])
                self.end()
            elif kind == "CodeBlock":
                lines = [line for line in content[1].split("\n") if line.strip()]
                self.structure += ["CODE"] * (len(lines) if self.has_code_in_lines else 1)
                self.word += content[1]
                self.end()
            elif kind == "HorizontalRule":
                self.structure.append("HR")
            elif kind == "BlockQuote":
                self.within("BQ(", content)
            elif kind == "BulletList":
                self.items("UL(", content)
            elif kind == "OrderedList":
                self.items(f"OL{content[0][0]}(", content[1])
            elif kind == "DefinitionList":
                self.structure.append("DL(")
                for term, definitions in content:
                    self.structure.append("DT")
                    self.inlines(term)
                    self.end()
                    for definition in definitions:
                        self.structure.append("DD")
                        self.blocks(definition, True)
                self.structure.append(")")
            elif kind == "Table":
                self.table(content)
            elif kind == "Figure":
                self.within("FIG(", content[2] + content[1][1])
            elif kind == "Div" and "table-of-contents" not in content[0][1] and content[0][0] != "TOC":
                self.blocks(content[1])

    def within(self, opening, blocks):
        self.structure.append(opening)
        self.blocks(blocks)
        self.structure.append(")")

    def items(self, opening, items):
        self.structure.append(opening)
        for item in items:
            self.structure.append("LI")
            self.blocks(item, True)
        self.structure.append(")")

    def table(self, content):
        self.structure.append("TABLE(")
        self.blocks(content[1][1])
        head = content[3][1]
        blocks = [block for row in head for cell in row[1] for block in cell[4]]
        has_head = any(not is_empty(block["c"][2] if block["t"] == "Header" else block.get("c")) for block in blocks)
        self.structure += ["THEAD"] * has_head
        if has_head or self.has_bare_heads:
            self.rows(head)
        for body in content[4]:
            self.rows(body[2])
            self.rows(body[3])
        self.rows(content[5][1])
        self.structure.append(")")

    def rows(self, rows):
        for row in rows:
            self.structure.append("TR")
            for cell in row[1]:
                self.structure.append("TD" if cell[2] == cell[3] == 1 else f"TD{cell[2]}x{cell[3]}")
                self.blocks(cell[4], True)


def is_empty(inlines):
    """Returns whether nothing is visible."""

    def is_nothing(inline):
        kind, content = inline.get("t"), inline.get("c")
        return (
            kind in BLANK
            or kind == "RawInline"
            or (kind == "Str" and not content.strip())
            or (kind in INLINE and is_empty(content))
            or (kind in ("Span", "Link") and is_empty(content[1]))
        )

    return isinstance(inlines, list) and all(isinstance(one, dict) and is_nothing(one) for one in inlines)


def joined_quotations(structure):
    """Joins neighbouring quotations, because pandoc makes one of every indented paragraph, even of empty ones."""
    found, open_ = [], []
    for mark in structure:
        if mark == ")" and open_.pop() == "BQ(":
            if found[-1] == "BQ(":
                found.pop()
                continue
            mark = ")BQ"
        elif mark.endswith("("):
            open_.append(mark)
            if mark == "BQ(" and found and found[-1] == ")BQ":
                found.pop()
                continue
        found.append(mark)
    return [")" if mark == ")BQ" else mark for mark in found]


# Blocks that pandoc finds in no file of the format, not even in its own.
UNSEEN = {
    "odt": ("CODE", "HR", "DL", "BQ", "FIG"),
    "rtf": ("HR", "DL", "BQ", "FIG", "THEAD", "TDx"),
}


def seen(structure, unseen):
    """The structure without invisible differences: code, terms and definitions become paragraphs, and the rest is
    dropped."""
    found, open_ = [], []
    for mark in structure:
        if mark == ")":
            if open_.pop() not in unseen:
                found.append(mark)
            continue
        if mark.endswith("("):
            open_.append(mark[:-1])
        if mark.startswith("TD") and "TDx" in unseen:
            mark = "TD"
        if mark in ("DT", "DD") and "DL" in unseen or mark == "CODE" and mark in unseen:
            mark = "P"
        if mark.rstrip("(") not in unseen:
            found.append(mark)
    return found


def likeness(one, other):
    """Twice the length of the longest common subsequence by both lengths. A bit stands for each item of the other sequence
    (Hyyrö, Bit-parallel LCS-length computation revisited, 2004), so that long documents take seconds."""
    if not one and not other:
        return 1.0
    places = {}
    for at, item in enumerate(other):
        places[item] = places.get(item, 0) | 1 << at
    every = free = (1 << len(other)) - 1
    for item in one:
        used = free & places.get(item, 0)
        free = ((free + used) | (free - used)) & every
    return 2 * (len(other) - free.bit_count()) / (len(one) + len(other))


def likenesses(expected, found):
    return likeness(expected.words, found.words), likeness(expected.structure, found.structure)


def title_of(metadata):
    """Metadata that pandoc keeps apart from the text, as blocks: convertd writes it at its place in the document."""

    def blocks(value, name):
        kind, content = value["t"], value["c"]
        if kind == "MetaInlines":
            return [{"t": "Header", "c": [1, [], content]} if name == "title" else {"t": "Para", "c": content}]
        if kind == "MetaList":
            return [block for one in content for block in blocks(one, "")]
        return content if kind == "MetaBlocks" else []

    names = ("title", "subtitle", "author", "date", "abstract")
    return [block for name in names if name in metadata for block in blocks(metadata[name], name)]


class Judge:
    def __init__(self, asked):
        self.binary, self.cache, self.format, self.lists = asked.binary, asked.cache, asked.format, asked.list
        self.mode = asked.mode
        import pypandoc

        self.pandoc = pypandoc.get_pandoc_path()

    def kept(self, name, source, make):
        """Name of a file that is made once from the source; empty if it cannot be made."""
        with open(source, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()[:24]
        path = os.path.join(self.cache, f"{digest}.{name}")
        if not os.path.exists(path):
            made = make() or b""
            with open(path + f".{os.getpid()}", "wb") as file:
                file.write(made)
            os.replace(path + f".{os.getpid()}", path)
        return path

    def views(self, path, kind):
        """Pandoc's view of a file, and its view with the title as part of the text."""
        if kind == "md":
            # Converts to HTML first, so that HTML within Markdown is not ignored; with and without its title.
            pages = []
            for name, more in (("page.html", ()), ("whole.html", ("-s",))):
                arguments = ("-f", DIALECT["md"], "-t", "html5", "--wrap=none", "--mathml", *more, path)
                pages.append(self.kept(name, path, lambda: start(self.pandoc, *arguments)[1]))
            return [view for page in pages for view in self.views(page, "html")[:1]]
        printed = self.kept(f"{kind}.json", path, lambda: start(self.pandoc, "-f", kind, "-t", "json", path)[1])
        if not os.path.getsize(printed):
            return []
        with open(printed, encoding="utf-8") as file:
            document = json.load(file)
        title, blocks = title_of(document["meta"]), document["blocks"]
        variants = [blocks] + ([title + blocks] if title else [])
        return [View(blocks, (self.mode, self.format), kind == "html") for blocks in variants]

    def second_views(self, path):
        if self.format in ("rtf", "odt", "docx"):
            return self.views(self.kept("office.docx", path, lambda: by_office(path)), "docx")
        if self.format == "html" and self.mode == "read":
            return self.views(self.kept("shown.html", path, lambda: as_shown(path)), "html")
        return []

    def written(self, path, to, folder):
        out = os.path.join(folder, "out." + to)
        code, _, said = start(self.binary, "convert", path, out, "--to", to, "--force")
        return (out if code == 0 else None), said

    def read(self, path):
        with tempfile.TemporaryDirectory() as folder:
            out, said = self.written(path, "html", folder)
            opinions = self.views(path, self.format)
            if out is None:
                return None, None, "refused: " + said[:120], ""
            if not opinions:
                return None, None, "pandoc refuses it", ""
            [found, *_] = self.views(out, "html")
            return self.judged([(view, found) for view in opinions], lambda: [(view, found) for view in self.second_views(path)])

    def write(self, path):
        with tempfile.TemporaryDirectory() as folder:
            page, said = self.written(path, "html", folder)
            out, also = self.written(path, self.format, folder) if page else (None, said)
            if out is None:
                return None, None, "refused: " + also[:120], ""
            if self.format == "html":
                out = page
            [expected, *_] = self.views(page, "html")
            pairs = [(expected, view) for view in self.views(out, self.format)]
            if not pairs:
                return None, None, "pandoc cannot read what was written", ""
            return self.judged(pairs, lambda: [(expected, view) for view in self.second_views(out)])

    def judged(self, pairs, more):
        """The likeness of the best pair of views, and that with the second opinion, if it is needed."""
        scored = [(likenesses(*pair), pair) for pair in pairs]
        first, pair = max(scored, key=lambda one: sum(one[0]))
        nearer = first
        if min(first) < 0.95:
            scored += [(likenesses(*pair), pair) for pair in more()]
            # The best opinion may differ between words and structure.
            nearer = tuple(max(score[i] for score, _ in scored) for i in (0, 1))
            _, pair = max(scored, key=lambda one: sum(one[0]))
        return first, nearer, "", differences(*pair) if self.lists else ""


def by_office(path):
    """LibreOffice's version of a file, as a Word document."""
    with tempfile.TemporaryDirectory() as folder:
        profile = "-env:UserInstallation=file://" + os.path.join(folder, "profile")
        # LibreOffice recognises the type of a file by its name.
        start("soffice", profile, "--headless", "--convert-to", "docx", "--outdir", folder, path)
        made = os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + ".docx")
        if not os.path.exists(made):
            return None
        with open(made, "rb") as file:
            return file.read()


UNSHOWN = ("noscript", "template", "meta", "select")
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def as_shown(path):
    """A page as UTF-8 without hidden elements, and with main as a division, because pandoc leaves out everything
    outside of it."""
    import lxml.html

    with open(path, "rb") as file:
        raw = file.read()
    declared = re.search(rb"<meta[^>]+charset\s*=\s*[\"']?([\w-]+)", raw[: 1 << 17])
    is_wide = raw[:2] in (b"\xff\xfe", b"\xfe\xff")
    name = "utf-16" if is_wide else declared.group(1).decode() if declared else "utf-8"
    try:
        text = raw.decode(name, "replace")
    except LookupError:
        text = raw.decode("utf-8", "replace")
    text = re.sub(r"<\?xml[^>]*>", "", text)
    page = lxml.html.document_fromstring(text, parser=lxml.html.HTMLParser(huge_tree=True))
    for element in list(page.iter("*")):
        if element.attrib.get("role") == "main":
            element.attrib.pop("role")
        element.tag = "div" if element.tag == "main" else element.tag
        is_hidden = "hidden" in element.attrib or HIDDEN.search(element.attrib.get("style", ""))
        if element.getparent() is not None and (is_hidden or element.tag in UNSHOWN):
            element.drop_tree()
    return b"<!DOCTYPE html>\n" + lxml.html.tostring(page, encoding="utf-8")


def differences(expected, found, most=12):
    lines = []
    for name in ("words", "structure"):
        one, other = getattr(expected, name), getattr(found, name)
        steps = difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
        steps = [step for step in steps if step[0] != "equal"]
        for _, i, j, k, m in steps[:most]:
            before, gone, new = (" ".join(part) for part in (one[max(i - 2, 0) : i], one[i:j], other[k:m]))
            lines.append(f"    {name[0]} {before} [{gone[:160]}] -> [{new[:160]}]")
    return "\n".join(lines)


def expectations(path):
    """Reads lines with a measured value, a pattern of names, and a reason."""
    with open(path, encoding="utf-8") as lines:
        return [line.split(None, 2) for line in lines if line.strip() and not line.startswith("#")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("mode", choices=("read", "write"))
    parser.add_argument("format")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--binary", default=os.path.join(here, "../../target/release/convertd"))
    parser.add_argument("--expect", default=os.path.join(here, "documents.txt"))
    parser.add_argument("--cache", help="a folder that keeps what the other programs have said")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print the differences, too")
    asked = parser.parse_args()
    sys.setrecursionlimit(20000)

    temporary = tempfile.TemporaryDirectory()
    asked.cache = asked.cache or temporary.name
    os.makedirs(asked.cache, exist_ok=True)
    judge = Judge(asked)
    expected = [line for line in expectations(asked.expect) if line[0] == f"{asked.mode}-{asked.format}"]
    firsts, seconds, plain, surprises, listed = [], [], [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for path, (first, second, said, lines) in zip(asked.files, pool.map(getattr(judge, asked.mode), asked.files)):
            name = os.path.basename(path)
            reason = next((line[2].strip() for line in expected if fnmatch.fnmatch(name, line[1])), None)
            if first is None:
                print(f"-      -       {name}: {reason or said}")
                continue
            is_low = min(second) < 0.9
            surprises += is_low and reason is None
            listed += is_low and reason is not None
            firsts.append(first)
            seconds.append(second)
            if not (is_low and reason):
                plain.append(second)
            if min(first) < 0.9999:
                numbers = " ".join(f"{number:.4f}" for number in first + second)
                print(f"{numbers} {name}{': ' + reason if is_low and reason else ''}")
                if asked.list and lines:
                    print(lines)

    def mean(scores):
        return "words {:.4f}, structure {:.4f}".format(*(sum(s[i] for s in scores) / max(len(scores), 1) for i in (0, 1)))

    print(f"{asked.mode} {asked.format}: {len(firsts)} files: {mean(firsts)}; with the nearer opinion: {mean(seconds)};")
    print(f"    without the {listed} that are listed: {mean(plain)}; below 0.9 and not listed: {surprises}")
    sys.exit(surprises > 0)


if __name__ == "__main__":
    main()
