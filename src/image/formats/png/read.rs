//! Reads PNG row by row (W3C PNG, third edition). Holds the whole picture only if it is interlaced.

use super::{
    colour,
    hidden::hide,
    lines::{self, ANCILLARY, Lines},
    metadata,
    unfilter::Unfilter,
};
use crate::{
    hdr_colour::HdrColour,
    limits,
    pixels::{
        Channels, Depth, Frame, Layout, Rows,
        colour::fits,
        palette::{self, Colours, LookedUp},
        rows::check_row,
        stages::Stages,
    },
    source::{Decoding, Header, Source, failed, lost, rewind},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;
use png::{BitDepth, ColorType, Decoder, DecodingError, Info, Limits, Reader, Transformations};

/// A PNG before decoding.
struct Png<'a> {
    job: &'a Job<'a>,
    header: Header,
    file: File<'a>,
    /// The palette of an indexed picture that is read row by row.
    colours: Option<Colours>,
    /// Whether indices are replaced by their colours. False only if the target takes indices.
    looks_up: bool,
    /// The colour space, if the picture is HDR.
    hdr: Option<HdrColour>,
    /// Notes on chunks that were not read.
    losses: Vec<&'static str>,
}

/// The file after its header has been read.
enum File<'a> {
    /// Rows that only need unfiltering. The file is read again from its beginning.
    Plain(Box<dyn Input + 'a>),
    /// All other kinds, decoded by the crate `png`.
    Other(Box<Reader<Box<dyn Input + 'a>>>),
}

/// Opens a PNG. Plain pictures take a faster path, which unfilters on a second thread.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let (mut input, stated) = hide(job, input)?;
    let (mut header, plain, hdr, losses) = {
        let opened = Opened::read(job, Box::new(&mut *input))?;
        let plain = opened.is_plain();
        let info = opened.reader.info();
        let (hdr, losses) = (colour::hdr(info), stated.losses(info));
        (opened.header, plain, hdr, losses)
    };
    if plain {
        header.memory += lines::memory(header.layout.row_bytes());
        return Ok(Box::new(Png {
            job,
            header,
            file: File::Plain(input),
            colours: None,
            looks_up: true,
            hdr,
            losses,
        }));
    }
    let Opened {
        header,
        reader,
        colours,
    } = Opened::read(job, input)?;
    Ok(Box::new(Png {
        job,
        header,
        file: File::Other(Box::new(reader)),
        colours,
        looks_up: true,
        hdr,
        losses,
    }))
}

/// A file that the crate `png` has opened.
struct Opened<'a> {
    header: Header,
    reader: Reader<Box<dyn Input + 'a>>,
    colours: Option<Colours>,
}

impl<'a> Opened<'a> {
    /// Reads the header, the chunks before the picture, and EXIF in text chunks or after the picture. The limits of the
    /// decoder are set before it allocates memory.
    fn read(job: &Job<'_>, mut input: Box<dyn Input + 'a>) -> Result<Self> {
        let in_text = metadata::exif_before_picture(&mut *input).map_err(lost)?;
        let behind = metadata::exif_behind_picture(&mut *input).map_err(lost)?;
        rewind(&mut *input)?;
        let mut decoder = Decoder::new_with_limits(input, Limits { bytes: ANCILLARY });
        decoder.set_ignore_text_chunk(true);
        let info = decoder.read_header_info().map_err(|err| failed(job, err))?;
        limits::check(job, info.width, info.height, None)?;
        let indexed = info.color_type == ColorType::Indexed && !info.interlaced;
        // Eight bytes per pixel: RGBA of 16 bits, the widest pixel type.
        let row = info.width as usize * 8;
        decoder.set_limits(Limits {
            bytes: ANCILLARY + 4 * row,
        });
        decoder.set_transformations(if indexed {
            Transformations::IDENTITY
        } else {
            Transformations::EXPAND
        });
        let reader = decoder.read_info().map_err(|err| failed(job, err))?;
        let info = reader.info();
        let (colour, bits) = reader.output_color_type();
        let colours = if indexed {
            Some(colours(job, info)?)
        } else {
            None
        };
        let layout = Layout {
            width: info.width,
            height: info.height,
            channels: match (colour, &colours) {
                (_, Some(colours)) => colours.channels(),
                (ColorType::Grayscale, None) => Channels::Grey,
                (ColorType::GrayscaleAlpha, None) => Channels::GreyAlpha,
                (ColorType::Rgb | ColorType::Indexed, None) => Channels::Rgb,
                (ColorType::Rgba, None) => Channels::Rgba,
            },
            depth: match bits {
                BitDepth::Sixteen => Depth::Sixteen,
                BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => Depth::Eight,
            },
        };
        let exif = info.exif_metadata.as_deref().or(in_text.as_deref());
        let exif = exif.or(behind.as_deref());
        let orientation = exif
            .and_then(Orientation::from_exif_chunk)
            .unwrap_or(Orientation::NoTransforms);
        // The profile has been unpacked and read by now. Later chunks are at most as long as the file.
        let profile = info.icc_profile.as_deref().map_or(0, <[u8]>::len) as u64;
        let ancillary = (job.input_len + 2 * profile).min(ANCILLARY as u64);
        let memory = ancillary + 8 * row as u64 + if info.interlaced { layout.bytes() } else { 0 };
        Ok(Self {
            header: Header {
                layout,
                orientation,
                // A grey profile is invalid for a palette, even one of greys, and is ignored (11.3.2.3).
                icc: colour::profile(info).filter(|icc| {
                    info.color_type != ColorType::Indexed || !fits(icc, Channels::Grey)
                }),
                memory,
                animated: info
                    .animation_control
                    .is_some_and(|control| control.num_frames > 1),
                lossless: true,
            },
            reader,
            colours,
        })
    }

    /// Returns whether the stored rows only need unfiltering.
    fn is_plain(&self) -> bool {
        let info = self.reader.info();
        let stored = (info.color_type, info.bit_depth);
        !info.interlaced
            && self.colours.is_none()
            && self.reader.output_color_type() == stored
            && matches!(info.bit_depth, BitDepth::Eight | BitDepth::Sixteen)
    }
}

/// The palette with its transparency.
fn colours(job: &Job<'_>, info: &Info<'_>) -> Result<Colours> {
    let Some(palette) = &info.palette else {
        return Err(job.unreadable("its palette is missing"));
    };
    let alphas = info.trns.as_deref().unwrap_or_default().iter().copied();
    let colours = palette.as_chunks().0.iter();
    let colours = colours.zip(alphas.chain(std::iter::repeat(255)));
    Ok(Colours::new(
        colours.map(|(&[r, g, b], a)| [r, g, b, a]).collect(),
    ))
}

impl<'a> Source<'a> for Png<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        let losses = self.losses.iter().map(|note| (*note).to_owned());
        self.hdr
            .map(HdrColour::note)
            .into_iter()
            .chain(losses)
            .collect()
    }

    fn hdr(&self) -> Option<HdrColour> {
        self.hdr
    }

    fn index(&mut self, transparency: bool) -> Option<Colours> {
        // The code points of HDR would have to come before the palette, where the encoder cannot put them. So the
        // palette of an HDR picture is not kept.
        let colours = self.colours.clone().filter(|_| self.hdr.is_none());
        let colours = colours.filter(|colours| transparency || colours.is_opaque())?;
        self.looks_up = false;
        self.header.layout = self.header.layout.with(Channels::Grey, Depth::Eight);
        Some(colours)
    }

    fn decode_in_stages(self: Box<Self>) -> Result<Decoding<'a>> {
        if let File::Plain(input) = self.file {
            let rows = PlainRows::new(self.job, input, self.header.layout)?;
            return Ok(Decoding::Stages(rows.into_stages()));
        }
        self.decode().map(Decoding::Rows)
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let mut reader = match self.file {
            File::Other(reader) => *reader,
            File::Plain(input) => {
                let rows = PlainRows::new(self.job, input, self.header.layout)?;
                return Ok(Box::new(rows));
            }
        };
        if !reader.info().interlaced {
            let rows = Box::new(PngRows {
                job: self.job,
                layout: match self.colours {
                    Some(_) => self.header.layout.with(Channels::Grey, Depth::Eight),
                    None => self.header.layout,
                },
                reader,
                left: self.header.layout.height,
                packed: Vec::new(),
                colours: self.colours.clone(),
            });
            return Ok(match self.colours.filter(|_| self.looks_up) {
                Some(colours) => Box::new(LookedUp::new(rows, &colours)),
                None => rows,
            });
        }
        let job = self.job;
        let mut frame = Frame::new(self.header.layout);
        reader
            .next_frame(&mut frame.pixels)
            .and_then(|_| finished(reader.finish()))
            .map_err(|err| failed(job, err))?;
        swap_bytes(&mut frame.pixels, self.header.layout.depth);
        Ok(Box::new(frame))
    }
}

/// The first stage of decoding plain rows: inflates filtered lines.
struct PlainLines<'a> {
    job: &'a Job<'a>,
    lines: Lines<'a>,
    /// Number of lines that follow.
    left: u32,
}

impl PlainLines<'_> {
    /// Calls `see` with the next line, which has `bytes` bytes including its filter type. Checks the end of the file
    /// after the last line.
    fn next(&mut self, bytes: usize, see: impl FnOnce(&[u8])) -> Result<()> {
        check_row(self.job, self.left)?;
        self.left -= 1;
        let fail = |err| failed(self.job, err);
        see(self.lines.next(bytes).map_err(fail)?);
        match self.left {
            0 => finished(self.lines.finish()).map_err(fail),
            _ => Ok(()),
        }
    }
}

/// Both stages of plain rows: lines, and unfiltering.
struct PlainRows<'a> {
    layout: Layout,
    lines: PlainLines<'a>,
    unfilter: Unfilter,
}

impl<'a> PlainRows<'a> {
    /// Starts at the beginning of the file.
    fn new(job: &'a Job<'a>, mut input: Box<dyn Input + 'a>, layout: Layout) -> Result<Self> {
        rewind(&mut *input)?;
        let row_bytes = layout.row_bytes();
        Ok(Self {
            layout,
            lines: PlainLines {
                job,
                lines: Lines::new(input, row_bytes, layout.height),
                left: layout.height,
            },
            unfilter: Unfilter::new(row_bytes, layout.pixel_bytes()),
        })
    }

    /// Splits the stages, so that two threads can run them.
    fn into_stages(self) -> Stages<'a> {
        let Self {
            layout,
            mut lines,
            mut unfilter,
        } = self;
        Stages {
            layout,
            line_bytes: 1 + layout.row_bytes(),
            first: Box::new(move |line| {
                lines.next(line.len(), |filtered| line.copy_from_slice(filtered))
            }),
            second: Box::new(move |line, row| {
                unfilter.row(line, row);
                swap_bytes(row, layout.depth);
            }),
        }
    }
}

impl Rows for PlainRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.lines
            .next(1 + row.len(), |line| self.unfilter.row(line, row))?;
        swap_bytes(row, self.layout.depth);
        Ok(())
    }
}

/// Rows of all other pictures that are not interlaced.
struct PngRows<'a> {
    job: &'a Job<'a>,
    layout: Layout,
    reader: Reader<Box<dyn Input + 'a>>,
    /// Number of rows that follow.
    left: u32,
    /// The current row of indices, as it is stored.
    packed: Vec<u8>,
    /// The palette, if the rows are indices.
    colours: Option<Colours>,
}

impl Rows for PngRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.left)?;
        let Some(colours) = &self.colours else {
            read_row(self.job, &mut self.reader, &mut self.left, row)?;
            swap_bytes(row, self.layout.depth);
            return Ok(());
        };
        let bits = self.reader.info().bit_depth as u32;
        self.packed
            .resize((row.len() * bits as usize).div_ceil(8), 0);
        read_row(self.job, &mut self.reader, &mut self.left, &mut self.packed)?;
        palette::unpack(&self.packed, bits, row);
        colours.limit(row);
        Ok(())
    }
}

/// The result of reading the chunks behind the picture. A chunk that is too long is no error, because the picture does
/// not depend on it.
fn finished(
    result: std::result::Result<(), DecodingError>,
) -> std::result::Result<(), DecodingError> {
    match result {
        Err(DecodingError::LimitsExceeded) => Ok(()),
        result => result,
    }
}

/// Reads the next row from the decoder. Checks the end of the file after the last row.
fn read_row(
    job: &Job<'_>,
    reader: &mut Reader<Box<dyn Input + '_>>,
    left: &mut u32,
    row: &mut [u8],
) -> Result<()> {
    *left -= 1;
    match reader.read_row(row).map_err(|err| failed(job, err))? {
        Some(_) if *left == 0 => finished(reader.finish()).map_err(|err| failed(job, err)),
        Some(_) => Ok(()),
        None => Err(job.unreadable("it ends before its last row")),
    }
}

/// Swaps 16-bit samples from the byte order of PNG (big-endian) to that of the machine.
pub(crate) fn swap_bytes(samples: &mut [u8], depth: Depth) {
    if depth == Depth::Sixteen {
        for sample in samples.as_chunks_mut::<2>().0 {
            *sample = u16::from_be_bytes(*sample).to_ne_bytes();
        }
    }
}
