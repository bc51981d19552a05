#!/usr/bin/env python3
"""Measures the quality of OCR, compared with tesseract on the same pages.

    tests/corpora/ocr.py [--seeds 900-903] [--kinds plain,table] [--binary target/release/convertd] [--peer tesseract|none]
                         [--scans FOLDER] [--receipts FOLDER] [--list] [--keep FOLDER]

Pages are drawn from the manual's text with the fonts of this tree, so that the truth is known, and then spoiled as scans are. Seeds
below 900 are for trying things out, those from 900 on for the figures: rules that were found on pages must not be measured on them.

- characters: Levenshtein's distance to the truth in per cent of its length, white space as one blank, in reading order;
- words: the harmonic mean of precision and recall of words, wherever they stand, in per cent;
- seconds: of the processor, a page.

Tesseract is told the true resolution of drawn pages. Boxes of forms (☐) do not count: tesseract has no sign for them.

`--scans` takes the folder `testing` of tesseract-ocr/test, `--receipts` the folder `data` of zzzDavid/ICDAR-2019-SROIE. Neither is part
of this repository. It needs Python with Pillow, and tesseract for the second column.
"""

import argparse
import collections
import glob
import io
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unicodedata
import zlib

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont, ImageOps

ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "../.."))
FONTS = os.path.join(ROOT, "src/core/fonts")
BOXES = "☐☑☒□☑✓"
SAME = str.maketrans({"‘": "'", "’": "'", "`": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "−": "-", "•": "", **dict.fromkeys(BOXES)})


def plain(text):
    """Normalises a text: removes differences that do not count."""
    text = unicodedata.normalize("NFKC", text.translate(SAME)).replace("\x0c", " ")
    return " ".join(text.split())


def unhyphenated(text):
    """Joins words that are divided at the end of a line, as a paragraph without line breaks has them."""
    return re.sub(r"(\w)-[ \t]*\n\s*(?=[a-z])", r"\1", text)


def distance(a, b):
    """Levenshtein's distance, by Myers's algorithm on integers of any length."""
    if not a or not b:
        return len(a) + len(b)
    masks = collections.defaultdict(int)
    for place, letter in enumerate(a):
        masks[letter] |= 1 << place
    ones = (1 << len(a)) - 1
    last = 1 << (len(a) - 1)
    positive, negative, score = ones, 0, len(a)
    for letter in b:
        match = masks.get(letter, 0)
        diagonal = (((match & positive) + positive) ^ positive) | match | negative
        across = negative | ~(diagonal | positive) & ones
        down = positive & diagonal
        score += bool(across & last) - bool(down & last)
        across = (across << 1 | 1) & ones
        down = (down << 1) & ones
        positive = (down | ~(diagonal | across)) & ones
        negative = across & diagonal
    return score


def shared(a, b):
    """The number of words of each text, and of the words they share."""
    a, b = collections.Counter(a), collections.Counter(b)
    return sum(a.values()), sum(b.values()), sum((a & b).values())


def sentences():
    """Paragraphs of the manual, without markup and code."""
    found = []
    for path in sorted(glob.glob(os.path.join(ROOT, "src/service/manual/*.md"))):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"```.*?```", "", file.read(), flags=re.S)
        for block in re.split(r"\n\s*\n", text):
            block = " ".join(block.split())
            if re.match(r"[#|<>\-*\d]", block) or len(block) < 80:
                continue
            block = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", block).replace("`", "").replace("**", "")
            if all(31 < ord(letter) < 127 for letter in block):
                found.append(block)
    return found


class Page:
    """A drawn page, and its text in reading order."""

    def __init__(self, seed, kind, dpi):
        self.random = random.Random(f"{seed} {kind} {dpi}")
        self.dpi = dpi
        self.size = (round(8.27 * dpi), round(11.69 * dpi))
        self.image = Image.new("L", self.size, 255)
        self.draw = ImageDraw.Draw(self.image)
        self.lines = []
        self.texts = sentences()
        self.family = self.random.choice(["Arimo", "Tinos", "ConvertdSans", "Caladea", "Arimo", "Tinos"])

    def font(self, points, style="Regular", family=None):
        path = os.path.join(FONTS, f"{family or self.family}-{style}.ttf.zlib")
        with open(path, "rb") as file:
            data = zlib.decompress(file.read())
        return ImageFont.truetype(io.BytesIO(data), points * self.dpi / 72)

    def pt(self, points):
        return points * self.dpi / 72

    def text(self, x, y, text, font, fill=0):
        self.draw.text((self.pt(x), self.pt(y)), text, font=font, fill=fill)
        self.lines.append(text)

    def wrapped(self, text, font, width):
        line = ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and font.getlength(longer) > self.pt(width):
                yield line
                line = word
            else:
                line = longer
        yield line

    def column(self, x, y, width, bottom, size, leading=1.25, style="Regular", fill=0, family=None):
        font = self.font(size, style, family)
        while y < bottom:
            for line in self.wrapped(self.random.choice(self.texts), font, width):
                if y >= bottom:
                    break
                self.text(x, y, line, font, fill)
                y += size * leading
            y += size * 0.6
        return y


def one(page):
    page.column(60, 60, 475, 780, page.random.choice([10, 11, 12]))


def small(page):
    page.column(60, 60, 475, 500, 8, 1.2)


def two(page):
    page.text(60, 50, "A Title Across Both of the Columns", page.font(18, "Bold"))
    gap = page.random.choice([14, 18, 24])
    width = (475 - gap) / 2
    page.column(60, 90, width, 780, 9.5)
    page.column(60 + width + gap, 90, width, 780, 9.5)


def headings(page):
    y = 50
    for size in (28, 20, 16, 14):
        title = " ".join(page.random.choice(page.texts).split()[:4])
        page.text(60, y, title, page.font(size, "Bold"))
        y = page.column(60, y + size * 1.7, 475, y + size + 110, 10.5) + 14


def letter(page):
    font = page.font(11)
    y = 60
    for line in ("Miller & Sons Ltd.", "14 Station Road, Unit 7", "Leeds LS1 4AB", "Phone: +44 113 496 0842", "office@miller-sons.example"):
        page.text(340, y, line, font)
        y += 14
    y += 20
    for line in ("Mrs. J. O'Connor", "27 King's Lane", "York YO1 7HH"):
        page.text(60, y, line, font)
        y += 14
    y += 24
    day, year = page.random.randrange(1, 28), page.random.randrange(1995, 2027)
    page.text(60, y, f"{day} March {year}", font)
    y += 28
    page.text(60, y, f"Invoice No. {page.random.randrange(10000, 99999)}/{year % 100:02}", page.font(12, "Bold"))
    y += 26
    page.text(60, y, "Dear Mrs. O'Connor,", font)
    y = page.column(60, y + 22, 475, y + 260, 11)
    page.text(60, y + 6, "Yours sincerely,", font)
    page.text(60, y + 50, "Thomas A. Miller", font)


def table(page):
    page.text(60, 50, "Price List " + str(page.random.randrange(2000, 2030)), page.font(16, "Bold"))
    font = page.font(10)
    xs = [60, 130, 350, 420, 500, 545]
    y, step = 90, page.random.choice([16, 18, 20])
    words = [word for text in page.texts for word in text.split() if word.isalpha() and len(word) > 3]
    rows = [("Item", "Description", "Pieces", "Price", "%")]
    for _ in range(page.random.randrange(18, 30)):
        rows.append((
            f"{page.random.choice('ABCDEFGHKLMN')}-{page.random.randrange(100, 9999)}",
            " ".join(page.random.choice(words) for _ in range(page.random.randrange(2, 4))),
            str(page.random.randrange(1, 400)),
            f"{page.random.randrange(0, 9999)}.{page.random.randrange(100):02}",
            str(page.random.randrange(1, 20)),
        ))
    width = max(1, round(page.pt(page.random.choice([0.5, 0.75, 1]))))
    for row in rows:
        texts = []
        for x, cell in zip(xs, row):
            page.draw.text((page.pt(x + 4), page.pt(y + (step - 12) / 2)), cell, font=font, fill=0)
            texts.append(cell)
        page.lines.append(" ".join(texts))
        page.draw.line((page.pt(xs[0]), page.pt(y), page.pt(xs[-1]), page.pt(y)), fill=0, width=width)
        y += step
    page.draw.line((page.pt(xs[0]), page.pt(y), page.pt(xs[-1]), page.pt(y)), fill=0, width=width)
    for x in xs:
        page.draw.line((page.pt(x), page.pt(90), page.pt(x), page.pt(y)), fill=0, width=width)


def form(page):
    page.text(60, 50, "Application for a Permit", page.font(16, "Bold"))
    font = page.font(10.5)
    y = 90
    width = max(1, round(page.pt(0.75)))
    labels = ["Family name", "Given names", "Date of birth", "Street and number", "Postcode", "City", "Telephone", "Occupation"]
    for label in labels:
        page.text(60, y, label, font)
        page.draw.line((page.pt(200), page.pt(y + 13), page.pt(530), page.pt(y + 13)), fill=0, width=width)
        y += 24
    for question, answers in (
        ("Marital status", ("single", "married", "divorced")),
        ("Vehicle", ("car", "motorcycle", "van", "other")),
        ("Notify by", ("letter", "telephone", "email")),
    ):
        page.text(60, y, question, font)
        x = 200
        for answer in answers:
            page.draw.rectangle((page.pt(x), page.pt(y + 1), page.pt(x + 9), page.pt(y + 10)), outline=0, width=width)
            if page.random.random() < 0.3:
                page.draw.line((page.pt(x + 1), page.pt(y + 2), page.pt(x + 8), page.pt(y + 9)), fill=0, width=width + 1)
                page.draw.line((page.pt(x + 1), page.pt(y + 9), page.pt(x + 8), page.pt(y + 2)), fill=0, width=width + 1)
            page.lines[-1] += " " + answer
            page.draw.text((page.pt(x + 14), page.pt(y)), answer, font=font, fill=0)
            x += 85
        y += 24
    page.draw.rectangle((page.pt(56), page.pt(y + 4), page.pt(540), page.pt(y + 140)), outline=0, width=width)
    page.column(62, y + 10, 465, y + 120, 9.5)


def dark(page):
    """Headers with light letters on a dark background."""
    y = 50
    for _ in range(4):
        title = " ".join(page.random.choice(page.texts).split()[:6])
        grey = page.random.choice([0, 40, 80])
        page.draw.rectangle((page.pt(56), page.pt(y), page.pt(540), page.pt(y + 22)), fill=grey)
        page.text(64, y + 4, title, page.font(11, "Bold"), 255)
        y = page.column(60, y + 32, 475, y + 120, 10.5) + 14


def spoiled(page, how):
    """Changes the page as a scanner or a camera would."""
    image, rng = page.image, page.random
    if how == "turned":
        angle = rng.choice([-1, 1]) * rng.uniform(1.2, 2.2)
        return image.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255)
    if how == "jpeg":
        file = io.BytesIO()
        image.filter(ImageFilter.GaussianBlur(0.6)).save(file, "JPEG", quality=30)
        return Image.open(file).convert("L")
    if how == "noise":
        noise = Image.effect_noise(image.size, 50)
        return ImageChops.add(image.point(lambda v: 30 + v * 200 // 255), noise, 1, -128)
    if how == "salt":
        pixels = image.load()
        for _ in range(image.width * image.height // 50):
            pixels[rng.randrange(image.width), rng.randrange(image.height)] = rng.choice([0, 255])
        return image
    if how == "light":
        shade = Image.linear_gradient("L").rotate(rng.choice([0, 90, 180, 270]) + 20, expand=False, fillcolor=128)
        shade = shade.crop((40, 40, 216, 216)).resize(image.size, Image.Resampling.BICUBIC)
        shade = shade.point(lambda v: 90 + v * 165 // 255)
        noise = Image.effect_noise(image.size, 12)
        return ImageChops.add(ImageChops.multiply(image, shade), noise, 1, -128)
    if how == "black":
        return ImageOps.invert(image)
    if how == "bits":
        return image.convert("1", dither=Image.Dither.NONE).convert("L")
    if how == "blur":
        return image.filter(ImageFilter.GaussianBlur(rng.uniform(1.0, 1.5) * page.dpi / 200))
    return image


# Name: layout, resolution, distortions.
KINDS = {
    "plain 300": (one, 300, ""),
    "plain 200": (one, 200, ""),
    "plain 150": (one, 150, ""),
    "plain 100": (one, 100, ""),
    "columns 300": (two, 300, ""),
    "columns 200": (two, 200, ""),
    "columns 150": (two, 150, ""),
    "table 300": (table, 300, ""),
    "table 200": (table, 200, ""),
    "table 150": (table, 150, ""),
    "table 100": (table, 100, ""),
    "form 200": (form, 200, ""),
    "form 300": (form, 300, ""),
    "letter 300": (letter, 300, ""),
    "letter 200": (letter, 200, ""),
    "headings 200": (headings, 200, ""),
    "headings 100": (headings, 100, ""),
    "8 pt 300": (small, 300, ""),
    "8 pt 200": (small, 200, ""),
    "dark boxes 200": (dark, 200, ""),
    "turned plain": (one, 200, "turned"),
    "turned columns": (two, 200, "turned"),
    "turned table": (table, 200, "turned"),
    "jpeg 30": (one, 150, "jpeg"),
    "blur": (one, 200, "blur"),
    "bits": (one, 200, "bits"),
    "noise": (one, 200, "noise"),
    "white on black": (one, 200, "black"),
    "salt": (one, 200, "salt"),
    "light": (letter, 200, "light"),
    "light plain": (one, 150, "light"),
}
# Kinds on which tesseract fails completely: one of the means excludes them.
SPOILT = ("salt", "light", "light plain")


def run(command):
    """Standard output of a command, and the processor time in seconds."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    return out.decode("utf-8", "replace"), usage.ru_utime + usage.ru_stime


def readers(options):
    found = {"convertd": lambda path, dpi, language: run([*shlex.split(options.reader.format(binary=options.binary)), path])}
    if "{path}" in options.reader:
        found["convertd"] = lambda path, dpi, language: run(
            shlex.split(options.reader.format(binary=options.binary, path=path, language=language))
        )
    if options.peer != "none":
        os.environ["OMP_THREAD_LIMIT"] = "1"
        found["tesseract"] = lambda path, dpi, language: run(
            [options.peer, path, "-", "--psm", "3", "-l", language, *(["--dpi", str(dpi)] if dpi else [])]
        )
    return found


class Figures:
    """Results of one program for one kind of page."""

    def __init__(self):
        self.errors = self.letters = self.true = self.read = self.same = self.seconds = self.pages = 0

    def add(self, truth, text, seconds, words=str.split):
        self.errors += distance(truth, text)
        self.letters += len(truth)
        true, read, same = shared(words(truth), words(text))
        self.true, self.read, self.same = self.true + true, self.read + read, self.same + same
        self.seconds += seconds
        self.pages += 1

    def rate(self):
        return 100 * self.errors / max(1, self.letters)

    def words(self):
        return 200 * self.same / max(1, self.true + self.read)

    def __str__(self):
        return f"{self.rate():7.2f} {self.words():6.1f} {self.seconds / max(1, self.pages):6.2f}"


def drawn(options, read, table):
    kinds = [kind for kind in KINDS if not options.kinds or any(kind.startswith(part) for part in options.kinds.split(","))]
    first, _, last = options.seeds.partition("-")
    for kind in kinds:
        layout, dpi, how = KINDS[kind]
        for seed in range(int(first), int(last or first) + 1):
            page = Page(seed, kind, dpi)
            layout(page)
            image = spoiled(page, how)
            truth = plain(" ".join(page.lines))
            path = os.path.join(options.keep, f"{kind.replace(' ', '-')}-{seed}.png")
            image.save(path)
            with open(path[:-3] + "txt", "w", encoding="utf-8") as file:
                file.write("\n".join(page.lines))
            for name, reader in read.items():
                text, seconds = reader(path, dpi, "eng")
                table[kind][name].add(truth, plain(text), seconds)
                if options.list:
                    print(f"{path} {name} {100 * distance(truth, plain(text)) / len(truth):.2f}")
        show(kind, table[kind])


def scans(options, read, table):
    """Pages with their ground truth, in which the order is that of zones, so only words count."""
    for name, language in (("phototest", "eng"), ("eurotext", "Latin"), ("8071_093.3B", "eng"), ("8087_054.3B", "eng")):
        path = os.path.join(options.scans, name)
        with open(path + ".txt", encoding="utf-8", errors="replace") as file:
            truth = plain(unhyphenated(file.read()))
        for reader in read:
            text, seconds = read[reader](path + ".tif", None, language)
            table[name][reader].add(truth, plain(unhyphenated(text)), seconds)
        show(name, table[name])


def receipts(options, read, table):
    """Receipts: their words of letters and digits without order, in capitals."""

    def words(text):
        return re.findall(r"[A-Z0-9]+", text)

    paths = sorted(glob.glob(os.path.join(options.receipts, "img/*.jpg")))
    for path in paths[options.first :: options.every]:
        boxes = path.replace("/img/", "/box/")[:-3] + "csv"
        with open(boxes, encoding="utf-8", errors="replace") as file:
            truth = " ".join(line.rstrip("\n").split(",", 8)[-1] for line in file)
        for reader in read:
            text, seconds = read[reader](path, None, "eng")
            table["receipts"][reader].add(plain(truth).upper(), plain(text).upper(), seconds, words)
            if options.list:
                one = Figures()
                one.add(plain(truth).upper(), plain(text).upper(), seconds, words)
                print(path, reader, one)
    show("receipts", table["receipts"])


def show(kind, row):
    print(f"{kind:16}" + "".join(f" | {figures}" for figures in row.values()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="900-901")
    parser.add_argument("--kinds", default="")
    parser.add_argument("--binary", default="target/release/convertd")
    parser.add_argument("--reader", default="{binary} convert {path} - --to txt --option language={language}")
    parser.add_argument("--peer", default="tesseract")
    parser.add_argument("--scans")
    parser.add_argument("--receipts")
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only-scans", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        options.keep = options.keep or folder
        os.makedirs(options.keep, exist_ok=True)
        read = readers(options)
        table = collections.defaultdict(lambda: {name: Figures() for name in read})
        print(f"{'':16}" + "".join(f" | {name:>21}" for name in read))
        print(f"{'':16}" + " |   chars  words seconds"[:24] * len(read))
        if not options.only_scans:
            drawn(options, read, table)
            total(table, "all kinds", read, lambda kind: True)
            total(table, "without spoilt", read, lambda kind: kind not in SPOILT)
        if options.scans:
            scans(options, read, table)
        if options.receipts:
            receipts(options, read, table)


def total(table, title, read, keep):
    """Means over kinds, each with the same weight."""
    kinds = [kind for kind in table if keep(kind)]
    row = f"{title:16}"
    for name in read:
        mean = [sum(value(table[kind][name]) for kind in kinds) / max(1, len(kinds)) for value in (Figures.rate, Figures.words)]
        seconds = sum(table[kind][name].seconds / max(1, table[kind][name].pages) for kind in kinds) / max(1, len(kinds))
        row += f" | {mean[0]:7.2f} {mean[1]:6.1f} {seconds:6.2f}"
    print(row, flush=True)


if __name__ == "__main__":
    sys.exit(main())
