//! Steps for PDFs after the conversion: split, rotate, flatten, stamp, encrypt. The order is Gotenberg's: merge, split,
//! stamp, rotate, flatten, optimize, metadata, encrypt. Opens no file itself: each step is a conversion of the engine.

mod lock;

use super::{
    embeds::{self, Embeds},
    fields::{Fields, go_json},
    refusal::Refusal,
};
use crate::api::compat::{
    archive,
    item::Item,
    work::{Order, Work},
};
use crate::error::Reason;
pub(super) use lock::Lock;
use lock::lock;

/// Conformance levels of PDF/A, and whether this service can write them.
const PDF_A_LEVELS: [(&str, bool); 3] =
    [("PDF/A-1b", false), ("PDF/A-2b", true), ("PDF/A-3b", true)];

/// Gotenberg's message about an invalid list of pages for a split.
const INVALID_SPLIT: &str = "The requested split mode is not supported, or no PDF engine could process it. Valid modes: 'intervals', 'pages'.";

/// Steps that a form asks for.
#[derive(Default)]
pub(super) struct PostProcess {
    pub(super) split: Option<Split>,
    /// Angle in degrees, and the list of pages; the list is empty for all pages.
    pub(super) rotate: Option<(i64, String)>,
    /// Text over the content of pages, and the list of pages; the list is empty for all pages.
    pub(super) stamp: Option<(String, String)>,
    /// Text under the content of pages, and the list of pages; the list is empty for all pages.
    pub(super) watermark: Option<(String, String)>,
    pub(super) flatten: bool,
    /// Whether the file is rewritten even without another step.
    pub(super) rewrite: bool,
    /// Quality from 1 to 100 for encoding pictures again; `None` leaves them as they are.
    pub(super) shrink: Option<i64>,
    /// Level of PDF/A, in Gotenberg's words.
    pub(super) pdfa: Option<String>,
    pub(super) pdfua: bool,
    /// Metadata as a JSON object.
    pub(super) metadata: Option<String>,
    /// Bookmarks as a JSON list, which replace those of the file.
    pub(super) bookmarks: Option<String>,
    /// Files to attach.
    pub(super) embeds: Embeds,
    pub(super) lock: Option<Lock>,
}

/// Way of splitting a PDF.
pub(super) enum Split {
    /// Parts of this many pages.
    Intervals(u32),
    /// These pages: all in one file (`true`), or each in a file of its own (`false`).
    Pages(String, bool),
}

/// Fields that one route requires, although they are optional in other routes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RequiredFields {
    pub(super) split: bool,
    pub(super) rotate: bool,
    pub(super) metadata: bool,
    pub(super) stamp: bool,
    pub(super) watermark: bool,
    /// Whether the route is for reducing pictures.
    pub(super) shrink: bool,
    /// Whether the route accepts the field `bookmarks`, which it reads itself.
    pub(super) takes_bookmarks: bool,
}

/// Reads the fields that all routes for PDFs share.
pub(super) fn read(fields: &mut Fields<'_>, required: RequiredFields) -> PostProcess {
    let split = split(fields, required.split);
    let pdfa = fields.text("pdfa").map(str::to_owned);
    let pdfua = fields.flag("pdfua", false);
    let metadata = metadata(fields, required.metadata);
    let lock = lock(fields);
    let watermark = across(
        fields,
        [
            "watermark",
            "watermarkSource",
            "watermarkExpression",
            "watermarkPages",
            "watermarkOptions",
        ],
        required.watermark,
    );
    let stamp = across(
        fields,
        [
            "stamp",
            "stampSource",
            "stampExpression",
            "stampPages",
            "stampOptions",
        ],
        required.stamp,
    );
    let rotate = rotate(fields, required.rotate);
    fields.refused(&[
        "facturxConformanceLevel",
        "facturxDocumentType",
        "facturxVersion",
        "downloadFrom",
    ]);
    if !required.takes_bookmarks {
        fields.refused(&["bookmarks"]);
    }
    let embeds = embeds::read(fields);
    if let Some(pdfa) = pdfa.as_deref().filter(|pdfa| *pdfa != "PDF/A-3b")
        && !embeds.is_empty()
    {
        fields.problem(format!("PDF format '{pdfa}' does not support embedded files; only PDF/A-3 variants allow attachments"));
    }
    let shrink = shrink(fields, required.shrink);
    if pdfa.is_some() && lock.as_ref().is_some_and(|lock| !lock.user.is_empty()) {
        fields.problem("PDF/A format is incompatible with encryption".into());
    }
    PostProcess {
        split,
        rotate,
        stamp,
        watermark,
        rewrite: false,
        shrink,
        flatten: fields.flag("flatten", false),
        pdfa,
        pdfua,
        metadata,
        bookmarks: None,
        embeds,
        lock,
    }
}

/// Reads how the result is split: into intervals of a number of pages, or by ranges of pages.
fn split(fields: &mut Fields<'_>, required: bool) -> Option<Split> {
    let [mode, span] = ["splitMode", "splitSpan"].map(|name| match required {
        true => fields.required(name),
        false => fields.text(name),
    });
    let unify = fields.flag("splitUnify", false);
    let span: String = span.unwrap_or_default().split_whitespace().collect();
    match mode? {
        "intervals" => {
            if unify {
                let why = "unify is not available for split mode 'intervals'";
                fields.invalid("splitUnify", "true", why);
            }
            let check = |pages| (pages < 1).then_some("value is inferior to 1");
            let pages = fields.whole("splitSpan", check)?;
            Some(Split::Intervals(u32::try_from(pages).unwrap_or(u32::MAX)))
        }
        "pages" => Some(Split::Pages(span, unify)),
        other => {
            let why = "wrong value, expected either 'intervals' or 'pages'";
            fields.invalid("splitMode", other, why);
            None
        }
    }
}

/// Reads the metadata to write, a JSON object. A syntax error is described as Go describes it.
fn metadata(fields: &mut Fields<'_>, required: bool) -> Option<String> {
    let text = match required {
        true => fields.required("metadata"),
        false => fields.text("metadata"),
    }?;
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text) {
        Ok(map) if map.is_empty() => None,
        // The JSON is written on one line, because values of options have no line breaks.
        Ok(map) => Some(serde_json::Value::Object(map).to_string()),
        Err(err) => {
            let why = go_json(text).unwrap_or_else(|| err.to_string());
            fields.invalid("metadata", text, &format!("unmarshal metadata: {why}"));
            None
        }
    }
}

fn rotate(fields: &mut Fields<'_>, required: bool) -> Option<(i64, String)> {
    if required {
        fields.required("rotateAngle");
    }
    let known = |angle| {
        let is_known = matches!(angle, 90 | 180 | 270);
        (!is_known).then_some("wrong value, expected 90, 180, or 270")
    };
    let angle = fields.whole("rotateAngle", known)?;
    let pages = fields.text("rotatePages").unwrap_or_default();
    Some((angle, pages.to_owned()))
}

/// Reads a stamp over pages or a watermark under them: its text and its pages. Only plain text in this program's own
/// style is supported; pictures and PDFs are refused.
fn across(
    fields: &mut Fields<'_>,
    [what, source, expression, pages, options]: [&'static str; 5],
    required: bool,
) -> Option<(String, String)> {
    const KNOWN: &str = "wrong value, expected either 'text', 'image' or 'pdf'";
    match fields.text(source) {
        Some("image" | "pdf") if !fields.has_file_in(what) => {
            fields.problem(format!("a {what} file is required for image or pdf source"));
        }
        Some("text") | None => {}
        Some("image" | "pdf") => fields.unsupported(source),
        Some(other) => fields.invalid(source, other, KNOWN),
    }
    if required {
        fields.required(source);
    }
    fields.text(source).filter(|source| *source == "text")?;
    if fields.count(source) > 1 {
        let why = format!("only one {what} is supported by this server");
        fields.invalid(source, "text", &why);
    }
    fields.refused(&[options]);
    let text = fields.required(expression)?;
    let pages = fields.text(pages).unwrap_or_default();
    Some((text.to_owned(), pages.to_owned()))
}

/// Reads the quality of pictures, if the form asks for encoding them again.
fn shrink(fields: &mut Fields<'_>, required: bool) -> Option<i64> {
    /// Gotenberg's default quality.
    const DEFAULT: i64 = 80;
    let percent = fields.whole("imageQuality", |number| match number {
        ..1 => Some("value is inferior to 1"),
        101.. => Some("value is superior to 100"),
        _ => None,
    });
    let wants = fields.flag("optimizeImages", false) || required;
    wants.then(|| percent.unwrap_or(DEFAULT))
}

impl PostProcess {
    /// Refuses levels of PDF/A that this service cannot write. `unknown` makes the message for a level that is not in
    /// the list.
    pub(super) fn check(&self, unknown: fn(&str) -> String) -> Result<(), Refusal> {
        let Some(pdfa) = self.pdfa.as_deref() else {
            return Ok(());
        };
        match PDF_A_LEVELS.iter().find(|(name, _)| *name == pdfa) {
            Some((_, true)) => Ok(()),
            Some((_, false)) => Err(Refusal::bad(format!(
                "The PDF format '{pdfa}' is not supported by this server. Use PDF/A-2b or PDF/A-3b instead."
            ))),
            None => Err(Refusal::bad(unknown(pdfa))),
        }
    }

    /// Returns the part of PDF/A (ISO 19005) that the result must claim.
    pub(super) fn part(&self) -> Option<u64> {
        match self.pdfa.as_deref()? {
            "PDF/A-3b" => Some(3),
            _ => Some(2),
        }
    }

    /// Returns a lower limit of the number of conversions for one file.
    pub(super) fn steps(&self) -> u64 {
        u64::from(self.claims()) + u64::from(self.edits()) + u64::from(!self.embeds.is_empty())
    }

    /// Returns whether the result must claim PDF/A or PDF/UA.
    pub(super) fn claims(&self) -> bool {
        self.pdfa.is_some() || self.pdfua
    }

    /// Returns whether a step needs a conversion from PDF to PDF. Attachments and claims are not counted.
    fn edits(&self) -> bool {
        self.split.is_some()
            || self.rotate.is_some()
            || self.stamp.is_some()
            || self.watermark.is_some()
            || self.flatten
            || self.rewrite
            || self.shrink.is_some()
            || self.metadata.is_some()
            || self.bookmarks.is_some()
            || self.lock.is_some()
    }

    /// Returns the options for the conversion to PDF itself.
    pub(super) fn options(&self) -> Vec<(&'static str, String)> {
        let part = self.part().map(|part| match part {
            3 => "3",
            _ => "true",
        });
        let part = part.into_iter();
        part.map(|part| ("pdf_a", part.to_owned())).collect()
    }

    /// Repairs a file for PDF/A as far as possible. The metadata of the result then state whether it conforms.
    pub(super) fn archival(&self, work: &Work<'_, '_>, item: &Item) -> Result<Item, Refusal> {
        let order = Order {
            target: "pdf",
            quality: None,
            options: &self.options(),
        };
        Ok(work.convert(item, &order)?.item)
    }

    /// Runs all steps on one file. `pages` is the list of pages to keep, if not all.
    pub(super) fn run(
        &self,
        work: &Work<'_, '_>,
        item: Item,
        pages: Option<&str>,
    ) -> Result<Vec<Item>, Refusal> {
        if pages.is_none() && !self.edits() {
            return self.embedded(work, vec![item]);
        }
        let mut item = item;
        let mut options = Vec::new();
        if let Some(bookmarks) = &self.bookmarks {
            options.push(("bookmarks", bookmarks.clone()));
            // Bookmarks refer to pages of the whole file, so they are set in a separate step before the pages are
            // chosen.
            if self.split.is_some() || pages.is_some() {
                item = self
                    .edit(work, &item, std::mem::take(&mut options))?
                    .remove(0);
            }
        }
        if let Some(pages) = pages {
            options.push(("pages", pages.to_owned()));
        }
        match &self.split {
            None => {}
            Some(Split::Intervals(pages)) => options.push(("split", pages.to_string())),
            Some(Split::Pages(span, unify)) => {
                // Two lists of pages cannot be combined, so the first one is applied in a step of its own.
                if pages.is_some() {
                    item = self
                        .edit(work, &item, std::mem::take(&mut options))?
                        .remove(0);
                }
                options.push(("pages", span.clone()));
                if !unify {
                    options.push(("split", "1".to_owned()));
                }
            }
        }
        if let Some((text, pages)) = &self.watermark {
            options.push(("watermark", text.clone()));
            options.push(("watermark_pages", pages.clone()));
        }
        if let Some((text, pages)) = &self.stamp {
            options.push(("stamp", text.clone()));
            options.push(("stamp_pages", pages.clone()));
        }
        if let Some((angle, pages)) = &self.rotate {
            options.push(("rotate", angle.to_string()));
            if !pages.is_empty() {
                // These page numbers refer to the whole file, so the engine rotates pages before it splits.
                options.push(("rotate_pages", pages.clone()));
            }
        }
        if self.flatten {
            options.push(("flatten", "true".to_owned()));
        }
        if let Some(metadata) = &self.metadata {
            options.push(("info", metadata.clone()));
        }
        // An encrypted file cannot be changed any more. If files are to be attached, that later step encrypts the
        // result.
        if self.embeds.is_empty() {
            options.extend(self.lock_options());
        }
        let results = self.edit(work, &item, options)?;
        self.embedded(work, results)
    }

    /// Returns the options that encrypt the result.
    fn lock_options(&self) -> Vec<(&'static str, String)> {
        let Some(lock) = &self.lock else {
            return Vec::new();
        };
        let mut options = vec![
            ("encrypt", lock.user.clone()),
            ("owner_password", lock.owner.clone()),
        ];
        let permissions = lock.permissions.iter();
        options.extend(permissions.map(|list| ("permissions", list.clone())));
        options.retain(|(_, value)| !value.is_empty());
        options
    }

    /// Attaches the files of the form to each result, and encrypts the result if the form asks for it. Without such
    /// files, the results stay unchanged.
    fn embedded(&self, work: &Work<'_, '_>, results: Vec<Item>) -> Result<Vec<Item>, Refusal> {
        if self.embeds.is_empty() {
            return Ok(results);
        }
        let options = [self.options(), self.lock_options()].concat();
        let results = results.iter();
        results
            .map(|item| self.embeds.attach(work, item, options.clone()))
            .collect()
    }

    /// Runs a conversion from PDF to PDF. Returns several files if it splits.
    fn edit(
        &self,
        work: &Work<'_, '_>,
        item: &Item,
        options: Vec<(&'static str, String)>,
    ) -> Result<Vec<Item>, Refusal> {
        let options: Vec<_> = options
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .collect();
        let order = Order {
            target: "pdf",
            quality: self.shrink.map(|percent| match percent {
                ..=50 => "low",
                _ => "medium",
            }),
            options: &options,
        };
        let made = work
            .convert(item, &order)
            .map_err(|error| match error.reason() {
                Some(Reason::Metadata) => Refusal::bad(format!(
                    "The requested metadata could not be written: {}",
                    error.message()
                )),
                Some(Reason::PageList | Reason::PageMissing) if self.split.is_some() => {
                    Refusal::bad(INVALID_SPLIT)
                }
                _ => error.into(),
            })?;
        if !made.is_archive {
            return Ok(vec![made.item]);
        }
        let stem = stem(&item.name).to_owned();
        let mut parts = archive::unpack(&made.item)?;
        for (nth, part) in parts.iter_mut().enumerate() {
            part.name = format!("{stem}_{nth}.pdf");
        }
        Ok(parts)
    }
}

/// Returns a file name without its extension.
pub(super) fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
