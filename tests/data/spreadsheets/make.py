#!/usr/bin/env python3
"""Makes the workbooks in this directory: openpyxl (3.1) writes one, and LibreOffice (7.4) converts it to the others."""

import datetime
import io
import pathlib
import struct
import subprocess
import tempfile
import zipfile
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


def xlsb():
    """A binary workbook, record by record (MS-XLSB), since neither openpyxl nor LibreOffice writes any: a date in bold red on blue,
    a shared string with a font of its own, a formula, one that two cells share, merged cells, a link, a comment, a rule for entries."""
    def record(kind, *parts):
        content = b"".join(parts)
        head = bytes([kind]) if kind < 128 else bytes([kind & 127 | 128, kind >> 7])
        size = bytes([len(content)]) if len(content) < 128 else bytes([len(content) & 127 | 128, len(content) >> 7])
        return head + size + content

    def text(words):
        return struct.pack("<I", len(words)) + words.encode("utf-16-le")

    def longs(*all):
        return struct.pack(f"<{len(all)}I", *all)

    def formula(tokens, extra=b""):
        return longs(len(tokens)) + tokens + longs(len(extra)) + extra

    def font(weight, colour):
        return record(43, struct.pack("<HHHH", 220, 0, weight, 0), bytes(4), bytes([3, colour]), bytes(7), text("Arial"))

    def fill(pattern, *rgb):
        return record(45, longs(pattern), bytes([5, 0, 0, 0, *rgb, 255]), bytes(56))

    def cell(kind, column, style, value):
        return record(kind, longs(column, style), value)

    def row(number, height=300):
        return record(0, longs(number, 0), struct.pack("<H", height), bytes(7))

    def xf(form=0, font=0, fill=0, flags=0x1010):
        return record(47, struct.pack("<HHHHHHHH", 0, form, font, fill, 0, 0, flags, 0))

    name = longs(0) + b"\0" + longs(0xFFFFFFFF) + text("Rate") + formula(b"\x3a\0\0" + longs(0) + b"\0\0") + longs(0xFFFFFFFF)
    number = struct.pack("<d", 2)
    same = number + b"\0\0" + formula(b"\x01" + longs(1), longs(1))
    left = formula(b"\x4c" + longs(0) + b"\xff\xff" + b"\x1e\2\0" + b"\5")
    rule = longs(3 | 1 << 8 | 1 << 19, 1, 3, 5, 0, 0) + text("No") + text("Too much") + text("") + text("")
    sheet = [
        record(129), record(148, longs(0, 2, 0, 2)), record(390), record(60, longs(1, 1, 20 * 256, 0), b"\2\0"), record(391), record(145),
        row(0), cell(5, 0, 1, struct.pack("<d", 43831)), cell(7, 1, 0, longs(0)),
        row(1, 600), cell(5, 0, 0, number),
        cell(9, 1, 0, same), record(427, longs(1, 2, 1, 1), left),
        row(2), cell(5, 0, 0, number), cell(9, 1, 0, same),
        cell(9, 2, 0, number + b"\0\0" + formula(b"\x23" + longs(1) + b"\x19\x10\0\0")),
        record(146), record(177, longs(1)), record(176, longs(0, 0, 2, 4)), record(178),
        record(494, longs(1, 1, 0, 0), longs(0xFFFFFFFF), text("A!C3"), text(""), text("")),
        record(64, rule, formula(b"\x17\7\0" + "one\0two".encode("utf-16-le")), formula(b"")),
        record(130),
    ]
    comments = [record(632, text("Ann")), record(635, longs(0, 0, 0, 0, 0), bytes(16)), record(637, b"\0", text("What it says"))]
    styles = [
        record(278), record(611, longs(2)), font(400, 8), font(700, 10), record(612),
        record(603, longs(2)), fill(0, 0, 0, 0), fill(1, 0, 128, 255), record(604),
        record(613, longs(1)), record(46, bytes(51)), record(614),
        record(626, longs(1)), xf(), record(627), record(617, longs(2)), xf(), xf(14, 1, 1, 0x1042), record(618), record(279),
    ]
    strings = record(159, longs(2, 1)) + record(19, b"\1", text("plain red"), longs(1), struct.pack("<HH", 6, 1)) + record(160)
    workbook = [
        record(131), record(143), record(156, longs(0, 1), text("r1"), text("A")), record(144), record(353), record(357),
        record(362, longs(1, 0, 0, 0)), record(354), record(39, name), record(132),
    ]
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def references(**parts):
        links = "".join(f'<Relationship Id="{key}" Type="{office}/{kind}" Target="{at}"/>' for key, (kind, at) in parts.items())
        return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{links}</Relationships>'

    kinds = {
        "workbook": "sheet.binary.macroEnabled.main", "worksheets/sheet1": "worksheet", "styles": "styles",
        "sharedStrings": "sharedStrings", "comments1": "comments",
    }
    kinds = "".join(
        f'<Override PartName="/xl/{name}.bin" ContentType="application/vnd.ms-excel.{kind}"/>' for name, kind in kinds.items()
    )
    kinds = f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{kinds}'
    return {
        "[Content_Types].xml": f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{kinds}</Types>',
        "_rels/.rels": references(r0=("officeDocument", "xl/workbook.bin")),
        "xl/workbook.bin": b"".join(workbook),
        "xl/_rels/workbook.bin.rels": references(
            r1=("worksheet", "worksheets/sheet1.bin"), r2=("styles", "styles.bin"), r3=("sharedStrings", "sharedStrings.bin")
        ),
        "xl/worksheets/sheet1.bin": b"".join(sheet),
        "xl/worksheets/_rels/sheet1.bin.rels": references(r1=("comments", "../comments1.bin")),
        "xl/comments1.bin": b"".join(comments),
        "xl/styles.bin": b"".join(styles),
        "xl/sharedStrings.bin": strings,
    }


with zipfile.ZipFile(here / "looks.xlsb", "w", zipfile.ZIP_DEFLATED) as package:
    for part, content in xlsb().items():
        package.writestr(zipfile.ZipInfo(part, (2000, 1, 1, 0, 0, 0)), content)

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
