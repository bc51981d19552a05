#!/usr/bin/env python3
"""Makes the models that are compiled in: eng.xz and Latin.xz, out of the files of Debian's packages tesseract-ocr-eng and
tesseract-ocr-script-latn (1:4.1.0-2), of which only the networks, the characters and the recoders are taken. Each begins with its
unpacked length in 32 bits, little-endian.

    apt-get install tesseract-ocr-eng tesseract-ocr-script-latn
    python3 src/ocr/data/pack.py [/usr/share/tesseract-ocr/5/tessdata]
"""

import lzma
import pathlib
import struct
import sys

NETWORK, CHARACTERS, RECODER = 17, 21, 22

source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/tesseract-ocr/5/tessdata")


def parts(model):
    """Parts of a model by their numbers."""
    (count,) = struct.unpack_from("<I", model)
    offsets = struct.unpack_from(f"<{count}q", model, 4)
    ends = [*(offset for offset in offsets if offset >= 0), len(model)]
    return {
        number: model[offset : min(end for end in ends if end > offset)]
        for number, offset in enumerate(offsets)
        if offset >= 0
    }


def container(kept):
    """A model with these parts."""
    count = max(kept) + 1
    offsets, body = [], b""
    for number in range(count):
        offsets.append(4 + 8 * count + len(body) if number in kept else -1)
        body += kept.get(number, b"")
    return struct.pack(f"<I{count}q", count, *offsets) + body


def packed(data):
    # Weights hardly repeat: the bytes before a byte say little about it, and its position says nothing.
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 0, "pb": 0}]
    return struct.pack("<I", len(data)) + lzma.compress(data, check=lzma.CHECK_NONE, filters=filters)


for name in ("eng", "Latin"):
    all_parts = parts((source / f"{name}.traineddata").read_bytes())
    result = packed(container({number: all_parts[number] for number in (NETWORK, CHARACTERS, RECODER)}))
    (pathlib.Path(__file__).parent / f"{name}.xz").write_bytes(result)
    print(f"{name}: {len(result)} bytes")
