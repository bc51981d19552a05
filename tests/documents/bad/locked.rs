//! Encrypted files: the message says that they are encrypted. Also files of old programs that contain no document.

use super::{Refused, check};
use crate::{
    harness::directory,
    zips::{book, word, word_xml},
};

#[test]
fn locked_and_old_files_are_named() {
    let at = directory("locked");
    let compound = |stream: &str| {
        let mut file = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
        file.resize(512, 0);
        file.extend("Root Entry\0".encode_utf16().flat_map(u16::to_le_bytes));
        file.resize(512 + 128, 0);
        file.extend(stream.encode_utf16().flat_map(u16::to_le_bytes));
        file.resize(2048, 0);
        file
    };
    check(
        &at,
        "locked.docx",
        &compound("EncryptedPackage"),
        100,
        Refused("encrypted, and damaged as well"),
    );
    check(
        &at,
        "old.doc",
        &compound("WordDocument"),
        100,
        Refused("damaged"),
    );
    check(
        &at,
        "old.docx",
        &compound("WordDocument"),
        100,
        Refused("damaged"),
    );
    let body = word_xml("document", "<w:body/>");
    let locked = word()
        .encrypted("word/document.xml", body.as_bytes())
        .finish();
    check(&at, "entry.docx", &locked, 100, Refused("encrypted"));
    let encryption = "<encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><EncryptedData xmlns='http://www.w3.org/2001/04/xmlenc#'><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes128-cbc'/><CipherData><CipherReference URI='OPS/c.xhtml'/></CipherData></EncryptedData></encryption>";
    let package = "<package xmlns='http://www.idpf.org/2007/opf' version='3.0'><manifest><item id='c' href='c.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='c'/></spine></package>";
    let protected = book()
        .packed("META-INF/encryption.xml", encryption.as_bytes())
        .packed("OPS/book.opf", package.as_bytes())
        .packed("OPS/c.xhtml", &[7; 500])
        .finish();
    check(&at, "protected.epub", &protected, 100, Refused("encrypt"));
}
