//! Writes archives of any shape, valid and invalid, byte by byte. Reads only valid archives.

use miniz_oxide::deflate::compress_to_vec;

/// A ZIP archive under construction (APPNOTE.TXT 6.3.10).
#[derive(Default)]
pub(crate) struct Zip {
    file: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

/// Fields that both headers of an entry contain.
struct Claims<'a> {
    name: &'a str,
    flags: u16,
    method: u16,
    checksum: u32,
    packed: u32,
    unpacked: u32,
}

impl Zip {
    /// Adds a stored entry.
    pub(crate) fn stored(mut self, name: &str, content: &[u8]) -> Self {
        self.add(name, 0, 0, content, content);
        self
    }

    /// Adds a compressed entry.
    pub(crate) fn packed(mut self, name: &str, content: &[u8]) -> Self {
        self.add(name, 0, 8, &compress_to_vec(content, 6), content);
        self
    }

    /// Adds an entry that claims to be encrypted.
    pub(crate) fn encrypted(mut self, name: &str, content: &[u8]) -> Self {
        self.add(name, 1, 8, &compress_to_vec(content, 6), content);
        self
    }

    /// Adds an entry that refers to the content of an earlier entry, which begins at `offset`.
    pub(crate) fn again(mut self, name: &str, offset: u32, packed: &[u8], content: &[u8]) -> Self {
        let claims = Claims {
            name,
            flags: 0,
            method: 8,
            checksum: crc32fast::hash(content),
            packed: packed.len() as u32,
            unpacked: content.len() as u32,
        };
        self.entry(&claims, offset);
        self
    }

    fn add(&mut self, name: &str, flags: u16, method: u16, data: &[u8], content: &[u8]) {
        let offset = self.file.len() as u32;
        let claims = Claims {
            name,
            flags,
            method,
            checksum: crc32fast::hash(content),
            packed: data.len() as u32,
            unpacked: content.len() as u32,
        };
        self.file.extend(b"PK\x03\x04\x14\0");
        claims.write(&mut self.file);
        self.file.extend([0, 0]);
        self.file.extend(name.as_bytes());
        self.file.extend(data);
        self.entry(&claims, offset);
    }

    fn entry(&mut self, claims: &Claims<'_>, offset: u32) {
        self.directory.extend(b"PK\x01\x02\x14\0\x14\0");
        claims.write(&mut self.directory);
        // No extra field, no comment, first disk, no attributes.
        self.directory.extend([0; 12]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(claims.name.as_bytes());
        self.count += 1;
    }

    /// Length of the entries so far in bytes, which is the offset of the next one.
    pub(crate) fn len(&self) -> u32 {
        self.file.len() as u32
    }

    /// The whole archive.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let offset = self.file.len() as u32;
        let len = self.directory.len() as u32;
        self.file.extend(&self.directory);
        self.file.extend(b"PK\x05\x06\0\0\0\0");
        self.file.extend(self.count.to_le_bytes());
        self.file.extend(self.count.to_le_bytes());
        self.file.extend(len.to_le_bytes());
        self.file.extend(offset.to_le_bytes());
        self.file.extend([0, 0]);
        self.file
    }
}

impl Claims<'_> {
    /// Writes the fields that both headers of an entry share, from the flags to the length of the name.
    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.flags.to_le_bytes());
        to.extend(self.method.to_le_bytes());
        to.extend([0, 0, 0x21, 0x58]);
        to.extend(self.checksum.to_le_bytes());
        to.extend(self.packed.to_le_bytes());
        to.extend(self.unpacked.to_le_bytes());
        to.extend((self.name.len() as u16).to_le_bytes());
    }
}

const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
const ROOT: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;
/// The namespaces of WordprocessingML.
pub(crate) const W: &str = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships""#;

/// The beginning of a Word document; the body is added as `word/document.xml`.
pub(crate) fn word() -> Zip {
    Zip::default()
        .packed("[Content_Types].xml", TYPES.as_bytes())
        .packed("_rels/.rels", ROOT.as_bytes())
}

/// A part of a Word document.
pub(crate) fn word_xml(root: &str, content: &str) -> String {
    format!("<?xml version=\"1.0\"?><w:{root} {W}>{content}</w:{root}>")
}

/// A Word document with this body.
pub(crate) fn word_document(body: &str) -> Vec<u8> {
    let xml = word_xml("document", &format!("<w:body>{body}</w:body>"));
    word().packed("word/document.xml", xml.as_bytes()).finish()
}

/// The relationships of the main part of a Word document.
pub(crate) fn relations(of: &[(&str, &str, &str, bool)]) -> String {
    let each: String = of
        .iter()
        .map(|(id, kind, target, external)| {
            let mode = if *external { " TargetMode=\"External\"" } else { "" };
            format!("<Relationship Id=\"{id}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}\" Target=\"{target}\"{mode}/>")
        })
        .collect();
    format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{each}</Relationships>"
    )
}

/// The beginning of a book whose package is `OPS/book.opf`.
pub(crate) fn book() -> Zip {
    let container = r#"<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;
    Zip::default()
        .stored("mimetype", b"application/epub+zip")
        .packed("META-INF/container.xml", container.as_bytes())
}

/// A book of one chapter.
pub(crate) fn book_of(chapter: &str) -> Vec<u8> {
    let package = r#"<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">x</dc:identifier><dc:title>T</dc:title><dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>"#;
    book()
        .packed("OPS/book.opf", package.as_bytes())
        .packed("OPS/c.xhtml", chapter.as_bytes())
        .finish()
}

/// Names and contents of a valid archive, read from its directory.
pub(crate) fn entries(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let short = |at: usize| usize::from(u16::from_le_bytes([archive[at], archive[at + 1]]));
    let long = |at: usize| short(at) | short(at + 2) << 16;
    let end = archive
        .windows(4)
        .rposition(|part| part == b"PK\x05\x06")
        .unwrap();
    let mut at = long(end + 16);
    let mut entries = Vec::new();
    for _ in 0..short(end + 10) {
        let (name, extra, comment) = (short(at + 28), short(at + 30), short(at + 32));
        let header = long(at + 42);
        let start = header + 30 + short(header + 26) + short(header + 28);
        let data = &archive[start..start + long(at + 20)];
        let content = match short(at + 10) {
            0 => data.to_vec(),
            _ => miniz_oxide::inflate::decompress_to_vec(data).unwrap(),
        };
        let called = String::from_utf8(archive[at + 46..at + 46 + name].to_vec()).unwrap();
        entries.push((called, content));
        at += 46 + name + extra + comment;
    }
    entries
}
