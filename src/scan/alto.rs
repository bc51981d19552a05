//! Writes ALTO 4 (Analyzed Layout and Text Object, of the Library of Congress): words with their positions in pixels,
//! as XML. Recognises nothing, and does not read the format.

use super::page_info::{PageInfo, bounds_of};
use crate::{
    coding::escape::escaped,
    error::{Error, Result},
    format::{Category, Format},
    job::Output,
};
use convertd_ocr::page::{Rect, Text};
use std::fmt::Write as _;

/// The format ALTO.
pub(crate) static FORMAT: Format = Format {
    name: "alto",
    aliases: &[],
    category: Category::Document,
    description: "ALTO XML: recognised words with their positions",
    media_type: "application/xml",
    magic: &[],
};

/// Writes the beginning of the file, before the first page.
pub(super) fn begin(output: &mut dyn Output, title: &str) -> Result<()> {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <alto xmlns=\"http://www.loc.gov/standards/alto/ns-v4#\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"http://www.loc.gov/standards/alto/ns-v4# http://www.loc.gov/alto/v4/alto-4-2.xsd\">\n \
         <Description>\n  <MeasurementUnit>pixel</MeasurementUnit>\n  \
         <sourceImageInformation><fileName>{}</fileName></sourceImageInformation>\n  \
         <Processing ID=\"OCR_0\"><processingSoftware><softwareName>convertd</softwareName>\
         <softwareVersion>{}</softwareVersion></processingSoftware></Processing>\n </Description>\n <Layout>\n",
        escaped(title),
        env!("CARGO_PKG_VERSION"),
    );
    output.write_all(text.as_bytes()).map_err(Error::unwritten)
}

/// Writes a page.
pub(super) fn page(output: &mut dyn Output, page: &PageInfo, text: &Text) -> Result<()> {
    let number = page.number;
    let (width, height) = (page.width, page.height);
    let mut xml = String::new();
    let confidence = match text.confidence() {
        Some(confidence) => format!(" PC=\"{:.2}\"", confidence / 100.0),
        None => String::new(),
    };
    let _ = writeln!(
        xml,
        "  <Page ID=\"page_{number}\" PHYSICAL_IMG_NR=\"{number}\" WIDTH=\"{width}\" HEIGHT=\"{height}\"{confidence}>\n   \
         <PrintSpace HPOS=\"0\" VPOS=\"0\" WIDTH=\"{width}\" HEIGHT=\"{height}\">"
    );
    let (mut nth, mut words) = (0, 0);
    for (block, lines) in (1..).zip(text.lines.chunk_by(|a, b| a.block == b.block)) {
        let place = place(bounds_of(lines.iter().map(|line| line.bounds)));
        let _ = writeln!(xml, "    <TextBlock ID=\"block_{number}_{block}\" {place}>");
        for line in lines {
            nth += 1;
            let ((x, y), (to_x, to_y)) = (line.baseline.from, line.baseline.to);
            let _ = write!(
                xml,
                "     <TextLine ID=\"line_{number}_{nth}\" {} BASELINE=\"{x:.0},{y:.0} {to_x:.0},{to_y:.0}\">",
                self::place(line.bounds),
            );
            let mut last: Option<Rect> = None;
            for word in &line.words {
                words += 1;
                if let Some(last) = last {
                    let (from, to) = match line.right_to_left {
                        true => (word.bounds.right, last.left),
                        false => (last.right, word.bounds.left),
                    };
                    let _ = write!(
                        xml,
                        "\n      <SP WIDTH=\"{:.0}\" VPOS=\"{:.0}\" HPOS=\"{from:.0}\"/>",
                        (to - from).max(0.0),
                        word.bounds.top
                    );
                }
                last = Some(word.bounds);
                let _ = write!(
                    xml,
                    "\n      <String ID=\"word_{number}_{words}\" {} WC=\"{:.2}\" CONTENT=\"{}\"/>",
                    self::place(word.bounds),
                    word.confidence / 100.0,
                    escaped(&word.text)
                );
            }
            xml.push_str("\n     </TextLine>\n");
        }
        xml.push_str("    </TextBlock>\n");
    }
    xml.push_str("   </PrintSpace>\n  </Page>\n");
    output.write_all(xml.as_bytes()).map_err(Error::unwritten)
}

/// Writes the end of the file, after the last page.
pub(super) fn end(output: &mut dyn Output) -> Result<()> {
    output
        .write_all(b" </Layout>\n</alto>\n")
        .map_err(Error::unwritten)
}

/// Writes a rectangle as attributes of ALTO.
fn place(bounds: Rect) -> String {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = bounds;
    format!(
        "HPOS=\"{left:.0}\" VPOS=\"{top:.0}\" WIDTH=\"{:.0}\" HEIGHT=\"{:.0}\"",
        (right - left).max(0.0),
        (bottom - top).max(0.0)
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
        let xml = String::from_utf8(output.into_inner()).unwrap();
        for part in [
            "<fileName>A &amp; B</fileName>",
            "<Page ID=\"page_2\" PHYSICAL_IMG_NR=\"2\" WIDTH=\"200\" HEIGHT=\"100\" PC=\"0.83\">",
            "<TextBlock ID=\"block_2_1\" HPOS=\"10\" VPOS=\"20\" WIDTH=\"80\" HEIGHT=\"22\">",
            "BASELINE=\"10,38 90,38\">\n      <String ID=\"word_2_1\" HPOS=\"10\" VPOS=\"20\" WIDTH=\"30\" HEIGHT=\"18\" WC=\"0.90\" CONTENT=\"One\"/>",
            "<SP WIDTH=\"10\" VPOS=\"20\" HPOS=\"40\"/>",
            "CONTENT=\"&lt;two&gt;\"/>",
        ] {
            assert!(xml.contains(part), "{part} is not in {xml}");
        }
    }
}
