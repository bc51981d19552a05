#!/usr/bin/env python3
"""Draws the lines of text of the folder `lines`, which tests compare with Tesseract's reading: several fonts and sizes, some with
noise, blur, a tilt, JPEG's traces, a grey ground, white on black, or in black and white alone.

    apt-get install python3-pil python3-numpy fonts-dejavu fonts-liberation fonts-freefont-ttf
    python3 src/ocr/data/lines.py
"""

import io
import pathlib
import random

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONTS = [
    "dejavu/DejaVuSans.ttf", "dejavu/DejaVuSerif.ttf", "dejavu/DejaVuSansMono.ttf", "liberation/LiberationSans-Regular.ttf",
    "liberation/LiberationSerif-Italic.ttf", "liberation/LiberationSans-Bold.ttf", "freefont/FreeSerif.ttf", "freefont/FreeMono.ttf",
]
TEXTS = {
    "eng": [
        "The quick brown fox jumps over the lazy dog.", "Invoice No. 4711 of 12/03/2024", "Total due: $1,234.56 (VAT included)",
        "which shall not be less than thirty days;", "\"Are you sure?\" she asked, and left.", "SECTION 5. LIMITATION OF LIABILITY",
        "e-mail: john.smith@example.com", "minutes of the meeting held in May", "a well-known, half-forgotten tune",
        "It's 37% more than last year's figure", "Chapter 12: Of Ships & Sealing-Wax", "see Fig. 3b, p. 98 ff.",
    ],
    "deu": [
        "Zwölf Boxkämpfer jagen Viktor quer", "über den großen Sylter Deich.", "Rechnung Nr. 815 vom 1. März 2024",
        "Mit freundlichen Grüßen", "Straße, Hausnummer, Postleitzahl", "1.234,56 € einschließlich MwSt.",
    ],
}

folder = pathlib.Path(__file__).parent / "lines"
chance = random.Random(49)
noise = numpy.random.RandomState(49)
for language, texts in TEXTS.items():
    for number, text in enumerate(texts):
        size = chance.randint(15, 44)
        font = ImageFont.truetype(f"/usr/share/fonts/truetype/{FONTS[number % len(FONTS)]}", size)
        ground, ink = (215, 40) if number % 5 == 4 else (255, 0)
        left, top, right, bottom = font.getbbox(text)
        pad = max(3, size // 6)
        picture = Image.new("L", (right - left + 2 * pad, bottom - top + 2 * pad), ground)
        ImageDraw.Draw(picture).text((pad - left, pad - top), text, font=font, fill=ink)
        match number % 6:
            case 1:
                picture = picture.rotate(0.5, resample=Image.BICUBIC, fillcolor=ground)
            case 2:
                picture = picture.filter(ImageFilter.GaussianBlur(0.7))
            case 3:
                rough = numpy.asarray(picture) + noise.normal(0, 8, (picture.height, picture.width))
                picture = Image.fromarray(rough.clip(0, 255).astype("uint8"))
            case 4:
                packed = io.BytesIO()
                picture.save(packed, "JPEG", quality=25)
                picture = Image.open(packed).convert("L")
            case 5 if number > 6:
                picture = picture.point(lambda level: 255 - level)
            case 5:
                picture = picture.point(lambda level: 255 if level > 128 else 0)
        picture.save(folder / f"{language}{number:02}.png", optimize=True)
