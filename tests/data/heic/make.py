#!/usr/bin/env python3
"""Makes the pictures in this directory, and libheif's result for each.

Needs ImageMagick, ffmpeg with x265, and heif-convert (libheif). x265 codes the pictures, and the boxes around them are put
together here, for heif-enc makes no grids, overlays, cuts or turns.
"""

import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = tempfile.mkdtemp()


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout


def box(kind, *content):
    content = b"".join(content)
    return struct.pack(">I", 8 + len(content)) + kind.encode() + content


def full(kind, version, flags, *content):
    return box(kind, struct.pack(">I", version << 24 | flags), *content)


def units(stream):
    """The units of a byte stream, without their start codes."""
    found = []
    for part in stream.split(b"\0\0\1")[1:]:
        found.append(part.rstrip(b"\0"))
    return found


class Coded:
    """A picture encoded with x265."""

    def __init__(self, source, pixels="yuvj420p", options="", crf=18):
        path = os.path.join(WORK, "picture.265")
        parameters = f"crf={crf}:keyint=1:log-level=none:info=0"
        if options:
            parameters += ":" + options
        run("ffmpeg", "-y", "-i", source, "-frames:v", "1", "-pix_fmt", pixels, "-c:v", "libx265",
            "-x265-params", parameters, "-f", "hevc", path)
        with open(path, "rb") as file:
            found = units(file.read())
        kind = lambda unit: unit[0] >> 1 & 63
        parameters = [unit for unit in found if kind(unit) in (32, 33, 34)]
        self.data = b"".join(struct.pack(">I", len(unit)) + unit for unit in found if kind(unit) < 32)
        sequence = next(unit for unit in parameters if kind(unit) == 33)
        profile = sequence.replace(b"\0\0\3", b"\0\0")[3:15]
        chroma = 0 if "gray" in pixels else {"0": 1, "2": 2, "4": 3}[pixels.split("p")[0][-1]]
        depth = 2 if "10" in pixels else 4 if "12" in pixels else 0
        config = bytes([1]) + profile + b"\xf0\0\xfc" + bytes([0xFC | chroma, 0xF8 | depth, 0xF8 | depth])
        config += b"\0\0" + bytes([0x0F, len(parameters)])
        for unit in parameters:
            config += bytes([0x80 | kind(unit), 0, 1]) + struct.pack(">H", len(unit)) + unit
        size = run("identify", "-format", "%w %h", source).split()
        self.width, self.height = map(int, size)
        self.properties = [box("hvcC", config), ispe(self.width, self.height)]


def ispe(width, height):
    return full("ispe", 0, 0, struct.pack(">II", width, height))


def irot(quarters):
    return box("irot", bytes([quarters]))


def imir(axis):
    return box("imir", bytes([axis]))


def clap(width, height, across=0, down=0):
    """Offsets are in half pixels."""
    return box("clap", struct.pack(">IIIIiIiI", width, 1, height, 1, across, 2, down, 2))


def nclx(primaries, transfer, matrix, is_full):
    return box("colr", b"nclx", struct.pack(">HHHB", primaries, transfer, matrix, is_full << 7))


def auxc():
    return full("auxC", 0, 0, b"urn:mpeg:hevc:2015:auxid:1\0")


class File:
    def __init__(self):
        self.items = []
        self.references = []

    def add(self, kind, data, properties, is_hidden=False, is_inside=False, mime=b""):
        self.items.append((kind, data, properties, is_hidden, is_inside, mime))
        return len(self.items)

    def coded(self, picture, *properties, is_hidden=False):
        return self.add("hvc1", picture.data, picture.properties + list(properties), is_hidden)

    def derived(self, kind, data, parts, *properties, is_hidden=False):
        item = self.add(kind, data, list(properties), is_hidden, is_inside=bool(data))
        self.references.append(("dimg", item, parts))
        return item

    def refer(self, kind, item, others):
        self.references.append((kind, item, others))

    def write(self, name, primary, brand=b"heic", compatible=(b"mif1", b"heic")):
        properties = []
        for item in self.items:
            for entry in item[2]:
                if entry not in properties:
                    properties.append(entry)
        owned = struct.pack(">I", sum(bool(item[2]) for item in self.items))
        for number, item in enumerate(self.items, 1):
            if item[2]:
                owned += struct.pack(">HB", number, len(item[2]))
                owned += bytes(0x80 | 1 + properties.index(entry) for entry in item[2])
        entries = b"".join(
            full("infe", 2, int(item[3]), struct.pack(">HH", number, 0), item[0].encode(), b"\0", item[5])
            for number, item in enumerate(self.items, 1)
        )
        references = b"".join(
            box(kind, struct.pack(f">HH{len(others)}H", item, len(others), *others))
            for kind, item, others in self.references
        )
        inside = b"".join(item[1] for item in self.items if item[4])

        def meta(start):
            within, behind, places = 0, start, b""
            for number, item in enumerate(self.items, 1):
                method, at = (1, within) if item[4] else (0, behind)
                has_data = len(item[1]) > 0
                places += struct.pack(">HHHH", number, method, 0, int(has_data))
                if has_data:
                    places += struct.pack(">II", at, len(item[1]))
                if item[4]:
                    within += len(item[1])
                else:
                    behind += len(item[1])
            return full(
                "meta", 0, 0,
                full("hdlr", 0, 0, b"\0\0\0\0pict", b"\0" * 13),
                full("pitm", 0, 0, struct.pack(">H", primary)),
                full("iinf", 0, 0, struct.pack(">H", len(self.items)), entries),
                full("iref", 0, 0, references) if references else b"",
                box("iprp", box("ipco", *properties), full("ipma", 0, 0, owned)),
                full("iloc", 1, 0, struct.pack(">HH", 0x4400, len(self.items)), places),
                box("idat", inside) if inside else b"",
            )

        start = box("ftyp", brand, b"\0\0\0\0", *compatible)
        start += meta(len(start) + len(meta(0)) + 8)
        data = b"".join(item[1] for item in self.items if not item[4])
        with open(os.path.join(HERE, name + ".heic"), "wb") as file:
            file.write(start + box("mdat", data))


def see(name):
    """libheif's result, without the metadata about colours."""
    path = os.path.join(HERE, name)
    run("heif-convert", path + ".heic", path + ".png")
    run("convert", path + ".png", "-strip", "-depth", "8", "PNG32:" + path + ".png")


def source(name, size, *arguments):
    path = os.path.join(WORK, name + ".png")
    run("convert", "-size", size, "-seed", "5", "plasma:tomato-steelblue", "-blur", "0x2", "-fill", "white",
        "-draw", "rectangle 5,7 20,12", "-fill", "navy", "-draw", "circle 40,30 46,34", *arguments,
        "-depth", "8", "PNG24:" + path)
    return path


def simple(name, picture, *properties, **arguments):
    file = File()
    item = file.coded(picture, *properties)
    file.write(name, item, **arguments)
    see(name)


def main():
    small = source("small", "62x46")
    grey = source("grey", "62x46", "-colorspace", "Gray")
    fade = source("fade", "62x46", "-fx", "(i+12)/(w+12)")
    half = source("half", "31x23", "-fx", "(i+6)/(w+6)")
    large = source("large", "200x136")

    simple("plain420", Coded(small))
    simple("limited420", Coded(small, "yuv420p"))
    simple("plain422", Coded(small, "yuvj422p"))
    simple("plain444", Coded(small, "yuvj444p"))
    simple("grey", Coded(grey, "gray"))
    simple("ten420", Coded(small, "yuv420p10le"))
    simple("ten444", Coded(small, "yuv444p10le"))
    simple("twelve422", Coded(small, "yuv422p12le"))

    plain = Coded(small, "yuvj444p")
    for turns, axis in ((1, None), (2, None), (3, None), (0, 0), (0, 1), (1, 0), (3, 1)):
        properties = [irot(turns)] if turns else []
        properties += [imir(axis)] if axis is not None else []
        simple("turn%d%s" % (turns, "" if axis is None else "-mirror%d" % axis), plain, *properties)
    simple("cut", plain, clap(40, 30, -6, 4))
    simple("cut-turned", plain, clap(40, 30, -6, 4), irot(1))
    simple("any-brand", plain, brand=b"mif1", compatible=(b"mif1", b"miaf"))

    # Tiles of 64 x 64, with the last ones beyond the picture, and the same in 10 bits.
    for name, pixels in (("grid", "yuvj420p"), ("grid-ten", "yuv420p10le")):
        file = File()
        parts = []
        for at in range(12):
            tile = os.path.join(WORK, "tile.png")
            run("convert", large, "-virtual-pixel", "edge", "-set", "option:distort:viewport",
                "64x64+%d+%d" % (at % 4 * 64, at // 4 * 64), "-filter", "point", "-distort", "SRT", "0", "+repage", tile)
            parts.append(file.coded(Coded(tile, pixels), is_hidden=True))
        content = struct.pack(">BBBBHH", 0, 0, 2, 3, 200, 136)
        file.write(name, file.derived("grid", content, parts, ispe(200, 136), irot(3)))
        see(name)

    file = File()
    below = file.coded(Coded(large, "yuvj444p"), is_hidden=True)
    above = file.coded(plain, is_hidden=True)
    content = struct.pack(">BB4HHHhhhh", 0, 0, 0x4000, 0x8000, 0xC000, 0xFFFF, 180, 150, -40, -10, 130, 100)
    file.write("overlay", file.derived("iovl", content, [below, above], ispe(180, 150)))
    # heif-convert (libheif 1.15) draws garbage where neither picture is, so the parts are combined here.
    simple("overlay-below", Coded(large, "yuvj444p"))
    part = os.path.join(HERE, "overlay-below")
    run("convert", "-size", "180x150", "xc:#4080c0", part + ".png", "-geometry", "-40-10", "-composite",
        os.path.join(HERE, "plain444.png"), "-geometry", "+130+100", "-composite",
        "-depth", "8", "PNG32:" + os.path.join(HERE, "overlay.png"))
    for suffix in (".heic", ".png"):
        os.remove(part + suffix)

    file = File()
    inner = file.coded(plain, is_hidden=True)
    middle = file.derived("iden", b"", [inner], clap(40, 30, -6, 4), irot(1), is_hidden=True)
    file.write("identity", file.derived("iden", b"", [middle], clap(20, 20), imir(1)))
    see("identity")

    for name, alpha in (("alpha", Coded(fade, "gray")), ("alpha-small", Coded(half, "gray", crf=4)),
                        ("alpha420", Coded(fade, "yuvj420p"))):
        file = File()
        item = file.coded(plain)
        helper = file.add("hvc1", alpha.data, alpha.properties + [auxc()], True)
        file.refer("auxl", helper, [item])
        file.write(name, item)
        see(name)
    # heif-convert (libheif 1.15) leaves out transparency with a different size, so it is enlarged here.
    run("convert", os.path.join(HERE, "plain444.png"), "(", half, "-resize", "62x46!", ")", "-alpha", "off",
        "-compose", "CopyOpacity", "-composite", "-depth", "8", "PNG32:" + os.path.join(HERE, "alpha-small.png"))

    file = File()
    item = file.coded(plain, nclx(12, 13, 6, 1))
    block = b"II*\0\x08\0\0\0\x01\0\x0f\x01\x02\0\x09\0\0\0\x1a\0\0\0\0\0\0\0Somebody\0"
    exif = file.add("Exif", b"\0\0\0\x06Exif\0\0" + block, [])
    packet = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'
    xmp = file.add("mime", packet, [], mime=b"application/rdf+xml\0")
    for describing in (exif, xmp):
        file.refer("cdsc", describing, [item])
    file.write("described", item)
    see("described")


if __name__ == "__main__":
    sys.exit(main())
