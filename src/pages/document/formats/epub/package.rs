//! Reads the package document (OPF) of a book: its metadata, the manifest, which lists its files, and the spine, which
//! gives the reading order of its chapters (EPUB 3.3, 5; OPF 2.0.1; and OEBPS 1.2 for the oldest books). Reads no
//! chapters.

use super::book::{self, Book};
use crate::{
    containers::{
        xml::{self, Namespaces, Node},
        zip::Archive,
    },
    error::Result,
    job::Job,
};
use convertd_tree::Metadata;
use std::collections::HashMap;

static NAMESPACES: Namespaces = &[
    (
        "urn:oasis:names:tc:opendocument:xmlns:container",
        "container",
    ),
    ("http://www.idpf.org/2007/opf", "opf"),
    ("http://openebook.org/namespaces/oeb-package/1.0/", "opf"),
    ("http://purl.org/dc/elements/1.1/", "dc"),
    ("http://www.w3.org/2001/04/xmlenc#", "enc"),
];

/// Reads the description of a book.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the archive is not an EPUB book, or if one of its chapters is
/// encrypted.
pub(super) fn read(job: &Job<'_>, archive: &mut Archive<'_>) -> Result<Book> {
    let (container, _lease) = book::text(job, archive, "META-INF/container.xml")?;
    let mut path = None;
    visit(job, &container, |node| {
        if path.is_none()
            && node.is("container", "rootfile")
            && let Some(full) = node.attribute("full-path")
        {
            path = Some(full.into_owned());
        }
    })?;
    let path = path
        .ok_or_else(|| job.unreadable("META-INF/container.xml does not name a package document"))?;
    let (opf, _lease) = book::text(job, archive, &path)?;
    let mut package = Book::default();
    let mut items: HashMap<String, String> = HashMap::new();
    let mut spine = Vec::new();
    let mut navigation = String::new();
    visit(job, &opf, |node| {
        match (node.element.space, node.element.name) {
            ("opf", "item") => {
                let (Some(id), Some(href)) = (node.attribute("id"), node.attribute("href")) else {
                    return;
                };
                if let Some((entry, _)) = book::resolve(&path, &href) {
                    let properties = node.attribute("properties").unwrap_or_default();
                    if properties
                        .split_ascii_whitespace()
                        .any(|word| word == "nav")
                    {
                        navigation = entry.clone();
                    }
                    if let Some(media_type) = node.attribute("media-type") {
                        package
                            .media_types
                            .insert(entry.clone(), media_type.into_owned());
                    }
                    items.insert(id.trim().to_owned(), entry);
                }
            }
            ("opf", "itemref") => {
                spine.extend(node.attribute("idref").map(|id| id.trim().to_owned()));
            }
            ("dc", name) => {
                // In OEBPS 1.2, names begin with a capital letter.
                let name = name.to_ascii_lowercase();
                set_metadata(&mut package.metadata, &name, &node.text);
            }
            _ => {}
        }
    })?;
    let lone = spine.len() == 1;
    for id in spine {
        // The navigation document may be in the spine as well. It is left out unless it is the only entry, since it
        // only repeats the headings of the chapters. Repeated entries are left out, too.
        if let Some(entry) = items.get(&id)
            && (*entry != navigation || lone)
            && !package.chapters.contains(entry)
        {
            package.chapters.push(entry.clone());
        }
    }
    if package.chapters.is_empty() {
        return Err(job.unreadable("its package document lists no chapters"));
    }
    refuse_encrypted(job, archive, &package.chapters)?;
    Ok(package)
}

/// Fails if a chapter is encrypted. Obfuscated fonts count as encrypted resources too, but no fonts are used here.
fn refuse_encrypted(job: &Job<'_>, archive: &mut Archive<'_>, chapters: &[String]) -> Result<()> {
    const NAME: &str = "META-INF/encryption.xml";
    if archive.entry(NAME).is_none() {
        return Ok(());
    }
    let (encryption, _lease) = book::text(job, archive, NAME)?;
    let mut encrypted = false;
    visit(job, &encryption, |node| {
        if node.is("enc", "CipherReference")
            && let Some(uri) = node.attribute("URI")
        {
            encrypted |= chapters.iter().any(|chapter| *chapter == *uri);
        }
    })?;
    if encrypted {
        return Err(book::protected());
    }
    Ok(())
}

/// Sets a metadata element of Dublin Core. Of several titles, languages, dates or descriptions, the first one counts.
fn set_metadata(metadata: &mut Metadata, name: &str, text: &str) {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let text = words.join(" ");
    if text.is_empty() {
        return;
    }
    let first = |field: &mut Option<String>| {
        if field.is_none() {
            *field = Some(text.clone());
        }
    };
    match name {
        "title" => first(&mut metadata.title),
        // `dc:language` is required, and `und` stands for an undetermined language.
        "language" if text != "und" => first(&mut metadata.language),
        "date" => first(&mut metadata.date),
        "description" => first(&mut metadata.description),
        "creator" => metadata.authors.push(text),
        // `dc:subject` may be repeated. Unlike the "subject" of other formats, each such element contains a single
        // keyword.
        "subject" => metadata.keywords.push(text),
        _ => {}
    }
}

/// Calls `see` with every element of an XML file, parents before children.
fn visit(job: &Job<'_>, text: &str, mut see: impl FnMut(&Node<'_>)) -> Result<()> {
    let mut reader = xml::Reader::new(job, text, NAMESPACES);
    let root = reader.root()?;
    let node = Node::read(&mut reader, root)?;
    fn all(node: &Node<'_>, see: &mut dyn FnMut(&Node<'_>)) {
        see(node);
        for child in &node.children {
            all(child, see);
        }
    }
    all(&node, &mut see);
    Ok(())
}
