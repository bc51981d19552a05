#!/usr/bin/env python3
"""Makes the font files of this folder. Not a part of the build: only the font files are compiled in.

    python3 subset.py FOLDER

FOLDER contains the fonts of Debian's packages fonts-croscore, fonts-crosextra-carlito and fonts-crosextra-caladea
(Arimo-Regular.ttf and so on). Needs fontTools. Hinting is left out, because it has no effect on paper.
"""

import io
import pathlib
import sys
import zlib

from fontTools import subset

# Latin with its extensions, combining marks, Greek, Cyrillic, Vietnamese; punctuation, super- and subscripts,
# currencies, letter-like signs, fractions, some arrows, mathematics and shapes; ligatures.
TEXT = (
    "0020-007E,00A0-024F,0259,0292,02BB-02BC,02C6-02C7,02C9,02D8-02DD,0300-0304,0306-030C,0312,0315,031B,0323-0328,0331,"
    "0335,0370-03FF,0400-052F,1E00-1EFF,2000-200A,2010-2027,202F-205E,2070-209C,20A0-20BF,2100-2101,2103,2105,2109,2113,"
    "2116-2117,2120-2122,2126,212E,2150-215E,2190-2195,21A8,2202,2206,220F,2211-2212,2215,2219-221A,221E-221F,2229,222B,"
    "2248,2260-2261,2264-2265,2302,2310,2320-2321,25A0-25A1,25AA-25AC,25B2,25BA,25BC,25C4,25CA-25CB,25CF,25D8-25D9,25E6,"
    "263A-263C,2640,2642,2660,2663,2665-2666,266A-266B,FB00-FB04"
)
# In addition for monospaced fonts: box drawing and block elements, which occur in code.
CODE = TEXT + ",2500-257F,2580-2593"

FACES = [
    ("Arimo-Regular", TEXT), ("Arimo-Bold", TEXT), ("Arimo-Italic", TEXT), ("Arimo-BoldItalic", TEXT),
    ("Tinos-Regular", TEXT), ("Tinos-Bold", TEXT), ("Tinos-Italic", TEXT), ("Tinos-BoldItalic", TEXT),
    ("Carlito-Regular", TEXT), ("Carlito-Bold", TEXT), ("Carlito-Italic", TEXT), ("Carlito-BoldItalic", TEXT),
    ("Caladea-Regular", TEXT), ("Caladea-Bold", TEXT), ("Caladea-Italic", TEXT), ("Caladea-BoldItalic", TEXT),
    ("Cousine-Regular", CODE), ("Cousine-Bold", CODE),
]
# The licence reserves this name for the unchanged font.
RENAMED = {"Carlito": "Convertd Sans"}


def make(source: pathlib.Path, name: str, characters: str) -> bytes:
    options = subset.Options()
    options.hinting = False
    options.layout_features = ["kern", "liga", "mark", "mkmk", "ccmp", "locl"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    options.glyph_names = False
    options.recalc_timestamp = False
    font = subset.load_font(source / f"{name}.ttf", options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(characters))
    subsetter.subset(font)
    for old, new in RENAMED.items():
        for record in font["name"].names:
            if record.nameID in (1, 3, 4, 6):
                new_name = new.replace(" ", "") if record.nameID == 6 else new
                record.string = record.toUnicode().replace(old, new_name)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def main() -> None:
    source = pathlib.Path(sys.argv[1])
    here = pathlib.Path(__file__).parent
    for name, characters in FACES:
        data = make(source, name, characters)
        target = name.replace("Carlito", "ConvertdSans")
        (here / f"{target}.ttf.zlib").write_bytes(zlib.compress(data, 9))
        print(f"{target}: {len(data)} bytes")


main()
