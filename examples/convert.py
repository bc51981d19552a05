"""Converts a file: uploads it, prints what was lost, and downloads the result. Needs nothing but Python 3.

    python3 examples/convert.py photo.heic photo.jpg
    CONVERTD_URL=http://files.example CONVERTD_KEY=… python3 examples/convert.py report.docx report.pdf pdf_a=true
"""

import json
import os
import sys
import urllib.error
import urllib.request
import uuid
from pathlib import Path

SERVICE = os.environ.get("CONVERTD_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("CONVERTD_KEY")


def request(path, body=None, content_type=None):
    """Sends a request, and returns the answer's content. Raises an error with the service's sentence."""
    headers = {"Content-Type": content_type} if content_type else {}
    if KEY:
        headers["Authorization"] = f"Bearer {KEY}"
    try:
        with urllib.request.urlopen(urllib.request.Request(SERVICE + path, body, headers)) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code}: {json.load(error)['error']}") from None


def form(fields, name, content):
    """Encodes a form with one file as multipart/form-data."""
    boundary = uuid.uuid4().hex
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n' for field, value in fields]
    # Quotation marks and line breaks would end the name.
    quoted = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quoted}"\r\n\r\n')
    body = "".join(parts).encode() + content + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


def main():
    if len(sys.argv) < 3:
        raise SystemExit("usage: convert.py INPUT OUTPUT [OPTION=VALUE …]")
    source, result = Path(sys.argv[1]), Path(sys.argv[2])
    options = [option.split("=", 1) for option in sys.argv[3:]]
    fields = [("target_format", result.suffix.lstrip(".")), *options]
    body, content_type = form(fields, source.name, source.read_bytes())
    record = json.loads(request("/api/v1/convert", body, content_type))["data"]
    for note in record.get("notes", []):
        print("note:", note)
    # The link works once.
    result.write_bytes(request(record["download_url"]))
    print(f"{source} became {result}: {record['file_size']} bytes in {record['conversion_time']:.2f} s")


main()
