//! Pictures (RTF 1.9.1, "Pictures"), whose bytes are in hexadecimal or binary. Windows metafiles stay as they are,
//! for targets that can hold them. Draws nothing.

use crate::error::Result;
use convertd_office::wordprocessing::losses;
use convertd_tree::{self as tree, Builder, Length, PictureSource, losses::Loss, media};

static METAFILES: Loss = Loss {
    one: "A picture was left out: it is a metafile of an unknown format.",
    many: "{} pictures were left out: they are metafiles of unknown formats.",
};

/// Picture that is being read.
#[derive(Debug, Default)]
pub(super) struct Picture {
    data: Vec<u8>,
    /// Whether the bytes of the picture are binary. Then hexadecimal digits are ignored.
    binary: bool,
    /// Whether the file declares the picture as PNG or JPEG.
    shown: bool,
    /// Whether the file declares the picture as a metafile.
    metafile: bool,
    // Size in twips.
    width: i32,
    height: i32,
    /// Horizontal and vertical scale, in percent.
    scale: [i32; 2],
    /// First digit of a hexadecimal byte.
    digit: Option<u8>,
    /// Name of the property whose value comes next.
    pub(super) property: String,
    alternative: Box<str>,
}

impl Picture {
    /// Creates the state at the beginning of a picture.
    pub(super) fn new() -> Self {
        Self {
            scale: [100, 100],
            ..Self::default()
        }
    }

    /// The bytes of the picture.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// Adds binary data (`\bin`).
    pub(super) fn add_binary(&mut self, data: &[u8]) {
        self.data.extend_from_slice(data);
        self.binary |= !data.is_empty();
    }

    /// Adds bytes in hexadecimal. Other characters are skipped.
    pub(super) fn add_digits(&mut self, text: &str) {
        if self.binary {
            return;
        }
        for c in text.chars() {
            let Some(digit) = c.to_digit(16) else {
                continue;
            };
            let digit = digit as u8;
            match self.digit.take() {
                Some(high) => self.data.push(high << 4 | digit),
                None => self.digit = Some(digit),
            }
        }
    }

    /// Sets the property whose name was read before (RTF 1.9.1, "Word 97 through Word 2007 RTF for Drawing Objects").
    pub(super) fn set_property(&mut self, value: &str) {
        if self.property.trim() == "wzDescription" {
            self.alternative = value.trim().into();
        }
    }

    /// Handles a control word in the group of a picture.
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) {
        let value = number.unwrap_or(0);
        match word {
            "pngblip" | "jpegblip" => self.shown = true,
            "wmetafile" | "emfblip" | "macpict" | "pmmetafile" => self.metafile = true,
            "picwgoal" => self.width = value,
            "pichgoal" => self.height = value,
            "picscalex" => self.scale[0] = value,
            "picscaley" => self.scale[1] = value,
            _ => {}
        }
    }

    /// Returns the finished picture, or `None` with a note if it has no data, or its format cannot be shown.
    pub(super) fn finish(self, build: &mut Builder<'_>) -> Result<Option<tree::Picture>> {
        let sniffed = media::sniff(&self.data).is_some();
        let known = self.shown || sniffed;
        if self.metafile && !sniffed {
            build.lost(&METAFILES);
            return Ok(None);
        }
        if self.data.is_empty() || !known {
            build.lost(&losses::MISSING);
            return Ok(None);
        }
        let length = |goal: i32, scale: i32| {
            let length = Length::twips(goal.into()).scaled(f64::from(scale.max(1)) / 100.0);
            Some(length).filter(|length| *length > Length::ZERO)
        };
        Ok(Some(tree::Picture {
            source: PictureSource::Resource(build.resource(self.data, "", None)?),
            alternative: self.alternative,
            title: Box::default(),
            width: length(self.width, self.scale[0]),
            height: length(self.height, self.scale[1]),
            frame: None,
        }))
    }
}
