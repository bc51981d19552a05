//! Target of a page of HTML: pages of paper, or one picture of a window. Lays out nothing.

use super::paper::{self, Asked, Paper};
use crate::job::Job;
use crate::job::{OptionKind, OptionSpec};
use convertd_markup::css::{media::Media, sheet::PageRule};

/// Width of the window that becomes a picture.
pub static WIDTH: OptionSpec = OptionSpec {
    name: "width",
    kind: OptionKind::Integer(100..=10_000),
    default: Some("800"),
    help: "how wide the window is, in px, that a page of html is laid out in; the picture is as high as its content",
};

/// Number of device pixels for each px.
pub static DPI: OptionSpec = OptionSpec {
    name: "dpi",
    kind: OptionKind::Integer(48..=384),
    default: Some("96"),
    help: "pixels an inch of a picture of html: 96 makes one of each px, 192 two, as for fine screens",
};

/// The window that browsers without a screen have, in px, as far as nobody asks for another.
const WINDOW: (u32, f32) = (800, 600.0);

/// The most pixels of a side of a picture.
const MOST_PIXELS: f32 = 65_535.0;

/// Browsers make wide pages smaller, but not below two thirds. The text of a whole book would be as small because of one table in it, so
/// that it stays readable here.
const SMALLEST: f32 = 2.0 / 3.0;
const SMALLEST_OF_BOOKS: f32 = 0.96;

/// Target of a page of HTML.
pub(super) struct Surface {
    /// The paper that the job asks for, or that is usual here; or the window.
    pub usual: Paper,
    asked: Asked,
    /// Scale.
    pub scale: f32,
    /// It is cut into pages. Otherwise everything stands on one, which is as high as its content.
    pub paged: bool,
    /// The styles of print count, and not those of screens.
    print: bool,
    /// Limit on the height of a picture, in px.
    pub(super) tallest: Option<f32>,
    /// All is to stand on one page of paper.
    pub single: bool,
    /// The least scale of wide content, which is made to fit the paper.
    pub(super) smallest: f32,
}

impl Surface {
    /// Pages of paper.
    pub(crate) fn paper(job: &Job<'_>) -> Self {
        Self {
            usual: paper::usual(job),
            asked: Asked::of(job),
            scale: paper::scale(job),
            paged: true,
            print: job.options().word(paper::MEDIA.name) != Some("screen"),
            tallest: None,
            single: job.options().flag(paper::SINGLE.name),
            smallest: if job.from.name == "epub" {
                SMALLEST_OF_BOOKS
            } else {
                SMALLEST
            },
        }
    }

    /// A window without edges.
    pub(crate) fn window(job: &Job<'_>) -> Self {
        let width = job.options().integer(WIDTH.name).unwrap_or(WINDOW.0);
        let dpi = job.options().integer(DPI.name).unwrap_or(96);
        Self {
            usual: Paper {
                width: width as f32,
                height: WINDOW.1,
                margin: [0.0; 4],
            },
            asked: Asked {
                size: true,
                margin: true,
            },
            scale: 1.0,
            paged: false,
            print: false,
            tallest: Some(MOST_PIXELS * 96.0 / dpi as f32),
            single: false,
            smallest: SMALLEST,
        }
    }

    /// A sheet of this size in px, without margins.
    pub(crate) fn sheet(width: f32, height: f32) -> Self {
        Self {
            usual: Paper {
                width,
                height,
                margin: [0.0; 4],
            },
            asked: Asked {
                size: true,
                margin: true,
            },
            scale: 1.0,
            paged: true,
            print: true,
            tallest: None,
            single: false,
            smallest: SMALLEST,
        }
    }

    /// Features for media queries.
    pub(crate) fn media(&self) -> Media {
        Media {
            print: self.print,
            size: self.usual.content(),
        }
    }

    /// The page of this name and number, whose content is so high in px if it is the only one.
    pub(crate) fn page(
        &self,
        rules: &[PageRule],
        name: Option<&str>,
        number: usize,
        content: f32,
    ) -> Paper {
        if self.paged {
            return paper::of(rules, name, number, &self.usual, &self.asked);
        }
        Paper {
            height: content.ceil().max(1.0),
            ..self.usual.clone()
        }
    }
}
