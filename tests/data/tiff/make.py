#!/usr/bin/env python3
"""Makes the TIFFs in this directory: samples of every width, written by tifffile, and the expected pictures.

Needs numpy, Pillow, tifffile and imagecodecs. Integers go from black to white; floating point is linear light.
"""

import os

import numpy
import tifffile
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
HEIGHT, WIDTH = 13, 27


def picture(channels):
    """A ramp from 0 to 1, different in each channel; alpha is never 0."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    ramps = [x / (WIDTH - 1), y / (HEIGHT - 1), (x + y) / (WIDTH + HEIGHT - 2), 1 - x / WIDTH]
    ramps += [y * 0 + 0.5] * 8
    return numpy.stack(ramps[:channels], axis=-1)


def write(name, samples, photometric, seen, is_linear=False, **options):
    path = os.path.join(HERE, name)
    tifffile.imwrite(path + ".tiff", samples, photometric=photometric, metadata=None, software=False, **options)
    if is_linear:
        seen = numpy.where(seen <= 0.0031308, seen * 12.92, 1.055 * numpy.maximum(seen, 1e-9) ** (1 / 2.4) - 0.055)
    seen = numpy.rint(seen * 255).astype("u1")
    if seen.shape[-1] == 1:
        seen = seen[..., 0]
    Image.fromarray(seen).save(path + ".png", optimize=True)


def integers(name, bits, channels, photometric="rgb", shown=None, order="<", **options):
    kind = "u1" if bits <= 8 else "u2" if bits <= 16 else "u4"
    samples = numpy.rint(picture(channels) * (2**bits - 1))
    seen = (samples / (2**bits - 1))[..., : shown or channels]
    samples = samples.astype(order + kind)
    if channels == 1:
        samples = samples[..., 0]
    if bits % 8 or bits == 24:
        options["bitspersample"] = bits
    write(name, samples, photometric, seen, byteorder=order, **options)


def floats(name, kind, channels, photometric="rgb", order="<", **options):
    samples = picture(channels).astype(order + kind)
    seen = picture(channels)
    if channels == 1:
        samples, seen = samples[..., 0], numpy.repeat(seen, 3, axis=-1)
    write(name, samples, photometric, seen, True, byteorder=order, **options)


integers("grey10", 10, 1, "minisblack")
integers("grey12", 12, 1, "minisblack")
integers("grey14", 14, 1, "minisblack")
integers("rgb4", 4, 3)
integers("rgb12", 12, 3)
integers("rgb32", 32, 3)
integers("rgb32-big", 32, 3, order=">")
integers("rgb32-predicted", 32, 3, compression="lzw", predictor=2, rowsperstrip=4)
integers("rgb32-tiles", 32, 3, order=">", compression="deflate", predictor=2, tile=(16, 16))
integers("five8", 8, 5, shown=3, extrasamples=["unspecified", "unspecified"])
integers("six16", 16, 6, shown=4, extrasamples=["unassalpha", "unspecified", "unspecified"])
floats("half", "f2", 3)
floats("half-predicted", "f2", 3, compression="deflate", predictor=3)
floats("float-predicted", "f4", 3, order=">", compression="lzw", predictor=3, rowsperstrip=5)
floats("float-tiles", "f4", 3, compression="deflate", predictor=3, tile=(16, 16))
floats("grey-float", "f4", 1, "minisblack", compression="deflate", predictor=3)
floats("double", "f8", 3)
