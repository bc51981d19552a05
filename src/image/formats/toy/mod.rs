//! A format that exists only in tests. It shows that a format needs only a folder here and a line in the list. A file
//! consists of three magic bytes, width and height in 16 bits each, and pixels of red, green and blue.

use crate::{
    limits,
    pixels::{Channels, Depth, Frame, Layout, Rows},
    row::Row,
    source::{Header, Reader, Source, failed, head},
    target::{Target, each_row},
};
use convertd_core::{
    error::{Error, Result},
    format::{Category, Format},
    job::{Input, Job, Output},
};
use image::metadata::Orientation;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "toy",
        aliases: &["plaything"],
        category: Category::Image,
        description: "A format for tests",
        media_type: "image/x-toy",
        magic: &[&[(0, b"TOY")]],
    },
    read: Some(Reader::of(open)),
    write: Some(Target {
        accepts: |_, _| (Channels::Rgb, Depth::Eight),
        max_side: 65_535,
        ..Target::of(|job, rows, _, output, _| write(job, rows, output))
    }),
};

/// Writes the header and the rows.
fn write(job: &Job<'_>, rows: Box<dyn Rows + '_>, output: &mut dyn Output) -> Result<()> {
    let layout = rows.layout();
    let [width, height] = [layout.width, layout.height].map(|side| (side as u16).to_be_bytes());
    let head = [b"TOY", &width[..], &height].concat();
    output.write_all(&head).map_err(Error::unwritten)?;
    each_row(job, rows, |row| {
        output.write_all(row).map_err(Error::unwritten)
    })
}

/// A picture whose header has been read.
struct Toy<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
}

/// Reads the header.
fn open<'a>(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Box<dyn Source<'a> + 'a>> {
    let [_, _, _, w0, w1, h0, h1] = head(job, input)?;
    let [width, height] = [[w0, w1], [h0, h1]].map(|side| u16::from_be_bytes(side).into());
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    Ok(Box::new(Toy {
        job,
        header: Header {
            layout: Layout {
                width,
                height,
                channels: Channels::Rgb,
                depth: Depth::Eight,
            },
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: 0,
            animated: false,
            lossless: true,
        },
        input,
    }))
}

impl<'a> Source<'a> for Toy<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let mut frame = Frame::new(self.header.layout);
        self.input
            .read_exact(&mut frame.pixels)
            .map_err(|err| failed(self.job, err))?;
        Ok(Box::new(frame))
    }
}
