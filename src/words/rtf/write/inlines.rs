//! Writes pictures and bookmarks. Writes no paragraphs.

use super::context::{DRAWN, FOREIGN, Rtf, escape};
use crate::error::Result;
use convertd_office::wordprocessing as office;
use convertd_tree::{Picture, ResourceId};
use std::fmt::Write as _;

impl<'a> Rtf<'a> {
    /// Writes a bookmark.
    pub(super) fn bookmark(&mut self, name: &str) {
        for word in ["bkmkstart", "bkmkend"] {
            write!(self.out, "{{\\*\\{word} ").unwrap_or_default();
            self.plain(name);
            self.out.push('}');
        }
    }

    /// Writes a picture of the document, or `words` if RTF cannot hold its format.
    pub(super) fn show(&mut self, id: ResourceId, picture: &'a Picture, words: &str) -> Result<()> {
        let resource = self.context.document.resource(id);
        let Some((bytes, media_type)) = resource.as_one_of(&super::super::PICTURES) else {
            self.context.losses.add(&FOREIGN);
            self.plain(words);
            return Ok(());
        };
        if &*resource.media_type == "image/svg+xml" {
            self.context.losses.add(&DRAWN);
        }
        let (width, height) = office::extent(picture, bytes, self.context.text_width);
        // A metafile also needs its size in 1/100 mm (35.28 per point). Without it, readers assume a size of one
        // point.
        let (across, down) = (width.to_points() * 35.28, height.to_points() * 35.28);
        let extent = format!("\\picw{across:.0}\\pich{down:.0}");
        let (kind, bytes) = match media_type {
            "image/jpeg" => ("jpegblip".to_owned(), bytes),
            "image/emf" => (format!("emfblip{extent}"), bytes),
            // The placeable header (22 bytes) is only for separate files, and is left out.
            "image/wmf" => (
                format!("wmetafile8{extent}"),
                match bytes.starts_with(b"\xd7\xcd\xc6\x9a") {
                    true => bytes.get(22..).unwrap_or_default(),
                    false => bytes,
                },
            ),
            _ => ("pngblip".to_owned(), bytes),
        };
        self.out.push_str("{\\*\\shppict{\\pict");
        if !picture.alternative.is_empty() {
            self.out
                .push_str("{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv ");
            escape(&mut self.out, &picture.alternative);
            self.out.push_str("}}}");
        }
        writeln!(
            self.out,
            "\\{kind}\\picwgoal{}\\pichgoal{}",
            width.to_twips().max(1),
            height.to_twips().max(1)
        )
        .unwrap_or_default();
        for line in bytes.chunks(64) {
            self.context.grow(2 * self.out.len() as u64)?;
            for byte in line {
                write!(self.out, "{byte:02x}").unwrap_or_default();
            }
            self.out.push('\n');
        }
        self.out.push_str("}}");
        Ok(())
    }
}
