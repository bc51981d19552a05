//! Automatic styles of the content. Each combination of properties gets a name when it is first used. Writes no
//! content.

use super::{length, styles};
use crate::{
    containers::xml::Writer,
    write::{Line, Run},
};
use convertd_office::wordprocessing::write::{open_delimiter, open_numeral};
use convertd_tree::{Alignment, Numbering};

/// Namespace of LibreOffice's extensions. LibreOffice reads the fill of a cell only from an element in this namespace,
/// which the schema does not permit.
const LOEXT: &str = "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0";

/// Properties of a run: flags (bold, italic, underlined, struck, small capitals, highlighted, code); superscript (1)
/// or subscript (-1); and font size in points.
type TextLook = ([bool; 7], i8, Option<u32>);

/// Properties of a paragraph: its alignment, its indentation in English Metric Units, and whether it has no space
/// above.
type ParagraphLook = (Option<Alignment>, i64, bool);

/// Styles in use so far.
#[derive(Default)]
pub(super) struct Automatic {
    texts: Vec<TextLook>,
    paragraphs: Vec<ParagraphLook>,
    numberings: Vec<Numbering>,
    columns: Vec<i64>,
    rows: Vec<i64>,
}

/// Indentation of a level without a bullet, in English Metric Units.
const INDENT: i64 = 457_200;

/// Name of a style, made of a prefix and the position of its properties in `all`. New properties are appended.
fn named<T: PartialEq>(all: &mut Vec<T>, properties: T, prefix: &str) -> String {
    let known = all.iter().position(|known| *known == properties);
    let number = known.unwrap_or_else(|| {
        all.push(properties);
        all.len() - 1
    });
    format!("{prefix}{}", number + 1)
}

impl Automatic {
    /// Name of the style of a run. `None` if it has no properties of its own.
    pub(super) fn text(&mut self, run: &Run, size: Option<f64>) -> Option<String> {
        let flags = [
            run.bold,
            run.italic,
            run.underlined,
            run.struck,
            run.small_caps,
            run.highlighted,
            run.code,
        ];
        let look = (flags, run.raised, size.map(|size| size as u32));
        (look != ([false; 7], 0, None)).then(|| named(&mut self.texts, look, "T"))
    }

    /// Name of the style of a paragraph. `None` if it has no properties of its own.
    pub(super) fn paragraph(&mut self, line: &Line, indents: bool) -> Option<String> {
        let indent = if indents {
            INDENT * i64::from(line.level)
        } else {
            0
        };
        let look = (line.alignment, indent, line.kind.is_close());
        (look != (None, 0, false)).then(|| named(&mut self.paragraphs, look, "P"))
    }

    /// Name of the list style for a numbering.
    pub(super) fn numbering(&mut self, numbering: &Numbering) -> String {
        let plain = Numbering {
            start: 1,
            ..*numbering
        };
        named(&mut self.numberings, plain, "L")
    }

    /// Name of the style for a column width, in English Metric Units.
    pub(super) fn column(&mut self, width: i64) -> String {
        named(&mut self.columns, width, "co")
    }

    /// Name of the style for a row height, in English Metric Units.
    pub(super) fn row(&mut self, height: i64) -> String {
        named(&mut self.rows, height, "ro")
    }

    /// Writes all styles.
    pub(super) fn write(&self) -> String {
        let mut xml = Writer::fragment();
        fixed(&mut xml);
        for (number, look) in (1..).zip(&self.paragraphs) {
            begin(&mut xml, &format!("P{number}"), "paragraph");
            paragraph(&mut xml, look);
            xml.end();
        }
        for (number, look) in (1..).zip(&self.texts) {
            begin(&mut xml, &format!("T{number}"), "text");
            text(&mut xml, look);
            xml.end();
        }
        xml.raw(&styles::bullets("L0"));
        for (number, numbering) in (1..).zip(&self.numberings) {
            let numeral = open_numeral(numbering.numeral);
            let (before, after) = open_delimiter(numbering.delimiter);
            let attributes = format!(
                "style:num-format=\"{numeral}\" style:num-prefix=\"{before}\" style:num-suffix=\"{after}\""
            );
            let name = format!("L{number}");
            xml.raw(&styles::list(
                &name,
                "text:list-level-style-number",
                &attributes,
            ));
        }
        for (number, width) in (1..).zip(&self.columns) {
            begin(&mut xml, &format!("co{number}"), "table-column");
            xml.start("style:table-column-properties")
                .attribute("style:column-width", length(*width))
                .end()
                .end();
        }
        for (number, height) in (1..).zip(&self.rows) {
            begin(&mut xml, &format!("ro{number}"), "table-row");
            xml.start("style:table-row-properties")
                .attribute("style:row-height", length(*height))
                .end()
                .end();
        }
        xml.finish()
    }
}

/// Begins a style.
fn begin(xml: &mut Writer, name: &str, family: &str) {
    xml.start("style:style")
        .attribute("style:name", name)
        .attribute("style:family", family);
}

/// Writes the styles that every presentation has: of pages, frames and table cells.
fn fixed(xml: &mut Writer) {
    xml.raw(
        "<style:style style:name=\"dp1\" style:family=\"drawing-page\"><style:drawing-page-properties \
         presentation:background-visible=\"true\" presentation:background-objects-visible=\"true\"/></style:style>",
    );
    begin(xml, "pr1", "presentation");
    xml.attribute("style:parent-style-name", "Plain-title");
    xml.start("style:graphic-properties")
        .attribute("draw:textarea-vertical-align", "bottom")
        .end();
    xml.end();
    xml.raw(
        "<style:style style:name=\"gr1\" style:family=\"graphic\"><style:graphic-properties draw:stroke=\"none\" \
         draw:fill=\"none\" draw:auto-grow-height=\"false\"/></style:style>",
    );
    for (name, fill, letters) in [
        (
            "ce1",
            "#2f6eba",
            "fo:color=\"#ffffff\" fo:font-weight=\"bold\"",
        ),
        ("ce2", "#cfd9ea", "fo:color=\"#000000\""),
        ("ce3", "#e8edf5", "fo:color=\"#000000\""),
    ] {
        xml.raw(&format!(
            "<style:style style:name=\"{name}\" style:family=\"table-cell\"><loext:graphic-properties xmlns:loext=\"{LOEXT}\" \
             draw:fill=\"solid\" draw:fill-color=\"{fill}\"/><style:table-cell-properties \
             fo:background-color=\"{fill}\"/><style:paragraph-properties \
             fo:border=\"0.035cm solid #ffffff\"/><style:text-properties fo:font-size=\"16pt\" {letters}/></style:style>"
        ));
    }
}

/// Writes the properties of a paragraph that differ from those of its placeholder.
fn paragraph(xml: &mut Writer, (alignment, indent, close): &ParagraphLook) {
    xml.start("style:paragraph-properties");
    if *indent > 0 {
        xml.attribute("fo:margin-left", length(*indent));
    }
    if *close {
        xml.attribute("fo:margin-top", "0cm");
    }
    if let Some(alignment) = alignment {
        xml.attribute(
            "fo:text-align",
            match alignment {
                Alignment::Start => "start",
                Alignment::Centre => "center",
                Alignment::End => "end",
                Alignment::Justify => "justify",
            },
        );
    }
    xml.end();
}

/// Writes the properties of a run.
fn text(xml: &mut Writer, (flags, raised, size): &TextLook) {
    xml.start("style:text-properties");
    let attributes = [
        ("fo:font-weight", "bold"),
        ("fo:font-style", "italic"),
        ("style:text-underline-style", "solid"),
        ("style:text-line-through-style", "solid"),
        ("fo:font-variant", "small-caps"),
        ("fo:background-color", "#ffff00"),
        ("fo:font-family", "Courier New"),
    ];
    for ((name, value), is) in attributes.into_iter().zip(flags) {
        if *is {
            xml.attribute(name, value);
        }
    }
    match raised {
        1 => _ = xml.attribute("style:text-position", "super 58%"),
        -1 => _ = xml.attribute("style:text-position", "sub 58%"),
        _ => {}
    }
    if let Some(size) = size {
        xml.attribute("fo:font-size", format!("{size}pt"));
    }
    xml.end();
}
