#!/usr/bin/env python3
"""Makes `widths.txt.zlib`: how wide and how high the characters of fonts are that documents name and nobody may pass on. Not a part of
the build: its result is what is compiled in.

    python3 widths.py WIDTHS

WIDTHS has a line for each width that was read in the /Widths of PDFs: the font's PostScript name, the character, the width in
thousandths of the font size, and how often it was seen; with tabs between them. Fonts that a font which is compiled in has the
widths of (Arial, Times New Roman, Courier New, Calibri) are left out. Ascent, descent and leading are those of the tables `hhea`
and `OS/2` of fonts in the same PDFs, in thousandths: what a line of text in the font takes.

A line of the result is a face: family, style (0, 1 bold, 2 italic, 3 both), ascent, descent, leading, its characters, and the width of
each, with tabs between them and spaces between the widths.
"""

import collections
import pathlib
import sys
import zlib

# Families by what their PostScript names begin with, the longer ones first: ascent, descent, leading.
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
# Fonts of which only the height counts, or of which every character has one width.
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
# A face with fewer characters says nothing about the others of its text.
LEAST = 9


def main() -> None:
    faces = collections.defaultdict(dict)
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
        parts = line.split("\t")
        if len(parts) != 4 or line.startswith("# "):
            continue
        font, character, width, seen = parts[0], parts[1], int(parts[2]), int(parts[3])
        begin = max((name for name in FAMILIES if font.startswith(name)), key=len, default=None)
        # What a PDF states as no width at all is a hole in its table.
        if begin is None or width == 0 or len(character) != 1:
            continue
        end = font[len(begin):]
        style = ("Bold" in end) + 2 * ("Italic" in end)
        known = faces[begin, style].get(character, (0, 0))
        faces[begin, style][character] = max(known, (seen, width))
    # The display cut is about as wide as the text cut, of which more is known.
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
