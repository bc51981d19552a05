#!/usr/bin/env python3
"""Compares the pages that convertd lays out for the W3C's reference tests with Chromium's print of their references.

    tests/corpora/reftests.py CHECKOUT [FOLDER...] [--binary target/release/convertd] [--chromium chromium] [--most N] [--list]

CHECKOUT is the repository w3c/csswg-test, at its commit 8eced53c; FOLDER one of its folders, such as css21/floats. A test counts
if it names one page that it must look like (`rel=match`), runs no script, and does not need the font Ahem, which Chromium would
have to be given. With --most, so many of each folder are taken at random, the same every time.

The *test* is printed by convertd, the *reference* by Chromium, so that a program that draws both alike, because it ignores all
styles, gains nothing by it. A test passes if as much as 0.85 of the ink is the same (see pages.py); one whose reference is a
blank page is left out. The last column says of how many tests Chromium's own print is like that of the reference. Files that a test names are put into it as data URLs, because convertd reads no second file. What
Chromium printed is kept beside the checkout, in CHECKOUT.printed.
"""

import argparse
import base64
import collections
import concurrent.futures
import html
import mimetypes
import os
import random
import re
import subprocess
import tempfile

import pages

FOLDERS = [
    "css21/backgrounds", "css21/borders", "css21/box-display", "css21/cascade", "css21/colors", "css21/floats",
    "css21/floats-clear", "css21/fonts", "css21/generated-content", "css21/linebox", "css21/lists",
    "css21/margin-padding-clear", "css21/normal-flow", "css21/positioning", "css21/selectors", "css21/syntax",
    "css21/tables", "css21/text", "css21/values", "css21/zindex", "css-backgrounds-3", "css-flexbox-1", "css-grid-1",
    "css-multicol-1", "css-text-3/text-align", "css-text-3/white-space", "css-text-3/word-break", "css-transforms-1", "css-values-3",
]
ENOUGH = 0.85
SEED = 7
MATCH = re.compile(r"<link\b[^>]*\brel\s*=\s*[\"']?match\b[^>]*>", re.I)
HREF = re.compile(r"\bhref\s*=\s*[\"']?([^\"'\s>]+)", re.I)
NAMED = re.compile(r"(\bsrc\s*=\s*[\"']?|\burl\(\s*[\"']?)([^\"'()\s>]+)", re.I)
SHEET = re.compile(r"<link\b[^>]*\brel\s*=\s*[\"']?stylesheet\b[^>]*>", re.I)

VOID = "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
STYLE = re.compile(r"<style\b.*?</style>", re.I | re.S)
EMPTY = re.compile(rf"<(?!(?:{VOID})\b)([a-z][a-z0-9]*)\b([^<>]*?)\s*/>", re.I)


def read(path):
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        return file.read()


def whole(path, text=None):
    """A page, or a style sheet, with all files to which it refers embedded in it."""
    folder = os.path.dirname(path)

    def named(found):
        file = os.path.join(folder, found[2])
        if found[2].startswith("data:") or not os.path.isfile(file):
            return found[0]
        kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
        with open(file, "rb") as data:
            return f"{found[1]}data:{kind};base64,{base64.b64encode(data.read()).decode()}"

    def sheet(found):
        href = HREF.search(found[0])
        file = os.path.join(folder, href[1]) if href else ""
        media = re.search(r"\bmedia\s*=\s*[\"']?([^\"'>]*)", found[0])
        media = f' media="{media[1]}"' if media else ""
        return f"<style{media}>{whole(file)}</style>" if os.path.isfile(file) else found[0]

    text = read(path) if text is None else text
    if path.endswith((".xht", ".xhtml")):
        # The page is read as HTML, which has none of these.
        text = EMPTY.sub(r"<\1\2></\1>", text.replace("<![CDATA[", "").replace("]]>", ""))
        text = STYLE.sub(lambda found: html.unescape(found[0]), text)
    return NAMED.sub(named, SHEET.sub(sheet, text))


def tests_of(checkout, folder, most):
    """The tests of a folder, with their references."""
    found = []
    for place, _, files in sorted(os.walk(os.path.join(checkout, folder))):
        for file in sorted(files):
            path = os.path.join(place, file)
            if not file.endswith((".html", ".htm", ".xht", ".xhtml")) or "/reference" in place:
                continue
            text = read(path)
            links = MATCH.findall(text)
            href = HREF.search(links[0]) if len(links) == 1 else None
            reference = os.path.normpath(os.path.join(place, href[1])) if href else ""
            if not os.path.isfile(reference) or "<script" in text or "ahem" in (text + read(reference)).lower():
                continue
            found.append((path, reference))
    random.Random(SEED).shuffle(found)
    return found[:most]


def printed(chromium, reference, folder):
    """Chromium's print of a page."""
    out = os.path.join(folder, re.sub(r"\W", "_", os.path.relpath(reference, folder)) + ".pdf")
    if not os.path.exists(out):
        with tempfile.TemporaryDirectory() as profile:
            command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
            command += ["--no-pdf-header-footer", f"--print-to-pdf={out}", "file://" + os.path.abspath(reference)]
            try:
                subprocess.run(command, capture_output=True, timeout=60)
            except subprocess.TimeoutExpired:
                return None
    return out if os.path.exists(out) else None


def score(given, folder, test, reference):
    """Fraction of the ink that is the same here and in Chromium; None if the reference cannot be compared."""
    wanted = printed(given.chromium, reference, folder)
    if not wanted or not (ink := pages.ink_of(wanted, 1)) or ink.getextrema()[0] > 250:
        return None
    theirs = printed(given.chromium, test, folder)
    theirs = pages.ink(wanted, theirs, 1) if theirs else 0.0
    with tempfile.TemporaryDirectory() as out:
        page, ours = os.path.join(out, "page.html"), os.path.join(out, "page.pdf")
        with open(page, "w", encoding="utf-8") as file:
            file.write("\ufeff" + whole(test))
        command = [given.binary, "convert", "--force", page, ours, "--option", "page_size=letter", "--option", "margin=10"]
        try:
            subprocess.run(command, capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return 0.0, theirs
        return pages.ink(wanted, ours, 1) if os.path.exists(ours) else 0.0, theirs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout")
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    parser.add_argument("--binary", default="target/release/convertd")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--most", type=int, default=100_000, help="take so many tests of each folder")
    parser.add_argument("--list", action="store_true", help="the figure of each test that does not pass")
    given = parser.parse_args()
    kept = given.checkout.rstrip("/") + ".printed"
    os.makedirs(kept, exist_ok=True)
    total = collections.Counter()
    print("| folder | tests | passed | part | Chromium |\n|---|---|---|---|---|")
    for folder in given.folders:
        tests = tests_of(given.checkout, folder, given.most)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            scores = list(pool.map(lambda test: score(given, kept, *test), tests))
        rows = [(*figures, path) for figures, (path, _) in zip(scores, tests) if figures]
        passed = sum(ours >= ENOUGH for ours, _, _ in rows)
        theirs = sum(theirs >= ENOUGH for _, theirs, _ in rows)
        total.update(tests=len(rows), passed=passed, theirs=theirs)
        print(f"| {folder} | {len(rows)} | {passed} | {passed / max(len(rows), 1):.2f} | {theirs} |", flush=True)
        for ours, theirs, path in sorted(rows if given.list else []):
            if ours < ENOUGH:
                print(f"    {ours:.2f}, Chromium {theirs:.2f}: {os.path.relpath(path, given.checkout)}")
    part = total["passed"] / max(total["tests"], 1)
    print(f"| together | {total['tests']} | {total['passed']} | {part:.2f} | {total['theirs']} |")


if __name__ == "__main__":
    main()
