"""Compares two workbooks with openpyxl: `judge.py A.xlsx B.xlsx` prints a line for each difference, at most 200.

Compares values, formulas, styles, number formats, sizes, merged cells, links, comments, validations, names, frozen
panes and print set-up.
"""

import sys
import warnings

import openpyxl
from openpyxl.worksheet.formula import ArrayFormula

warnings.simplefilter("ignore")


def colour(one):
    """Returns an RGB colour, and None for colours of themes and palettes, which are not compared."""
    if one is None or one.type != "rgb" or not isinstance(one.rgb, str):
        return None
    return one.rgb[-6:]


def look(cell):
    font, align, fill = cell.font, cell.alignment, cell.fill
    sides = ("left", "right", "top", "bottom")
    return {
        # The default format may have any case, or be missing.
        "number format": "General" if cell.number_format.lower() in ("general", "") else cell.number_format,
        "font": (font.name, font.sz or 11, bool(font.b), bool(font.i), font.u, bool(font.strike), None if font.vertAlign == "baseline" else font.vertAlign),
        "colour": colour(font.color),
        "fill": colour(fill.fgColor) if fill.patternType == "solid" else None,
        "border": tuple(getattr(cell.border, side).style if getattr(cell.border, side) else None for side in sides),
        "alignment": (align.horizontal or "general", align.vertical or "bottom", bool(align.wrap_text), align.indent or 0, align.text_rotation or 0, bool(align.shrink_to_fit)),
    }


def value(cell):
    if isinstance(cell.value, ArrayFormula):
        return "array"
    return cell.value


def rules(sheet):
    found = sheet.data_validations.dataValidation if sheet.data_validations else []
    return sorted(
        (str(one.sqref), one.type or "none", one.operator or "between", one.formula1, one.formula2, bool(one.allowBlank), one.error or None, one.prompt or None)
        for one in found
    )


class Pixels:
    """A width in characters. Widths within a pixel of each other are equal: programs show whole pixels, and a character
    of the default font is seven pixels wide."""

    def __init__(self, width):
        self.width = width

    def __eq__(self, other):
        return isinstance(other, Pixels) and abs(self.width - other.width) < 1 / 7

    def __repr__(self):
        return f"{self.width:.2f}"


OPENPYXL_MARGINS, EXCEL_MARGINS = (0.75, 0.75, 1.0, 1.0), (0.7, 0.7, 0.75, 0.75)


def frozen(sheet):
    """Number of frozen columns and rows, independent of the scroll position."""
    pane = sheet.sheet_view.pane
    return (int(pane.xSplit or 0), int(pane.ySplit or 0)) if pane and pane.state in ("frozen", "frozenSplit") else (0, 0)


def facts(sheet):
    setup, margins = sheet.page_setup, sheet.page_margins
    sides = tuple(round(getattr(margins, side), 2) for side in ("left", "right", "top", "bottom"))
    return {
        "frozen": frozen(sheet),
        "merged": sorted(str(one) for one in sheet.merged_cells.ranges),
        "validations": rules(sheet),
        "names": sorted((name, one.attr_text) for name, one in sheet.defined_names.items()),
        "print area": str(sheet.print_area).replace("$", "").replace("'", ""),
        "titles": (sheet.print_title_rows, sheet.print_title_cols),
        "orientation": "landscape" if setup.orientation == "landscape" else "portrait",
        "fit": (bool(sheet.sheet_properties.pageSetUpPr and sheet.sheet_properties.pageSetUpPr.fitToPage)),
        # If the file states no margins, openpyxl reports its own defaults, which differ from Excel's.
        "margins": EXCEL_MARGINS if sides == OPENPYXL_MARGINS else sides,
        "widths": {name: Pixels(one.width) for name, one in sheet.column_dimensions.items() if one.customWidth and one.min == one.max},
        "heights": {row: round(one.height, 1) for row, one in sheet.row_dimensions.items() if one.height and one.customHeight},
    }


def differences(first, second):
    one, other = openpyxl.load_workbook(first), openpyxl.load_workbook(second)
    if not one.sheetnames:
        # openpyxl finds no sheets in files of the strict variant of the format.
        return
    if one.sheetnames != other.sheetnames:
        yield f"sheets: {one.sheetnames} / {other.sheetnames}"
        return
    names = [sorted((name, found.attr_text) for name, found in book.defined_names.items() if not found.hidden) for book in (one, other)]
    if names[0] != names[1]:
        yield f"names: {names[0]} / {names[1]}"
    for sheet in one.worksheets:
        copy = other[sheet.title]
        ours = facts(copy)
        for fact, here in facts(sheet).items():
            there = ours[fact]
            if isinstance(here, dict):
                there = {key: there.get(key) for key in here}
            if here != there:
                yield f"{sheet.title} {fact}: {here} / {there}"
        for row in sheet.iter_rows():
            for cell in row:
                place = f"{sheet.title}!{cell.coordinate}"
                same = copy[cell.coordinate]
                if type(cell).__name__ == "MergedCell" or type(same).__name__ == "MergedCell":
                    continue
                if value(cell) != value(same) and not (isinstance(cell.value, float) and abs(cell.value - (same.value or 0)) < 1e-9):
                    yield f"{place} value: {cell.value!r} / {same.value!r}"
                links = [one.hyperlink and (one.hyperlink.target or "#" + str(one.hyperlink.location)) for one in (cell, same)]
                if links[0] != links[1]:
                    yield f"{place} link: {links[0]} / {links[1]}"
                comments = [one.comment and one.comment.text for one in (cell, same)]
                if comments[0] != comments[1]:
                    yield f"{place} comment: {comments[0]!r} / {comments[1]!r}"
                if cell.has_style or cell.value is not None:
                    copied = look(same)
                    for fact, here in look(cell).items():
                        if here != copied[fact] and not (fact in ("colour", "fill") and here is None):
                            yield f"{place} {fact}: {here} / {copied[fact]}"


if __name__ == "__main__":
    for number, difference in enumerate(differences(*sys.argv[1:3])):
        if number == 200:
            break
        print(difference)
