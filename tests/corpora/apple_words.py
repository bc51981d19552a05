"""Compares the words that convertd reads in documents of Pages and Keynote with those that `keynote-parser` finds.

    apple_words.py FILE...

keynote-parser (a package of PyPI) decodes the objects of both programs, and knows no order of them. So the words of all
texts and tables are counted, without those of templates and styles. Prints for each file the share of its words that
convertd has in its txt, with hidden slides, and the first words that are missing.
"""

import collections
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
import zipfile

from keynote_parser.codec import IWAFile

PROGRAM = pathlib.Path(__file__).parents[2] / "target/release/convertd"

# Files with texts that no reader shows: those of templates, styles and comments.
OTHERS = re.compile(r"Template|Master|Stylesheet|AnnotationAuthor|Metadata")


def words(text):
    return collections.Counter(re.findall(r"\w+", text))


def archives(path):
    archive = zipfile.ZipFile(path)
    for name in archive.namelist():
        if name.endswith("Index.zip"):
            archive = zipfile.ZipFile(io.BytesIO(archive.read(name)))
            break
    for name in archive.namelist():
        if name.endswith(".iwa") and not OTHERS.search(name):
            for chunk in IWAFile.from_buffer(archive.read(name), name).chunks:
                for segment in chunk.archives:
                    yield from segment.objects


def expected(path):
    found = collections.Counter()
    for message in archives(path):
        kind = getattr(getattr(message, "DESCRIPTOR", None), "full_name", "")
        if kind == "TSWP.StorageArchive":
            found += words("".join(message.text))
        elif kind == "TST.TableDataList":
            found += words("\n".join(entry.string for entry in message.entries))
    return found


def main():
    warnings.simplefilter("ignore")
    total = right = 0
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder) / "a.txt"
            command = [str(PROGRAM), "convert", name, str(result)]
            if name.endswith(".key"):
                command += ["--option", "hidden=keep"]
            ran = subprocess.run(command, capture_output=True, text=True)
            if ran.returncode or not result.exists():
                print(f"{name}: {ran.stderr.strip()}")
                continue
            own = words(result.read_text())
        try:
            wanted = expected(name)
        except BaseException as err:
            print(f"{name}: {type(err).__name__}: {err}")
            continue
        same = sum((wanted & own).values())
        count = sum(wanted.values())
        missing = list((wanted - own).elements())[:8]
        print(f"{same / max(count, 1):.4f} {count} {name} {missing}")
        total += count
        right += same
    print(f"{right / max(total, 1):.5f} of {total}")


main()
