"""Compares the words that convertd reads in Hangul documents with those in the text elements (`hp:t`) of their sections.

    hwpx.py FILE...

Prints the share of these words that convertd's Markdown has, whatever their order. Markdown, because text in the cells of a table
is broken into lines in a txt.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile
from xml.etree import ElementTree

PROGRAM = pathlib.Path(__file__).parents[2] / "target/release/convertd"

# Elements with text that is not shown.
HIDDEN = {"hiddenComment", "parameters", "script", "shapeComment"}

# Elements within a text that separate words.
GAPS = {"tab", "lineBreak", "fwSpace", "nbSpace"}


def name(element):
    return element.tag.rpartition("}")[2]


def collect(element, found):
    if name(element) == "t":
        found.append(element.text or "")
        deleted = False
        for child in element:
            if name(child) in GAPS:
                found.append(" ")
            deleted = name(child) == "deleteBegin" or deleted and name(child) != "deleteEnd"
            if not deleted:
                found.append(child.tail or "")
        return
    if name(element) == "p":
        found.append("\n")
    for child in element:
        if name(child) not in HIDDEN:
            collect(child, found)


def expected(path):
    found = []
    with zipfile.ZipFile(path) as archive:
        for part in sorted(archive.namelist()):
            if part.startswith("Contents/section"):
                collect(ElementTree.fromstring(archive.read(part)), found)
    return words("".join(found))


def words(text):
    return collections.Counter(re.findall(r"\w+", text))


def plain(text):
    """The words of Markdown, without its marks."""
    text = re.sub(r"!\[([^]]*)\]\(data:[^)]*\)", r"\1", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"</?(?:u|sup|sub|mark|span|small|strong|em)\b[^>]*>|\*+|~~|\\", "", text)
    text = re.sub(r"<[^>]*>", " ", text)
    return text.replace("&nbsp;", " ").replace("&lt;", "<").replace("&amp;", "&")


def main():
    total = same = 0
    for path in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder) / "a.md"
            command = [str(PROGRAM), "convert", path, str(result)]
            ran = subprocess.run(command, capture_output=True, text=True)
            if ran.returncode:
                print(f"{path}: {ran.stderr.strip()}")
                continue
            own = words(plain(result.read_text()))
        wanted = expected(path)
        count, found = sum(wanted.values()), sum((wanted & own).values())
        total += count
        same += found
        missing = ", ".join(list(wanted - own)[:8])
        print(f"{found / max(count, 1):.4f} {count} {path} {missing}")
    print(f"{same / max(total, 1):.4f} of {total} words")


main()
