#!/usr/bin/env python3
"""Writes `boxes.otf` with fontTools: a font whose letters A to C are boxes in PostScript outlines."""

import os

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen

HERE = os.path.dirname(os.path.abspath(__file__))
GLYPHS = [".notdef", "A", "B", "C"]


def box(width):
    pen = T2CharStringPen(600, None)
    pen.moveTo((50, 0))
    for point in [(50, 700), (50 + width, 700), (50 + width, 0)]:
        pen.lineTo(point)
    pen.closePath()
    return pen.getCharString()


font = FontBuilder(1000, isTTF=False)
font.setupGlyphOrder(GLYPHS)
font.setupCharacterMap({ord(name): name for name in GLYPHS[1:]})
font.setupCFF("Boxes", {}, {name: box(100 * nth) for nth, name in enumerate(GLYPHS, 1)}, {})
font.setupHorizontalMetrics({name: (600, 50) for name in GLYPHS})
font.setupHorizontalHeader(ascent=800, descent=-200)
font.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
font.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
font.setupPost()
font.font["head"].created = font.font["head"].modified = 3_700_000_000
font.font.recalcTimestamp = False
font.save(os.path.join(HERE, "boxes.otf"))
