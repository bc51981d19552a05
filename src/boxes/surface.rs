//! Output surface of a document: pages of paper, or the picture of a window. Lays out nothing.

use super::paper::{self, PageOptions, Paper};
use crate::{
    is_book,
    job::{Job, OptionKind, OptionSpec},
};
use convertd_markup::css::{media::Media, sheet::PageRule};
use convertd_tree::options;

/// Option for the width of the window that becomes a picture, in px.
pub static WIDTH: OptionSpec = OptionSpec {
    name: "width",
    kind: OptionKind::Integer(100..=10_000),
    default: Some("800"),
    help: "width in CSS px of the window in which html is laid out; the picture is as high as the content",
};

/// Option for the resolution of a picture, in device pixels per inch; 96 makes one pixel per px.
pub static DPI: OptionSpec = OptionSpec {
    name: "dpi",
    kind: OptionKind::Integer(48..=384),
    default: Some("96"),
    help: "resolution of a picture of html, in pixels per inch: 96 gives one pixel per CSS px, 192 gives two, for high-resolution screens",
};

/// Width and height of the default viewport of headless Chromium, in px.
const WINDOW: (u32, f32) = (800, 600.0);

/// Limit on the height of a picture, in pixels: the largest number of 16 bits. `width` and `dpi` have limits of their
/// own that keep the width below it.
const MAX_PIXELS: f32 = 65_535.0;

/// Smallest scale of content that is wider than the page. Chromium has the same limit.
const SMALLEST: f32 = 2.0 / 3.0;
/// Smallest scale, in books, of content that is wider than the page. It is larger, because one wide table must not make
/// the text of a whole book small.
const SMALLEST_OF_BOOKS: f32 = 0.96;

/// Output surface of a document: its page geometry, its medium, and its limits.
pub(super) struct Surface {
    /// Page size and margins by options and defaults, or the window.
    pub default_paper: Paper,
    asked: PageOptions,
    /// Scale of printed pages; 1 is the original size.
    pub scale: f32,
    /// Whether the surface is paginated. Otherwise everything is one page, as high as its content.
    pub paged: bool,
    /// Whether styles for `print` apply instead of those for `screen`.
    print: bool,
    /// Limit on the height of a picture, in px.
    pub(super) tallest: Option<f32>,
    /// Whether a single page of paper was asked for.
    pub single: bool,
    /// Whether blocks of code are coloured by their language.
    pub(super) colours_code: bool,
    /// Smallest scale to which content wider than the page is shrunk.
    pub(super) smallest: f32,
}

impl Surface {
    /// Pages of paper, by the job's options.
    pub(crate) fn paper(job: &Job<'_>) -> Self {
        Self {
            default_paper: paper::from_options(job),
            asked: PageOptions::of(job),
            scale: paper::scale(job),
            paged: true,
            print: job.options().word(paper::MEDIA.name) != Some("screen"),
            tallest: None,
            single: job.options().flag(paper::SINGLE.name),
            colours_code: options::highlights(job),
            smallest: if is_book(job.from.name) {
                SMALLEST_OF_BOOKS
            } else {
                SMALLEST
            },
        }
    }

    /// A browser window whose content becomes a picture.
    pub(crate) fn window(job: &Job<'_>) -> Self {
        let width = job.options().integer(WIDTH.name).unwrap_or(WINDOW.0);
        let dpi = job.options().integer(DPI.name).unwrap_or(96);
        Self {
            default_paper: Paper {
                width: width as f32,
                height: WINDOW.1,
                margin: [0.0; 4],
            },
            asked: PageOptions {
                size: true,
                margin: true,
                landscape: None,
            },
            scale: 1.0,
            paged: false,
            print: false,
            tallest: Some(MAX_PIXELS * 96.0 / dpi as f32),
            single: false,
            // Browsers do not colour code.
            colours_code: false,
            smallest: SMALLEST,
        }
    }

    /// A sheet of paper of this size in px, without margins: the surface of running headers and
    /// footers.
    pub(crate) fn sheet(width: f32, height: f32) -> Self {
        Self {
            default_paper: Paper {
                width,
                height,
                margin: [0.0; 4],
            },
            asked: PageOptions {
                size: true,
                margin: true,
                landscape: None,
            },
            scale: 1.0,
            paged: true,
            print: true,
            tallest: None,
            single: false,
            // Browsers do not colour code.
            colours_code: false,
            smallest: SMALLEST,
        }
    }

    /// Features for media queries.
    pub(crate) fn media(&self) -> Media {
        Media {
            print: self.print,
            size: self.default_paper.content(),
        }
    }

    /// Size and margins of a page by its name and number. `content` is the height of the content in
    /// px, for surfaces that are not paginated.
    pub(crate) fn page(
        &self,
        rules: &[PageRule],
        name: Option<&str>,
        number: usize,
        content: f32,
    ) -> Paper {
        if self.paged {
            return paper::of(rules, name, number, &self.default_paper, &self.asked);
        }
        Paper {
            height: content.ceil().max(1.0),
            ..self.default_paper.clone()
        }
    }
}
