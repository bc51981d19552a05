"""Compares the headings that are found in PDFs with docling's ground truth.

`headings.py FOLDER` takes `tests/data/pdf` of docling-project/docling: its `sources`, and its `groundtruth` as
Markdown. All levels in the ground truth are the same, so levels are not compared; but of two numbered headings with as
many parts, neither may be deeper. `CONVERTD` is the program, `target/debug/convertd` by default.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ.get("CONVERTD", "target/debug/convertd")

# Minimum fraction of equal letters for two headings to match.
ALIKE = 0.8


def headings(text):
    """The levels and letters of the headings of a Markdown text, without blocks of code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    found = re.findall(r"^(#{1,6}) +(.+)$", text, flags=re.M)
    return [(len(marks), re.sub(r"!?\[([^]]*)]\([^)]*\)|<[^>]*>|\\", r"\1", words)) for marks, words in found]


def plain(words):
    return "".join(c for c in words.lower() if c.isalnum())


def is_alike(one, other):
    # The number of a heading may come before or after it.
    if sorted(one.split()) == sorted(other.split()):
        return True
    one, other = plain(one), plain(other)
    return one == other or difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= ALIKE


def parts(words):
    number = re.match(r"\d+(\.\d+)*", words)
    return number.group().count(".") + 1 if number else 0


def compare(truth, own):
    """The missed headings, and those that are not in the ground truth, without duplicates and in order."""
    missed, left = [], list(own)
    for _, words in truth:
        same = next((at for at, (_, other) in enumerate(left) if is_alike(words, other)), None)
        if same is None:
            missed.append(words)
        else:
            del left[same]
    return missed, left


def main(folder):
    found = all_found = all_own = askew = 0
    for source in sorted((folder / "sources").glob("*.pdf")):
        expected = folder / "groundtruth" / f"{source.stem}.md"
        if not expected.exists() or source.stat().st_size == 0:
            continue
        with tempfile.TemporaryDirectory() as place:
            result = Path(place) / "out.md"
            subprocess.run([PROGRAM, "convert", "--force", source, result], check=True, capture_output=True)
            own = headings(result.read_text())
        truth = headings(expected.read_text())
        missed, others = compare(truth, own)
        levels = {}
        for level, words in own:
            levels.setdefault(parts(words), set()).add(level)
        askew += sum(len(set_) > 1 for count, set_ in levels.items() if count)
        found += len(truth) - len(missed)
        all_found, all_own = all_found + len(truth), all_own + len(own)
        print(f"{source.stem}: {len(truth) - len(missed)} of {len(truth)}, {len(own)} written")
        print("".join(f"    missed: {words}\n" for words in missed), end="")
        print("".join(f"    other:  {'#' * level} {words[:100]}\n" for level, words in others), end="")
    print(f"found {found} of {all_found}; of {all_own} written {found / max(all_own, 1):.2f} are there; numbers on several levels: {askew}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
