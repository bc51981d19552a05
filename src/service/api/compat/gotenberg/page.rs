//! `POST /forms/chromium/convert/html` and `/markdown`: converts a page with its resources to PDF. There is no browser:
//! scripts do not run, and nothing is fetched.
//!
//! Fields for the page size and the margins become a style sheet after the style sheets of the page. So its rules
//! override those of the page, as in a browser. If the form prefers the rules of the page, the style sheet comes first.

use super::{
    answer::Reply,
    engines::conforming,
    fields::Fields,
    post_process::{self, PostProcess, RequiredFields, Split},
    refusal::{Refusal, UNSUPPORTED},
    stages::Stages,
};
use crate::{
    api::compat::{
        form::Sent,
        item::Item,
        work::{Order, Work},
    },
    error::Reason,
    http::Status,
    job::{Notes, Tag},
};

/// The name of the main file.
const INDEX: &str = "index.html";

/// Headers and footers of pages: the option of the engine, and the name of the file.
const HEADER_AND_FOOTER: [(&str, &str); 2] = [("header", "header.html"), ("footer", "footer.html")];

/// Paper settings of a form. Lengths are in inches.
struct Paper {
    size: [f64; 2],
    /// Margins: top, right, bottom, left.
    margins: [f64; 4],
    landscape: bool,
    scale: f64,
    /// Whether the page's own rules for its size and margins take precedence.
    prefers_own: bool,
    background: bool,
    /// Whether the styles for the medium `screen` apply instead of those for `print`.
    screen: bool,
    /// Whether all content is put on one page, which is as high as the content.
    single: bool,
}

/// Handles a page with its resources, whose main file is `index.html`.
pub(super) fn answer(
    work: &Work<'_, '_>,
    sent: &Sent,
    is_markdown: bool,
    name: Option<String>,
) -> Result<Reply, Refusal> {
    let mut fields = Fields::new(sent);
    let finish = post_process::read(&mut fields, RequiredFields::default());
    let paper = paper(&mut fields);
    let ranges = fields.text("nativePageRanges").map(str::to_owned);
    let index = fields.required_file(INDEX).map(|part| part.item.clone());
    if is_markdown {
        fields.files(&[".md"]);
    }
    let around = HEADER_AND_FOOTER
        .into_iter()
        .filter(|(_, name)| fields.file(name).is_some())
        .collect::<Vec<_>>();
    let resources: Vec<Item> = fields.resources().map(|part| part.item.clone()).collect();
    if fields.flag("omitBackground", false) && !paper.background {
        fields.problem("omitBackground requires printBackground set to true".into());
    }
    let stages = Stages::read(&mut fields);
    let fails = fields.flag("failOnResourceLoadingFailed", false);
    let idle = fields.end()?;
    finish.check(|_| UNSUPPORTED.to_owned())?;
    let Some(index) = index else {
        return Err(Refusal::form(&format!("form file '{INDEX}' is required")));
    };
    let of_stages = stages.finish().unwrap_or(&finish);
    let (page, notes) = convert(work, &index, &resources, &around, &paper, of_stages)?;
    if fails && notes.has(Tag::Resource) {
        let lost: Vec<&str> = notes.tagged(Tag::Resource).collect();
        let text = format!("Chromium failed to load resources:\n{}", lost.join("\n"));
        return Err(Refusal::Plain(Status::CONFLICT, text));
    }
    let mut page = conforming(work, of_stages, page)?;
    if let Some(name) = name.filter(|_| finish.split.is_some()) {
        // The names of the parts of a split result are made from this name.
        page.name = format!("{name}.pdf");
    }
    let results = finish
        .run(work, page, ranges.as_deref())
        .map_err(|refusal| match (refusal, &ranges) {
            (Refusal::Failed(error), Some(ranges)) => match error.reason() {
                Some(Reason::PageMissing) => Refusal::bad(format!(
                    "The page ranges '{ranges}' (nativePageRanges) exceeds the page count"
                )),
                Some(Reason::PageList) => Refusal::bad(format!(
                    "Chromium does not handle the page ranges '{ranges}' (nativePageRanges) syntax"
                )),
                _ => error.into(),
            },
            (other, _) => other,
        })?;
    Ok(Reply::of(stages.run(work, results)?, idle))
}

/// Reads the fields about paper. Most fields about waiting and about the network have no effect, because no scripts
/// run, and nothing is fetched. Fields that wait for a condition are refused.
fn paper(fields: &mut Fields<'_>) -> Paper {
    for name in [
        "skipNetworkIdleEvent",
        "skipNetworkAlmostIdleEvent",
        "failOnConsoleExceptions",
    ] {
        fields.idle_flag(name);
    }
    fields.idle(&[
        "failOnHttpStatusCodes",
        "failOnResourceHttpStatusCodes",
        "ignoreResourceHttpStatusDomains",
        "waitDelay",
        "waitWindowStatus",
        "cookies",
        "userAgent",
        "extraHttpHeaders",
        "emulatedMediaFeatures",
    ]);
    fields.refused(&["waitForExpression", "waitForSelector"]);
    let mut screen = false;
    if let Some(media) = fields.text("emulatedMediaType") {
        match media {
            "print" => {}
            "screen" => screen = true,
            other => fields.invalid(
                "emulatedMediaType",
                other,
                "wrong value, expected either 'screen', 'print' or empty",
            ),
        }
    }
    let landscape = fields.flag("landscape", false);
    let background = fields.flag("printBackground", false);
    let scale = fields.number("scale", 1.0);
    let single = fields.flag("singlePage", false);
    let size = [
        fields.length("paperWidth", 8.5),
        fields.length("paperHeight", 11.0),
    ];
    let [top, bottom, left, right] = ["marginTop", "marginBottom", "marginLeft", "marginRight"]
        .map(|name| fields.length(name, 0.39));
    let prefers_own = fields.flag("preferCssPageSize", false);
    // These fields have no effect, because the outline always has all headings, and the PDF is always tagged.
    fields.idle_flag("generateDocumentOutline");
    fields.idle_flag("generateTaggedPdf");
    Paper {
        size,
        margins: [top, right, bottom, left],
        landscape,
        scale,
        prefers_own,
        background,
        screen,
        single,
    }
}

impl Paper {
    /// Returns the style sheet with the page size, the margins and the background. Without `preferCssPageSize`, its
    /// size and margins override those of the page.
    fn style(&self) -> String {
        let [width, height] = if self.landscape {
            [self.size[1], self.size[0]]
        } else {
            self.size
        };
        let weight = if self.prefers_own { "" } else { " !important" };
        let [top, right, bottom, left] = self.margins;
        let background = match self.background {
            true => "",
            false => "*,*::before,*::after{background:none!important}",
        };
        format!(
            "<style>@page{{size:{width}in {height}in{weight};margin:{top}in {right}in {bottom}in {left}in{weight}}}{background}</style>"
        )
    }

    /// Returns the options of the conversion. The size and the margins are in the style sheet instead, because the
    /// options support only some paper sizes.
    fn options(&self) -> Vec<(&'static str, String)> {
        let percent = (self.scale * 100.0).clamp(10.0, 200.0);
        let mut options = vec![("scale", format!("{percent:.0}"))];
        if self.screen {
            options.push(("media", "screen".to_owned()));
        }
        if self.single {
            options.push(("single_page", "true".to_owned()));
        }
        options
    }
}

/// Returns the length of the text before the root element, in bytes: white space, comments, an XML declaration and the
/// document type.
fn prolog_len(page: &[u8]) -> usize {
    let mut at = if page.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    loop {
        let rest = page[at..].trim_ascii_start();
        let begin = page.len() - rest.len();
        let is_doctype = || {
            rest.get(..9)
                .is_some_and(|word| word.eq_ignore_ascii_case(b"<!doctype"))
        };
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b">",
            _ if is_doctype() => b">",
            _ => return at,
        };
        match memchr::memmem::find(rest, end) {
            Some(found) => at = begin + found + end.len(),
            None => return at,
        }
    }
}

/// Converts the page together with the style sheet for the paper. In CSS, the later of two rules applies. So the page's
/// own rules come last if the form prefers them; otherwise the rules of the form come last.
fn convert(
    work: &Work<'_, '_>,
    index: &Item,
    resources: &[Item],
    around: &[(&'static str, &str)],
    paper: &Paper,
    finish: &PostProcess,
) -> Result<(Item, Notes), Refusal> {
    let style = paper.style();
    let styled = work.write(INDEX, |file| {
        let mut put = |bytes: &[u8]| {
            file.write_all(bytes)
                .map_err(crate::error::Error::unwritten)
        };
        let mut is_due = paper.prefers_own;
        index.each_piece(|piece| {
            if !std::mem::take(&mut is_due) {
                return put(piece);
            }
            // The style sheet is inserted after the document type, which is only valid at the beginning of a page.
            let (prolog, rest) = piece.split_at(prolog_len(piece));
            put(prolog)?;
            put(style.as_bytes())?;
            put(rest)
        })?;
        match paper.prefers_own {
            true => Ok(()),
            false => put(style.as_bytes()),
        }
    })?;
    let mut named = vec![(INDEX.to_owned(), &styled)];
    let others = resources.iter().filter(|item| item.name != INDEX);
    named.extend(others.map(|item| (item.name.clone(), item)));
    let mut archive = work.pack(&named)?;
    archive.name = "page.zip".to_owned();
    let mut options = paper.options();
    options.push(("index", INDEX.to_owned()));
    options.extend(
        around
            .iter()
            .map(|(option, name)| (*option, (*name).to_owned())),
    );
    options.extend(finish.options());
    let order = Order {
        target: "pdf",
        quality: Some("high"),
        options: &options,
    };
    let mut made = work
        .convert(&archive, &order)
        .map_err(|error| match error.reason() {
            Some(Reason::FileMissing) => Refusal::bad(error.message()),
            _ => error.into(),
        })?;
    made.item.name = match finish.split {
        Some(Split::Intervals(_) | Split::Pages(..)) => INDEX.to_owned(),
        None => "index.pdf".to_owned(),
    };
    Ok((made.item, made.notes))
}

#[cfg(test)]
mod tests {
    use super::prolog_len;

    #[test]
    fn a_prolog_ends_before_the_first_element() {
        #[track_caller]
        fn check(prolog: &str, rest: &str) {
            assert_eq!(
                prolog_len(format!("{prolog}{rest}").as_bytes()),
                prolog.len()
            );
        }
        check("", "");
        check("", "text");
        check("", "<p>text<!doctype html>");
        check("<!DOCTYPE html>", "\n<html>");
        check(
            "\u{feff}<?xml version='1.0'?>\n<!-- > -->\n<!doctype html>",
            "<html>",
        );
        check("", "<!-- no end <p>");
    }
}
