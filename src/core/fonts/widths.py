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
# East Asian fonts: ascent, descent, leading; widths of ASCII characters from the space on, or of those that are
# named; and widths of Hangul, ideographs, both kinds of kana, kana of half width, and signs, each of which stands for
# all of its kind. Widths of Batang, Dotum and the fonts whose names begin with MS are those that libharu gives for
# PDFs without embedded fonts, in its files hpdf_fontdef_kr.c and hpdf_fontdef_jp.c; Gulim has those of Dotum. Those
# of Meiryo were read in a PDF. Heights are those of the tables `hhea` and `OS/2`; that of the Yu fonts follows from
# Word, where 10.5 points fit a grid of 18 points and 11 do not.
WIDE = "가一あアｱ、"
FULL = [1000, 1000, 1000, 1000, 500, 1000]
HALF = [500] * 95
BATANG = [
    333, 416, 416, 625, 541, 666, 583, 291, 416, 416, 500, 625, 333, 832, 333, 375, 583, 583, 583, 583, 583, 583,
    583, 583, 583, 583, 333, 333,
    708, 625, 708, 583, 735, 687, 683, 687, 678, 657, 656, 700, 702, 462, 562, 687, 625, 812, 711, 672, 651, 702,
    702, 619, 648, 712, 682, 792,
    666, 667, 634, 500, 750, 500, 562, 500, 327, 613, 637, 615, 637, 610, 500, 637, 650, 469, 471, 641, 500, 875,
    646, 657, 655, 655, 583, 583,
    562, 645, 645, 750, 613, 647, 551, 500, 500, 500, 791,
]
DOTUM = [
    333, 333, 416, 625, 500, 916, 708, 291, 375, 375, 583, 582, 375, 589, 375, 416, 583, 583, 583, 583, 583, 583,
    583, 583, 583, 583, 339, 339,
    625, 583, 625, 583, 1000, 666, 679, 720, 724, 628, 599, 750, 722, 257, 484, 656, 541, 808, 697, 750, 642, 750,
    667, 638, 583, 724, 601, 892,
    603, 601, 603, 500, 958, 500, 625, 500, 332, 583, 599, 558, 603, 558, 343, 597, 560, 228, 228, 509, 230, 916,
    568, 599, 601, 603, 320, 515,
    312, 554, 474, 724, 478, 480, 482, 500, 500, 500, 791,
]
PGOTHIC = [
    305, 219, 500, 500, 500, 500, 594, 203, 305, 305, 500, 500, 203, 500, 203, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 500, 500, 203, 203,
    500, 500, 500, 453, 668, 633, 637, 664, 648, 566, 551, 680, 641, 246, 543, 598, 539, 742, 641, 707, 617, 707,
    625, 602, 590, 641, 633, 742,
    602, 590, 566, 336, 504, 336, 414, 305, 414, 477, 496, 500, 496, 500, 305, 461, 500, 211, 219, 461, 211, 734,
    500, 508, 496, 496, 348, 461,
    352, 500, 477, 648, 461, 477, 457, 234, 234, 234, 414,
]
PMINCHO = [
    305, 305, 461, 500, 500, 500, 613, 305, 305, 305, 500, 500, 305, 500, 305, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 500, 500, 305, 305,
    500, 500, 500, 500, 727, 664, 621, 699, 691, 598, 598, 711, 723, 289, 387, 668, 586, 801, 664, 766, 563, 766,
    602, 504, 625, 691, 664, 871,
    656, 625, 563, 332, 500, 332, 305, 305, 305, 453, 500, 465, 500, 473, 254, 473, 500, 242, 242, 492, 242, 703,
    500, 500, 500, 500, 367, 414,
    352, 500, 477, 602, 469, 477, 453, 242, 219, 242, 500,
]
MEIRYO = {
    " ": 340, "(": 439, ")": 439, ",": 349, "-": 439, ".": 349, **dict.fromkeys("0123456789", 621), ":": 430, "A":
    678, "B": 673, "C": 672,
    "D": 749, "E": 618, "J": 444, "M": 831, "P": 596, "R": 683, "S": 635, "T": 636, "a": 580, "c": 507, "d": 608,
    "e": 577, "f": 335, "g": 607,
    "h": 618, "i": 254, "k": 551, "l": 254, "m": 959, "n": 618, "o": 594, "p": 608, "r": 413, "s": 498, "t": 379,
    "v": 566, "y": 566, "z": 506,
}
EAST_ASIAN = {
    "batang": (858, 142, 148, BATANG, FULL),
    "batangche": (858, 142, 148, HALF, FULL),
    "dengxian": (810, 232, 0, [], FULL),
    "dotum": (858, 142, 148, DOTUM, FULL),
    "dotumche": (858, 142, 148, HALF, FULL),
    "fangsong": (859, 141, 141, HALF, FULL),
    "kaiti": (859, 141, 141, HALF, FULL),
    "malgun gothic": (1088, 242, 0, [], [920, 1000, 1000, 1000, 500, 1000]),
    "meiryo": (1060, 440, 0, MEIRYO, FULL),
    "microsoft jhenghei": (1076, 254, 0, [], FULL),
    "microsoft yahei": (1058, 262, 0, [], FULL),
    "mingliu": (800, 200, 0, HALF, FULL),
    "ms gothic": (859, 141, 0, HALF, FULL),
    "ms mincho": (859, 141, 0, HALF, FULL),
    "ms pgothic": (859, 141, 0, PGOTHIC, FULL),
    "ms pmincho": (859, 141, 0, PMINCHO, FULL),
    "pmingliu": (800, 200, 0, [], FULL),
    "simhei": (859, 141, 141, HALF, FULL),
    "simsun": (859, 141, 141, HALF, FULL),
    "yu gothic": (982, 302, 0, [], FULL),
    "yu mincho": (982, 302, 0, [], FULL),
}
# Kana of the proportional fonts: hiragana from U+3041 and katakana from U+30A1 on.
KANA = {
    "ms pgothic": (
        [
            746, 941, 805, 945, 602, 707, 750, 902, 805, 945, 1000, 1000, 844, 902, 590, 816, 945, 980,
            797, 895, 766, 883, 766,
            766, 961, 980, 1000, 1000, 922, 961, 922, 922, 863, 902, 805, 953, 957, 902, 902, 766, 883,
            902, 941, 1000, 1000,
            1000, 1000, 1000, 1000, 961, 961, 961, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000,
            891, 1000, 980, 980,
            805, 844, 1000, 844, 980, 727, 863, 805, 746, 863, 1000, 844, 863, 1000, 1000, 1000, 855, 961
        ],
        [
            758, 898, 652, 824, 754, 941, 742, 895, 809, 934, 824, 922, 961, 965, 805, 941, 930, 961, 797,
            891, 1000, 1000, 898,
            898, 902, 965, 914, 980, 805, 883, 766, 922, 910, 961, 734, 863, 922, 887, 961, 648, 707, 941,
            910, 824, 930, 707,
            1000, 1000, 1000, 766, 863, 863, 805, 883, 883, 945, 945, 945, 922, 953, 953, 902, 668, 977,
            719, 898, 805, 980,
            812, 961, 629, 727, 809, 746, 1000, 852, 863, 766, 941, 1000, 1000, 805, 863, 961, 727, 777
        ],
    ),
    "ms pmincho": (
        [
            754, 883, 750, 953, 508, 617, 703, 898, 801, 1000, 945, 949, 793, 895, 645, 805, 914, 980,
            754, 867, 754, 883, 777,
            777, 1000, 1000, 1000, 1000, 922, 961, 906, 949, 902, 902, 855, 1000, 1000, 902, 941, 703,
            844, 902, 949, 1000,
            1000, 949, 969, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 945, 980,
            980, 824, 1000, 1000,
            953, 758, 875, 1000, 836, 934, 688, 785, 766, 641, 793, 984, 863, 801, 953, 945, 984, 855, 945
        ],
        [
            750, 891, 668, 777, 707, 801, 805, 941, 809, 941, 879, 926, 887, 902, 746, 883, 883, 934, 793,
            863, 953, 961, 902,
            902, 820, 902, 930, 949, 754, 855, 785, 910, 965, 945, 734, 848, 922, 902, 1000, 590, 707,
            973, 910, 805, 922, 699,
            977, 977, 977, 656, 852, 844, 844, 945, 945, 1000, 1000, 1000, 883, 922, 922, 930, 609, 863,
            676, 941, 789, 926,
            793, 941, 598, 703, 766, 609, 980, 832, 785, 699, 805, 965, 961, 785, 863, 883, 695, 766
        ],
    ),
}
# Further fonts: ascent, descent, leading, and the width of all characters if it is the same; `None` for fonts of which
# only the heights are stored.
OTHERS = {
    "consolas": (743, 257, 172, 550),
    "segoe ui": (1079, 251, 0, None),
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
    for family, (*line, ascii, wide) in EAST_ASIAN.items():
        widths = dict(ascii) if isinstance(ascii, dict) else dict(zip(map(chr, range(32, 127)), ascii))
        widths |= dict(zip(WIDE, wide))
        for first, kana in zip((0x3041, 0x30a1), KANA.get(family, ())):
            widths |= {chr(first + at): width for at, width in enumerate(kana)}
        characters, numbers = "".join(sorted(widths)), " ".join(str(widths[c]) for c in sorted(widths))
        lines.append("\t".join([family, "0", *map(str, line), characters, numbers]))
    packed = zlib.compress("\n".join(sorted(lines)).encode(), 9)
    pathlib.Path(__file__).with_name("widths.txt.zlib").write_bytes(packed)
    print(len(lines), "faces,", len(packed), "bytes")


main()
