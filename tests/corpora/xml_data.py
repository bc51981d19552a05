"""Compares what convertd reads in XML files as data with what `xmltodict` reads.

    xml_data.py PROGRAM FILE...

White space around texts does not count. Prints the files that only one of the two reads, and those that differ.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import xmltodict

# Files of one call of the program.
TOGETHER = 40


def plain(value):
    if isinstance(value, dict):
        made = {name: plain(inner) for name, inner in value.items()}
        return {name: inner for name, inner in made.items() if name != "#text" or inner is not None}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return " ".join(value.split()) or None if isinstance(value, str) else value


def made(program, files):
    with tempfile.TemporaryDirectory() as folder:
        places = []
        for number, file in enumerate(files):
            place = pathlib.Path(folder, f"{number}.xml")
            place.write_bytes(file.read_bytes())
            places.append(place)
        results = pathlib.Path(folder, "results")
        command = [program, "convert", *places, "--to", "json", "--out-dir", results, "--quiet"]
        subprocess.run(command, stderr=subprocess.DEVNULL)
        for number in range(len(files)):
            result = results / f"{number}.json"
            yield json.loads(result.read_text()) if result.exists() else None


def main():
    counts = collections.Counter()
    files = [pathlib.Path(name) for name in sys.argv[2:]]
    for start in range(0, len(files), TOGETHER):
        batch = files[start : start + TOGETHER]
        for file, own in zip(batch, made(sys.argv[1], batch)):
            try:
                other = xmltodict.parse(file.read_bytes(), disable_entities=False)
            except Exception:
                other = None
            outcome = {
                (False, False): "same" if plain(own) == plain(other) else "different",
                (False, True): "read by convertd alone",
                (True, False): "refused by convertd alone",
                (True, True): "refused by both",
            }[own is None, other is None]
            counts[outcome] += 1
            if outcome not in ("same", "refused by both"):
                print(f"{outcome}: {file}")
    print(dict(counts))


main()
