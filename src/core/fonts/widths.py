#!/usr/bin/env python3
"""Makes `widths.txt.zlib`: the widths of the characters, and the heights of the lines, of fonts that documents name but
that may not be distributed. Not a part of the build: only the result is compiled in.

    python3 widths.py WIDTHS

WIDTHS has a line for each width that was found in a /Widths array of a PDF: the font's PostScript name, the character,
the width in thousandths of the font size, and how often it was found, separated by tabs. Fonts with the same widths as
a compiled-in font (Arial, Times New Roman, Courier New, Calibri) are left out. Ascent, descent and leading are those of
a line of text in the font, in thousandths, from the tables `hhea` and `OS/2` of fonts in the same PDFs.

A line of the result is a face: the family, the style (0, 1 bold, 2 italic, 3 both), ascent, descent, leading, the
characters, and the width of each. Tabs separate these fields, and spaces separate the widths.
"""

import collections
import pathlib
import sys
import zlib

# Families by the beginning of their PostScript names: the family name, ascent, descent and leading.
FAMILIES = {
    "AptosDisplay": ("aptos display", 939, 282, 0),
    "Aptos": ("aptos", 939, 282, 0),
    "Arial-Black": ("arial black", 1101, 310, 0),
    "ArialNarrow": ("arial narrow", 936, 212, 0),
    "BookAntiqua": ("book antiqua", 923, 283, 33),
    "BookmanOldStyle": ("bookman old style", 930, 236, 0),
    "Calibri-Light": ("calibri light", 952, 269, 0),
    "Cambria": ("cambria", 950, 222, 0),
    "CenturyGothic": ("century gothic", 1006, 220, 0),
    "CenturySchoolbook": ("century schoolbook", 986, 216, 0),
    "ComicSansMS": ("comic sans ms", 1102, 291, 0),
    "Garamond": ("garamond", 862, 263, 0),
    "Georgia": ("georgia", 917, 219, 0),
    "GillSansMT": ("gill sans mt", 918, 231, 0),
    "Impact": ("impact", 1009, 210, 0),
    "LucidaSans": ("lucida sans", 967, 211, 0),
    "PalatinoLinotype": ("palatino linotype", 1050, 283, 0),
    "Tahoma": ("tahoma", 1000, 207, 0),
    "Verdana": ("verdana", 1005, 210, 0),
}
# Further fonts: ascent, descent, leading, and the width of all characters if it is the same; `None` for fonts of which
# only the heights are stored.
OTHERS = {
    "consolas": (743, 257, 172, 550),
    "dengxian": (810, 232, 0, None),
    "malgun gothic": (1088, 242, 0, None),
    "ms gothic": (859, 141, 0, None),
    "ms mincho": (859, 141, 0, None),
    "ms pgothic": (859, 141, 0, None),
    "segoe ui": (1079, 251, 0, None),
    "simsun": (859, 141, 141, None),
    "symbol": (1005, 220, 0, None),
    "trebuchet ms": (939, 222, 0, None),
    "wingdings": (899, 211, 0, None),
}
# Minimum number of known characters in a bold or italic face. A face with fewer is left out, because most characters of
# a text would be missing.
LEAST = 9


def main() -> None:
    faces = collections.defaultdict(dict)
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
        parts = line.split("\t")
        if len(parts) != 4 or line.startswith("# "):
            continue
        font, character, width, seen = parts[0], parts[1], int(parts[2]), int(parts[3])
        begin = max((name for name in FAMILIES if font.startswith(name)), key=len, default=None)
        # A width of 0 is a gap in the table of the PDF.
        if begin is None or width == 0 or len(character) != 1:
            continue
        end = font[len(begin):]
        style = ("Bold" in end) + 2 * ("Italic" in end)
        known = faces[begin, style].get(character, (0, 0))
        faces[begin, style][character] = max(known, (seen, width))
    # The display variant is about as wide as the text variant, which supplies the widths that are missing.
    faces["AptosDisplay", 0] = faces["Aptos", 0] | faces["AptosDisplay", 0]
    lines = []
    for begin, (family, *line) in FAMILIES.items():
        for style in range(4):
            widths = sorted((c, width) for c, (_, width) in faces[begin, style].items())
            if style and len(widths) < LEAST:
                continue
            characters, numbers = "".join(c for c, _ in widths), " ".join(str(w) for _, w in widths)
            lines.append("\t".join([family, str(style), *map(str, line), characters, numbers]))
    for family, (*line, width) in OTHERS.items():
        characters = "".join(map(chr, range(32, 127))) if width else ""
        lines.append("\t".join([family, "0", *map(str, line), characters, " ".join([str(width)] * len(characters))]))
    packed = zlib.compress("\n".join(sorted(lines)).encode(), 9)
    pathlib.Path(__file__).with_name("widths.txt.zlib").write_bytes(packed)
    print(len(lines), "faces,", len(packed), "bytes")


main()
