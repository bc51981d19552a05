#!/usr/bin/env python3
"""Compares the words that are found in PDFs, and their order, with those of pdftotext.

    tests/corpora/words.py FOLDER [--binary target/debug/convertd] [--other mutool] [--list]

FOLDER has any PDF files, such as those of mozilla/pdf.js. Of the first pages of each, the words that both have in the same order
are counted as a share of all, and those of pdftotext that are there at all. Two orders of pdftotext are right: it puts the
columns of a table one after another, or with `-layout` its rows; the second figure takes the better one of each file.
Characters that Unicode calls compatible are the same, and marks of direction and soft hyphens are none. Files of which less than
a fifth of the words are found are counted, and left out of the third figure: their fonts do not tell what their codes mean,
and pdftotext gives the codes. With `--other`, mutool is measured instead. It needs poppler.
"""

import argparse
import collections
import difflib
import pathlib
import re
import subprocess
import tempfile
import unicodedata

PAGES = 10
FEWEST, MOST = 10, 6000
LEAST_BYTES, MOST_BYTES = 20_000, 2_000_000
FEWEST_KEPT = 0.2
MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\u00ad\n?")


def run(*command):
    try:
        return subprocess.run(command, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, b"", b"it took too long")


def words(pages):
    text = "\f".join(pages.decode("utf8", "replace").split("\f")[:PAGES])
    return unicodedata.normalize("NFKC", MARKS.sub("", text)).split()


def in_order(theirs, ours):
    matcher = difflib.SequenceMatcher(None, theirs, ours, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    return 2 * same / max(len(theirs) + len(ours), 1)


def mean(found, at):
    return sum(row[at] for row in found) / max(len(found), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--binary", default="target/debug/convertd")
    parser.add_argument("--other", choices=["mutool"])
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    found = []
    for path in sorted(options.folder.glob("**/*.pdf")):
        if not LEAST_BYTES < path.stat().st_size < MOST_BYTES:
            continue
        theirs = words(run("pdftotext", "-l", str(PAGES), path, "-").stdout)
        rows = words(run("pdftotext", "-layout", "-l", str(PAGES), path, "-").stdout)
        if not FEWEST <= len(theirs) <= MOST:
            continue
        with tempfile.NamedTemporaryFile(suffix=".txt") as result:
            if options.other:
                run("mutool", "draw", "-F", "txt", "-o", result.name, path, f"1-{PAGES}")
            else:
                run(options.binary, "convert", path, result.name)
            ours = words(pathlib.Path(result.name).read_bytes())
        there = collections.Counter(theirs) & collections.Counter(ours)
        order = in_order(theirs, ours)
        found.append((order, max(order, in_order(rows, ours)), sum(there.values()) / len(theirs)))
        if options.list:
            print("%.3f %.3f %.3f" % found[-1], f"{len(theirs):5} {path.name}", flush=True)
    told = [row for row in found if row[2] >= FEWEST_KEPT]
    for name, files in (("", found), (" of which words are found", told)):
        figures = f"order {mean(files, 0):.3f}, by columns or rows {mean(files, 1):.3f}, kept {mean(files, 2):.3f}"
        print(f"{len(files)} files{name}: {figures}")


if __name__ == "__main__":
    main()
