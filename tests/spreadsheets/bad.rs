//! Files that are damaged or have false headers: they are refused with a message or converted, within the memory that
//! they reserved, and never cause a child to be killed.

use crate::harness::{convert, data, directory, reserved, run, text};
use convertd::error::Kind;
use std::{fs, io::Write, time::Instant};

pub(crate) const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
pub(crate) const RELATIONS: &str =
    "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>";

/// A ZIP archive of compressed entries.
#[derive(Default)]
pub(crate) struct Zip {
    file: Vec<u8>,
    directory: Vec<u8>,
    count: u32,
}

impl Zip {
    pub(crate) fn add(mut self, name: &str, content: &[u8]) -> Self {
        let packed = miniz_oxide::deflate::compress_to_vec(content, 1);
        self.entry(
            name,
            &packed,
            crc32fast::hash(content),
            content.len() as u32,
        );
        self
    }

    fn entry(&mut self, name: &str, packed: &[u8], checksum: u32, len: u32) {
        let start = self.file.len() as u32;
        let mut common = Vec::new();
        for field in [20_u16, 0, 8, 0, 33] {
            common.extend(field.to_le_bytes());
        }
        for field in [checksum, packed.len() as u32, len] {
            common.extend(field.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        self.file.extend(b"PK\x03\x04");
        self.file.extend(&common);
        self.file.extend(name.as_bytes());
        self.file.extend(packed);
        self.directory.extend(b"PK\x01\x02\x14\0");
        self.directory.extend(&common);
        self.directory.extend([0; 10]);
        self.directory.extend(start.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.count += 1;
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let start = self.file.len() as u32;
        self.file.append(&mut self.directory);
        let len = self.file.len() as u32 - start;
        self.file.extend(b"PK\x05\x06\0\0\0\0");
        for _ in 0..2 {
            self.file
                .extend((self.count.min(65_535) as u16).to_le_bytes());
        }
        self.file.extend(len.to_le_bytes());
        self.file.extend(start.to_le_bytes());
        self.file.extend([0; 2]);
        self.file
    }
}

/// A workbook without its sheet.
fn around() -> Zip {
    with_parts(Zip::default())
}

/// Adds all parts of a workbook except its sheet.
fn with_parts(zip: Zip) -> Zip {
    let workbook =
        format!("<workbook xmlns='{MAIN}'><sheets><sheet name='A' id='r1'/></sheets></workbook>");
    let references = format!(
        "{RELATIONS}<Relationship Id='r1' Type='x/worksheet' Target='s.xml'/><Relationship Id='r2' Type='x/sharedStrings' Target='ss.xml'/></Relationships>"
    );
    zip.add("[Content_Types].xml", b"<Types/>")
        .add("xl/workbook.xml", workbook.as_bytes())
        .add("xl/_rels/workbook.xml.rels", references.as_bytes())
}

fn workbook(rows: &str) -> Vec<u8> {
    let sheet = format!("<worksheet xmlns='{MAIN}'><sheetData>{rows}</sheetData></worksheet>");
    around().add("xl/s.xml", sheet.as_bytes()).finish()
}

/// Checks that the program reports the file as bad, or converts it, while its child survives and stays within its
/// memory.
#[track_caller]
fn check(name: &str, bytes: &[u8], converts: bool) {
    let at = directory(name);
    let input = at.join(name);
    fs::write(&input, bytes).unwrap();
    let ran = run(&input, &at.join("result.csv"));
    assert_eq!(ran.success, converts, "{name}: {}", ran.said);
    assert!(
        !ran.said.contains("crash") && !ran.said.contains("stopped"),
        "{name}: {}",
        ran.said
    );
    assert!(ran.peak < 64 << 20, "{name}: {} bytes", ran.peak);
    fs::remove_dir_all(at).unwrap();
}

#[test]
fn a_cell_in_the_last_corner_is_a_cell() {
    check(
        "corner.xlsx",
        &workbook("<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>"),
        true,
    );
    check(
        "beyond.xlsx",
        &workbook("<row r='1'><c r='XFE1'><v>1</v></c></row>"),
        true,
    );
    check(
        "below.xlsx",
        &workbook("<row r='1048577'><c><v>1</v></c></row>"),
        false,
    );
}

#[test]
fn parts_of_a_gigabyte_are_not_unpacked() {
    // Texts of a cell: 12 MiB in one piece, and 9 MiB in many references.
    let sheet = [
        format!("<worksheet xmlns='{MAIN}'><sheetData><row><c t='str'><v>").into_bytes(),
        vec![b'a'; 12 << 20],
        b"</v></c></row></sheetData></worksheet>".to_vec(),
    ];
    check(
        "text.xlsx",
        &around().add("xl/s.xml", &sheet.concat()).finish(),
        false,
    );
    let references = "&amp;".repeat(9 << 20);
    check(
        "references.xlsx",
        &workbook(&format!("<row><c t='str'><v>{references}</v></c></row>")),
        false,
    );
    // Memory for strings is reserved by the size that the archive states.
    let mut lies = around().add("xl/s.xml", b"<worksheet/>");
    let packed = miniz_oxide::deflate::compress_to_vec(&vec![0; 1 << 20], 9);
    lies.entry("xl/ss.xml", &packed, 0, 3 << 30);
    let (memory, result) = reserved("lies.xlsx", &lies.finish(), "csv");
    assert!(memory > 9 << 30 && result.is_err());
}

#[test]
fn archives_of_many_entries_are_read_in_bounds() {
    let mut zip = Zip::default();
    for number in 0..100_000 {
        zip.entry(&format!("x{number}"), &[3, 0], 0, 0);
    }
    let sheet = format!(
        "<worksheet xmlns='{MAIN}'><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>"
    );
    check(
        "many.xlsx",
        &with_parts(zip).add("xl/s.xml", sheet.as_bytes()).finish(),
        true,
    );
}

#[test]
fn xml_is_neither_expanded_nor_followed_into_depth() {
    let deep = format!("{}{}", "<row>".repeat(100_000), "</row>".repeat(100_000));
    check("deep.xlsx", &workbook(&deep), false);
    let sheet = format!(
        "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;'>]><worksheet xmlns='{MAIN}'><sheetData><row><c t='str'><v>&b;</v></c></row></sheetData></worksheet>"
    );
    let book = around().add("xl/s.xml", sheet.as_bytes()).finish();
    assert_eq!(convert("entities.xlsx", &book, "csv").unwrap(), b"&b;\r\n");
}

#[test]
fn one_quotation_mark_too_many_is_not_the_rest_of_a_large_file() {
    let mut csv = b"a,b\n\"lone,1\n".to_vec();
    for _ in 0..1_000_000 {
        csv.write_all(b"some,more,fields\n").unwrap();
    }
    check("lone.csv", &csv, false);
    let error = convert("lone.csv", &csv, "xlsx").unwrap_err();
    assert!(
        error.message().contains("row 2 has more than 8 MiB"),
        "{}",
        error.message()
    );
}

/// A text of a megabyte, to which five hundred cells refer.
#[test]
fn a_text_that_is_used_again_and_again_is_not_written_without_end() {
    let rows = "<row><c t='s'><v>0</v></c></row>".repeat(500);
    let sheet = format!("<worksheet xmlns='{MAIN}'><sheetData>{rows}</sheetData></worksheet>");
    let texts = format!(
        "<sst xmlns='{MAIN}'><si><t>{}</t></si></sst>",
        "x".repeat(1 << 20)
    );
    let workbook =
        format!("<workbook xmlns='{MAIN}'><sheets><sheet name='A' id='r1'/></sheets></workbook>");
    let references = format!(
        "{RELATIONS}<Relationship Id='r1' Type='x/worksheet' Target='s.xml'/><Relationship Id='r2' Type='x/sharedStrings' Target='t.xml'/></Relationships>"
    );
    let file = Zip::default()
        .add("[Content_Types].xml", b"<Types/>")
        .add("xl/workbook.xml", workbook.as_bytes())
        .add("xl/_rels/workbook.xml.rels", references.as_bytes())
        .add("xl/t.xml", texts.as_bytes())
        .add("xl/s.xml", sheet.as_bytes())
        .finish();
    for to in ["csv", "ods"] {
        let error = convert("again.xlsx", &file, to).unwrap_err();
        assert!(
            error.message().contains("decompression bomb"),
            "{to}: {error}"
        );
    }
}

#[test]
fn refusals_name_encryption() {
    // Only the signature of a compound file and the name of its stream are checked.
    let mut file = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    file.resize(2048, 0);
    file.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    file.resize(4096, 0);
    let error = convert("secret.xlsx", &file, "csv").unwrap_err();
    assert!(error.message().contains("encrypted"), "{}", error.message());
}

#[test]
fn damaged_files_are_refused_or_converted() {
    let started = Instant::now();
    let mut seed = 0x5eed_u64;
    let mut below = |limit: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % limit as u64) as usize
    };
    for name in ["book.xlsx", "book.ods", "book.xls"] {
        let whole = data(name);
        for round in 0..300 {
            let mut file = whole.clone();
            match round % 3 {
                0 => file.truncate(below(whole.len())),
                1 => (0..8).for_each(|_| file[below(whole.len())] = below(256) as u8),
                _ => {
                    let at = below(whole.len() - 64);
                    let four = [below(256) as u8, 255, 255, 255];
                    file[at..at + 4].copy_from_slice(&four);
                }
            }
            if let Err(error) = convert(name, &file, "csv") {
                assert_eq!(
                    error.kind(),
                    Kind::BadInput,
                    "{name}, {round}: {}",
                    error.message()
                );
            }
        }
    }
    println!("900 damaged files in {:?}", started.elapsed());
}

#[test]
fn parts_of_a_workbook_may_have_any_names() {
    let workbook =
        format!("<workbook xmlns='{MAIN}'><sheets><sheet name='A' id='r1'/></sheets></workbook>");
    let sheet = format!(
        "<worksheet xmlns='{MAIN}'><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>"
    );
    let to = |kind: &str, target: &str| {
        format!(
            "{RELATIONS}<Relationship Id='r1' Type='x/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let file = Zip::default()
        .add("[Content_Types].xml", b"<Types/>")
        .add(
            "_rels/.rels",
            to("officeDocument", "workbook.xml").as_bytes(),
        )
        .add("workbook.xml", workbook.as_bytes())
        .add(
            "_rels/workbook.xml.rels",
            to("worksheet", "s.xml").as_bytes(),
        )
        .add("s.xml", sheet.as_bytes())
        .finish();
    assert_eq!(text(convert("root.xlsx", &file, "csv").unwrap()), "7\r\n");
    let binary = Zip::default()
        .add("[Content_Types].xml", b"<Types/>")
        .add("other/workbook.bin", b"")
        .finish();
    let err = convert("other.xlsb", &binary, "csv").unwrap_err();
    assert!(
        err.message().contains("not a readable xlsb"),
        "{}",
        err.message()
    );
}

#[test]
fn refusals_state_a_remedy() {
    #[track_caller]
    fn check(name: &str, bytes: &[u8], said: &str) {
        let err = convert(name, bytes, "csv").unwrap_err();
        assert!(err.message().contains(said), "{}", err.message());
    }
    // The first records of an Excel 4 workbook without sheets, and of an Excel 5 workbook without a compound file.
    for head in [
        b"\x09\x04\x06\x00\x00\x00\x00\x01",
        b"\x09\x08\x08\x00\x00\x05\x05\x00",
    ] {
        check(
            "old.xls",
            &[&head[..], &[0; 40]].concat(),
            "save it as .xlsx",
        );
    }
    let book = data("book.xls");
    for len in 8..book.len().min(4096) {
        if let Err(err) = convert("cut.xls", &book[..len], "csv") {
            let said = err.message();
            assert!(!said.contains("whole buffer"), "{said}");
            assert!(!said.contains("entity not found"), "{said}");
        }
    }
    check(
        "page.pdf",
        b"<p>not found</p>",
        "the file is called .pdf, but its content matches no supported format",
    );
}
