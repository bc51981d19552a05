#!/usr/bin/env python3
"""Makes the workbooks beside this file: openpyxl (3.1) writes one, and LibreOffice (7.4) makes of it what it writes itself."""

import datetime
import io
import pathlib
import struct
import subprocess
import tempfile
import zlib

import openpyxl
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image
from openpyxl.formatting.rule import CellIsRule, FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

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

def looks():
    """A workbook of what people see and of what a cell does not hold: fonts within a text, formulas, a comment, a rule for entries,
    conditional formats, a picture, and a chart."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Looks"
    red = InlineFont(rFont="Arial", sz=14, b=True, color="00FF0000")
    sheet["A1"] = CellRichText("plain ", TextBlock(red, "red"), " end")
    for row in range(2, 6):
        sheet[f"A{row}"] = row
        sheet[f"B{row}"] = f"=A{row}*2"
    sheet["B6"] = "=SUM(B2:B5)+'My data'!A1"
    sheet["B7"] = '=IF(A2>1,"a, ""b""",Rate%)'
    sheet["B8"] = "=VLOOKUP(3,$A$2:B5,2,FALSE)"
    sheet["B9"] = "=SUM({1,2;3,4})+COUNTA(A:A)"
    sheet["C1"] = "commented"
    sheet["C1"].comment = Comment("What it says", "Ann")
    rule = DataValidation(type="list", formula1='"one,two"', allow_blank=True)
    rule.add("C2:C5")
    sheet.add_data_validation(rule)
    number = DataValidation(type="whole", operator="between", formula1="1", formula2="A2")
    number.error, number.errorTitle, number.showErrorMessage = "Too much", "No", True
    number.add("C6")
    sheet.add_data_validation(number)
    green = PatternFill(bgColor="0000FF00", fill_type="solid")
    sheet.conditional_formatting.add("A2:A5", CellIsRule(operator="greaterThan", formula=["3"], fill=green))
    sheet.conditional_formatting.add("B2:B5", FormulaRule(formula=["$A2=2"], font=Font(bold=True, color="000000FF")))
    data = book.create_sheet("My data")
    data["A1"] = 5
    book.defined_names["Rate"] = DefinedName("Rate", attr_text="'My data'!$A$1")
    square = io.BytesIO()
    square.write(zlib_png(8, 8, (200, 30, 60)))
    square.seek(0)
    sheet.add_image(Image(square), "E2")
    chart = BarChart()
    chart.title = "Sales"
    chart.add_data(Reference(sheet, min_col=2, min_row=2, max_row=5))
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=5))
    sheet.add_chart(chart, "E8")
    return book


def zlib_png(width, height, colour):
    """A PNG of one colour."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    rows = b"".join(b"\0" + bytes(colour) * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


with tempfile.TemporaryDirectory() as scratch:
    source = pathlib.Path(scratch, "book.xlsx")
    book.save(source)
    other = pathlib.Path(scratch, "looks.xlsx")
    looks().save(other)
    targets = ["xlsx:Calc MS Excel 2007 XML", "ods:calc8", "xls:MS Excel 97"]
    for source, target in [*((source, target) for target in targets), (other, targets[-1])]:
        subprocess.run(
            [
                "soffice", f"-env:UserInstallation=file://{scratch}/profile", "--headless",
                "--convert-to", target, "--outdir", here, source,
            ],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
