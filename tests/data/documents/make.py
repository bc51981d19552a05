#!/usr/bin/env python3
"""Makes the documents of this directory, and pandoc's result for each.

Needs: pip install pypandoc_binary python-docx; LibreOffice (`soffice`). The results are in the repository, so nobody needs this to
run the tests; run it again after a change in `report.md` or in this file. None of the documents is written by convertd.

For each document there is NAME.pandoc.html: pandoc's reading of it, written as HTML. The tests compare words and structure of it
with what convertd makes of the same document. See https://pandoc.org/MANUAL.html for the formats.
"""
import os, re, shutil, subprocess, sys, tempfile, zipfile
import pypandoc, docx
from docx.shared import Cm, Inches, Pt
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.enum.section import WD_ORIENT

HERE = os.path.dirname(os.path.abspath(__file__))
PANDOC = pypandoc.get_pandoc_path()
os.chdir(HERE)


def pandoc(*arguments):
    subprocess.run([PANDOC, *arguments], check=True)


def office(source, target, result):
    """Converts with LibreOffice, which chooses the name of the result itself."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(
            ["soffice", f"-env:UserInstallation=file://{place}/profile", "--headless", "--convert-to", target, "--outdir", place, source],
            check=True, stdout=subprocess.DEVNULL)
        made = [name for name in os.listdir(place) if name.rsplit(".", 1)[-1] == target.split(":")[0]]
        shutil.move(os.path.join(place, made[0]), result)


# The report, by pandoc and by LibreOffice.
MARKDOWN = "gfm+yaml_metadata_block+footnotes+definition_lists"
for name in ["report-pandoc.docx", "report-pandoc.odt", "report-pandoc.epub", "report-pandoc.html"]:
    pandoc("-f", MARKDOWN, "report.md", "-s", "--resource-path=.", *(["--embed-resources"] if name.endswith("html") else []), "-o", name)
office("report-pandoc.odt", "docx", "report-office.docx")
office("report-pandoc.docx", "odt", "report-office.odt")

# A letter and a table, by python-docx.
letter = docx.Document()
letter.core_properties.title = "A letter with tables"
letter.core_properties.author = "Ada Example"
section = letter.sections[0]
section.header.paragraphs[0].text = "Example Works, quarterly letter"
section.footer.paragraphs[0].text = "Confidential"
letter.add_heading("Quarterly letter", 0)
intro = letter.add_paragraph("Dear reader, this is ")
intro.add_run("bold").bold = True
intro.add_run(", ")
intro.add_run("italic").italic = True
intro.add_run(" and ")
both = intro.add_run("both")
both.bold = both.italic = True
intro.add_run("; water is H")
intro.add_run("2").font.subscript = True
intro.add_run("O, an area is m")
intro.add_run("2").font.superscript = True
intro.add_run(".")
centred = letter.add_paragraph("In the middle, large.")
centred.alignment = WD_ALIGN_PARAGRAPH.CENTER
centred.runs[0].font.size = Pt(16)
letter.add_heading("Figures", 1)
table = letter.add_table(rows=1, cols=4)
table.style = "Table Grid"
for cell, text in zip(table.rows[0].cells, ["Quarter", "Orders", "Returns", "Remarks"]):
    cell.text = text
for number in range(1, 9):
    cells = table.add_row().cells
    cells[0].text = f"Q{number}"
    cells[1].text = str(100 * number)
    cells[2].text = str(7 * number)
    cells[3].text = "as planned" if number % 2 else "late in the year"
wide = table.add_row().cells
wide[0].merge(wide[1]).text = "Two columns in one"
wide[2].merge(wide[3]).text = "And two more"
table.cell(1, 3).merge(table.cell(2, 3)).text = "Two rows in one"
letter.add_heading("Lists", 1)
for text, style in [("First", "List Number"), ("Second", "List Number"), ("Below the second", "List Bullet 2"), ("Third", "List Number"),
                    ("A bullet", "List Bullet"), ("Another bullet", "List Bullet")]:
    letter.add_paragraph(text, style=style)
letter.add_paragraph("What somebody said.", style="Intense Quote")
letter.add_paragraph("A picture:")
letter.add_picture("picture.png", width=Cm(4))
letter.add_page_break()
letter.add_heading("On the next page", 2)
letter.add_paragraph("Ελληνικά, кириллица, 日本語, עברית.")
lying = letter.add_section()
lying.orientation = WD_ORIENT.LANDSCAPE
lying.page_width, lying.page_height = lying.page_height, lying.page_width
letter.add_paragraph("This page lies on its side.")
letter.save("letter.docx")

# A page in the style of the web, made from the letter by LibreOffice; a book of two chapters as EPUB 2, by pandoc.
pandoc("-f", MARKDOWN, "report.md", "-t", "epub2", "-o", "report-epub2.epub", "--resource-path=.")
pandoc("-f", MARKDOWN, "report.md", "-s", "-t", "rtf", "-o", "report-pandoc.rtf", "--resource-path=.")
pandoc("-f", MARKDOWN, "report.md", "-s", "-t", "fb2", "-o", "report-pandoc.fb2", "--resource-path=.")
office("letter.docx", "odt", "letter-office.odt")
office("letter.docx", "rtf", "letter-office.rtf")
office("letter.docx", "doc", "letter-office.doc")

# Books for the Kindle, by calibre: MOBI 6, a joint file, and KF8.
for arguments in (["calibre-old.mobi", "--mobi-file-type", "old"], ["calibre-both.mobi", "--mobi-file-type", "both"], ["calibre.azw3"]):
    subprocess.run(["ebook-convert", "report-pandoc.epub", *arguments], check=True)

READ_AS = {"docx": "docx", "odt": "odt", "epub": "epub", "fb2": "fb2", "html": "html", "rtf": "rtf", "md": MARKDOWN + "+tex_math_dollars"}
for name in sorted(os.listdir(".")):
    kind = name.rsplit(".", 1)[-1]
    if kind not in READ_AS or name.endswith(".pandoc.html"):
        continue
    # Pandoc treats the title of a FictionBook as a heading above all others.
    shift = ["--shift-heading-level-by=-1"] if kind == "fb2" else []
    html = subprocess.run([PANDOC, "-f", READ_AS[kind], "-t", "html5", "--wrap=none", "--mathml", "--no-highlight", *shift, name], check=True, capture_output=True).stdout.decode()
    if kind == "fb2":
        # Pandoc treats empty lines as rules, which the format lacks; the only rule is above the notes.
        html = re.sub(r"<hr />(?!\n<ol>)", "<p></p>", html)
    # Pictures are compared by their descriptions.
    html = re.sub(r'src="[^"]*"', 'src=""', html)
    with open(name + ".pandoc.html", "w", encoding="utf-8") as file:
        file.write(html)
