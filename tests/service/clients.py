# Makes every call that paperless-ngx makes to Gotenberg and Tika, with the same client libraries. Arguments: the
# address of the service, a folder for results, and documents. Prints "missing" and exits with 3 if the libraries are
# not installed.
import sys
from pathlib import Path

try:
    from gotenberg_client import GotenbergClient
    from gotenberg_client.options import Measurement, MeasurementUnitType, PageMarginsType, PageSize, PdfAFormat
    from tika_client import TikaClient
except ImportError as error:
    print(f"missing: {error}")
    sys.exit(3)

base, work, files = sys.argv[1], Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]]


def documents(tika, gotenberg):
    for path in files:
        name = path.name
        parsed = tika.tika.as_text.from_file(path)
        assert parsed.content and parsed.content.strip(), name
        assert "X-TIKA:Parsed-By" in parsed.data and "Content-Type" in parsed.data, name
        assert tika.tika.as_text.from_buffer(path.read_bytes(), parsed.type).content, name
        assert tika.metadata.from_file(path).data, name
        with gotenberg.libre_office.to_pdf() as route:
            made = route.convert(path).update_indexes(update_indexes=False).pdf_format(PdfAFormat.A2b).run()
        assert made.content.startswith(b"%PDF-"), name
        print("ok", name)


def mail(tika, gotenberg):
    html = "<html><body><p>Hällo <b>you</b></p><img src='cid123'></body></html>"
    assert "Hällo you" in tika.tika.as_text.from_buffer(html, "text/html").content
    (work / "index.html").write_text(html)
    (work / "output.css").write_text("b { color: red }")
    picture = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010800000000"
        "3a7e9b550000000a49444154789c63600000000200014821bc330000000049454e44ae426082"
    )
    (work / "cid123").write_bytes(picture)
    parts = []
    for nth in (1, 2):
        with gotenberg.chromium.html_to_pdf() as route:
            inches = MeasurementUnitType.Inches
            edge = Measurement(0.1, inches)
            route.index(work / "index.html").resource(work / "output.css").resource(work / "cid123")
            route.margins(PageMarginsType(edge, edge, edge, edge)).size(PageSize(Measurement(8.27, inches), Measurement(11.7, inches))).scale(1.0)
            made = route.pdf_format(PdfAFormat.A2b).run()
        part = work / f"{nth:05}_part.pdf"
        part.write_bytes(made.content)
        parts.append(part)
    with gotenberg.merge.merge() as route:
        merged = route.merge(parts).pdf_format(PdfAFormat.A2b).run()
    assert merged.content.startswith(b"%PDF-") and b"pdfaid:part" in merged.content
    (work / "merged.pdf").write_bytes(merged.content)
    print("ok mail")


with TikaClient(tika_url=base, timeout=300) as tika, GotenbergClient(base) as gotenberg:
    assert str(gotenberg.health.health().overall).lower().endswith("up")
    documents(tika, gotenberg)
    mail(tika, gotenberg)
