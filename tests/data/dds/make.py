#!/usr/bin/env python3
"""Makes the DirectDraw surfaces in this directory, and Pillow's (13.0) result for each.

Any bytes are a valid block, so the blocks are random: they use all modes of BC6H and BC7. The pictures are 18 × 14 pixels,
so that the blocks at two edges are cut.
"""

import random
import struct

from PIL import Image

WIDTH, HEIGHT = 18, 14
BLOCKS = 5 * 4


def header(four, dxgi=None):
    words = [124, 0x1007, HEIGHT, WIDTH] + [0] * 14
    words += [32, 4, struct.unpack("<I", four)[0], 0, 0, 0, 0, 0, 0x1000, 0, 0, 0, 0]
    head = b"DDS " + struct.pack("<31I", *words)
    if dxgi is not None:
        head += struct.pack("<5I", dxgi, 3, 0, 1, 0)
    return head


def make(name, size, four, dxgi=None, mode=None):
    source = random.Random(name)
    blocks = bytes(source.randrange(256) for _ in range(size * BLOCKS))
    with open(name + ".dds", "wb") as file:
        file.write(header(four, dxgi) + blocks)
    picture = Image.open(name + ".dds")
    picture.load()
    picture.convert(mode or picture.mode).save(name + ".png", optimize=True)


make("bc1", 8, b"DXT1")
make("bc2", 16, b"DXT3")
make("bc3", 16, b"DXT5")
make("bc4", 8, b"BC4U")
make("bc5", 16, b"BC5U")
make("bc5-signed", 16, b"DX10", 84)
make("bc6h", 16, b"DX10", 95)
make("bc7", 16, b"DX10", 98)
