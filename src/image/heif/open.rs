//! Opens a picture: reads its header, and computes the memory for decoding it. Decodes nothing itself.

use super::{
    checked::{check, opening},
    codec::Codec,
    moving,
    planes::Code,
    render::{self, File},
    tree::{self, Picture, Sequence},
};
use crate::{
    hdr_colour::HdrColour,
    pixels::{colour, rows::Rows},
    source::{FILM, GAIN_MAP, Header, Source},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use std::sync::{Arc, Mutex};

/// Opens the main picture of a file, which is coded by `codec`.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    codec: &'static Codec,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut main = opening(job, tree::find(input, codec))?;
    let animated =
        main.sequence.is_some() && opening(job, moving::sequence(input, codec))?.is_some();
    let picture = main.picture;
    check(job, &picture)?;
    let icc = main.icc.take().or_else(|| {
        let primaries = main.code.map(|code| code.primaries);
        colour::of_primaries(primaries?)
    });
    Ok(Box::new(Opened {
        header: Header {
            layout: picture.layout(),
            orientation: picture.placement.orientation(),
            icc,
            memory: render::memory(job, codec, &picture),
            animated,
            lossless: false,
        },
        file: File {
            job,
            codec,
            input: Arc::new(Mutex::new(input)),
        },
        picture,
        code: main.code,
        sequence: main.sequence.filter(|_| !animated),
        left_out: [
            main.has_gain_map.then_some(GAIN_MAP),
            main.has_film.then_some(FILM),
        ],
    }))
}

struct Opened<'a> {
    header: Header,
    file: File<'a>,
    picture: Picture,
    code: Option<Code>,
    sequence: Option<Sequence>,
    left_out: [Option<&'static str>; 2],
}

impl<'a> Source<'a> for Opened<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        let toned = self.hdr().map(HdrColour::note);
        let sequence = self.sequence.map(|sequence| match sequence {
            Sequence::First => "The file is a sequence of pictures; only the first was kept.",
            Sequence::Additional => {
                "The file also has an animation; only its still picture was converted."
            }
        });
        let left_out = self.left_out.into_iter().flatten();
        let notes = sequence.into_iter().chain(left_out).map(String::from);
        toned.into_iter().chain(notes).collect()
    }

    fn hdr(&self) -> Option<HdrColour> {
        let code = self.code?;
        HdrColour::of(code.primaries, code.transfer)
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        self.file.rows(&self.picture)
    }
}
