//! Pictures (1.9.1, "Pictures"): their bytes in digits or as they are. Draws no metafile.

use super::reader::Reader;
use crate::{
    document::{
        Loss,
        office::{Look, losses},
        tree::{self, Builder, Length, PictureSource},
    },
    error::Result,
};

static METAFILES: Loss = Loss {
    one: "A picture was left out: it is a metafile of Windows.",
    many: "{} pictures were left out: they are metafiles of Windows.",
};

/// A picture that is being read.
#[derive(Debug, Default)]
pub(super) struct Picture {
    /// Its bytes stand in the file as they are.
    pub(super) binary: bool,
    /// It is a PNG or JPEG.
    shown: bool,
    metafile: bool,
    width: i32,
    height: i32,
    /// In percent.
    scale: [i32; 2],
    digit: Option<u8>,
}

/// Adds the bytes that digits stand for.
pub(super) fn add_digits(data: &mut Vec<u8>, picture: &mut Picture, text: &str) {
    if picture.binary {
        return;
    }
    for c in text.chars() {
        let Some(digit) = c.to_digit(16) else {
            continue;
        };
        let digit = digit as u8;
        match picture.digit.take() {
            Some(high) => data.push(high << 4 | digit),
            None => picture.digit = Some(digit),
        }
    }
}

impl Reader<'_> {
    pub(super) fn begin_picture(&mut self) {
        self.data = Vec::new();
        self.picture = Picture {
            scale: [100, 100],
            ..Picture::default()
        };
    }

    pub(super) fn picture_word(&mut self, word: &str, number: Option<i32>) {
        let picture = &mut self.picture;
        let value = number.unwrap_or(0);
        match word {
            "pngblip" | "jpegblip" => picture.shown = true,
            "wmetafile" | "emfblip" | "macpict" | "pmmetafile" => picture.metafile = true,
            "picwgoal" => picture.width = value,
            "pichgoal" => picture.height = value,
            "picscalex" => picture.scale[0] = value,
            "picscaley" => picture.scale[1] = value,
            _ => {}
        }
    }

    pub(super) fn end_picture(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let bytes = std::mem::take(&mut self.data);
        let picture = std::mem::take(&mut self.picture);
        let known = picture.shown || crate::document::media::sniff(&bytes).is_some();
        if picture.metafile {
            build.lost(&METAFILES);
            return Ok(());
        }
        if bytes.is_empty() || !known {
            build.lost(&losses::MISSING);
            return Ok(());
        }
        let length = |goal: i32, scale: i32| {
            let length = Length::twips(goal.into()).scaled(f64::from(scale.max(1)) / 100.0);
            Some(length).filter(|length| *length > Length::ZERO)
        };
        let id = build.resource(bytes, "", None)?;
        let look = self.linked(Look::default());
        let shown = tree::Picture {
            source: PictureSource::Resource(id),
            alternative: Box::default(),
            title: Box::default(),
            width: length(picture.width, picture.scale[0]),
            height: length(picture.height, picture.scale[1]),
        };
        self.story().line.picture(look, shown);
        Ok(())
    }
}
