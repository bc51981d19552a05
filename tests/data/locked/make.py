#!/usr/bin/env python3
"""Makes the files of this directory, all with the password in PASSWORD except usual.xls, which has Excel's default
password.

Needs: LibreOffice with its module `uno`; pip install msoffcrypto-tool cryptography argon2-cffi. The results are in the repository, so
nobody needs this to run the tests. None of the files is written by convertd.
"""
import base64, hashlib, io, os, subprocess, time, zipfile
import uno
from argon2.low_level import Type, hash_secret_raw
from com.sun.star.beans import PropertyValue
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msoffcrypto.format.ooxml import OOXMLFile

HERE = os.path.dirname(os.path.abspath(__file__))
PASSWORD = "secret é"
os.chdir(HERE)


def value(name, value):
    one = PropertyValue()
    one.Name, one.Value = name, value
    return one


def office():
    """A LibreOffice desktop."""
    subprocess.Popen(["soffice", "--headless", "--norestore", "--accept=socket,host=127.0.0.1,port=2002;urp;"])
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
    for _ in range(60):
        try:
            there = resolver.resolve("uno:socket,host=127.0.0.1,port=2002;urp;StarOffice.ComponentContext")
            return there.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", there)
        except Exception:
            time.sleep(1)


def save(document, name, written_by, password=PASSWORD):
    document.storeToURL(f"file://{HERE}/{name}", (value("FilterName", written_by), value("Password", password)))


desktop = office()
text = desktop.loadComponentFromURL("private:factory/swriter", "_blank", 0, (value("Hidden", True),))
text.Text.String = "What is locked in a document"
save(text, "locked.odt", "writer8")
save(text, "locked.docx", "MS Word 2007 XML", "")
save(text, "locked.doc", "MS Word 97")
sheet = desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, (value("Hidden", True),))
sheet.Sheets.getByIndex(0).getCellByPosition(0, 0).String = "What is locked in a sheet"
save(sheet, "locked.ods", "calc8")
save(sheet, "locked.xlsx", "Calc MS Excel 2007 XML", "")
save(sheet, "locked.xls", "MS Excel 97")
save(sheet, "usual.xls", "MS Excel 97", "VelvetSweatshop")
desktop.terminate()


def archive(parts):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return made.getvalue()


# Slides, long enough that the encrypted package is not a small stream: msoffcrypto writes wrong tables for those.
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
P, A = (f"http://schemas.openxmlformats.org/{name}/2006/main" for name in ("presentationml", "drawingml"))


def related(kind, target):
    return f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>'


slides = archive({
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": related("officeDocument", "ppt/presentation.xml"),
    "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" xmlns:r="{OFFICE}"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>'
    '<p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
    "ppt/_rels/presentation.xml.rels": related("slide", "slides/slide1.xml"),
    "ppt/slides/slide1.xml": f'<p:sld xmlns:p="{P}" xmlns:a="{A}"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr id="2" name="T"/><p:cNvSpPr/>'
    '<p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>What is locked in slides</a:t></a:r></a:p>'
    "</p:txBody></p:sp></p:spTree></p:cSld></p:sld>" + " " * 2500,
})
with open("locked.pptx", "wb") as file:
    file.write(slides)

# LibreOffice encrypts Office packages only through its user interface.
for name in ["locked.docx", "locked.xlsx", "locked.pptx"]:
    with open(name, "rb") as file:
        package = file.read()
    with open(name, "wb") as file:
        OOXMLFile(io.BytesIO(package)).encrypt(PASSWORD, file)

# A document in LibreOffice's encryption since 24.8: the whole package is one part, with Argon2id and AES-GCM.
KIND = "application/vnd.oasis.opendocument.text"
NAMES = "urn:oasis:names:tc:opendocument:xmlns"
whole = archive({
    "mimetype": KIND,
    "content.xml": f'<office:document-content xmlns:office="{NAMES}:office:1.0" xmlns:text="{NAMES}:text:1.0"><office:body><office:text>'
    "<text:p>What is locked in a document</text:p></office:text></office:body></office:document-content>",
    "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{NAMES}:manifest:1.0"/>',
})
salt, start = os.urandom(16), os.urandom(12)
key = hash_secret_raw(hashlib.sha256(PASSWORD.encode()).digest(), salt, 3, 1 << 16, 4, 32, Type.ID)
said = {name: base64.b64encode(value).decode() for name, value in [("salt", salt), ("start", start)]}
manifest = f"""<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="{NAMES}:manifest:1.0" xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0">
<manifest:file-entry manifest:full-path="encrypted-package" manifest:media-type="{KIND}" manifest:size="{len(whole)}">
<manifest:encryption-data>
<manifest:algorithm manifest:algorithm-name="http://www.w3.org/2009/xmlenc11#aes256-gcm" manifest:initialisation-vector="{said["start"]}"/>
<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2001/04/xmlenc#sha256" manifest:key-size="32"/>
<manifest:key-derivation
 manifest:key-derivation-name="urn:org:documentfoundation:names:experimental:office:manifest:argon2id" manifest:key-size="32"
 manifest:salt="{said["salt"]}" loext:argon2-iterations="3" loext:argon2-memory="65536" loext:argon2-lanes="4"/>
</manifest:encryption-data></manifest:file-entry></manifest:manifest>"""
with open("whole.odt", "wb") as file:
    file.write(archive({
        "mimetype": KIND,
        "encrypted-package": start + AESGCM(key).encrypt(start, whole, None),
        "META-INF/manifest.xml": manifest,
    }))
