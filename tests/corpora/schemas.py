#!/usr/bin/env python3
"""Converts documents to docx, odt, pptx and odp with convertd, and checks every part of the results against the published schemas.

    tests/corpora/schemas.py SCHEMAS FILE... [--binary target/release/convertd]

SCHEMAS is a folder with the schemas, which are not part of this repository; tests/corpora/README.md tells where they come
from. Prints each kind of error once, with the number of files that have it and an example. The exit code is 1 if there is
one. It needs Python with lxml, and jing: libxml2 takes valid OpenDocument files for invalid, where elements may come in any
order.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import zipfile

from lxml import etree


def found(folder, name):
    """The path of the only file with this name."""
    paths = [os.path.join(root, name) for root, _, names in os.walk(folder) if name in names]
    if len(paths) != 1:
        sys.exit(f"{len(paths)} files called {name} in {folder}")
    return paths[0]


def schema_of(part):
    """The schema of a part of a docx or pptx. The schema for core properties imports others that are in another
    place."""
    if part == "[Content_Types].xml":
        return "opc-contentTypes.xsd"
    if part.endswith(".rels"):
        return "opc-relationships.xsd"
    if not part.endswith(".xml"):
        return None
    if part.startswith("ppt/theme/"):
        return "dml-main.xsd"
    return {"word": "wml.xsd", "ppt": "pml.xsd"}.get(part.split("/")[0])


def check_office(package, schemas):
    for part in package.namelist():
        schema = schemas.get(schema_of(part))
        if schema is not None and not schema.validate(etree.fromstring(package.read(part))):
            for error in schema.error_log:
                yield part, re.sub(r"\{[^}]*\}", "", error.message)


def check_open(package, schema, folder):
    parts = [part for part in ("content.xml", "styles.xml", "meta.xml") if part in package.namelist()]
    paths = [package.extract(part, folder) for part in parts]
    for path in paths:
        # Extensions of other programs are not in the schema, but permitted (OpenDocument 1.3, part 3, 2.2.2).
        tree = etree.parse(path)
        for element in tree.xpath("//*[contains(namespace-uri(), 'documentfoundation')]"):
            element.getparent().remove(element)
        tree.write(path)
    said = subprocess.run(["jing", "-i", schema, *paths], capture_output=True, text=True).stdout
    for line in said.splitlines():
        path, _, message = line.partition(" ")
        yield os.path.basename(path.split(":")[0]), message.split("; expected")[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("schemas")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--binary", default=os.path.join(here, "../../target/release/convertd"))
    asked = parser.parse_args()

    names = ["wml.xsd", "pml.xsd", "dml-main.xsd", "opc-contentTypes.xsd", "opc-relationships.xsd"]
    schemas = {name: etree.XMLSchema(etree.parse(found(asked.schemas, name))) for name in names}
    relax = found(asked.schemas, "OpenDocument-v1.3-schema.rng")
    errors, written = collections.defaultdict(list), collections.Counter()
    for path in asked.files:
        with tempfile.TemporaryDirectory() as folder:
            for target in ("docx", "odt", "pptx", "odp"):
                result = os.path.join(folder, "result." + target)
                done = subprocess.run([asked.binary, "convert", "--force", path, result], capture_output=True)
                if done.returncode != 0:
                    continue
                written[target] += 1
                with zipfile.ZipFile(result) as package:
                    is_open = target in ("odt", "odp")
                    wrong = check_open(package, relax, folder) if is_open else check_office(package, schemas)
                    for error in set(wrong):
                        errors[error].append(path)
    for (part, message), paths in sorted(errors.items(), key=lambda error: -len(error[1])):
        print(f"{len(paths)} files, {part}: {message[:300]} ({paths[0]})")
    print(", ".join(f"{count} {target}" for target, count in written.items()), f"written, {len(errors)} kinds of errors")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
