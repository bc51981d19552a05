//! A page with the files that it refers to: only the page is converted, and its resources are beside it in the archive.
//! Fetches nothing.
//!
//! In HTML and in drawings, resources are inserted into the text as `data:` URLs. Other documents (Markdown, notebooks)
//! are read unchanged, and their reader requests pictures by address.
//!
//! In an HTML page, `{{ toHTML "file.md" }}` is replaced by the content of that Markdown file, as in Gotenberg.

use super::{
    Converters,
    entries::Files,
    members::{self, fenced, file_name, identified},
};
use crate::{
    document,
    error::{Error, Kind, Reason, Result},
    format::{self, Format},
    job::{Companions, InMemory, Job, Notes, OptionKind, OptionSpec, Options, Output, Tag, Task},
};
use convertd_markup::html::{self, Named, Names};
use std::{collections::HashMap, fmt::Write, io::Cursor, sync::Arc, time::SystemTime};

/// The option that names the page in an archive.
pub static INDEX: OptionSpec = OptionSpec {
    name: "index",
    kind: OptionKind::Text(255),
    default: None,
    help: "name of the page in the zip to convert, such as index.html or notes.md; its pictures and style sheets are taken from the zip",
};

/// The option for a header on every page.
pub static HEADER: OptionSpec = OptionSpec {
    name: "header",
    kind: OptionKind::Text(255),
    default: None,
    help: "with index: name of a page in the zip to print in the top margin of every page; elements of the classes pageNumber and totalPages are filled in",
};
/// The option for a footer on every page.
pub static FOOTER: OptionSpec = OptionSpec {
    name: "footer",
    kind: OptionKind::Text(255),
    default: None,
    help: "with index: name of a page in the zip to print in the bottom margin of every page; the same classes are filled in as in header",
};

/// Limit on a page, in bytes.
pub const MAX_PAGE: u64 = 32 << 20;
/// Limit on all files of the archive together, in bytes.
const MAX_TOGETHER: u64 = 256 << 20;
/// Limit on the number of Markdown files that a page includes.
const MAX_TEMPLATES: usize = 1000;

/// The name of the page, if the job converts a page of the archive.
pub(super) fn wanted<'j>(job: &'j Job<'_>) -> Option<&'j str> {
    job.options().word(INDEX.name)
}

/// Converts the page `index` of an archive.
///
/// Errors: [`Kind::BadInput`] if the page is missing or too large, or if all files together are too large; those of the
/// conversion.
pub(super) fn convert(
    job: &Job<'_>,
    files: &mut Files<'_>,
    index: &str,
    output: &mut dyn Output,
    converters: &dyn Converters,
) -> Result<Notes> {
    let refuse = |text: String| Error::new(Kind::BadInput, text);
    let nth = (0..files.len())
        .find(|&nth| files.name(nth) == index)
        .ok_or_else(|| {
            refuse(format!(
                "index names {index:?}, which is not in the archive"
            ))
        })?;
    let mut sizes = Vec::new();
    for nth in 0..files.len() {
        sizes.push(files.size(nth)?);
    }
    let together = sizes.iter().sum::<u64>();
    if sizes[nth] > MAX_PAGE || together > MAX_TOGETHER {
        return Err(refuse(format!(
            "the page is too large: it may have {MAX_PAGE} bytes, and {MAX_TOGETHER} together with all files that it refers to"
        )));
    }
    // At the same time in memory: the files, the page twice, and all resources again in Base64.
    let _lease = job.lease(4 * together + 4 * sizes[nth])?;
    let mut site = Site::read(files, converters, nth)?;
    let bytes = std::mem::take(&mut site.page);
    let from = format_of(index, &bytes, converters)?;
    let page = Page {
        job,
        from,
        index,
        converters,
    };
    let mut notes = Notes::default();
    let made = if from == document::html_format() {
        let text = site.with_markdown(
            job,
            &convertd_tree::encoding::decode_html(bytes),
            converters,
        )?;
        let text = inlined(&text, &mut site, &mut notes) + &site.templates(job)?;
        // The byte order mark states that the text is UTF-8 now. It overrides the encoding that the page declares.
        let bytes = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        page.convert(bytes, None, output)?
    } else if from.name == "svg" {
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => inlined(&text, &mut site, &mut notes).into_bytes(),
            Err(other) => other.into_bytes(),
        };
        page.convert(bytes, None, output)?
    } else {
        page.convert(bytes, Some(&site), output)?
    };
    made.move_into(&mut notes);
    Ok(notes)
}

/// Identifies the format of a page. HTML may begin in any way, so a page with an extension of HTML, or without any
/// extension, counts as HTML. Other pages are identified by their content.
fn format_of(index: &str, bytes: &[u8], converters: &dyn Converters) -> Result<&'static Format> {
    let html = document::html_format();
    match format::extension(file_name(index)) {
        Some(extension) if !html.is_called(&extension) => identified(bytes, index, converters),
        Some(_) | None => Ok(html),
    }
}

/// Returns the text with its resources inserted.
fn inlined(text: &str, site: &mut Site, notes: &mut Notes) -> String {
    let (text, not_embedded) = html::inline(text, site, usize::MAX);
    if not_embedded.remote > 0 {
        let text = format!(
            "{} files on other hosts were not loaded.",
            not_embedded.remote
        );
        notes.add_tagged(Tag::Resource, text);
    }
    if not_embedded.too_much > 0 {
        notes.add("The page refers to more files than it can hold, so some of them are missing.");
    }
    text
}

/// A page that is being converted.
struct Page<'p, 'j> {
    job: &'p Job<'j>,
    from: &'static Format,
    index: &'p str,
    converters: &'p dyn Converters,
}

impl Page<'_, '_> {
    /// Converts the page, with the files beside it available to its reader.
    fn convert(
        &self,
        bytes: Vec<u8>,
        beside: Option<&dyn Companions>,
        output: &mut dyn Output,
    ) -> Result<Notes> {
        let to = self.job.to;
        let Some((pair, converter)) = self.converters.find(self.from, to) else {
            let text = format!(
                "{} files cannot be converted to {}",
                self.from.name, to.name
            );
            return Err(Error::new(Kind::BadInput, text));
        };
        // The name of a site's first page is not a useful title, so such a page gets none.
        let is_first = file_name(self.index).starts_with("index.");
        let name = if is_first { "" } else { self.index };
        let task = members::task(self.job, &pair, name);
        let len = bytes.len().max(1) as u64;
        self.job.part(&task, (pair.from, pair.to), len, |job| {
            let job = Job { beside, ..*job };
            (converter.convert)(&job, &mut Cursor::new(bytes), output)
        })
    }
}

/// The files of an archive.
struct Site {
    /// The name of the page.
    index: String,
    page: Vec<u8>,
    /// All other files, by their names.
    files: HashMap<String, File>,
    /// Whether no file is in a folder.
    is_flat: bool,
}

struct File {
    media_type: String,
    bytes: Arc<[u8]>,
}

impl Site {
    fn read(files: &mut Files<'_>, converters: &dyn Converters, page: usize) -> Result<Self> {
        let mut site = Self {
            index: files.name(page).to_owned(),
            page: files.read(page)?,
            files: HashMap::new(),
            is_flat: (0..files.len()).all(|nth| !files.name(nth).contains('/')),
        };
        for nth in (0..files.len()).filter(|nth| *nth != page) {
            let name = files.name(nth).to_owned();
            let bytes = files.read(nth)?;
            let media_type = media_type(&name, &bytes, converters);
            let bytes = bytes.into();
            site.files.insert(name, File { media_type, bytes });
        }
        Ok(site)
    }

    /// Returns the header and the footer as `template` elements for the page.
    fn templates(&mut self, job: &Job<'_>) -> Result<String> {
        let mut templates = String::new();
        let date = convertd_tree::date::short_moment(SystemTime::now());
        for spec in [&HEADER, &FOOTER] {
            let Some(name) = job.options().word(spec.name) else {
                continue;
            };
            let file = self.files.get(name).ok_or_else(|| {
                let text = format!("{} names {name:?}, which is not in the archive", spec.name);
                Error::new(Kind::BadInput, text)
            })?;
            let text = convertd_tree::encoding::decode_html(file.bytes.to_vec());
            let (text, _) = convertd_markup::html::inline(&text, self, usize::MAX);
            let _ = write!(
                templates,
                "<template data-print=\"{}\" data-date=\"{date}\">{text}</template>",
                spec.name
            );
        }
        Ok(templates)
    }

    /// Returns the page with the included Markdown files in place of their `toHTML` calls.
    ///
    /// Errors: [`Kind::BadInput`] if a file is missing, or if the page includes more than [`MAX_TEMPLATES`] files;
    /// those of the conversion.
    fn with_markdown(
        &self,
        job: &Job<'_>,
        page: &str,
        converters: &dyn Converters,
    ) -> Result<String> {
        let mut out = String::with_capacity(page.len());
        let mut rest = page;
        let mut count = 0;
        let mut missing = Vec::new();
        while let Some((before, name, after)) = next_template(rest) {
            count += 1;
            if count > MAX_TEMPLATES {
                let text = format!("the page includes more than {MAX_TEMPLATES} Markdown files");
                return Err(Error::new(Kind::BadInput, text));
            }
            let Some(file) = self.files.get(name) else {
                missing.push(format!("'{name}'"));
                rest = after;
                continue;
            };
            out.push_str(before);
            out.push_str(&markdown(job, &file.bytes, converters)?);
            rest = after;
        }
        if !missing.is_empty() {
            let text = format!("Markdown file(s) not found: {}", missing.join("\n"));
            return Err(Error::new(Kind::BadInput, text).because(Reason::FileMissing));
        }
        out.push_str(rest);
        Ok(out)
    }

    /// Finds the file that an address refers to.
    fn named(&self, address: &str) -> Option<&File> {
        let address = html::plain_address(address);
        let beside = html::joined(&self.index, address);
        // Some programs send the files of a page without their folders. So if no file is in a folder, the last
        // component of the address is tried, too.
        let alone = if self.is_flat {
            file_name(address)
        } else {
            &beside
        };
        let names = [&beside, address, address.trim_start_matches('/'), alone];
        names.into_iter().find_map(|name| {
            let known = self.files.get(name);
            known.or_else(|| self.files.get(&html::percent_decoded(name)))
        })
    }
}

impl Names for Site {
    fn find(&mut self, address: &str) -> Option<Named> {
        let file = self.named(address)?;
        Some(Named::new(file.media_type.clone(), file.bytes.clone()))
    }
}

impl Companions for Site {
    fn read(&self, address: &str) -> Option<Vec<u8>> {
        self.named(address).map(|file| file.bytes.to_vec())
    }
}

/// Splits a text at the next `{{ toHTML "name" }}` into the text before it, the name, and the text after it. The name
/// may also be between backquotes.
fn next_template(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("{{") {
        let start = from + at;
        let end = start + text[start..].find("}}")?;
        let call = text[start + 2..end].trim_matches(|c: char| c.is_whitespace() || c == '-');
        let name = call.strip_prefix("toHTML").map(str::trim);
        let name = name.and_then(|name| {
            let quoted = |quote: char| name.strip_prefix(quote)?.strip_suffix(quote);
            quoted('"').or_else(|| quoted('`'))
        });
        if let Some(name) = name {
            return Some((&text[..start], name, &text[end + 2..]));
        }
        from = start + 2;
    }
    None
}

/// Converts a Markdown file to the content of an HTML body.
fn markdown(job: &Job<'_>, bytes: &[u8], converters: &dyn Converters) -> Result<String> {
    let (from, to) = (document::format("md"), document::html_format());
    let Some((pair, converter)) = converters.find(from, to) else {
        return Err(Error::new(
            Kind::BadInput,
            "Markdown cannot be read in this build",
        ));
    };
    let task = Task {
        from: from.name.into(),
        to: to.name.into(),
        quality: job.quality(),
        options: Options::default(),
        file_title: None,
    };
    let mut output = InMemory::new(job);
    let len = bytes.len().max(1) as u64;
    let made = job.part(&task, (pair.from, pair.to), len, |job| {
        fenced(|| (converter.convert)(job, &mut Cursor::new(bytes), &mut output))
    });
    let (page, _lease) = output.finish()?;
    made?;
    let page = String::from_utf8_lossy(&page);
    let start = page
        .find("<body")
        .and_then(|at| Some(at + page[at..].find('>')? + 1));
    let end = page.rfind("</body>").unwrap_or(page.len());
    Ok(page
        .get(start.unwrap_or(0)..end)
        .unwrap_or_default()
        .to_owned())
}

/// The media type of a file: by its extension for style sheets, SVG and fonts, otherwise by its content.
fn media_type(name: &str, bytes: &[u8], converters: &dyn Converters) -> String {
    let extension = file_name(name)
        .rsplit_once('.')
        .map(|(_, extension)| extension);
    let known = match extension.unwrap_or_default().to_ascii_lowercase().as_str() {
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "ttf" => "font/ttf",
        "otf" => "font/otf",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    match identified(bytes, name, converters) {
        Ok(format) => format.media_type.to_owned(),
        Err(_) => "application/octet-stream".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_found() {
        #[track_caller]
        fn check(text: &str, expected: Option<(&str, &str, &str)>) {
            assert_eq!(next_template(text), expected);
        }
        check("a {{ toHTML \"b.md\" }} c", Some(("a ", "b.md", " c")));
        check("{{x}}{{toHTML `b.md`}}", Some(("{{x}}", "b.md", "")));
        check("{{ toHTML }} {{", None);
        check("{{ é }}", None);
    }
}
