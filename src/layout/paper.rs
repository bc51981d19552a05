//! Paper size and margins, from the document or the job's options. Lays nothing out.

use super::{geometry::Geometry, units::points};
use crate::job::{Job, OptionKind, OptionSpec, Options};
use convertd_tree::{Length, PageSetup};
use std::rc::Rc;

/// Option for the paper size.
pub static PAGE_SIZE: OptionSpec = OptionSpec {
    name: "page_size",
    kind: OptionKind::OneOf(&["a3", "a4", "a5", "b5", "letter", "legal", "tabloid"]),
    default: None,
    help: "paper size; by default that of the document (or a4), and for pictures a page of the size of the picture",
};

/// Option for the orientation of the paper.
pub static ORIENTATION: OptionSpec = OptionSpec {
    name: "orientation",
    kind: OptionKind::OneOf(&["portrait", "landscape"]),
    default: None,
    help: "orientation of the paper; by default that of the document (pictures without page_size then get a4)",
};

/// Option for the margins, in millimetres.
pub static MARGIN: OptionSpec = OptionSpec {
    name: "margin",
    kind: OptionKind::Integer(0..=100),
    default: None,
    help: "margins on all sides in millimetres; by default those of the document (or 25), and none around pictures",
};

/// The least width and height of the text area, in points.
const LEAST: f32 = 36.0;
/// The largest side of paper that viewers show (ISO 32000-1, annex C), in points.
const MAX: f64 = 14_400.0;

/// Page setup of a section: that of the document, changed by the job's options.
pub fn setup(job: &Job<'_>, own: Option<&PageSetup>) -> PageSetup {
    let mut setup = own.cloned().unwrap_or_default();
    if let Some((width, height)) = job.options().word(PAGE_SIZE.name).and_then(size) {
        let (width, height) = (Length::millimetres(width), Length::millimetres(height));
        // The named size gets the orientation of the document's page.
        let lies = setup.width > setup.height;
        (setup.width, setup.height) = if lies {
            (height, width)
        } else {
            (width, height)
        };
    }
    let lies = setup.width > setup.height;
    if is_landscape(job.options()).is_some_and(|wanted| wanted != lies) {
        std::mem::swap(&mut setup.width, &mut setup.height);
    }
    if let Some(margin) = job.options().integer(MARGIN.name) {
        let margin = Length::millimetres(margin.into());
        (setup.top, setup.bottom, setup.left, setup.right) = (margin, margin, margin, margin);
        let half = margin.scaled(0.5);
        setup.header_distance = setup.header_distance.min(half);
        setup.footer_distance = setup.footer_distance.min(half);
    }
    setup
}

/// Returns whether the options demand landscape; `None` if they state no orientation.
pub fn is_landscape(options: &Options) -> Option<bool> {
    let wanted = options.word(ORIENTATION.name)?;
    Some(wanted == "landscape")
}

/// Width and height of a named size in millimetres, upright (ISO 216, ANSI).
pub fn size(name: &str) -> Option<(f64, f64)> {
    Some(match name {
        "a3" => (297.0, 420.0),
        "a4" => (210.0, 297.0),
        "a5" => (148.0, 210.0),
        "b5" => (176.0, 250.0),
        "letter" => (215.9, 279.4),
        "legal" => (215.9, 355.6),
        "tabloid" => (279.4, 431.8),
        _ => return None,
    })
}

/// Heights of the header and the footer on a kind of page, in points.
pub type Margins = (f32, f32);

/// Text areas between headers and footers of these heights: on the first page, on even pages, and
/// on all others. Headers and footers that are higher than the margins push the text away.
pub fn geometry(setup: &PageSetup, first: Margins, even: Margins, other: Margins) -> Geometry {
    let length = |length: Length| length.to_points().clamp(0.0, MAX) as f32;
    // Damaged files may state pages without width or height, so each side is at least an inch long.
    let width = length(setup.width).max(72.0);
    let height = length(setup.height).max(72.0);
    let (left, right) = fitting(length(setup.left), length(setup.right), width);
    let edges = |(header, footer): Margins| {
        let mut top = length(setup.top);
        let mut bottom = length(setup.bottom);
        if header > 0.0 {
            top = top.max(length(setup.header_distance) + header);
        }
        if footer > 0.0 {
            bottom = bottom.max(length(setup.footer_distance) + footer);
        }
        let (top, bottom) = fitting(top, bottom, height);
        (top, height - bottom)
    };
    Geometry {
        width,
        height,
        left,
        first: edges(first),
        even: edges(even),
        other: edges(other),
        columns: columns(setup, left, width - left - right),
        column_line: setup.column_line,
    }
}

/// Left edge and width of each column of a text area that begins at `left` and is `text` wide. One
/// column if several would be narrower than 36 points.
fn columns(setup: &PageSetup, left: f32, text: f32) -> Rc<[(f32, f32)]> {
    let own = &setup.column_widths;
    if own.len() > 1 && own.len() == usize::from(setup.columns) {
        let mut x = left;
        let columns: Vec<(f32, f32)> = own
            .iter()
            .map(|(width, gap)| {
                let column = (x, points(*width));
                x += points(*width) + points(*gap).max(0.0);
                column
            })
            .collect();
        // Columns of different widths are used only if they are wide enough and fit.
        let reach = columns.last().map_or(0.0, |(x, width)| x + width - left);
        if columns.iter().all(|(_, width)| *width >= LEAST) && reach <= text + LEAST {
            return columns.into();
        }
    }
    let count = usize::from(setup.columns.max(1));
    let gap = points(setup.column_gap).clamp(0.0, text.max(0.0));
    let width = (text - gap * (count - 1) as f32) / count as f32;
    if width < LEAST {
        return [(left, text)].into();
    }
    (0..count)
        .map(|at| (left + at as f32 * (width + gap), width))
        .collect()
}

/// Scales two margins down if less than 36 points of the `whole` length would remain between them.
fn fitting(one: f32, other: f32, whole: f32) -> (f32, f32) {
    let most = (whole - LEAST).max(0.0);
    if one + other <= most {
        return (one, other);
    }
    let scale = most / (one + other);
    (one * scale, other * scale)
}
