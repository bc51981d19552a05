#!/usr/bin/env python3
"""Makes two small PDFs in which nothing is packed, so that damage reaches what it is to reach: one tells its structure by tags,
the other has what a file has around its pages: an outline, labels, names, layers, fields, comments, and an attachment."""

import pathlib

FONTS = "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> {} >>"


def written(name, objects):
    file, offsets = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content.encode("latin1"))
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    count = len(objects) + 1
    end = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\n"
    file += (end + f"startxref\n{len(file)}\n%%EOF\n").encode("latin1")
    pathlib.Path(__file__).with_name(name).write_bytes(file)


def stream(content, entries=""):
    return f"<< /Length {len(content)} {entries} >>\nstream\n{content}\nendstream"


def line(text, x, y, size=10):
    return f"BT /F {size} Tf {x} {y} Td ({text}) Tj ET\n"


def tagged():
    texts = [
        ("H1", "The year", 50, 720, 16),
        ("P", "A paragraph that goes on and ends.", 50, 690, 10),
        ("LBody", "An item of a list", 70, 670, 10),
        ("TH", "Name", 50, 640, 10),
        ("TH", "Count", 200, 640, 10),
        ("TD", "apples", 50, 625, 10),
        ("TD", "12", 200, 625, 10),
        ("Note", "A note below.", 50, 60, 8),
    ]
    content = "/Artifact BMC\n" + line("Running head", 50, 760, 8) + "EMC\n"
    for mark, (tag, text, x, y, size) in enumerate(texts):
        content += f"/{tag} << /MCID {mark} >> BDC\n{line(text, x, y, size)}EMC\n"

    def element(kind, parent, kids, more=""):
        return f"<< /Type /StructElem /S /{kind} /P {parent} 0 R /Pg 3 0 R /K {kids} {more} >>"

    written(
        "tagged.pdf",
        [
            "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 5 0 R /MarkInfo << /Marked true >> /Lang (en) >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {FONTS.format('')} /Contents 4 0 R /StructParents 0 >>",
            stream(content),
            "<< /Type /StructTreeRoot /K 6 0 R /ParentTree 20 0 R /RoleMap << /Title /H1 >> >>",
            element("Document", 5, "[7 0 R 8 0 R 9 0 R 12 0 R 19 0 R]"),
            element("Title", 6, "0"),
            element("P", 6, "[1]"),
            element("L", 6, "[10 0 R]", "/A << /O /List /ListNumbering /Disc >>"),
            element("LI", 9, "[11 0 R]"),
            element("LBody", 10, "<< /Type /MCR /Pg 3 0 R /MCID 2 >>"),
            element("Table", 6, "[13 0 R 14 0 R]"),
            element("TR", 12, "[15 0 R 16 0 R]"),
            element("TR", 12, "[17 0 R 18 0 R]"),
            element("TH", 13, "3", "/A << /O /Table /Scope /Column >>"),
            element("TH", 13, "4", "/A << /O /Table /ColSpan 1 >>"),
            element("TD", 14, "5"),
            element("TD", 14, "6"),
            element("Note", 6, "7", "/ID (note1)"),
            "<< /Nums [0 [7 0 R 8 0 R 11 0 R 15 0 R 16 0 R 17 0 R 18 0 R 19 0 R]] >>",
        ],
    )


def around():
    first = line("A heading", 50, 720, 16)
    first += "".join(
        line(text, x, 690 - 14 * row)
        for row, cells in enumerate([("Fruit", "Old", "New"), ("apples", "12", "14"), ("pears", "7", "9")])
        for text, x in zip(cells, (50, 200, 300))
    )
    first += "/OC /L BDC\n" + line("In a layer", 50, 600) + "EMC\n" + line("1 A note", 50, 60, 7)
    second = "q 100 0 0 100 50 500 cm /X Do Q\nBT 3 Tr /F 10 Tf 50 550 Td (behind a scan) Tj ET"
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]"
    catalog = (
        "<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R /AcroForm << /Fields [10 0 R 11 0 R] /DA (/F 9 Tf) >>"
        " /PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 5 /P (p) >>] >>"
        " /Names << /Dests 13 0 R /EmbeddedFiles << /Names [(a.txt) 14 0 R] >> >>"
        " /OCProperties << /OCGs [16 0 R] /D << /Order [16 0 R] /ON [16 0 R] >> >> >>"
    )
    widget = "/Type /Annot /Subtype /Widget /P 3 0 R /F 4 /DA (/F 9 Tf)"
    written(
        "around.pdf",
        [
            catalog,
            "<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 >>",
            f"{page} {FONTS.format('/Properties << /L 16 0 R >>')} /Contents 4 0 R /Annots [10 0 R 11 0 R 12 0 R 17 0 R] >>",
            stream(first),
            f"{page} {FONTS.format('/XObject << /X 18 0 R >>')} /Contents 6 0 R /Rotate 90 >>",
            stream(second),
            "<< /Type /Outlines /First 8 0 R /Last 8 0 R /Count 2 >>",
            "<< /Title (A heading) /Parent 7 0 R /Dest [3 0 R /XYZ 50 730 0] /First 9 0 R /Last 9 0 R /Count 1 >>",
            "<< /Title (A scan) /Parent 8 0 R /A << /S /GoTo /D (second) >> >>",
            f"<< {widget} /FT /Tx /T (name) /V (Ada) /Rect [50 500 150 515] >>",
            f"<< {widget} /FT /Btn /T (yes) /V /On /AS /On /Rect [50 480 60 490] >>",
            "<< /Type /Annot /Subtype /Text /P 3 0 R /Rect [300 500 320 520] /Contents (A comment) /T (Ada) >>",
            "<< /Kids [<< /Names [(second) [5 0 R /Fit]] /Limits [(second) (second)] >>] >>",
            "<< /Type /Filespec /F (a.txt) /UF (a.txt) /EF << /F 15 0 R >> >>",
            stream("attached", "/Type /EmbeddedFile"),
            "<< /Type /OCG /Name (Layer) >>",
            "<< /Type /Annot /Subtype /Link /P 3 0 R /Rect [50 595 100 612] /A << /S /URI /URI (https://example.org/) >> >>",
            stream("0123456789abcdef", "/Type /XObject /Subtype /Image /Width 4 /Height 4 /BitsPerComponent 8 /ColorSpace /DeviceGray"),
        ],
    )


tagged()
around()
