#!/usr/bin/env python3
"""Measures how the processor time and the memory of conversions grow with the input.

    tests/bench/growth.py [--binary target/release/convertd] [--most 11]

Writes one text of 300 KB and one of 3 MB with headings, lists, tables and bold words, and tables of 5,000 and 50,000
rows. Converts both to each format, and the results to other formats in turn. Prints a row for each pair: processor time
and peak memory with the small input, the same with the large one, and how many times more processor time the large one
takes. Fails if that is more than --most for any pair: ten times the input should take about ten times the time.
"""

import argparse
import csv
import os
import pathlib
import random
import sys
import tempfile

SIZES = {"small": 300_000, "large": 3_000_000}
ROWS = {"small": 5_000, "large": 50_000}
# Targets of the first two inputs, and then of results of the first conversions.
PAIRS = {
    "md": ["html", "docx", "epub", "odt", "rtf", "txt", "pdf"],
    "csv": ["xlsx", "ods", "json"],
    "html": ["md", "txt", "docx", "epub", "pdf"],
    "docx": ["md", "html", "odt", "pdf"],
    "odt": ["md", "docx", "pdf"],
    "epub": ["md", "pdf"],
    "rtf": ["md", "pdf"],
    "xlsx": ["csv"],
    "pdf": ["txt", "md", "html", "docx", "odt", "xlsx", "pdf"],
}
# Times below this many seconds are mostly the start of the program.
LEAST = 0.02


def text(size, chance, words):
    """A Markdown text of about this many bytes."""
    parts, length, section = [], 0, 0
    while length < size:
        section += 1
        lines = [f"## Section {section} {chance.choice(words)}\n"]
        for _ in range(chance.randint(3, 8)):
            chosen = (chance.choice(words) for _ in range(chance.randint(30, 120)))
            lines.append(" ".join(f"**{it}**" if chance.random() < 0.05 else it for it in chosen) + ".\n")
        if section % 5 == 0:
            lines += [f"- {chance.choice(words)}" for _ in range(6)] + [""]
        if section % 9 == 0:
            lines += ["| a | b |", "|---|---|"]
            lines += [f"| {chance.choice(words)} | {chance.randint(1, 999)} |" for _ in range(8)] + [""]
        parts.append("\n".join(lines) + "\n")
        length += len(parts[-1])
    return "".join(parts)


def table(path, rows, chance, words):
    """Writes a table with ten columns of words and numbers."""
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([f"column {nth}" for nth in range(10)])
        for row in range(rows):
            writer.writerow([row] + [chance.choice(words) if nth % 2 else chance.random() for nth in range(9)])


def convert(binary, source, target):
    """Converts a file. Returns processor time in seconds and peak memory in MiB."""
    pid = os.spawnl(os.P_NOWAIT, binary, binary, "convert", "--quiet", str(source), str(target))
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{source} to {target} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/convertd")
    parser.add_argument("--most", type=float, default=11, help="largest growth that passes")
    given = parser.parse_args()
    binary = str(pathlib.Path(given.binary).resolve())
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 10))) for _ in range(3000)]
    grown = []
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        for size in SIZES:
            (at / f"{size}.md").write_text(text(SIZES[size], chance, words))
            table(at / f"{size}.csv", ROWS[size], chance, words)
        print("| pair | small | large | growth |\n|---|---|---|---|")
        for source, targets in PAIRS.items():
            for target in targets:
                # The first result of each format is the input of later pairs.
                result = target if not (at / f"small.{target}").exists() else f"again.{target}"
                (small, of_small), (large, of_large) = (
                    convert(binary, at / f"{size}.{source}", at / f"{size}.{result}") for size in SIZES
                )
                for size in SIZES:
                    (at / f"{size}.again.{target}").unlink(missing_ok=True)
                growth = large / max(small, LEAST)
                grown.append(growth)
                print(
                    f"| {source} → {target} | {small:.2f} s, {of_small:.0f} MiB "
                    f"| {large:.2f} s, {of_large:.0f} MiB | {growth:.1f} |",
                    flush=True,
                )
    if max(grown) > given.most:
        sys.exit(f"growth: {max(grown):.1f} times is more than {given.most:g} times")


if __name__ == "__main__":
    main()
