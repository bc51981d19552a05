#!/usr/bin/env python3
"""Writes the files of this folder with DjVuLibre (3.5.28), minidjvu (0.8) and Pillow, each beside what `ddjvu` shows."""

import os
import re
import shutil
import subprocess
import tempfile

from PIL import Image, ImageDraw, ImageFont

HERE = os.path.dirname(os.path.abspath(__file__))
FONT = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf", 26)
WORK = tempfile.mkdtemp()


def run(*command):
    subprocess.run(command, check=True, cwd=WORK, stdout=subprocess.DEVNULL)


def path(name):
    return os.path.join(WORK, name)


def page(lines, size=(420, 150)):
    """A page of two colours with these lines of words, and the text behind it as `djvused` reads it."""
    picture = Image.new("1", size, 1)
    draw = ImageDraw.Draw(picture)
    found, height = [], size[1]
    for nth, line in enumerate(lines):
        x, words = 20, []
        for word in line.split():
            draw.text((x, 20 + 50 * nth), word, fill=0, font=FONT)
            left, top, right, bottom = draw.textbbox((x, 20 + 50 * nth), word, font=FONT)
            words.append(f'(word {left} {height - bottom} {right} {height - top} "{word}")')
            x = right + 12
        found.append(f"(line 20 {height - 60 - 50 * nth} {x} {height - 20 - 50 * nth} {' '.join(words)})")
    return picture, f"(page 0 0 {size[0]} {height} {' '.join(found)})"


def behind(file, *texts):
    """Puts texts behind the pages of a file."""
    script = "".join(f"select {nth}; set-txt\n{text}\n.\n" for nth, text in enumerate(texts, 1) if text)
    with open(path("script"), "w") as out:
        out.write(script + "save\n")
    run("djvused", "-f", path("script"), file)


def shown(file, name, number=1):
    run("ddjvu", "-format=ppm", f"-page={number}", file, path("shown.ppm"))
    picture = Image.open(path("shown.ppm"))
    colours = picture.getcolors(3)
    picture = picture.convert("1" if colours and len(colours) < 3 else "RGB")
    picture.save(os.path.join(HERE, name), optimize=True)


def out(name):
    return os.path.join(HERE, name)


first, text = page(["Some words on a", "page of shapes"])
first.save(path("first.pbm"))
run("cjb2", "-dpi", "150", path("first.pbm"), out("letters.djvu"))
behind(out("letters.djvu"), text)
shown(out("letters.djvu"), "letters.png")

# The same as it lies in a scanner, on its side, with a header that turns it upright.
first.rotate(90, expand=True).save(path("turned.pbm"))
run("cjb2", "-dpi", "150", path("turned.pbm"), out("turned.djvu"))
sides = lambda found: f"({found[1]} {150 - int(found[5])} {found[2]} {150 - int(found[3])} {found[4]}"
behind(out("turned.djvu"), re.sub(r"\((\w+) (\d+) (\d+) (\d+) (\d+)", sides, text))
with open(path("script"), "w") as script:
    script.write("select 1; set-rotation 3; save\n")
run("djvused", "-f", path("script"), out("turned.djvu"))

# Two pages whose shapes are in one dictionary, of which the second has no text.
second, _ = page(["words Some page"])
second.save(path("second.pbm"))
first.save(path("pages.tiff"), save_all=True, append_images=[second], compression="group4", dpi=(150, 150))
run("minidjvu", "--pages-per-dict", "2", path("pages.tiff"), path("pages.djvu"))
run("djvmcvt", "-b", path("pages.djvu"), out("pages.djvu"))
behind(out("pages.djvu"), text)
for number in [1, 2]:
    shown(out("pages.djvu"), f"pages-{number}.png", number)

# A photograph in wavelets.
photo = Image.linear_gradient("L").resize((83, 61))
photo = Image.merge("RGB", (photo, photo.rotate(180), photo.transpose(Image.Transpose.TRANSPOSE).resize((83, 61))))
photo.save(path("photo.ppm"))
run("c44", "-dpi", "100", "-slice", "74+10+6", path("photo.ppm"), out("photo.djvu"))
shown(out("photo.djvu"), "photo.png")

# Letters in two colours on a background of a third of their resolution.
letters, text = page(["Red and blue"], (403, 100))
with open(path("page.sep"), "wb") as sep:
    width, height = letters.size
    sep.write(f"R6 {width} {height} 2\n".encode() + bytes([200, 20, 20, 20, 20, 200]))
    for y in range(height):
        x = 0
        while x < width:
            colour = lambda x: 0xFFF if letters.getpixel((x, y)) else int(x > width // 2)
            start, kind = x, colour(x)
            while x < width and colour(x) == kind:
                x += 1
            sep.write((kind << 20 | x - start).to_bytes(4, "big"))
    small = photo.resize(((width + 2) // 3, (height + 2) // 3)).point(lambda level: 155 + level * 100 // 255)
    sep.write(f"P6 {small.width} {small.height} 255\n".encode() + small.tobytes())
run("csepdjvu", "-d", "150", path("page.sep"), out("colours.djvu"))
behind(out("colours.djvu"), text)
shown(out("colours.djvu"), "colours.png")

# An outline whose entries name their pages by number and by identifier, and one that leads to the web.
shutil.copy(out("pages.djvu"), out("outline.djvu"))
identifiers = subprocess.run(["djvused", "-e", "ls", out("outline.djvu")], capture_output=True, text=True, check=True).stdout
last = [line.split()[-1] for line in identifiers.splitlines() if re.match(r" *2 P", line)][0]
with open(path("script"), "w") as script:
    entries = f'("Some words on a" "#1" ("Größe" "#{last}") ("Site" "http://example.org")) ("End" "#2")'
    script.write(f"set-outline\n(bookmarks {entries})\n.\nsave\n")
run("djvused", "-u", "-f", path("script"), out("outline.djvu"))
