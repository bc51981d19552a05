#!/usr/bin/env python3
"""Rewrites PDF files and compares them with the originals.

    tests/corpora/rewritten.py FOLDER [--binary target/release/convertd] [--quality high] [--list]

FOLDER has any PDF files, such as those of mozilla/pdf.js, qpdf/qpdf and py-pdf/pypdf. Files that qpdf cannot open, even with
warnings, are counted apart: they are damaged or locked. Of the others, four counts:

- made: there is a result;
- clean: `qpdf --check` has nothing to say about it, or had as much to say about the file itself;
- same text: `pdftotext` finds the same words in the same order;
- bytes: the size of all results, as a share of that of their files.

It needs qpdf and poppler.
"""

import argparse
import collections
import pathlib
import subprocess
import tempfile

LARGEST = 4 << 20
SECONDS = 60


def run(*command):
    try:
        return subprocess.run(command, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, b"", b"it took too long")


def words(path):
    return run("pdftotext", path, "-").stdout.split()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--binary", default="target/release/convertd")
    parser.add_argument("--quality", default="high")
    parser.add_argument("--list", action="store_true", help="name each file that differs")
    given = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        result = str(pathlib.Path(folder) / "result.pdf")
        for path in sorted(given.folder.rglob("*.pdf")):
            if path.stat().st_size > LARGEST:
                continue
            pathlib.Path(result).unlink(missing_ok=True)
            checked = run("qpdf", "--check", path).returncode
            made = run(given.binary, "convert", "--force", path, result, "--quality", given.quality)
            told = []
            if checked not in (0, 3):
                counts["damaged or locked"] += 1
                if made.returncode == 0:
                    counts["of these made"] += 1
                    counts["of these clean"] += run("qpdf", "--check", result).returncode == 0
                continue
            counts["files"] += 1
            if made.returncode != 0:
                told.append(made.stderr.decode(errors="replace").strip())
            else:
                counts["made"] += 1
                is_clean = run("qpdf", "--check", result).returncode in (0, checked)
                is_same = words(path) == words(result)
                counts["clean"] += is_clean
                counts["same text"] += is_same
                counts["bytes before"] += path.stat().st_size
                counts["bytes"] += pathlib.Path(result).stat().st_size
                told += [] if is_clean else ["qpdf --check complains"]
                told += [] if is_same else ["the text differs"]
            if told and given.list:
                print(f"{path}: {'; '.join(told)}", flush=True)
    for name, count in counts.items():
        print(f"{name}: {count}")
    if counts["bytes before"]:
        print(f"share: {counts['bytes'] / counts['bytes before']:.3f}")


if __name__ == "__main__":
    main()
