#!/usr/bin/env python3
"""Converts every file of a folder with convertd, and compares the results with those of other decoders.

    tests/corpora/run.py FOLDER [--binary target/release/convertd] [--expect tests/corpora/expected.txt]
                         [--only EXT,EXT] [--jobs N] [--list] [--fonts DIR]

The folder holds the test files of other projects, which are not part of this repository; tests/corpora/README.md tells
where they come from. Pictures become PNG, and are compared with what Pillow, ImageMagick, libvips and ffmpeg read, or the
format's own decoder, and with a PNG of their name beside them; sounds become WAV, and are compared with what ffmpeg reads. A
drawing with a PNG of its name beside it is drawn as wide as that, and compared with it alone. A file counts as

    right     if at least one other decoder gives the same, but for rounding
    close     if one gives nearly the same (30 dB): another way to interpolate colour, or to draw text
    wrong     if all of them give something else
    refused   if convertd refuses what another decoder reads
    damaged   if all of them refuse it
    alone     if convertd reads what no other decoder here does, so that nothing is known about the result

One decoder that agrees is enough, since they often disagree with each other. Lines of expected.txt state what else is
all right, and why. The exit code is 1 if a file is wrong or refused that is not in that list.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import io
import os
import subprocess
import sys
import tempfile
import warnings

import numpy
from PIL import Image, ImageCms, ImageOps

PICTURES = set(
    "png apng jpg jpeg jpe jfif gif bmp dib rle ico cur tif tiff webp avif heic heif hif pbm pgm ppm pam pnm pfm tga icb"
    " vda vst qoi psd psb exr hdr jxl ff dds pcx svg icns jp2 j2k jpx j2c jpf jph cr2 cr3 nef arw dng raf orf rw2".split()
)
SOUNDS = set(
    "mp3 wav wave rf64 flac ogg oga opus m4a m4b aac aif aiff aifc au snd caf mka webm mp4 mov 3gp ape wv ac3 mp2 mp1 bit".split()
)
STATES = ["right", "close", "wrong", "refused", "damaged", "alone"]
SECONDS = 60

# Pictures with more than twice this number of pixels are not compared, to save memory.
Image.MAX_IMAGE_PIXELS = 1 << 24
warnings.simplefilter("ignore")


def start(*command):
    """Runs a program. Returns its exit code, standard output and standard error."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return 124, b"", "took too long"
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()


def pixels(picture):
    """The first frame as 8-bit RGBA, with colours multiplied by alpha, so that invisible colours do not count."""
    if picture.mode.startswith(("I;16", "I")):
        grey = numpy.asarray(picture).astype(numpy.float32)
        grey = numpy.clip(grey / 257 if grey.max() > 255 else grey, 0, 255)
        found = numpy.stack([grey, grey, grey, numpy.full_like(grey, 255)], axis=-1)
    else:
        found = numpy.asarray(picture.convert("RGBA")).astype(numpy.float32)
    found[..., :3] *= found[..., 3:] / 255
    return found


def readings(path):
    """A PNG with its raw values, and in sRGB if it has a profile."""
    with Image.open(path) as picture:
        picture.load()
        found, profile = [pixels(picture)], picture.info.get("icc_profile")
        if profile:
            try:
                source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
                mode = "RGBA" if picture.mode == "RGBA" else "RGB"
                target = ImageCms.createProfile("sRGB")
                found.append(pixels(ImageCms.profileToProfile(picture, source, target, outputMode=mode)))
            except ImageCms.PyCMSError:
                pass
        return found


def pillow(path, _folder):
    with Image.open(path) as picture:
        picture.load()
        return [pixels(ImageOps.exif_transpose(picture)), pixels(picture)]


def magick(path, folder):
    """ImageMagick's result."""
    out = os.path.join(folder, "magick.png")
    code, _, said = start("/usr/bin/convert", path + "[0]", "-auto-orient", "-depth", "8", "PNG32:" + out)
    if code != 0 or not os.path.exists(out):
        raise ValueError(said)
    return readings(out)


def by_program(*command):
    """Makes a reader that starts a program with the names of the file and of the PNG to write."""

    def read(path, folder):
        out = os.path.join(folder, "program.png")
        code, _, said = start(*[part.format(path=path, out=out) for part in command])
        if code != 0 or not os.path.exists(out):
            raise ValueError(said)
        return readings(out)

    return read


def openexr(path, _folder):
    """The reference library's result for the first part, in its display window, as sRGB."""
    import OpenEXR

    with OpenEXR.File(path) as file:
        part = file.parts[0]
        planes = {name: channel.pixels.astype(numpy.float32) for name, channel in part.channels.items()}
        if {"Y", "RY", "BY"} <= set(planes):
            luma = planes["Y"]
            # Chroma has half the resolution; the three colours make up luma according to Rec. 709.
            red, blue = [
                (planes[name].repeat(2, 0).repeat(2, 1)[: luma.shape[0], : luma.shape[1]] + 1) * luma
                for name in ("RY", "BY")
            ]
            samples = numpy.dstack([red, (luma - 0.2126 * red - 0.0722 * blue) / 0.7152, blue])
        else:
            name = next(name for name in ("RGBA", "RGB", "Y") if name in planes)
            samples = numpy.atleast_3d(planes[name])
            samples = samples.repeat(3, axis=-1) if name == "Y" else samples
        is_opaque = samples.shape[-1] == 3 and "A" not in planes
        if samples.shape[-1] == 3:
            samples = numpy.dstack([samples, planes.get("A", numpy.ones(samples.shape[:2]))])
        (left, top), _ = part.header["dataWindow"]
        (x0, y0), (x1, y1) = part.header["displayWindow"]
    window = numpy.zeros((y1 - y0 + 1, x1 - x0 + 1, 4))
    left, top = left - x0, top - y0
    shown = samples[max(-top, 0) :, max(-left, 0) :][: len(window) - max(top, 0), : window.shape[1] - max(left, 0)]
    window[max(top, 0) :, max(left, 0) :][: shown.shape[0], : shown.shape[1]] = shown
    light = numpy.nan_to_num(window[..., :3])
    alpha = numpy.nan_to_num(window[..., 3:]).clip(is_opaque, 1)
    # OpenEXR multiplies colours by alpha in linear light; the compared colours are multiplied only after conversion to
    # sRGB.
    light = numpy.where(alpha > 0, light / numpy.maximum(alpha, 1e-9), light).clip(0, 1)
    coded = numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return [numpy.dstack([255 * coded * alpha, 255 * alpha])]


VIPS = by_program("vips", "copy", "{path}", "{out}")


def conformance(path, _folder):
    """The reference picture of libjxl's conformance files, for which some versions of djxl are too old."""
    return readings(os.path.join(os.path.dirname(os.path.realpath(path)), "ref.png"))


FFMPEG = by_program("ffmpeg", "-v", "error", "-i", "{path}", "-frames:v", "1", "-pix_fmt", "rgba", "{out}")
READERS = {
    "avif": [by_program("avifdec", "{path}", "{out}"), pillow],
    "heic": [by_program("heif-convert", "{path}", "{out}")],
    "jxl": [conformance, by_program("djxl", "{path}", "{out}")],
    "svg": [by_program("rsvg-convert", "-o", "{out}", "{path}")],
    "exr": [openexr, magick],
    "hdr": [magick],
}
READERS["heif"] = READERS["hif"] = READERS["heic"]
OPENJPEG = by_program("opj_decompress", "-quiet", "-i", "{path}", "-o", "{out}")
for extension in ("jp2", "j2k", "j2c", "jpf", "jpx", "jph"):
    READERS[extension] = [pillow, magick, VIPS, FFMPEG, OPENJPEG]


def distance(one, other):
    """Distance of two pictures: None if their sizes differ, otherwise the root of the mean square, and the maximum."""
    if one.shape != other.shape:
        return None
    difference = numpy.abs(one - other)
    return float(numpy.sqrt((difference**2).mean())), float(difference.max())


def picture(program, path, extension, folder):
    out = os.path.join(folder, "out.png")
    beside = path[: -len(extension)] + "png"
    command, readers = [*program, path, out], READERS.get(extension, [pillow, magick, VIPS, FFMPEG])
    if extension == "svg" and os.path.exists(beside):
        [expected, *_] = readings(beside)
        command += ["--option", f"width={expected.shape[1]}"]
        readers = [lambda _path, _folder: [expected]]
    elif extension != "png" and os.path.exists(beside):
        readers = [*readers, lambda _path, _folder: readings(beside)]
    code, _, said = start(*command)
    references, verdicts = [], []
    for reader in readers:
        try:
            found = reader(path, folder)
        except Exception as err:  # Each decoder has its own errors.
            verdicts.append(str(err)[:80])
            continue
        references += found
        if code == 0:
            apart = [d for got in readings(out) for other in found if (d := distance(got, other))]
            if any(rms <= 1.0 for rms, _ in apart):
                return "right", ""
    if code != 0:
        return ("refused" if references else "damaged"), said.splitlines()[-1] if said else f"exit code {code}"
    if not references:
        return "alone", "no other decoder reads it"
    result = readings(out)
    apart = [d for got in result for other in references if (d := distance(got, other))]
    if not apart:
        got = result[0]
        sizes = {f"{r.shape[1]}x{r.shape[0]}" for r in references}
        return "wrong", f"{got.shape[1]}x{got.shape[0]} instead of {' or '.join(sorted(sizes))}"
    rms, largest = min(apart)
    return ("close" if rms <= 8 else "wrong"), f"differs by {rms:.1f} on average, {largest:.0f} at most"


def decoded(path):
    """The first track as floating point in a range that a WAV file of integers can hold, its channels and its sample
    rate."""
    probe = ["-select_streams", "a:0", "-show_entries", "stream=codec_name,channels,sample_rate", "-of", "csv=p=0"]
    code, facts, _ = start("ffprobe", "-v", "error", *probe, path)
    codec, *facts = facts.decode().strip().split("\n")[0].split(",")[:3]
    if code != 0 or len(facts) < 2 or not facts[1].isdigit() or not int(facts[1]):
        return None
    # The reference decoder, because ffmpeg's own resamples in a different way.
    by = ["-c:a", "libopus"] if codec == "opus" else []
    code, raw, _ = start("ffmpeg", "-v", "error", *by, "-i", path, "-map", "0:a:0", "-f", "f32le", "-")
    if not raw:
        return None
    return facts, numpy.frombuffer(raw[: len(raw) // 4 * 4], "<f4").astype(numpy.float64).clip(-1, 1)


def sound(program, path, _extension, folder):
    out = os.path.join(folder, "out.wav")
    code, _, said = start(*program, path, out)
    reference = decoded(path)
    if code != 0:
        return ("refused" if reference else "damaged"), said.splitlines()[-1] if said else f"exit code {code}"
    got = decoded(out)
    if reference is None:
        return "alone", "no other decoder reads it"
    if got is None:
        return "wrong", "ffmpeg cannot read the result"
    if got[0] != reference[0]:
        return "wrong", f"channels and rate {got[0]} instead of {reference[0]}"
    channels = max(int(reference[0][1]), 1)
    one, other = got[1], reference[1]
    length = min(len(one), len(other))
    extra = abs(len(one) - len(other)) // channels
    if length == 0:
        return ("right" if extra == 0 else "wrong"), f"{extra} samples more or less"
    noise = numpy.sqrt(((one[:length] - other[:length]) ** 2).mean())
    if noise > 1e-3:
        return "wrong", f"noise of {noise:.4f}, {extra} samples more or less"
    if extra == 0:
        return "right", ""
    return ("close" if extra <= 4096 else "wrong"), f"{extra} samples more or less"


def judged(task):
    program, path, extension = task
    with tempfile.TemporaryDirectory() as folder:
        judge = picture if extension in PICTURES else sound
        try:
            return path, extension, *judge(program, path, extension, folder)
        except Exception as err:
            return path, extension, "wrong", f"the comparison failed: {err}"


def expectations(path):
    """Reads lines with patterns of names, the accepted state, and the reason."""
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        lines = [line.strip() for line in lines]
    return [line.split(None, 2) for line in lines if line and not line.startswith("#")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("folder")
    parser.add_argument("--binary", default=os.path.join(here, "../../target/release/convertd"))
    parser.add_argument("--expect", default=os.path.join(here, "expected.txt"))
    parser.add_argument("--only", default="", help="extensions, separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--fonts", help="a directory with the fonts that drawings name")
    parser.add_argument("--list", action="store_true", help="also list what is close, damaged, or read by nobody else")
    asked = parser.parse_args()

    only = set(asked.only.split(",")) - {""} or PICTURES | SOUNDS
    program = [asked.binary, "convert", "--force"] + (["--fonts", asked.fonts] if asked.fonts else [])
    tasks = []
    for root, _, names in os.walk(asked.folder):
        for name in sorted(names):
            extension = name.rsplit(".", 1)[-1].lower()
            if extension in only and os.path.getsize(os.path.join(root, name)):
                tasks.append((program, os.path.join(root, name), extension))
    expected = expectations(asked.expect)
    counts = collections.defaultdict(collections.Counter)
    surprises = []
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for path, extension, state, why in pool.map(judged, tasks):
            name = os.path.relpath(path, asked.folder)
            reason = next((e[2] for e in expected if fnmatch.fnmatch(name, "*" + e[0]) and e[1] == state), None)
            counts[extension][state if reason is None else "expected"] += 1
            surprise = state in ("wrong", "refused") and reason is None
            if surprise or (asked.list and state in ("close", "damaged", "alone")):
                surprises.append((extension, state, name, why))
    for extension, state, name, why in sorted(surprises):
        print(f"{state}\t{name}\t{why[:160]}")
    columns = STATES + ["expected"]
    print("\n| format | files | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 2) + "|")
    for extension in sorted(counts):
        row = counts[extension]
        print(f"| {extension} | {sum(row.values())} | " + " | ".join(str(row[c]) for c in columns) + " |")
    sys.exit(any(state in ("wrong", "refused") for _, state, _, _ in surprises))


if __name__ == "__main__":
    main()
