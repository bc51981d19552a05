#!/usr/bin/env python3
"""Compares the pages of convertd and of LibreOffice with those that each format's own program printed.

    tests/corpora/pages.py FOLDER [SUITE...] [--binary target/release/convertd] [--soffice soffice|none] [--list]

SUITES says which: the file types, and the public repository whose files they are, which are put into FOLDER/SUITE by hand (a
document `name.docx` and its reference `name.pdf`); `--fetch` clones those that are missing. Of each document, five figures from 0 to 1:

- pages: the number of pages is the same;
- words: the part of the reference's words that are there, wherever they stand;
- lines: the part of the lines whose first and last word are those of a line on the same page;
- places: the part of the words that stand within 6 points of where they should;
- ink: 1 less the difference of the pages, blurred, at 40 dots an inch; of at most 30 pages.

The suites `sheets`, `decks` and `doc` have no references: LibreOffice prints them, and its row has only the seconds that it took,
a start for each document.

It needs Python with NumPy and Pillow, poppler (pdftotext, pdftoppm), git to fetch, and LibreOffice for the second row.
"""

import argparse
import collections
import contextlib
import html
import io
import os
import re
import shutil
import subprocess
import tempfile
import time

import numpy
from PIL import Image, ImageFilter

Suite = collections.namedtuple("Suite", "types repository glob reference names")

# Workbooks of a suite that are made to be printed, or to show something.
SHEETS = (
    "45540_classic_Footer 45544 47737 48539 48962 49156 49273 52348 58616 58648 58747 59026 59106 59746_NoRowNums 60384 AverageTaxRates "
    "Booleans ConditionalFormattingSamples DataTableCities ExcelPivotTableSample FormatKM Formatting GroupTest SampleSS SimpleScatterChart "
    "StructuredReferences Tables TextFormatTests Themes WithChart WithDrawing WithMoreVariousData WithTextBox WithThreeCharts "
    "WithTwoCharts comments"
).split()
# Fifty decks, and fifty documents in the older format, of all kinds; none is damaged, encrypted or too long for a test.
DECKS = (
    "2411-Performance_Up 45545_Comment 51187 54542_cropped_bitmap 56812 60810 61515 63200 ArtisticEffectSample EmbeddedVideo "
    "PPT2016withComment SampleShow SmartArt WithMaster aascu.org_hbcu_leadershipsummit_cooper_ "
    "aascu.org_workarea_downloadasset.aspx_id=5864 ae.ac.uaeu.faculty_nafaachbili_GeomLec1 alterman_security aptia "
    "at.pzp.www_uploads_media_PP_Scheinecker-jdk6error backgrounds bar-chart-template bug54570 bug58144-headers-footers-2007 bug60499 "
    "bug60715 bug60993 bug62513 bug62736 bug63290 bug64693 bug65228 bug65523 bug65551 bug65673 bug68703 chart-picture-bg chart-slide-bg "
    "chart-texture-bg copy-slide-demo customGeo ececapstonespring2012 hello-world-unsigned highlight-test-case keyframes layouts "
    "line-chart minimal-gradient-fill-issue pie-chart-template pptx2svg"
).split()
LETTERS = (
    "20-Force-on-a-current-S00 47304 52117 52420 53446 57603-seven_columns 57843 58804 59322 61586 Bug33519 Bug34898 Bug41898 Bug44603 "
    "Bug45473 Bug46817 Bug47286 Bug47742 Bug49933 Bug50075 Bug52032_1 Bug52311 Bug52583 Bug53182 Bug53453Section DiffFirstPageHeadFoot "
    "FancyFoot FloatingPictures GaiaTest HeaderFooterUnicode Lists MarkAuthorsTable SimpleHeadThreeColFoot TestGermanWord90 "
    "TestRobert_Flaherty TestSectionDictionary ThreeColHeadFoot WithArtShapes Word6_sections2 Word95 innertable lists-margins ob_is "
    "page-break simple-table table-merges testPictures two_images vector_image watermark"
).split()

# The suites: types of documents, a repository, its documents, the name of each reference, and a selection.
POI = "https://github.com/apache/poi"
SUITES = {
    "word": Suite(("docx",), "https://github.com/sverrejb/docxide-pdf", "tests/fixtures/*/*/input.docx", "reference.pdf", None),
    # Nobody publishes workbooks, decks or older documents with Office's print of them, so LibreOffice's pages are the
    # reference.
    "sheets": Suite(("xlsx",), POI, "test-data/spreadsheet/*.xlsx", None, SHEETS),
    "decks": Suite(("pptx",), POI, "test-data/slideshow/*.pptx", None, DECKS),
    "doc": Suite(("doc",), POI, "test-data/document/*.doc", None, LETTERS),
}
FIGURES = ("pages", "words", "lines", "places", "ink")
NEAR = 6
MOST_PAGES = 30


def fetch(suite, folder):
    """Copies the documents and references of a suite into the folder."""
    import glob

    os.makedirs(folder)
    with tempfile.TemporaryDirectory() as clone:
        partly = [] if suite.reference else ["--filter=blob:none", "--sparse"]
        subprocess.run(["git", "clone", "-q", "--depth", "1", *partly, suite.repository, clone], check=True)
        if partly:
            subprocess.run(["git", "-C", clone, "sparse-checkout", "set", os.path.dirname(suite.glob)], check=True)
        for document in glob.glob(os.path.join(clone, suite.glob)):
            if not suite.reference:
                if os.path.splitext(os.path.basename(document))[0] in suite.names:
                    shutil.copy(document, folder)
                continue
            place, end = os.path.dirname(document), os.path.splitext(document)[1]
            name = os.path.join(folder, os.path.basename(place))
            shutil.copy(document, name + end)
            shutil.copy(os.path.join(place, suite.reference), name + ".pdf")


def lines_of(pdf):
    """The lines of each page; each line is a list of words with their left and upper edges."""
    layout = subprocess.run(["pdftotext", "-bbox-layout", pdf, "-"], capture_output=True, text=True, errors="replace").stdout
    word = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)"[^>]*>(.*?)</word>')
    pages = []
    for page in layout.split("<page ")[1:]:
        lines = ([(html.unescape(w[2]), float(w[0]), float(w[1])) for w in word.findall(line)] for line in page.split("<line ")[1:])
        pages.append([line for line in lines if line])
    return pages


def part(common, whole):
    return sum(common.values()) / sum(whole.values()) if whole else 1.0


def near(pages, others):
    """Number of words that have an equal word nearby, each counted once."""
    found = 0
    for page, other in zip(pages, others):
        pool = collections.defaultdict(list)
        for text, x, y in (word for line in other for word in line):
            pool[text].append((x, y))
        for text, x, y in (word for line in page for word in line):
            best = min(pool[text], key=lambda place: abs(place[0] - x) + abs(place[1] - y), default=None)
            if best and abs(best[0] - x) <= NEAR and abs(best[1] - y) <= NEAR:
                found += 1
                pool[text].remove(best)
    return found


def ink_of(pdf, page):
    """Darkness of each dot of a page, blurred; None for a missing page."""
    drawn = subprocess.run(["pdftoppm", "-r", "40", "-gray", "-f", str(page), "-l", str(page), pdf], capture_output=True).stdout
    if not drawn:
        return None
    return Image.open(io.BytesIO(drawn)).convert("L").filter(ImageFilter.GaussianBlur(1.5))


def ink(reference, ours, most):
    whole = same = 0.0
    for page in range(1, min(most, MOST_PAGES) + 1):
        images = [ink_of(reference, page), ink_of(ours, page)]
        size = next(image.size for image in images if image)
        dark = [255.0 - numpy.asarray(i.resize(size), float) if i else numpy.zeros(size[::-1]) for i in images]
        whole += max(dark[0].sum(), dark[1].sum(), 1.0)
        same += numpy.minimum(*dark).sum()
    return same / whole if whole else 1.0


def score(reference, ours):
    a, b = lines_of(reference), lines_of(ours) if os.path.exists(ours) else []
    words = [collections.Counter(word[0] for page in pages for line in page for word in line) for pages in (a, b)]
    lines = [collections.Counter((n, line[0][0], line[-1][0]) for n, page in enumerate(pages) for line in page) for pages in (a, b)]
    count = sum(words[0].values())
    places = near(a, b) / count if count else 1.0
    shown = ink(reference, ours, max(len(a), len(b))) if b else 0.0
    return float(len(a) == len(b)), part(words[0] & words[1], words[0]), part(lines[0] & lines[1], lines[0]), places, shown


def convert(programs, name, document, folder):
    out = os.path.join(folder, os.path.splitext(os.path.basename(document))[0] + ".pdf")
    if name == "convertd":
        command = [programs[name], "convert", "--force", document, out]
    else:
        profile = f"-env:UserInstallation=file://{folder}/profile"
        command = [programs[name], profile, "--headless", "--convert-to", "pdf", "--outdir", folder, document]
    begun = time.monotonic()
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, timeout=120)
    return out, time.monotonic() - begun


def printed(programs, document, folder):
    """The seconds that LibreOffice took to print the reference of a document, which is made if necessary. None without
    a reference."""
    name = os.path.splitext(document)[0]
    if not os.path.exists(name + ".pdf") and "LibreOffice" in programs:
        _, took = convert(programs, "LibreOffice", document, folder)
        with open(name + ".seconds", "w") as file:
            file.write(str(took))
    if not os.path.exists(name + ".pdf"):
        return None
    with contextlib.suppress(OSError, ValueError), open(name + ".seconds") as file:
        return float(file.read())
    return 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("suites", nargs="*", default=list(SUITES))
    parser.add_argument("--binary", default="target/release/convertd")
    parser.add_argument("--soffice", default="soffice")
    parser.add_argument("--fetch", action="store_true", help="clone the suites that are missing")
    parser.add_argument("--list", action="store_true", help="the figures of each document")
    given = parser.parse_args()
    programs = {"convertd": given.binary}
    if given.soffice != "none" and shutil.which(given.soffice):
        programs["LibreOffice"] = given.soffice
    print("| suite | program | documents | " + " | ".join(FIGURES) + " | seconds |\n|---|---|" + "---|" * (len(FIGURES) + 2))
    for suite in given.suites:
        folder = os.path.abspath(os.path.join(given.folder, suite))
        if given.fetch and not os.path.isdir(folder):
            fetch(SUITES[suite], folder)
        files = sorted(os.listdir(folder) if os.path.isdir(folder) else [])
        documents = [os.path.join(folder, file) for file in files if file.endswith(SUITES[suite].types)]
        # A document that is missing in the repository is skipped.
        documents = [document for document in documents if os.path.getsize(document)]
        if not SUITES[suite].reference:
            printing = {document: printed(programs, document, folder) for document in documents}
            documents = [document for document in documents if printing[document] is not None]
        for name in programs:
            if name == "LibreOffice" and not SUITES[suite].reference:
                seconds = sum(printing[document] for document in documents)
                print(f"| {suite} | {name} | {len(documents)} |" + " |" * len(FIGURES) + f" {seconds:.0f} |")
                continue
            rows, seconds = [], 0.0
            with tempfile.TemporaryDirectory() as out:
                for document in documents:
                    ours, took = convert(programs, name, document, out)
                    seconds += took
                    rows.append(score(os.path.splitext(document)[0] + ".pdf", ours))
                    if given.list:
                        print(f"{name:12} {os.path.basename(document):24}", *(f"{figure:.3f}" for figure in rows[-1]), flush=True)
            means = numpy.array(rows or [[0.0] * len(FIGURES)]).mean(axis=0)
            print(f"| {suite} | {name} | {len(rows)} | " + " | ".join(f"{mean:.2f}" for mean in means) + f" | {seconds:.0f} |")


if __name__ == "__main__":
    main()
