"""Makes emoji.zlib of the names of emoji in gemoji (db/emoji.json, MIT licence), which GitHub uses.

    python3 src/pages/document/formats/md/emoji.py emoji.json

A line has a name and the emoji. The lines are sorted by name.
"""

import json
import pathlib
import sys
import zlib

with open(sys.argv[1], encoding="utf-8") as file:
    entries = json.load(file)
lines = sorted(
    f"{name} {entry['emoji']}" for entry in entries if "emoji" in entry for name in entry["aliases"]
)
packed = zlib.compress("\n".join(lines).encode(), 9)
pathlib.Path(__file__).with_name("emoji.zlib").write_bytes(packed)
