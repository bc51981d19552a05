"""Looks for the words of a document in docling's JSON in the boxes that it states for them.

    boxes.py URL FILE...

URL is that of a service with `--compat docling`. Prints for each PDF how many items have places, and those whose words PyMuPDF does not
find there: seven of ten must be.
"""

import pathlib
import sys

import pymupdf
from docling import ask
from docling_core.types.doc import DoclingDocument


def words(text):
    return set(text.replace("-", " ").split())


def main():
    for name in sys.argv[2:]:
        document = DoclingDocument.model_validate(ask(sys.argv[1], pathlib.Path(name))["json_content"])
        file = pymupdf.open(name)
        placed = missed = without = 0
        for item, _ in document.iterate_items():
            places = getattr(item, "prov", [])
            text = getattr(item, "text", "")
            without += not places
            placed += len(places)
            if len(places) != 1 or not text:
                continue
            page = places[0].page_no
            box = places[0].bbox.to_top_left_origin(document.pages[page].size.height)
            found = file[page - 1].get_textbox(pymupdf.Rect(box.l - 2, box.t - 2, box.r + 2, box.b + 2))
            if len(words(text) & words(found)) < 0.7 * len(words(text)):
                missed += 1
                print(f"  page {page}: {text[:60]!r} is not in {found[:60]!r}")
        print(f"{placed} places, {missed} missed, {without} items without, {len(document.pages)} pages: {name}")


main()
