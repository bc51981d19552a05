"""Makes presets.zlib of the definitions of preset shapes, the electronic annex of ECMA-376 part 1 as Apache POI carries it
(poi/src/main/resources/org/apache/poi/sl/draw/geom/presetShapeDefinitions.xml, Apache-2.0).

    python3 src/office/drawing/presets.py presetShapeDefinitions.xml

A line begins with a letter: @ a shape, a an adjustable value, g a guide, r the rectangle of text, p a path with its width,
height, fill and stroke ('-' where there is none), and then the commands of the path: m l a q c z.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as tree
import zlib


def local(element):
    return element.tag.rsplit("}", 1)[-1]


def child(element, name):
    return next((one for one in element if local(one) == name), ())


def lines(shape):
    yield "@" + local(shape)
    for one in child(shape, "avLst"):
        yield f"a {one.get('name')} {re.sub('^val ', '', one.get('fmla'))}"
    for one in child(shape, "gdLst"):
        yield f"g {one.get('name')} {' '.join(one.get('fmla').split())}"
    rect = child(shape, "rect")
    if len(rect) or hasattr(rect, "get"):
        yield "r " + " ".join(rect.get(side) for side in "ltrb")
    for path in child(shape, "pathLst"):
        said = [path.get(name, "-") for name in ("w", "h", "fill", "stroke")]
        yield "p " + " ".join(said)
        for command in path:
            kind = local(command)
            points = " ".join(f"{p.get('x')} {p.get('y')}" for p in command)
            if kind == "arcTo":
                points = " ".join(command.get(n) for n in ("wR", "hR", "stAng", "swAng"))
            letter = {"moveTo": "m", "lnTo": "l", "arcTo": "a", "quadBezTo": "q", "cubicBezTo": "c", "close": "z"}[kind]
            yield f"{letter} {points}".rstrip()


root = tree.parse(sys.argv[1]).getroot()
seen = {}
for shape in root:
    # One of them stands twice.
    seen.setdefault(local(shape), "\n".join(lines(shape)))
text = "\n".join(seen.values()) + "\n"
pathlib.Path(__file__).with_name("presets.zlib").write_bytes(zlib.compress(text.encode(), 9))
print(len(seen), "shapes,", len(text), "bytes")
