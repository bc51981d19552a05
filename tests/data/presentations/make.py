#!/usr/bin/env python3
"""Makes talk.ppt and drawn.ppt: slides by python-pptx, converted to PowerPoint's older format by LibreOffice."""
import os
import struct
import subprocess
import tempfile

import olefile
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Cm, Pt

os.chdir(os.path.dirname(os.path.abspath(__file__)))
talk = Presentation()
# Each layout becomes a separate master.
for layout in list(talk.slide_layouts):
    if layout.name != "Title and Content":
        talk.slide_layouts.remove(layout)
first = talk.slides.add_slide(talk.slide_layouts[0])
first.shapes.title.text = "A talk"
first.placeholders[1].text = "Given on a Friday"
second = talk.slides.add_slide(talk.slide_layouts[0])
second.shapes.title.text = "What it is about"
body = second.placeholders[1].text_frame
body.text = "First of all"
for text, level in [("Below the first", 1), ("Größe, Ελληνικά", 0)]:
    paragraph = body.add_paragraph()
    paragraph.text, paragraph.level = text, level
second.notes_slide.notes_text_frame.text = "Speak slowly."
third = talk.slides.add_slide(talk.slide_layouts[0])
third.shapes.title.text = "Shapes"
third.placeholders[1]._element.getparent().remove(third.placeholders[1]._element)
shape = third.shapes.add_shape(MSO_SHAPE.OVAL, Cm(3), Cm(6), Cm(5), Cm(3))
shape.fill.solid()
shape.fill.fore_color.rgb = RGBColor(0xC0, 0x20, 0x20)
shape.text_frame.text = "Round"
third.shapes.add_picture("../documents/picture.png", Cm(12), Cm(6), Cm(4))
box = third.shapes.add_textbox(Cm(3), Cm(12), Cm(10), Cm(2)).text_frame
run = box.paragraphs[0].add_run()
run.text = "Bold and large"
run.font.bold, run.font.size = True, Pt(32)
hidden = talk.slides.add_slide(talk.slide_layouts[0])
hidden.shapes.title.text = "Not for everybody"
hidden.placeholders[1].text = "A secret"
hidden._element.set("show", "0")

drawn = Presentation()
for layout in list(drawn.slide_layouts):
    if layout.name != "Title Only":
        drawn.slide_layouts.remove(layout)
first = drawn.slides.add_slide(drawn.slide_layouts[0])
first.shapes.title.text = "A table"
table = first.shapes.add_table(3, 2, Cm(3), Cm(6), Cm(14), Cm(4)).table
for row, texts in enumerate([("Item", "Amount"), ("Apples", "12"), ("Together", "12")]):
    for column, text in enumerate(texts):
        table.cell(row, column).text = text
second = drawn.slides.add_slide(drawn.slide_layouts[0])
second.shapes.title.text = "Point by point"
points = second.shapes.build_freeform(Cm(3), Cm(6))
points.add_line_segments([(Cm(9), Cm(6)), (Cm(6), Cm(12))], close=True)
shape = points.convert_to_shape()
shape.fill.solid()
shape.fill.fore_color.rgb = RGBColor(0x20, 0x40, 0xC0)

END, FREE, TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def entry(name, kind, beside, child, first, length):
    letters = name.encode("utf-16-le") + b"\0\0"
    head = letters.ljust(64, b"\0") + struct.pack("<HBBIII", len(letters), kind, 1, FREE, beside, child)
    return head + bytes(36) + struct.pack("<IQ", first, length)


def write(deck, name):
    """Writes a deck in the older form. LibreOffice adds a thumbnail of half a megabyte, so that the streams are put into a compound
    file anew, each in sectors of its own."""
    with tempfile.TemporaryDirectory() as folder:
        newer = os.path.join(folder, name + "x")
        deck.save(newer)
        profile = "-env:UserInstallation=file://" + os.path.join(folder, "profile")
        subprocess.run(["soffice", profile, "--headless", "--convert-to", "ppt", "--outdir", folder, newer], check=True)
        with olefile.OleFileIO(os.path.join(folder, name)) as whole:
            kept = ("Current User", "Pictures", "PowerPoint Document")
            streams = [(stream, whole.openstream(stream).read()) for stream in kept if whole.exists(stream) and whole.get_size(stream)]
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
    with open(name, "wb") as file:
        file.write(header + struct.pack("<128I", *table) + directory.ljust(512, b"\0") + b"".join(sectors))


write(talk, "talk.ppt")
write(drawn, "drawn.ppt")
