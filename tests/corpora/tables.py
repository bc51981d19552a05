#!/usr/bin/env python3
"""Measures the quality of table recognition in PDFs with the method of the ICDAR 2013 table competition, also for other
installed programs.

    tests/corpora/tables.py FOLDER [--binary target/release/convertd] [--files] [--only NAME] [--peers none]

FOLDER is `icdar2013-dataset` of tabulapdf/tabula-java (src/test/resources/technology/tabula). Nothing of it is part of
this repository. With --files each file has a line of its own.

The measure (Göbel, Hassan, Oro, Orsi: A methodology for evaluating algorithms for table understanding in PDF documents,
2012): each cell with content is compared by its relations to the next cell with content on its right and below it. The share
of the relations of a document that are true is its precision, the share of the true ones that are found its recall; the
figures are means over documents. A document without any table found counts as 0 in both. Spaces, kinds of dashes and
leader dots do not count.
"""

import argparse
import collections
import glob
import html.parser
import os
import re
import resource
import subprocess
import sys
import time
import unicodedata
import xml.etree.ElementTree as xml

DASHES = dict.fromkeys(map(ord, "\u00ad\u2010\u2011\u2012\u2013\u2014\u2212"), "-")


def plain(text):
    """Normalises the text of a cell: removes differences that do not count."""
    text = unicodedata.normalize("NFKC", text).translate(DASHES)
    text = re.sub(r"(\.\s*){3,}", "", text)
    return re.sub(r"\s+", "", text)


def relations(cells):
    """The relations of the cells (row, column, rows, columns, text) of one table."""
    owner = {}
    for number, (row, column, rows, columns, text) in enumerate(cells):
        if plain(text):
            for at in range(row, row + rows):
                for place in range(column, column + columns):
                    owner.setdefault((at, place), number)
    found = set()
    for direction in (0, 1):
        lines = collections.defaultdict(list)
        for place, number in owner.items():
            lines[place[direction]].append((place[1 - direction], number))
        for line in lines.values():
            line.sort()
            found.update((a, b, direction) for (_, a), (_, b) in zip(line, line[1:]) if a != b)
    return collections.Counter((plain(cells[a][4]), plain(cells[b][4]), way) for a, b, way in found)


def truth(path):
    """The relations of a file of the competition."""
    total = collections.Counter()
    for region in xml.parse(path).getroot().iter("region"):
        cells = []
        for cell in region.iter("cell"):
            row, column = int(cell.get("start-row")), int(cell.get("start-col"))
            rows = int(cell.get("end-row", row)) - row + 1
            columns = int(cell.get("end-col", column)) - column + 1
            cells.append((row, column, rows, columns, cell.findtext("content") or ""))
        total += relations(cells)
    return total


class Tables(html.parser.HTMLParser):
    """The tables of an HTML file as lists of cells."""

    def __init__(self):
        super().__init__()
        self.tables, self.open, self.cell = [], [], None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "table":
            self.open.append({"cells": [], "taken": set(), "row": -1})
        elif tag == "tr" and self.open:
            self.open[-1]["row"] += 1
        elif tag in ("td", "th") and self.open:
            table = self.open[-1]
            rows, columns = int(attributes.get("rowspan", 1)), int(attributes.get("colspan", 1))
            column = 0
            while (table["row"], column) in table["taken"]:
                column += 1
            for at in range(table["row"], table["row"] + rows):
                table["taken"].update((at, column + place) for place in range(columns))
            self.cell = [table["row"], column, rows, columns, ""]
            table["cells"].append(self.cell)

    def handle_endtag(self, tag):
        if tag == "table" and self.open:
            self.tables.append([tuple(cell) for cell in self.open.pop()["cells"]])
        elif tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        if self.cell:
            self.cell[4] += data


def convertd(binary):
    def read(path):
        done = subprocess.run([binary, "convert", path, "-", "--to", "html"], capture_output=True, timeout=120)
        if done.returncode:
            raise ValueError(done.stderr.decode("utf-8", "replace"))
        tables = Tables()
        tables.feed(done.stdout.decode("utf-8"))
        return tables.tables

    return read


def of_rows(rows):
    """The cells of a table without spans."""
    return [(at, place, 1, 1, str(text or "")) for at, row in enumerate(rows) for place, text in enumerate(row)]


def pdfplumber():
    import pdfplumber as library

    def read(path):
        with library.open(path) as pdf:
            return [of_rows(table) for page in pdf.pages for table in page.extract_tables()]

    return read


def pymupdf():
    import pymupdf as library

    def read(path):
        with library.open(path) as pdf:
            found = [table for page in pdf for table in page.find_tables(use_layout=False).tables]
            return [of_rows(table.extract()) for table in found]

    return read


def camelot(flavor):
    def start():
        import camelot as library

        def read(path):
            found = library.read_pdf(path, pages="all", flavor=flavor)
            return [of_rows(table.df.values.tolist()) for table in found]

        return read

    return start


PEERS = {
    "pdfplumber": pdfplumber,
    "PyMuPDF, rules": pymupdf,
    "camelot stream": camelot("stream"),
    "camelot hybrid": camelot("hybrid"),
}


def seconds():
    """Processor time of this process and its children."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def measure(name, read, files, is_long):
    start, wall, scores = seconds(), time.time(), []
    for path in files:
        expected = truth(path[:-4] + "-str.xml")
        try:
            found = sum((relations(table) for table in read(path)), collections.Counter())
        except Exception as error:  # One that fails on a file has found nothing there.
            print(f"{name}: {os.path.basename(path)}: {error}", file=sys.stderr)
            found = collections.Counter()
        right, made = sum((expected & found).values()), sum(found.values())
        scores.append((right / made if made else 0.0, right / sum(expected.values())))
        if is_long:
            print(f"  {os.path.basename(path):12} P {scores[-1][0]:.3f}  R {scores[-1][1]:.3f}")
    precision, recall = (sum(part) / len(scores) for part in zip(*scores))
    both = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    spent = f"{seconds() - start:6.1f} s cpu {time.time() - wall:6.1f} s"
    print(f"{name:16} precision {precision:.3f}  recall {recall:.3f}  F1 {both:.3f}  {spent}", flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder")
    arguments.add_argument("--binary", default="target/release/convertd")
    arguments.add_argument("--files", action="store_true")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--peers", choices=["all", "none"], default="all")
    given = arguments.parse_args()
    files = sorted(glob.glob(os.path.join(given.folder, "*", "*.pdf")))
    files = [path for path in files if given.only in path and os.path.exists(path[:-4] + "-str.xml")]
    if not files:
        sys.exit(f"{given.folder}: no files of the competition")
    measure("convertd", convertd(given.binary), files, given.files)
    for name, start in PEERS.items() if given.peers == "all" else ():
        try:
            read = start()
        except ImportError:
            print(f"{name:16} not installed")
            continue
        measure(name, read, files, given.files)


if __name__ == "__main__":
    main()
