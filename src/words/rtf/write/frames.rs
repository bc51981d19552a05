//! Writes the frames of paragraphs (RTF 1.9.1, "Positioned Objects and Frames"). Writes no content.

use super::context::Rtf;
use convertd_tree::{At, Base, Extent, Frame, Wrap};

impl Rtf<'_> {
    /// Writes the frame of the paragraph that has just begun. Lengths are in twips.
    pub(super) fn frame(&mut self, frame: &Frame) {
        self.word(match frame.horizontal.base {
            Base::Page | Base::StartMargin | Base::EndMargin => "phpg",
            Base::Margin => "phmrg",
            Base::Column | Base::Paragraph | Base::Line | Base::Character => "phcol",
        });
        match frame.horizontal.at {
            At::Offset(length) if length.to_twips() < 0 => {
                self.number("posnegx", length.to_twips());
            }
            At::Offset(length) => self.number("posx", length.to_twips()),
            At::Start | At::Share(_) => self.word("posxl"),
            At::Middle => self.word("posxc"),
            At::End => self.word("posxr"),
            At::Inside => self.word("posxi"),
            At::Outside => self.word("posxo"),
        }
        self.word(match frame.vertical.base {
            Base::Page | Base::StartMargin | Base::EndMargin => "pvpg",
            Base::Margin => "pvmrg",
            Base::Column | Base::Paragraph | Base::Line | Base::Character => "pvpara",
        });
        match frame.vertical.at {
            At::Offset(length) if length.to_twips() < 0 => {
                self.number("posnegy", length.to_twips());
            }
            At::Offset(length) => self.number("posy", length.to_twips()),
            At::Start | At::Share(_) | At::Inside => self.word("posyt"),
            At::Middle => self.word("posyc"),
            At::End | At::Outside => self.word("posyb"),
        }
        if let Extent::Exactly(width) = frame.width {
            self.number("absw", width.to_twips().max(1));
        }
        match frame.height {
            Extent::Exactly(height) => self.number("absh", -height.to_twips().max(1)),
            Extent::AtLeast(height) => self.number("absh", height.to_twips().max(1)),
            Extent::Content | Extent::Share(..) => {}
        }
        let distances = &frame.distances;
        let (beside, above) = (
            distances.left.max(distances.right),
            distances.top.max(distances.bottom),
        );
        self.number("dfrmtxtx", beside.to_twips().max(0));
        self.number("dfrmtxty", above.to_twips().max(0));
        if frame.wrap == Wrap::TopAndBottom {
            self.word("nowrap");
        }
    }
}
