"""Compares the cells that convertd reads in spreadsheets of Numbers with those that `numbers-parser` reads.

    iwork.py FILE...

Dates, durations and numbers are compared as values, text as it is. Prints the share of cells that are the same.
"""

import csv
import datetime
import io
import pathlib
import subprocess
import sys
import tempfile
import warnings

from numbers_parser import Document

PROGRAM = pathlib.Path(__file__).parents[2] / "target/release/convertd"


def plain(value):
    """A cell of numbers-parser as convertd writes it in JSON."""
    if isinstance(value, datetime.timedelta):
        return ("seconds", round(value.total_seconds()))
    if isinstance(value, datetime.datetime):
        shown = value.isoformat(timespec="milliseconds" if value.microsecond else "seconds")
        return shown.removesuffix("T00:00:00")
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return "" if value is None else value


def same(expected, found):
    expected = plain(expected)
    if isinstance(expected, tuple):
        parts = [float(part) for part in found.split(":")] if found else [0]
        seconds = sum(part * 60**place for place, part in enumerate(reversed(parts)))
        return abs(round(seconds) - expected[1]) <= 1
    if isinstance(expected, bool):
        return found == str(expected).upper()
    if isinstance(expected, (int, float)):
        try:
            return abs(float(found) - expected) <= abs(expected) * 1e-12
        except ValueError:
            return False
    return found.replace("\r", "") == str(expected).replace("\r", "")


def main():
    warnings.simplefilter("ignore")
    total = right = 0
    for name in sys.argv[1:]:
        try:
            document = Document(name)
        except BaseException as err:
            print(f"{name}: {type(err).__name__}: {err}")
            continue
        counted = found_same = 0
        for sheet in document.sheets:
            for table in sheet.tables:
                title = sheet.name if len(sheet.tables) == 1 else f"{sheet.name} - {table.name}"
                with tempfile.TemporaryDirectory() as folder:
                    result = pathlib.Path(folder) / "a.csv"
                    command = [str(PROGRAM), "convert", name, str(result), "--option", f"sheet={title}"]
                    ran = subprocess.run(command, capture_output=True, text=True)
                    rows = []
                    if not ran.returncode:
                        rows = list(csv.reader(io.StringIO(result.read_bytes().decode(), newline="")))
                for row, cells in enumerate(table.rows(values_only=True)):
                    for column, value in enumerate(cells):
                        if value is None or value == "":
                            continue
                        counted += 1
                        own = rows[row][column] if row < len(rows) and column < len(rows[row]) else ""
                        if same(value, own):
                            found_same += 1
                        elif counted - found_same < 4:
                            print(f"  {table.name} {row} {column}: {value!r} {own!r}")
        total += counted
        right += found_same
        print(f"{found_same / max(counted, 1):.4f} {counted} {name}")
    print(f"{right / max(total, 1):.5f} of {total}")


main()
