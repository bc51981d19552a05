"""Has docling-core read what convertd answers as docling's JSON.

    docling.py URL FILE...

URL is that of a service with `--compat docling`. Prints for each file how many items the document has, and how many of the words of
its Markdown are in that of convertd, whatever their order.
"""

import collections
import pathlib
import re
import sys
import urllib.request
import json
import warnings

from docling_core.types.doc import DoclingDocument, ImageRefMode


def ask(url, path):
    bound = "docling-boundary"
    head = f'--{bound}\r\nContent-Disposition: form-data; name="files"; filename="{path.name}"\r\n\r\n'
    field = f'\r\n--{bound}\r\nContent-Disposition: form-data; name="to_formats"\r\n\r\n'
    body = head.encode() + path.read_bytes()
    for name in ("json", "md"):
        body += field.encode() + name.encode()
    body += f"\r\n--{bound}--\r\n".encode()
    fields = {"Content-Type": f"multipart/form-data; boundary={bound}"}
    request = urllib.request.Request(f"{url}/v1/convert/file", body, fields)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["document"]


def words(text):
    text = re.sub(r"!\[[^]]*\]\([^)]*\)|<[^>]*>", " ", text)
    return collections.Counter(re.findall(r"\w+", text))


def main():
    warnings.simplefilter("ignore")
    shares = []
    for name in sys.argv[2:]:
        path = pathlib.Path(name)
        try:
            told = ask(sys.argv[1], path)
        except urllib.error.HTTPError as err:
            print(f"{name}: {err.read().decode()[:200]}")
            continue
        if not told["json_content"]:
            print(f"{name}: no document")
            continue
        document = DoclingDocument.model_validate(told["json_content"])
        read = words(document.export_to_markdown(image_mode=ImageRefMode.PLACEHOLDER))
        own = words(told["md_content"] or "")
        share = sum((own & read).values()) / max(sum(own.values()), 1)
        shares.append(share)
        counts = [len(items) for items in (document.texts, document.tables, document.pictures)]
        print(f"{share:.4f} {counts} {name}")
    if shares:
        print(f"{sum(shares) / len(shares):.4f} in the mean of {len(shares)}")


if __name__ == "__main__":
    main()
