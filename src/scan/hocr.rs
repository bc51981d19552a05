//! Writes hOCR 1.2: words with their positions as XHTML, with the elements and properties that Tesseract writes and
//! other programs read. Recognises nothing, and does not read the format.

use super::page_info::{PageInfo, bounds_of};
use crate::{
    coding::escape::escaped,
    error::{Error, Result},
    format::{Category, Format},
    job::Output,
};
use convertd_ocr::page::{Line, Rect, Text};
use std::fmt::Write as _;

/// The format hOCR.
pub(crate) static FORMAT: Format = Format {
    name: "hocr",
    aliases: &[],
    category: Category::Document,
    description: "hOCR: recognised words with their positions",
    media_type: "text/vnd.hocr+html; charset=utf-8",
    magic: &[],
};

/// Writes the beginning of the file, before the first page.
pub(super) fn begin(output: &mut dyn Output, title: &str) -> Result<()> {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \
         \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"en\" lang=\"en\">\n <head>\n  <title>{}</title>\n  \
         <meta http-equiv=\"Content-Type\" content=\"text/html;charset=utf-8\"/>\n  \
         <meta name=\"ocr-system\" content=\"convertd {}\"/>\n  \
         <meta name=\"ocr-capabilities\" content=\"ocr_page ocr_carea ocr_par ocr_line ocrx_word ocrp_wconf\"/>\n \
         </head>\n <body>\n",
        escaped(title),
        env!("CARGO_PKG_VERSION"),
    );
    output.write_all(text.as_bytes()).map_err(Error::unwritten)
}

/// Writes a page.
pub(super) fn page(output: &mut dyn Output, page: &PageInfo, text: &Text) -> Result<()> {
    let number = page.number;
    let mut html = String::new();
    let _ = write!(
        html,
        "  <div class=\"ocr_page\" id=\"page_{number}\" title=\"bbox 0 0 {} {}; ppageno {}",
        page.width,
        page.height,
        number - 1
    );
    if let Some((across, down)) = page.dpi {
        let _ = write!(html, "; scan_res {across:.0} {down:.0}");
    }
    html.push_str("\">\n");
    let mut words = 0;
    let mut nth = 0;
    for (block, lines) in (1..).zip(text.lines.chunk_by(|a, b| a.block == b.block)) {
        let place = place(bounds_of(lines.iter().map(|line| line.bounds)));
        let _ = writeln!(
            html,
            "   <div class=\"ocr_carea\" id=\"block_{number}_{block}\" title=\"{place}\">\n    \
             <p class=\"ocr_par\" id=\"par_{number}_{block}\" title=\"{place}\">"
        );
        for line in lines {
            nth += 1;
            let direction = if line.right_to_left {
                " dir=\"rtl\""
            } else {
                ""
            };
            let _ = writeln!(
                html,
                "     <span class=\"ocr_line\" id=\"line_{number}_{nth}\"{direction} title=\"{}; {}\">",
                self::place(line.bounds),
                baseline(line)
            );
            for word in &line.words {
                words += 1;
                let _ = writeln!(
                    html,
                    "      <span class=\"ocrx_word\" id=\"word_{number}_{words}\" title=\"{}; x_wconf {:.0}\">{}</span>",
                    self::place(word.bounds),
                    word.confidence,
                    escaped(&word.text)
                );
            }
            html.push_str("     </span>\n");
        }
        html.push_str("    </p>\n   </div>\n");
    }
    html.push_str("  </div>\n");
    output.write_all(html.as_bytes()).map_err(Error::unwritten)
}

/// Writes the end of the file, after the last page.
pub(super) fn end(output: &mut dyn Output) -> Result<()> {
    output
        .write_all(b" </body>\n</html>\n")
        .map_err(Error::unwritten)
}

/// Writes a rectangle as a property of hOCR.
fn place(bounds: Rect) -> String {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = bounds;
    format!("bbox {left:.0} {top:.0} {right:.0} {bottom:.0}")
}

/// The baseline as its slope and its distance from the lower left corner of the line, and the height of letters. For a
/// vertical line, the direction and the height of letters.
fn baseline(line: &Line) -> String {
    let ((x, y), (to_x, to_y)) = (line.baseline.from, line.baseline.to);
    let across = to_x - x;
    let size = line.ascent / 0.75;
    if across.abs() < (to_y - y).abs() {
        // For a vertical line, the format can only express the direction.
        let angle = if to_y < y { 90 } else { 270 };
        return format!("textangle {angle}; x_size {size:.0}");
    }
    let slope = (to_y - y) / across;
    let offset = y + slope * (line.bounds.left - x) - line.bounds.bottom;
    format!(
        "baseline {slope:.3} {offset:.0}; x_size {size:.0}; x_descenders {:.0}; x_ascenders {:.0}",
        0.25 * line.ascent,
        0.25 * line.ascent
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_info::tests::{info, sample};
    use std::io::Cursor;

    #[test]
    fn words_are_in_lines_blocks_and_pages() {
        let mut output = Cursor::new(Vec::new());
        begin(&mut output, "A & B").unwrap();
        page(&mut output, &info(), &sample()).unwrap();
        end(&mut output).unwrap();
        let html = String::from_utf8(output.into_inner()).unwrap();
        for part in [
            "<title>A &amp; B</title>",
            "<div class=\"ocr_page\" id=\"page_2\" title=\"bbox 0 0 200 100; ppageno 1; scan_res 300 300\">",
            "<div class=\"ocr_carea\" id=\"block_2_1\" title=\"bbox 10 20 90 42\">",
            "title=\"bbox 10 20 90 40; baseline 0.000 -2; x_size 24; x_descenders 4; x_ascenders 4\">",
            "<span class=\"ocrx_word\" id=\"word_2_2\" title=\"bbox 50 20 90 40; x_wconf 81\">&lt;two&gt;</span>",
            "<span class=\"ocr_line\" id=\"line_2_2\" dir=\"rtl\" title=\"bbox 10 30 60 42;",
        ] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
        for (open, close) in [("<div", "</div>"), ("<p ", "</p>"), ("<span", "</span>")] {
            assert_eq!(html.matches(open).count(), html.matches(close).count());
        }
    }
}
