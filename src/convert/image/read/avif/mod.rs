//! AVIF: one picture, perhaps with transparency, decoded by rav1d. Never a sequence, nor a picture made of tiles.

mod boxes;
mod planes;

use super::{Header, Source, failed, guarded, unsupported};
use crate::{
    convert::{
        Input, Job,
        image::{
            layout::{Channels, Depth, Layout},
            limits,
            rows::{Frame, Rows},
        },
    },
    error::{Error, Result},
};
use boxes::{Description, Extents, Fault};
use planes::Planes;
use re_rav1d::dav1d::{Decoder, Settings};
use std::io::{Read, SeekFrom};

struct Avif<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    description: Description,
}

pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut description = boxes::describe(input).map_err(|fault| match fault {
        Fault::Io(err) => failed(job, err),
        Fault::Broken => job.unreadable("its descriptions make no sense"),
        Fault::Unsupported(what) => unsupported(job, what),
    })?;
    limits::check(job, description.width, description.height)?;
    let channels = match (description.grey, description.alpha.is_some()) {
        (true, false) => Channels::Grey,
        (true, true) => Channels::GreyAlpha,
        (false, false) => Channels::Rgb,
        (false, true) => Channels::Rgba,
    };
    let layout = Layout {
        width: description.width,
        height: description.height,
        channels,
        depth: if description.deep {
            Depth::Sixteen
        } else {
            Depth::Eight
        },
    };
    // Planes of the picture and of its reference, and what is known of each block.
    let codec = if description.deep { 18 } else { 10 };
    let items = 1 + u64::from(description.alpha.is_some());
    let icc = description.icc.take().or_else(|| {
        let primaries = description.code.map(|code| code.primaries);
        crate::convert::image::colour::of_primaries(primaries?)
    });
    Ok(Box::new(Avif {
        job,
        header: Header {
            layout,
            orientation: description.orientation,
            icc,
            memory: 2 * job.input_len
                + items * codec * layout.pixels()
                + layout.bytes()
                + (8 << 20),
            animated: false,
            lossless: false,
        },
        input,
        description,
    }))
}

impl<'a> Source<'a> for Avif<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            header,
            input,
            description,
        } = *self;
        let layout = header.layout;
        let mut frame = Frame::new(layout);
        let colour = decode(job, input, &description.colour, layout)?;
        if colour.is_grey() != description.grey || colour.is_deep() != description.deep {
            return Err(job.unreadable("its picture is not what its descriptions say"));
        }
        let alpha = match &description.alpha {
            Some(extents) => Some(decode(job, input, extents, layout)?),
            None => None,
        };
        guarded(job, || {
            for y in 0..layout.height {
                if y.is_multiple_of(64) {
                    job.check()?;
                }
                let row =
                    &mut frame.pixels[y as usize * layout.row_bytes()..][..layout.row_bytes()];
                colour.put(y, description.code, row, layout);
                if let Some(alpha) = &alpha {
                    alpha.put_alpha(y, description.premultiplied, row, layout);
                }
            }
            Ok(())
        })?;
        Ok(Box::new(frame))
    }
}

/// Decodes an item, which must be of the size that was promised.
fn decode(
    job: &Job<'_>,
    input: &mut dyn Input,
    extents: &Extents,
    layout: Layout,
) -> Result<Planes> {
    let mut item = Vec::new();
    for &(at, len) in extents {
        let room = job.input_len.saturating_sub(item.len() as u64);
        input
            .seek(SeekFrom::Start(at))
            .and_then(|_| (&mut *input).take(len.min(room)).read_to_end(&mut item))
            .map_err(|err| Error::storage("the upload could not be read", err))
            .and_then(|read| {
                // A length of 0 goes to the end of the file.
                if len != 0 && (read as u64) < len {
                    return Err(job.unreadable("it ends before the picture does"));
                }
                Ok(())
            })?;
    }
    let decoded = guarded(job, || {
        let mut settings = Settings::new();
        settings.set_n_threads(1 + job.spare_threads.min(7) as u32);
        settings.set_max_frame_delay(1);
        settings.set_all_layers(false);
        settings.set_frame_size_limit(layout.pixels().min(u32::MAX.into()) as u32);
        let mut decoder = Decoder::with_settings(&settings).map_err(|err| failed(job, err))?;
        decoder
            .send_data(item, None, None, None)
            .map_err(|err| failed(job, err))?;
        decoder.get_picture().map_err(|err| failed(job, err))
    })?;
    if (decoded.width(), decoded.height()) != (layout.width, layout.height) {
        return Err(job.unreadable("its picture is not of the size that it claims"));
    }
    Planes::of(decoded).ok_or_else(|| job.unreadable("its picture has an unknown layout"))
}
