"""Compares the words that convertd reads in Hangul documents with the previews in them.

    hwpx.py FILE...

A preview (Preview/PrvText.txt) is what Hangul itself took as the text, cut off after a thousand letters, with the cells of
tables in angle brackets. Prints the share of its words that convertd's txt has, whatever their order.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

PROGRAM = pathlib.Path(__file__).parents[2] / "target/release/convertd"


def words(text):
    return collections.Counter(re.findall(r"\w+", text))


def main():
    shares = []
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder) / "a.txt"
            command = [str(PROGRAM), "convert", name, str(result)]
            ran = subprocess.run(command, capture_output=True, text=True)
            if ran.returncode:
                print(f"{name}: {ran.stderr.strip()}")
                continue
            own = words(result.read_text())
        try:
            preview = zipfile.ZipFile(name).read("Preview/PrvText.txt").decode("utf-8", "replace")
        except (KeyError, zipfile.BadZipFile):
            print(f"{name}: no preview")
            continue
        # The last word may be cut.
        expected = words(preview.rsplit(None, 1)[0] if len(preview) > 900 else preview)
        count = sum(expected.values())
        share = sum((expected & own).values()) / count if count else 1.0
        shares.append(share)
        missing = ", ".join(list(expected - own)[:8])
        print(f"{share:.4f} {count} {name} {missing}")
    if shares:
        print(f"{sum(shares) / len(shares):.4f} in the mean of {len(shares)}")


main()
