//! Reads one picture of an Apple icon: an embedded PNG file, run-length coded planes, or JPEG 2000 if this build
//! supports it. Rejects the indexed pictures from before Mac OS 8.5.
//!
//! Planes are stored one after another: red, green and blue. In some types, alpha precedes them; in the others, alpha
//! is a separate entry, the mask. In run-length coding, a byte below 128 is the number of literal bytes that follow,
//! minus 1; other bytes are the number of times that the next byte occurs, plus 125. If coding would not make the
//! planes shorter, the icon is stored as pixels of four bytes instead; the first byte is unused.

use super::entries::{self, Entry, HEAD, Planes};
#[cfg(feature = "jpeg2000")]
use crate::formats::jp2;
use crate::{
    formats::png,
    pixels::{Channels, Depth, Frame, Layout, Rows},
    source::{Header, Source, failed, head, rewind, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::io::{self, SeekFrom};

/// Largest number of bytes of an entry that are read. 128 × 128 pixels without compression take half of that.
const MAX: u64 = 1 << 17;

/// Opens a picture of an Apple icon. The patched file states the offset of its entry.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let head: [u8; 8] = head(job, input)?;
    if head.starts_with(b"\x89PNG") {
        rewind(input)?;
        return png::read::open(job, input);
    }
    #[cfg(feature = "jpeg2000")]
    if head[..4] == jp2::SIGNATURE[..4] || head[..4] == *jp2::CODESTREAM {
        rewind(input)?;
        return jp2::open(job, input);
    }
    let entries = entries::walk(input).map_err(|err| failed(job, err))?;
    let [o0, o1, o2, o3, ..] = head;
    let offset = u64::from(u32::from_be_bytes([o0, o1, o2, o3]));
    let chosen = entries.iter().find(|entry| entry.at == offset);
    let Some((entry, (side, planes))) =
        chosen.and_then(|entry| Some((*entry, entries::planes(entry.kind)?)))
    else {
        return Err(match entries.is_empty() {
            true => job.unreadable("it has no entries"),
            false => unsupported(job, "only pictures with palettes or in JPEG 2000"),
        });
    };
    let mask = match planes {
        Planes::Rgb(mask, _) => entries.into_iter().find(|entry| entry.kind == mask),
        Planes::Argb => None,
    };
    let has_alpha = mask.is_some() || planes == Planes::Argb;
    let layout = Layout {
        width: side,
        height: side,
        channels: if has_alpha {
            Channels::Rgba
        } else {
            Channels::Rgb
        },
        depth: Depth::Eight,
    };
    Ok(Box::new(Icon {
        job,
        header: Header {
            layout,
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: 4 * MAX,
            animated: false,
            lossless: true,
        },
        input,
        entry,
        planes,
        mask,
    }))
}

/// An entry before decoding.
struct Icon<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    entry: Entry,
    planes: Planes,
    mask: Option<Entry>,
}

impl<'a> Source<'a> for Icon<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            header,
            input,
            entry,
            planes,
            mask,
        } = *self;
        let count = header.layout.pixels() as usize;
        let short = || job.unreadable("the pixels of its entry are cut short");
        let data = data(input, entry).map_err(|err| failed(job, err))?;
        let (skipped, order): (usize, &[usize]) = match planes {
            Planes::Rgb(_, skipped) => (skipped, &[0, 1, 2]),
            Planes::Argb => (4, &[3, 0, 1, 2]),
        };
        let data = data.get(skipped..).ok_or_else(short)?;
        let mut frame = Frame::new(header.layout);
        let step = header.layout.channels.count();
        if data.len() == 4 * count && planes != Planes::Argb {
            let pixels = frame.pixels.chunks_exact_mut(step);
            for (pixel, &[_, r, g, b]) in pixels.zip(data.as_chunks().0) {
                pixel[..3].copy_from_slice(&[r, g, b]);
            }
        } else {
            let samples = unpack(data, order.len() * count).ok_or_else(short)?;
            for (plane, at) in samples.chunks_exact(count).zip(order) {
                for (pixel, sample) in frame.pixels.chunks_exact_mut(step).zip(plane) {
                    pixel[*at] = *sample;
                }
            }
        }
        if let Some(mask) = mask {
            let mask = self::data(input, mask).map_err(|err| failed(job, err))?;
            let mask = mask.get(..count).ok_or_else(short)?;
            for (pixel, alpha) in frame.pixels.chunks_exact_mut(4).zip(mask) {
                pixel[3] = *alpha;
            }
        }
        Ok(Box::new(frame))
    }
}

/// Reads the data of an entry, at most [`MAX`] bytes.
fn data(input: &mut dyn Input, entry: Entry) -> io::Result<Vec<u8>> {
    let mut data = vec![0; entry.len.min(MAX) as usize];
    input.seek(SeekFrom::Start(entry.at + HEAD))?;
    input.read_exact(&mut data)?;
    Ok(data)
}

/// Unpacks `count` run-length coded bytes. `None` if the data is too short.
fn unpack(mut data: &[u8], count: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(count + 130);
    while bytes.len() < count {
        let (&first, rest) = data.split_first()?;
        if first < 128 {
            let (raw, rest) = rest.split_at_checked(usize::from(first) + 1)?;
            bytes.extend_from_slice(raw);
            data = rest;
        } else {
            let (&value, rest) = rest.split_first()?;
            bytes.resize(bytes.len() + usize::from(first) - 125, value);
            data = rest;
        }
    }
    bytes.truncate(count);
    Some(bytes)
}
