#!/usr/bin/env python3
"""Makes `LANGUAGE.xz` for each language: the hyphenation patterns of TeX, which Liang's algorithm applies to words. Not
a part of the build: only the results are compiled in.

    python3 patterns.py FOLDER

FOLDER has the files `hyph-LANGUAGE.tex` of the package hyph-utf8, as in the folder `patterns` of
https://github.com/typst/hypher (commit 8715c4c). Their notices are in the file LICENSE.

A pattern is a string of letters, where a dot is the start or the end of a word, with a level from 0 to 9 before, between
and after its letters. In the result, a line has all patterns with the same levels: the levels without the zeros at
their end, a space, and the patterns in their order. Each pattern begins with the number of letters that it shares with
the one before, as a character from `0` on, and ends before the next such character. Words with fixed hyphens are
patterns with dots at both ends and with levels that no others exceed.

The file has the length of this text in bytes, as 4 bytes with the lowest first, and then the text as an xz stream.
"""

import lzma
import pathlib
import re
import sys

# The letters that a pattern can share with the one before: the characters for them are `0` to `@`.
MAX_SHARED = 16

FILES = {
    "da": "hyph-da.tex",
    "de": "hyph-de-1996.tex",
    "en": "hyph-en-us.tex",
    "es": "hyph-es.tex",
    "fi": "hyph-fi.tex",
    "fr": "hyph-fr.tex",
    "it": "hyph-it.tex",
    "nl": "hyph-nl.tex",
    "pl": "hyph-pl.tex",
    "pt": "hyph-pt.tex",
    "sv": "hyph-sv.tex",
}


def entries(text, command):
    """Words between the braces of a TeX command."""
    found = re.search(r"\\" + command + r"\s*\{(.*?)\}", re.sub(r"%.*", "", text), re.S)
    return found.group(1).split() if found else []


def parsed(pattern):
    """Letters of a pattern, and its levels as digits."""
    letters, levels = "", ["0"]
    for character in pattern:
        if character.isdigit():
            levels[-1] = character
        else:
            letters += character
            levels.append("0")
    return letters, "".join(levels).rstrip("0")


def fixed(word):
    """Pattern of a word with fixed hyphens."""
    levels = re.sub(r"(?<=[^-])(?=[^-])", "8", word).replace("-", "9")
    return parsed(f".{levels}.")


def packed(text):
    groups = {}
    for letters, levels in map(parsed, entries(text, "patterns")):
        groups.setdefault(levels, []).append(letters)
    for letters, levels in map(fixed, entries(text, "hyphenation")):
        groups.setdefault(levels, []).append(letters)
    lines = []
    for levels in sorted(groups):
        line, before = levels + " ", ""
        for letters in sorted(groups[levels]):
            shared = 0
            while shared < min(len(before), len(letters)) and before[shared] == letters[shared]:
                shared += 1
            assert shared <= MAX_SHARED, letters
            assert not any("0" <= letter <= "@" for letter in letters), letters
            line += chr(ord("0") + shared) + letters[shared:]
            before = letters
        lines.append(line)
    return "\n".join(lines).encode()


for language, name in FILES.items():
    text = packed((pathlib.Path(sys.argv[1]) / name).read_text("utf-8"))
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
    stream = lzma.compress(text, lzma.FORMAT_XZ, lzma.CHECK_NONE, filters=filters)
    result = len(text).to_bytes(4, "little") + stream
    pathlib.Path(__file__).with_name(f"{language}.xz").write_bytes(result)
    print(f"{language}: {len(text)} bytes, {len(result)} packed")
