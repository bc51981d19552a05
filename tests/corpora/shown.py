#!/usr/bin/env python3
"""Compares the displayed values of sheets: the csv that convertd makes with `values=shown`, and that of LibreOffice.

    tests/corpora/shown.py FOLDER [--binary target/release/convertd] [--soffice soffice] [--list]

FOLDER has workbooks, such as those of `test-data/spreadsheet` of https://github.com/apache/poi. Of each the first sheet is compared, cell by
cell; spaces around a value do not count, and cells that are empty in both are none. Figures: how many workbooks and cells there are, and
the part of the cells that are the same.
"""

import argparse
import csv
import glob
import os
import subprocess
import tempfile

# Comma, quotation mark, UTF-8, from the first line, formatted as shown, only the first sheet.
FILTER = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,true,false,false,1"
AT_ONCE = 20


def theirs(soffice, books, folder):
    """LibreOffice's csv of the workbooks: one file each, named after the workbook and its sheet."""
    for begin in range(0, len(books), AT_ONCE):
        command = [soffice, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", FILTER]
        command += ["--outdir", folder, *books[begin : begin + AT_ONCE]]
        try:
            subprocess.run(command, capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            continue


def cells(path):
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = list(csv.reader(file))
    return {(r, c): text.strip() for r, row in enumerate(rows) for c, text in enumerate(row) if text.strip()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--binary", default="target/release/convertd")
    parser.add_argument("--soffice", default="soffice")
    parser.add_argument("--list", action="store_true", help="the workbooks that differ, and their first difference")
    given = parser.parse_args()
    books = sorted(glob.glob(os.path.join(given.folder, "*.xlsx")))
    names = {os.path.splitext(os.path.basename(book))[0]: book for book in books}
    workbooks = whole = same = 0
    csv.field_size_limit(1 << 24)
    with tempfile.TemporaryDirectory() as out:
        theirs(given.soffice, books, out)
        for made in sorted(glob.glob(os.path.join(out, "*.csv"))):
            stem = os.path.basename(made)[:-4]
            name = max((name for name in names if stem.startswith(name + "-")), key=len, default=None)
            if name is None:
                continue
            ours = os.path.join(out, "ours.csv")
            sheet = "sheet=" + stem[len(name) + 1 :]
            command = [given.binary, "convert", "--force", "--option", "values=shown", "--option", sheet, names[name], ours]
            if subprocess.run(command, capture_output=True, timeout=60).returncode:
                continue
            one, other = cells(made), cells(ours)
            places = sorted(one.keys() | other.keys())
            different = [place for place in places if one.get(place) != other.get(place)]
            workbooks, whole, same = workbooks + 1, whole + len(places), same + len(places) - len(different)
            if given.list and different:
                first = different[0]
                print(f"{name}: {len(different)} of {len(places)}, {first}: {one.get(first)!r} / {other.get(first)!r}")
    print(f"{workbooks} workbooks, {whole} cells, the same {same / max(whole, 1):.4f}")


main()
