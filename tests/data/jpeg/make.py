#!/usr/bin/env python3
"""Makes the JPEG files with 12 bits per sample in this directory, and the result of libjpeg-turbo (3.1, in imagecodecs)
for each.

Sequential files are written by libjpeg-turbo as well, progressive ones by dcmcjpeg of DCMTK (3.6), which is told by pydicom what to
encode. The pictures are 45 × 37 pixels, so that MCUs at two edges are cut.
"""

import math
import os
import subprocess
import tempfile

import imagecodecs
import numpy
import pydicom
from pydicom.uid import ExplicitVRLittleEndian, SecondaryCaptureImageStorage

WIDTH, HEIGHT = 45, 37


def scene(channels):
    """Waves of 12 bits from black to white, and an edge."""
    y, x = numpy.mgrid[:HEIGHT, :WIDTH]
    waves = [2048 + 2047 * numpy.sin(math.pi * (x * (3 - at) + y * (at + 1)) / 60) for at in range(channels)]
    picture = numpy.stack(waves, axis=-1).round().astype(numpy.uint16)
    picture[5:20, 8:17] = [4095, 100, 2000][:channels]
    return picture


def expected(name, samples):
    """Scales 12 bits to 16."""
    deep = (samples.astype(numpy.uint32) * 65535 + 2047) // 4095
    with open(name + ".png", "wb") as file:
        file.write(imagecodecs.png_encode(deep.astype(numpy.uint16)))


def written(name, code):
    with open(name + ".jpg", "wb") as file:
        file.write(code)
    expected(name, imagecodecs.jpeg8_decode(code))


def by_dcmtk(picture, option):
    """The codestream in the file that dcmcjpeg makes from a picture."""
    data = pydicom.Dataset()
    data.SOPClassUID = SecondaryCaptureImageStorage
    data.SOPInstanceUID = data.StudyInstanceUID = data.SeriesInstanceUID = "1.2.3.4"
    data.Rows, data.Columns, data.SamplesPerPixel = HEIGHT, WIDTH, 1
    data.PhotometricInterpretation = "MONOCHROME2"
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 16, 12, 11, 0
    data.PixelData = picture.tobytes()
    data["PixelData"].VR = "OW"
    data.file_meta = pydicom.dataset.FileMetaDataset()
    data.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    with tempfile.TemporaryDirectory() as folder:
        plain, packed = os.path.join(folder, "plain.dcm"), os.path.join(folder, "packed.dcm")
        pydicom.dcmwrite(plain, data, enforce_file_format=True)
        subprocess.run(["dcmcjpeg", option, "+bt", "+un", plain, packed], check=True)
        with open(packed, "rb") as file:
            content = file.read()
    return content[content.index(b"\xff\xd8\xff") : content.rindex(b"\xff\xd9") + 2]


grey, colour = scene(1), scene(3)
code = {"bitspersample": 12, "level": 95}
written("grey12", imagecodecs.jpeg8_encode(grey[..., 0], optimize=True, **code))
written("rgb12", imagecodecs.jpeg8_encode(colour, colorspace="RGB", outcolorspace="RGB", **code))
for name, subsampling in [("444", "444"), ("422", "422"), ("420", "420")]:
    written(name + "-12", imagecodecs.jpeg8_encode(colour, subsampling=subsampling, **code))
written("progressive12", by_dcmtk(grey[..., 0], "+ep"))
