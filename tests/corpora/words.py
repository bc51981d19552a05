#!/usr/bin/env python3
"""Which words of PDFs are found, and in which order, beside pdftotext.

    tests/corpora/words.py FOLDER [--binary target/debug/convertd] [--other mutool] [--list]

FOLDER has any PDF files, such as those of mozilla/pdf.js. Of the first pages of each, the words that both have in the same order
are counted as a share of all, and those of pdftotext that are there at all. With `--other`, mutool is measured instead. It
needs poppler.
"""

import argparse
import collections
import difflib
import pathlib
import subprocess
import tempfile

PAGES = 10
FEWEST, MOST = 10, 6000
LEAST_BYTES, MOST_BYTES = 20_000, 2_000_000


def run(*command):
    try:
        return subprocess.run(command, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, b"", b"it took too long")


def words(pages):
    return " ".join(pages.decode("utf8", "replace").split("\f")[:PAGES]).split()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--binary", default="target/debug/convertd")
    parser.add_argument("--other", choices=["mutool"])
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    orders, kept = [], []
    for path in sorted(options.folder.glob("**/*.pdf")):
        if not LEAST_BYTES < path.stat().st_size < MOST_BYTES:
            continue
        theirs = words(run("pdftotext", "-l", str(PAGES), path, "-").stdout)
        if not FEWEST <= len(theirs) <= MOST:
            continue
        with tempfile.NamedTemporaryFile(suffix=".txt") as result:
            if options.other:
                run("mutool", "draw", "-F", "txt", "-o", result.name, path, f"1-{PAGES}")
            else:
                run(options.binary, "convert", path, result.name)
            ours = words(pathlib.Path(result.name).read_bytes())
        matcher = difflib.SequenceMatcher(None, theirs, ours, autojunk=False)
        same = sum(block.size for block in matcher.get_matching_blocks())
        orders.append(2 * same / (len(theirs) + len(ours)))
        there = collections.Counter(theirs) & collections.Counter(ours)
        kept.append(sum(there.values()) / len(theirs))
        if options.list:
            print(f"{orders[-1]:.3f} {kept[-1]:.3f} {len(theirs):5} {path.name}", flush=True)
    count = max(len(orders), 1)
    print(f"{len(orders)} files: order {sum(orders) / count:.3f}, kept {sum(kept) / count:.3f}")


if __name__ == "__main__":
    main()
