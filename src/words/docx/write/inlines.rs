//! Writes runs of text and pictures (ECMA-376 part 1, 17.3.2 and 17.3.3). Writes no paragraphs.

use super::{context::Docx, frames, properties::Run};
use crate::containers::xml::Writer;
use convertd_office::wordprocessing as office;
use convertd_tree::{Anchor, Length, Picture, ResourceId};

impl<'a> Docx<'a> {
    /// Begins text with changed run properties. The properties of the surrounding text stay below them in
    /// [`Docx::runs`].
    pub(super) fn push_run(&mut self, change: impl FnOnce(&mut Run)) {
        let mut run = self.run();
        change(&mut run);
        self.runs.push(run);
    }

    /// Writes a picture of the document, or `words` if Word cannot show its format.
    pub(super) fn show(&mut self, id: ResourceId, picture: &'a Picture, words: &str) {
        let Some(files) = self.files(id) else {
            let run = self.run();
            text(&mut self.xml, &run, words);
            return;
        };
        let resource = self.context.document.resource(id);
        let bytes = resource.pixels.as_ref().unwrap_or(&resource.bytes);
        let extent = office::extent(picture, bytes, self.context.text_width);
        let id = self.id();
        drawing(&mut self.xml, picture, &files, id, extent);
    }
}

/// Writes a run of text. Tabs are separate elements.
pub(super) fn text(xml: &mut Writer, run: &Run, text: &str) {
    if text.is_empty() {
        return;
    }
    xml.start("w:r");
    run.write(xml);
    for (number, piece) in text.split('\t').enumerate() {
        if number > 0 {
            xml.start("w:tab").end();
        }
        if !piece.is_empty() {
            xml.start("w:t");
            if piece.starts_with(char::is_whitespace)
                || piece.ends_with(char::is_whitespace)
                || piece.contains("  ")
            {
                xml.attribute("xml:space", "preserve");
            }
            xml.text(piece).end();
        }
    }
    xml.end();
}

/// Writes a picture, inline (20.4.2.8) or floating.
fn drawing(
    xml: &mut Writer,
    picture: &Picture,
    (shown, vectors): &(String, Option<String>),
    id: u32,
    (width, height): (Length, Length),
) {
    let extent = |xml: &mut Writer, name: &'static str| {
        xml.start(name)
            .number("cx", width.to_emu().max(1))
            .number("cy", height.to_emu().max(1))
            .end();
    };
    let name = format!("Picture {id}");
    xml.start("w:r").start("w:drawing");
    let floating_frame = picture.frame.as_deref();
    let floating_frame = floating_frame.filter(|frame| frame.anchor == Anchor::Text);
    match floating_frame {
        Some(frame) => frames::begin_anchor(xml, frame),
        None => {
            xml.start("wp:inline");
            // LibreOffice adds a gap on both sides unless the distances are stated.
            for side in ["distT", "distB", "distL", "distR"] {
                xml.number(side, 0);
            }
        }
    }
    extent(xml, "wp:extent");
    if let Some(frame) = floating_frame {
        frames::wrap(xml, frame);
    }
    xml.start("wp:docPr")
        .number("id", id)
        .attribute("name", &name);
    if !picture.alternative.is_empty() {
        xml.attribute("descr", &picture.alternative);
    }
    if !picture.title.is_empty() {
        xml.attribute("title", &picture.title);
    }
    xml.end();
    // Namespace of DrawingML.
    const MAIN: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
    // Namespace of pictures in DrawingML.
    const PICTURE: &str = "http://schemas.openxmlformats.org/drawingml/2006/picture";
    xml.start("a:graphic").attribute("xmlns:a", MAIN);
    xml.start("a:graphicData").attribute("uri", PICTURE);
    xml.start("pic:pic").attribute("xmlns:pic", PICTURE);
    xml.start("pic:nvPicPr");
    xml.start("pic:cNvPr")
        .number("id", id)
        .attribute("name", &name)
        .end();
    xml.start("pic:cNvPicPr").end().end();
    xml.start("pic:blipFill");
    xml.start("a:blip").attribute("r:embed", shown);
    if let Some(vectors) = vectors {
        // Programs that know this extension show the SVG drawing instead of its rendering (MS-ODRAWXML, 2.3.2.3).
        xml.start("a:extLst").start("a:ext");
        xml.attribute("uri", "{96DAC541-7B7A-43D3-8B79-37D633B846F1}");
        xml.start("asvg:svgBlip");
        xml.attribute(
            "xmlns:asvg",
            "http://schemas.microsoft.com/office/drawing/2016/SVG/main",
        );
        xml.attribute("r:embed", vectors).end().end().end();
    }
    xml.end();
    xml.start("a:stretch").start("a:fillRect").end().end().end();
    xml.start("pic:spPr").start("a:xfrm");
    xml.start("a:off").number("x", 0).number("y", 0).end();
    extent(xml, "a:ext");
    xml.end();
    xml.start("a:prstGeom")
        .attribute("prst", "rect")
        .start("a:avLst")
        .end()
        .end();
    for _ in 0..7 {
        xml.end();
    }
}
