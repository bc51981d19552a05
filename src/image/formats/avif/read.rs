//! AVIF: one picture, perhaps made of tiles, perhaps with transparency, decoded by rav1d. Never a sequence.

use super::{
    fault::Fault,
    grid::{Extents, Tiles},
    items::{self, Description},
    planes::Planes,
};
use crate::{
    error::Result,
    image::{
        limits,
        pixels::{Channels, Depth, Frame, Layout, Rows, rows::check_row},
        source::{Header, Source, failed, lost, unsupported},
    },
    job::{Input, Job},
};
use re_rav1d::dav1d::{Decoder, Settings};
use std::io::{Read, SeekFrom};

struct Avif<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    description: Description,
}

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut description = items::describe(input).map_err(|fault| match fault {
        Fault::Io(err) => failed(job, err),
        Fault::Broken => job
            .unreadable("the item tables in its meta box are cut short or contradict one another"),
        Fault::Unsupported(what) => unsupported(job, what),
    })?;
    limits::check(job, description.width, description.height, None)?;
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
    // Planes of a tile and of its reference, and what is known of each block.
    let codec = if description.deep { 18 } else { 10 };
    let tiles = [Some(&description.colour), description.alpha.as_ref()];
    let mut largest = 0;
    for tile in tiles.into_iter().flatten() {
        limits::check(job, tile.width, tile.height, None)?;
        largest = largest.max(u64::from(tile.width) * u64::from(tile.height));
    }
    let icc = description.icc.take().or_else(|| {
        let primaries = description.code.map(|code| code.primaries);
        crate::image::pixels::colour::of_primaries(primaries?)
    });
    Ok(Box::new(Avif {
        job,
        header: Header {
            layout,
            orientation: description.orientation,
            icc,
            memory: 2 * job.input_len + codec * largest + layout.bytes() + (8 << 20),
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

    fn notes(&self) -> Vec<String> {
        // ITU-T H.273, table 3.
        let kind = match self.description.code.map(|code| code.transfer) {
            Some(16) => "PQ",
            Some(18) => "HLG",
            _ => return Vec::new(),
        };
        vec![format!(
            "The picture is HDR ({kind}); its colours are not toned for other screens."
        )]
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            header,
            input,
            description,
        } = *self;
        let mut frame = Frame::new(header.layout);
        let put = |planes: &Planes, y, row: &mut [u8], layout| {
            if planes.is_grey() != description.grey || planes.is_deep() != description.deep {
                return Err(job.unreadable("its coded picture has another bit depth or other channels than its meta box says"));
            }
            planes.put(y, description.code, row, layout);
            Ok(())
        };
        each_tile(job, input, &description.colour, &mut frame, put)?;
        if let Some(alpha) = &description.alpha {
            let put = |planes: &Planes, y, row: &mut [u8], layout| {
                planes.put_alpha(y, description.premultiplied, row, layout);
                Ok(())
            };
            each_tile(job, input, alpha, &mut frame, put)?;
        }
        Ok(Box::new(frame))
    }
}

/// Decodes one tile after another and gives each of its rows its part of a row of `frame`. A row of a tile may be longer.
fn each_tile(
    job: &Job<'_>,
    input: &mut dyn Input,
    tiles: &Tiles,
    frame: &mut Frame,
    put: impl Fn(&Planes, u32, &mut [u8], Layout) -> Result<()>,
) -> Result<()> {
    let layout = frame.layout;
    let step = tiles.width as usize * layout.pixel_bytes();
    for (index, place) in tiles.places.iter().enumerate() {
        job.check()?;
        let planes = decode(job, input, place, (tiles.width, tiles.height))?;
        let (column, line) = (index % tiles.columns, index / tiles.columns);
        let rows = frame.pixels.chunks_exact_mut(layout.row_bytes());
        let rows = rows.skip(line * tiles.height as usize);
        for (y, row) in (0..tiles.height).zip(rows) {
            check_row(job, y)?;
            if let Some(part) = row.chunks_mut(step).nth(column) {
                put(&planes, y, part, layout)?;
            }
        }
    }
    Ok(())
}

/// Decodes an item, which must be of the size that was promised.
fn decode(
    job: &Job<'_>,
    input: &mut dyn Input,
    extents: &Extents,
    (width, height): (u32, u32),
) -> Result<Planes> {
    let mut item = Vec::new();
    for &(at, len) in extents {
        let room = job.input_len.saturating_sub(item.len() as u64);
        input
            .seek(SeekFrom::Start(at))
            .and_then(|_| (&mut *input).take(len.min(room)).read_to_end(&mut item))
            .map_err(lost)
            .and_then(|read| {
                // A length of 0 goes to the end of the file.
                if len != 0 && (read as u64) < len {
                    return Err(job.unreadable("it ends before the picture does"));
                }
                Ok(())
            })?;
    }
    let mut settings = Settings::new();
    settings.set_n_threads(1 + job.spare_threads.min(7) as u32);
    settings.set_max_frame_delay(1);
    settings.set_all_layers(false);
    settings.set_frame_size_limit(width.saturating_mul(height));
    let mut decoder = Decoder::with_settings(&settings).map_err(|err| failed(job, err))?;
    decoder
        .send_data(item, None, None, None)
        .map_err(|err| failed(job, err))?;
    let decoded = decoder.get_picture().map_err(|err| failed(job, err))?;
    if (decoded.width(), decoded.height()) != (width, height) {
        return Err(job.unreadable("its coded picture has another size than its meta box says"));
    }
    Planes::of(decoded).ok_or_else(|| job.unreadable("its picture has an unknown layout"))
}
