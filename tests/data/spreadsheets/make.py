#!/usr/bin/env python3
"""Makes the workbooks beside this file: openpyxl (3.1) writes one, and LibreOffice (7.4) makes of it what it writes itself."""

import datetime
import pathlib
import subprocess
import tempfile

import openpyxl

here = pathlib.Path(__file__).parent
book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Table"
rows = [
    ["name", "number", "date", "flag"],
    ["plain", 1, datetime.date(2020, 1, 31), True],
    ["größer, 日本 \"😀\"", 0.1 + 0.2, datetime.datetime(2026, 11, 22, 13, 20, 0), False],
    [" two\nlines ", -1.5e-10, datetime.time(13, 20, 0), None],
    ["007", 123456789012345, datetime.date(1950, 5, 5), "=1=1"],
    ["=cmd|' /C calc'!A0", 0.155, datetime.timedelta(hours=30), "=NA()"],
    ["merged", None, None, "=B2+1"],
    [None, None, "hidden row", 7],
]
for row in rows:
    sheet.append(row)
sheet["A6"].data_type = "s"
sheet["A5"].data_type = "s"
sheet["B6"].number_format = "0.0%"
sheet["C2"].number_format = "DD.MM.YYYY"
sheet["C5"].number_format = "YYYY-MM-DD"
sheet["C6"].number_format = "[h]:mm:ss"
sheet.merge_cells("A7:B7")
sheet.row_dimensions[8].hidden = True
sheet["F10"] = "far"
other = book.create_sheet("Другой & <лист>")
other["B2"] = "other"
secret = book.create_sheet("Secret")
secret.sheet_state = "hidden"
secret["A1"] = "secret"

with tempfile.TemporaryDirectory() as scratch:
    source = pathlib.Path(scratch, "book.xlsx")
    book.save(source)
    for target in ["xlsx:Calc MS Excel 2007 XML", "ods:calc8", "xls:MS Excel 97"]:
        subprocess.run(
            [
                "soffice", f"-env:UserInstallation=file://{scratch}/profile", "--headless",
                "--convert-to", target, "--outdir", here, source,
            ],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
