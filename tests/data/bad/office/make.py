#!/usr/bin/env python3
"""Makes the documents and decks of this directory, which lie: what no program writes, made of what LibreOffice wrote.

Needs: pip install olefile. The tests of the service convert each of them to everything, and the fuzz run begins with them.
"""
import os
import struct
import zipfile

import olefile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..")
END, FREE, TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def compound(name, streams):
    """Writes a compound file whose streams have sectors of their own; at most 128 sectors."""

    def entry(name, kind, beside, child, first, length):
        letters = name.encode("utf-16-le") + b"\0\0"
        head = letters.ljust(64, b"\0") + struct.pack("<HBBIII", len(letters), kind, 1, FREE, beside, child)
        return head + bytes(36) + struct.pack("<IQ", first, length)

    sectors, table = [], [TABLE, END]
    directory = entry("Root Entry", 5, FREE, 1, END, 0)
    for number, (stream, data) in enumerate(streams):
        first, count = len(table), -(-len(data) // 512)
        sectors.append(data.ljust(count * 512, b"\0"))
        table += list(range(first + 1, first + count)) + [END]
        directory += entry(stream, 2, number + 2 if number + 1 < len(streams) else FREE, FREE, first, len(data))
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 0, END, 0, END, 0) + struct.pack("<I", 0) + struct.pack("<I", FREE) * 108
    table += [FREE] * (128 - len(table))
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(header + struct.pack("<128I", *table) + directory.ljust(512, b"\0") + b"".join(sectors))


# Documents whose text is replaced, in pieces: from a CP to another, and the place in the stream.
with olefile.OleFileIO(os.path.join(DATA, "documents", "frames.doc")) as whole:
    words = whole.openstream("WordDocument").read()
    tables = "1Table" if struct.unpack_from("<H", words, 10)[0] & 0x200 else "0Table"
    table = whole.openstream(tables).read()


def doc(name, text, pieces):
    stream = bytearray(words + text)
    cps = [piece[0] for piece in pieces] + [pieces[-1][1]]
    records = [struct.pack("<HIH", 0, place * 2 | 1 << 30, 0) for _, _, place in pieces]
    plex = struct.pack(f"<{len(cps)}I", *cps) + b"".join(records)
    struct.pack_into("<II", stream, 0x9A + 8 * 33, len(table), 5 + len(plex))
    struct.pack_into("<8I", stream, 0x4C, len(text), *[0] * 7)
    compound(name, [("WordDocument", bytes(stream)), (tables, table + b"\x02" + struct.pack("<I", len(plex)) + plex)])


start = len(words)
doc("pieces-out-of-order.doc", b"abc\rdef\rghi\r" * 50, [(0, 300, start + 300), (300, 100, start), (100, 600, start + 100)])
doc("pieces-that-overlap.doc", b"abc\r" * 200, [(at, at + 800, start) for at in range(600)])
doc("cells-without-rows.doc", b"a\x07" * 2000, [(0, 4000, start)])

# Decks of before 2007.
with open(os.path.join(DATA, "presentations", "talk.ppt"), "rb") as file:
    whole = file.read()
at = whole.find(b"\x00\x00\xf6\x0f")
user = whole[at : at + 64]
with olefile.OleFileIO(os.path.join(DATA, "presentations", "talk.ppt")) as file:
    slides = file.openstream("PowerPoint Document").read()
lengths = bytearray(slides)
for at in range(len(lengths) - 8):
    if struct.unpack_from("<H", lengths, at + 2)[0] in (4000, 4008, 4080, 1006, 0xF003, 0xF004):
        struct.pack_into("<I", lengths, at + 4, 0xFFFFFFFF)
compound("records-of-4-gib.ppt", [("Current User", user), ("PowerPoint Document", bytes(lengths))])
texts = slides.replace(b"\x9e\x0f\x04\0\0\0\x01\0\0\0", b"\x9e\x0f\x04\0\0\0\xf0\xff\xff\xff")
compound("text-of-no-slide.ppt", [("Current User", user), ("PowerPoint Document", texts)])

# Decks in packages.
SPACES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)


def package(name, parts):
    with zipfile.ZipFile(os.path.join(HERE, name), "w", zipfile.ZIP_DEFLATED) as out:
        for part, content in parts.items():
            out.writestr(part, content, zipfile.ZIP_STORED if part == "mimetype" else None)


def relationships(all):
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    one = "".join(f'<Relationship Id="{id}" Type="{kinds}{kind}" Target="{target}"/>' for id, kind, target in all)
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{one}</Relationships>'


def pptx(name, width, text, parts={}):
    shape = (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="100" y="100"/>'
        f'<a:ext cx="{width}" cy="{width}"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>'
    )
    list_ = '<p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/>'
    package(
        name,
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            "_rels/.rels": relationships([("r1", "officeDocument", "ppt/presentation.xml")]),
            "ppt/presentation.xml": f"<p:presentation {SPACES}>{list_}</p:presentation>",
            "ppt/_rels/presentation.xml.rels": relationships([("r1", "slide", "s.xml")]),
            "ppt/s.xml": f"<p:sld {SPACES}><p:cSld><p:spTree><p:grpSpPr/>{shape}</p:spTree></p:cSld></p:sld>",
            "ppt/_rels/s.xml.rels": relationships([("r1", "slideLayout", "l.xml")]),
            **parts,
        },
    )


pptx("a-point-wide.pptx", 12700, "some words that have no room at all in it " * 40)
layout = f"<p:sldLayout {SPACES}><p:cSld><p:spTree><p:grpSpPr/></p:spTree></p:cSld></p:sldLayout>"
itself = relationships([("r1", "slideLayout", "l.xml"), ("r2", "slideMaster", "l.xml")])
pptx("layout-of-itself.pptx", 900_000, "words", {"ppt/l.xml": layout, "ppt/_rels/l.xml.rels": itself})

OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
names = {"office": "office:1.0", "draw": "drawing:1.0", "text": "text:1.0", "svg": "svg-compatible:1.0", "style": "style:1.0"}
spaces = " ".join(f'xmlns:{prefix}="{OASIS}{name}"' for prefix, name in names.items())
styles = "".join(
    f'<style:style style:name="s{at}" style:family="graphic" style:parent-style-name="s{(at + 1) % 100}"/>' for at in range(100)
)
frame = (
    '<draw:frame draw:style-name="s1" svg:x="1cm" svg:y="1cm" svg:width="3cm" svg:height="2cm"><draw:text-box><text:p>words</text:p>'
    "</draw:text-box></draw:frame>"
)
package(
    "styles-in-a-circle.odp",
    {
        "mimetype": "application/vnd.oasis.opendocument.presentation",
        "content.xml": f"<office:document-content {spaces}><office:automatic-styles>{styles}</office:automatic-styles><office:body>"
        f'<office:presentation><draw:page draw:name="a">{frame}</draw:page></office:presentation></office:body></office:document-content>',
    },
)
