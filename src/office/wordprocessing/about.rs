//! Metadata of an office file, with ExifTool's names: properties, and statistics that the program stored in the file.
//! Reads no content.

use crate::{
    containers::{
        cfb::Compound,
        property_set::{SUMMARY, Summary},
        xml::Reader,
        zip::Archive,
    },
    error::{Error, Result},
    job::{Input, Job},
};
use serde_json::{Map, Value};

/// Max. size of a part that is read, in bytes.
const MAX_PART: u64 = 1 << 20;
/// Max. length of a value, in characters.
const MAX_TEXT: usize = 4000;

/// Elements of `docProps/core.xml` and `docProps/app.xml` (ECMA-376 part 2, 8; part 1, 22.2), and the names of their
/// metadata.
const PACKAGE_PROPERTIES: [(&str, &str); 18] = [
    ("title", "Title"),
    ("creator", "Creator"),
    ("subject", "Subject"),
    ("description", "Description"),
    ("keywords", "Keywords"),
    ("category", "Category"),
    ("language", "Language"),
    ("lastModifiedBy", "LastModifiedBy"),
    ("revision", "RevisionNumber"),
    ("created", "CreateDate"),
    ("modified", "ModifyDate"),
    ("Application", "Application"),
    ("Company", "Company"),
    ("Manager", "Manager"),
    ("Pages", "Pages"),
    ("Slides", "Slides"),
    ("Words", "Words"),
    ("Characters", "Characters"),
];

/// Elements of `meta.xml` (OpenDocument 1.3, part 3, 4.3), and the names of their metadata.
const OF_OPEN_DOCUMENTS: [(&str, &str); 12] = [
    ("title", "Title"),
    ("initial-creator", "Creator"),
    ("subject", "Subject"),
    ("description", "Description"),
    ("keyword", "Keywords"),
    ("language", "Language"),
    ("creator", "LastModifiedBy"),
    ("editing-cycles", "RevisionNumber"),
    ("creation-date", "CreateDate"),
    ("date", "ModifyDate"),
    ("generator", "Application"),
    ("print-date", "LastPrinted"),
];
/// Attributes of `meta:document-statistic`, and the names of their metadata.
const COUNTED: [(&str, &str); 4] = [
    ("page-count", "Pages"),
    ("word-count", "Words"),
    ("character-count", "Characters"),
    ("table-count", "Tables"),
];

/// Returns the metadata of a file. Empty if it has none. Damaged parts count as missing, but values before the damaged
/// place of an XML part are used.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a package whose directory cannot be read. Also the
/// errors of the job.
pub fn about(job: &Job<'_>, input: &mut dyn Input) -> Result<Map<String, Value>> {
    let lost = |err| Error::storage("the upload could not be read", err);
    let mut head = [0; 4];
    input.rewind().map_err(lost)?;
    let is_package = input.read_exact(&mut head).is_ok() && head == *b"PK\x03\x04";
    input.rewind().map_err(lost)?;
    let mut about = Map::new();
    // Binary files.
    if !is_package {
        job.reserve(job.input_len.saturating_add(MAX_PART))?;
        if let Ok(compound) = Compound::open(input)
            && let Ok(Some(stream)) = compound.read(input, SUMMARY)
        {
            of_summary(&Summary::read(&stream), &mut about);
        }
        return Ok(about);
    }
    job.reserve(Archive::memory(job, input)? + 4 * MAX_PART)?;
    let mut archive = Archive::open(job, input)?;
    for (name, is_open) in [
        ("docProps/core.xml", false),
        ("docProps/app.xml", false),
        ("meta.xml", true),
    ] {
        let is_small = |size: u64| size <= MAX_PART;
        if !archive
            .entry(name)
            .is_some_and(|entry| is_small(entry.size))
        {
            continue;
        }
        let Ok(bytes) = archive.read(name) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        // Values before a damaged position remain in the result.
        let _ = match is_open {
            true => of_open_document(job, &text, &mut about),
            false => of_package(job, &text, &mut about),
        };
    }
    Ok(about)
}

/// Reads a properties part of Office Open XML.
fn of_package(job: &Job<'_>, text: &str, about: &mut Map<String, Value>) -> Result<()> {
    let mut xml = Reader::new(job, text, &[]);
    xml.root()?;
    while let Some(element) = xml.next_element(1)? {
        let value = xml.text()?;
        add(about, &PACKAGE_PROPERTIES, element.name, &value);
    }
    Ok(())
}

/// Reads `meta.xml`.
fn of_open_document(job: &Job<'_>, text: &str, about: &mut Map<String, Value>) -> Result<()> {
    let mut xml = Reader::new(job, text, &[]);
    xml.root()?;
    while xml.next_element(1)?.is_some() {
        while let Some(element) = xml.next_element(2)? {
            if element.name == "document-statistic" {
                for (name, value) in element.attributes() {
                    add(about, &COUNTED, name, &value);
                }
            }
            let value = xml.text()?;
            add(about, &OF_OPEN_DOCUMENTS, element.name, &value);
        }
    }
    Ok(())
}

/// Reads the summary information of a binary file.
fn of_summary(summary: &Summary, about: &mut Map<String, Value>) {
    let texts = [
        ("Title", &summary.title),
        ("Creator", &summary.author),
        ("Subject", &summary.subject),
        ("Description", &summary.comments),
        ("Keywords", &summary.keywords),
    ];
    let created = summary.created.as_ref().map(|day| ("CreateDate", day));
    for (name, value) in texts.into_iter().chain(created) {
        if !value.is_empty() {
            about.insert(name.into(), value.as_str().into());
        }
    }
}

/// Adds a value. Several keywords become a list; of other values, the first is used.
fn add(about: &mut Map<String, Value>, names: &[(&str, &str)], name: &str, value: &str) {
    let Some((_, key)) = names.iter().find(|(known, _)| *known == name) else {
        return;
    };
    let value: String = value.trim().chars().take(MAX_TEXT).collect();
    if value.is_empty() {
        return;
    }
    match about.get_mut(*key) {
        None => {
            about.insert((*key).to_owned(), value.into());
        }
        Some(Value::Array(list)) => list.push(value.into()),
        Some(known) if *key == "Keywords" => *known = vec![known.take(), value.into()].into(),
        Some(_) => {}
    }
}
