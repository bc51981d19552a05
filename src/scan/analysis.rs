//! Writes words with their positions as JSON, in the form that clients of Azure's Read model expect (Document
//! Intelligence 2024-11-30, `analyzeResult`), without the members for the model and the version. Recognises nothing,
//! and does not read the format.
//!
//! Every word, line and paragraph refers to its part of the document's text by an offset and a length. Both count code
//! points, or UTF-16 code units if the option is set. Each page is written as soon as it is recognised. The text and
//! the paragraphs follow the last page.

use super::page_info::{PageInfo, bounds_of};
use crate::{
    error::{Error, Result},
    format::{Category, Format},
    job::{Job, Lease, Output},
};
use convertd_ocr::page::{Rect, Text, Turn, Word};
use serde_json::{Map, Value, json};

/// Format of analyses: internal, and not in the list of formats.
pub static FORMAT: Format = Format {
    name: "analysis",
    aliases: &[],
    category: Category::Document,
    description: "Words with their positions, as JSON",
    media_type: "application/json",
    magic: &[],
};

/// Option for offsets in UTF-16 code units.
pub const UTF_16: &str = "utf16";

/// Memory of the text and its paragraphs, as a multiple of the text's bytes.
const TIMES: u64 = 4;

/// A file while it is written.
pub(super) struct Analysis<'j> {
    lease: Lease<'j>,
    /// Whether offsets and lengths count UTF-16 code units instead of code points.
    counts_utf_16: bool,
    /// Text of all pages so far.
    content: String,
    /// Length of the content, in the unit of offsets.
    len: usize,
    paragraphs: Vec<Value>,
    /// Number of pages written.
    pages: usize,
}

impl<'j> Analysis<'j> {
    /// Writes the beginning of the file.
    pub(super) fn begin(job: &Job<'j>, output: &mut dyn Output) -> Result<Self> {
        write(output, "{\"pages\":[")?;
        Ok(Self {
            lease: job.empty_lease(),
            counts_utf_16: job.options().flag(UTF_16),
            content: String::new(),
            len: 0,
            paragraphs: Vec::new(),
            pages: 0,
        })
    }

    /// Writes a page, and stores its text for the end of the file.
    pub(super) fn page(
        &mut self,
        output: &mut dyn Output,
        page: &PageInfo,
        text: &Text,
    ) -> Result<()> {
        let bytes: usize = text
            .lines
            .iter()
            .flat_map(|line| &line.words)
            .map(|word| word.text.len() + 1)
            .sum();
        self.lease.grow(TIMES * bytes as u64)?;
        let scale = Scale::of(page);
        let start = self.len;
        let (mut words, mut lines) = (Vec::new(), Vec::new());
        for block in text.lines.chunk_by(|a, b| a.block == b.block) {
            let block_start = if self.content.is_empty() {
                0
            } else {
                self.len + 1
            };
            let mut texts: Vec<String> = Vec::new();
            for line in block {
                if !self.content.is_empty() {
                    self.push("\n");
                }
                let line_start = self.len;
                let mut line_text = String::new();
                for (nth, word) in line.words.iter().enumerate() {
                    if nth > 0 {
                        self.push(" ");
                        line_text.push(' ');
                    }
                    words.push(self.word(word, scale));
                    line_text.push_str(&word.text);
                }
                lines.push(json!({
                    "content": line_text,
                    "polygon": scale.polygon(line.bounds),
                    "spans": [span(line_start, self.len)],
                }));
                texts.push(line_text);
            }
            let bounds = bounds_of(block.iter().map(|line| line.bounds));
            self.paragraphs.push(json!({
                "spans": [span(block_start, self.len)],
                "boundingRegions": [{ "pageNumber": page.number, "polygon": scale.polygon(bounds) }],
                "content": texts.join(" "),
            }));
        }
        let (width, height, unit) = scale.size(page);
        let written = json!({
            "pageNumber": page.number,
            "angle": f64::from(-text.skew) + turned(text.turn),
            "width": width,
            "height": height,
            "unit": unit,
            "words": words,
            "lines": lines,
            "spans": [span(start, self.len)],
        });
        if self.pages > 0 {
            write(output, ",")?;
        }
        self.pages += 1;
        write(output, &written.to_string())
    }

    /// Writes the end of the file: the text, and its paragraphs.
    pub(super) fn end(self, output: &mut dyn Output) -> Result<()> {
        let mut rest = Map::new();
        rest.insert("paragraphs".into(), self.paragraphs.into());
        rest.insert("styles".into(), json!([]));
        let index = match self.counts_utf_16 {
            true => "utf16CodeUnit",
            false => "unicodeCodePoint",
        };
        rest.insert("stringIndexType".into(), index.into());
        rest.insert("contentFormat".into(), "text".into());
        rest.insert("content".into(), self.content.into());
        let rest = Value::Object(rest).to_string();
        write(output, "],")?;
        write(output, rest.strip_prefix('{').unwrap_or(&rest))
    }

    fn word(&mut self, word: &Word, scale: Scale) -> Value {
        let start = self.len;
        self.push(&word.text);
        json!({
            "content": word.text,
            "polygon": scale.polygon(word.bounds),
            "confidence": f64::from((word.confidence * 10.0).round()) / 1000.0,
            "span": span(start, self.len),
        })
    }

    fn push(&mut self, text: &str) {
        self.content.push_str(text);
        self.len += match self.counts_utf_16 {
            true => text.encode_utf16().count(),
            false => text.chars().count(),
        };
    }
}

/// Conversion from pixels to the unit of a page.
#[derive(Clone, Copy)]
struct Scale {
    across: f64,
    down: f64,
    is_inch: bool,
}

impl Scale {
    fn of(page: &PageInfo) -> Self {
        match page.dpi {
            Some((across, down)) if across > 0.0 && down > 0.0 => Self {
                across: 1.0 / across,
                down: 1.0 / down,
                is_inch: true,
            },
            _ => Self {
                across: 1.0,
                down: 1.0,
                is_inch: false,
            },
        }
    }

    /// Width, height and unit of a page.
    fn size(self, page: &PageInfo) -> (f64, f64, &'static str) {
        let (width, height) = (
            page.width as f64 * self.across,
            page.height as f64 * self.down,
        );
        let unit = if self.is_inch { "inch" } else { "pixel" };
        (rounded(width), rounded(height), unit)
    }

    /// Corners of a rectangle, clockwise from the upper left one: x and y of each.
    fn polygon(self, bounds: Rect) -> [f64; 8] {
        let x = |x: f32| rounded(f64::from(x) * self.across);
        let y = |y: f32| rounded(f64::from(y) * self.down);
        let (left, right) = (x(bounds.left), x(bounds.right));
        let (top, bottom) = (y(bounds.top), y(bounds.bottom));
        [left, top, right, top, right, bottom, left, bottom]
    }
}

fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

fn span(start: usize, end: usize) -> Value {
    json!({ "offset": start, "length": end.saturating_sub(start) })
}

/// Angle in degrees, clockwise, by which the content of a page is rotated.
fn turned(turn: Turn) -> f64 {
    match turn {
        Turn::Upright => 0.0,
        Turn::Clockwise => -90.0,
        Turn::UpsideDown => 180.0,
        Turn::CounterClockwise => 90.0,
    }
}

fn write(output: &mut dyn Output, text: &str) -> Result<()> {
    output.write_all(text.as_bytes()).map_err(Error::unwritten)
}
