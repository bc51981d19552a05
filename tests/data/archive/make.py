#!/usr/bin/env python3
"""Writes the 7z archives and the packed tape archive of this folder, with py7zr (1.1)."""

import io
import os
import stat
import tarfile
import tempfile

import py7zr

HERE = os.path.dirname(os.path.abspath(__file__))
PIXELS = bytes((x * 16, y * 20, 99) [c] for y in range(12) for x in range(16) for c in range(3))
PPM = b"P6 16 12 255\n" + PIXELS
WAV = (
    b"RIFF\x64\x03\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\x40\x03\0\0"
    + b"".join((i * i * 37 % 20000 - 10000).to_bytes(2, "little", signed=True) for i in range(416))
)
FONTS = os.path.join(HERE, "..", "documents", "fonts")
FILES = {
    "page.html": b"<!DOCTYPE html><title>Page</title><h1>Title</h1><p>Some <b>words</b>.<table border=1><tr><th>name"
    b"<th>count<tr><td>apples<td>1<tr><td>pears<td>2</table>",
    "picture.ppm": PPM,
    "sound.wav": WAV,
    "notes.md": b"# Title\n\nSome *words*.\n",
    "table.csv": b"name,count\na,1\nb,2\n",
    "titles.ass": b"[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Start, End, Text\n"
    b"Dialogue: 0:00:01.00,0:00:02.50,Some words\n",
}
for kind in ["woff", "woff2"]:
    with open(os.path.join(FONTS, f"letters.{kind}"), "rb") as font:
        FILES[f"letters.{kind}"] = font.read()
LZMA2 = [{"id": py7zr.FILTER_LZMA2, "preset": 1}]
LZMA = [{"id": py7zr.FILTER_LZMA, "preset": 1}]
X86 = [{"id": py7zr.FILTER_X86}, {"id": py7zr.FILTER_LZMA2, "preset": 1}]
PPMD = [{"id": py7zr.FILTER_PPMD, "order": 6, "mem": 24}]
BZIP2 = [{"id": py7zr.FILTER_BZIP2}]
COPY = [{"id": py7zr.FILTER_COPY}]
DEFLATE = [{"id": py7zr.FILTER_DEFLATE}]
AES = [{"id": py7zr.FILTER_LZMA2, "preset": 1}, {"id": py7zr.FILTER_CRYPTO_AES256_SHA256}]


def seven(name, files, filters, **more):
    with py7zr.SevenZipFile(os.path.join(HERE, name), "w", filters=filters, **more) as archive:
        for file, content in files.items():
            archive.writestr(content, file)


seven("all.7z", FILES, LZMA2)
seven("comic.cb7", {"10.ppm": PPM, "9.ppm": PPM, "ComicInfo.xml": b"<ComicInfo><Title>Nine</Title></ComicInfo>"}, LZMA)
NOTES = {"b/grün 10.md": b"# Ten\n", "b/grün 9.md": b"# Nine\n" * 500, "../up.md": b"", "empty.md": b""}
for name, filters in [("x86", X86), ("ppmd", PPMD), ("bzip2", BZIP2), ("copy", COPY), ("deflate", DEFLATE)]:
    seven(f"{name}.7z", {k: v for k, v in NOTES.items() if not k.startswith("..")}, filters)
seven("locked.7z", {"a.md": b"# A\n"}, AES, password="secret")
seven("locked-names.7z", {"a.md": b"# A\n"}, AES, password="secret", header_encryption=True)
with tempfile.TemporaryDirectory() as folder, py7zr.SevenZipFile(os.path.join(HERE, "link.7z"), "w", filters=LZMA2) as archive:
    os.symlink("/etc/passwd", os.path.join(folder, "link.md"))
    with open(os.path.join(folder, "a.md"), "wb") as file:
        file.write(b"# A\n")
    os.mkdir(os.path.join(folder, "folder"))
    archive.writeall(folder, "")
out = io.BytesIO()
with tarfile.open(fileobj=out, mode="w:bz2") as archive:
    for name, content in FILES.items():
        info = tarfile.TarInfo(name)
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
with open(os.path.join(HERE, "all.tar.bz2"), "wb") as file:
    file.write(out.getvalue())
