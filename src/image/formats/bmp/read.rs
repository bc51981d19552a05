//! Reads Windows and OS/2 bitmaps: plain rows in bands, although they are usually stored from bottom to top, and
//! compressed rows as a whole picture. Leaves embedded JPEG and PNG files to their own decoders.

use super::{
    header::{Coding, Found, Head, Packing},
    packed,
};
use crate::{
    formats::{jpeg, png},
    limits,
    metadata::Metadata,
    pages::{Pages, Patch},
    pixels::{
        Channels, Depth, Layout, Rows, convert,
        palette::{self, Colours, LookedUp},
    },
    source::{Header, Source, failed, head, rewind},
};
use convertd_core::{
    error::Result,
    job::{Damage, Input, Job},
};
use image::metadata::Orientation;
use std::io::{self, SeekFrom};

/// Approximate size of a band of rows in bytes. A seek for each row would be slow.
const BAND: usize = 1 << 17;

/// Recognises files whose magic bytes are not sufficient: bitmaps with a hot spot in the reserved bytes of the header,
/// arrays of bitmaps, and bitmaps without a file header, which only the extension of their name identifies
/// (`has_extension`).
pub(crate) fn recognise(head: &[u8], has_extension: bool) -> bool {
    match head {
        [b'B', b'M', ..] => is_header(head, 14),
        [b'B', b'A', ..] => head.get(14..16) == Some(b"BM") && is_header(head, 28),
        _ => {
            has_extension
                && is_header(head, 0)
                // The usual lengths of headers. A header of OS/2 2 that is cut off is not recognised here.
                && matches!(long(head, 0), 12 | 40 | 52 | 56 | 64 | 108 | 124)
        }
    }
}

/// Returns whether a bitmap header begins at `at`, judged by its length and its number of planes, which is always 1.
pub(crate) fn is_header(head: &[u8], at: usize) -> bool {
    let len = long(head, at);
    let planes = if len == 12 { at + 8 } else { at + 12 };
    (12..=124).contains(&len) && head.get(planes..planes + 2) == Some(&[1, 0])
}

/// The 32-bit number at `at`, or 0 beyond the end.
fn long(head: &[u8], at: usize) -> u32 {
    let bytes = head.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |&bytes| u32::from_le_bytes(bytes))
}

/// Finds a JPEG or PNG file that is stored instead of the pixels.
pub(crate) fn pages(input: &mut dyn Input) -> io::Result<Option<Pages>> {
    Ok(match Head::read(input)? {
        Found::Embedded(from) => Some(Pages {
            called: ["picture", "pictures"],
            patches: vec![Patch {
                from,
                ..Patch::default()
            }],
            default: 1,
            others_are_lost: false,
        }),
        Found::Bitmap(_) | Found::Nothing(_) => None,
    })
}

/// Finds the resolution, except that of embedded JPEG and PNG files.
pub(crate) fn metadata(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    if let Found::Bitmap(head) = Head::read(input)? {
        found.resolution = head.resolution;
    }
    Ok(())
}

/// Opens a bitmap. Some files with the extension .bmp are JPEG or PNG; they are opened as JPEG or PNG.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    match head(job, input)? {
        [0xff, 0xd8] => {
            rewind(input)?;
            return jpeg::read::open(job, input);
        }
        [0x89, b'P'] => {
            rewind(input)?;
            return png::read::open(job, input);
        }
        _ => {}
    }
    let head = found(job, Head::read(input).map_err(|err| failed(job, err))?)?;
    let end = match Damage::of(job.options()) {
        Damage::Refuse => head.end(),
        Damage::Keep => head.first_end(),
    };
    if job.input_len < end {
        return Err(job.unreadable("it ends before the picture does"));
    }
    Ok(Box::new(Bmp::new(job, head, input)?))
}

/// Returns the bitmap that was found, if its size is within the limits.
pub(crate) fn found(job: &Job<'_>, found: Found) -> Result<Head> {
    let head = match found {
        Found::Bitmap(head) => *head,
        Found::Embedded(_) => return Err(job.unreadable("the picture file within it is missing")),
        Found::Nothing(why) => return Err(job.unreadable(why)),
    };
    let Layout { width, height, .. } = head.layout;
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    Ok(head)
}

impl Head {
    /// Unpacks a plain row from the form in which the file stores it.
    fn unpack(&self, packed: &[u8], row: &mut [u8]) {
        match &self.coding {
            Coding::Index { bits, colours } => {
                palette::unpack(packed, *bits, row);
                colours.limit(row);
            }
            Coding::Bgr => {
                let pixels = packed.as_chunks().0;
                for (pixel, &[b, g, r]) in row.as_chunks_mut().0.iter_mut().zip(pixels) {
                    *pixel = [r, g, b];
                }
            }
            Coding::Bytes { positions } => {
                let [r, g, b, a] = *positions;
                let pixels = packed.as_chunks::<4>().0;
                if self.layout.channels == Channels::Rgb {
                    for (pixel, bytes) in row.as_chunks_mut().0.iter_mut().zip(pixels) {
                        *pixel = [bytes[r], bytes[g], bytes[b]];
                    }
                } else {
                    for (pixel, bytes) in row.as_chunks_mut().0.iter_mut().zip(pixels) {
                        *pixel = [bytes[r], bytes[g], bytes[b], bytes[a]];
                    }
                }
            }
            Coding::Fields { bytes, fields } => {
                let step = self.layout.pixel_bytes();
                let pixels = packed.chunks_exact(*bytes);
                for (pixel, packed) in row.chunks_exact_mut(step).zip(pixels) {
                    let mut whole = [0; 4];
                    whole[..*bytes].copy_from_slice(packed);
                    let samples = fields.samples(u32::from_le_bytes(whole));
                    pixel.copy_from_slice(&samples[..step]);
                }
            }
            Coding::Wide => {
                let pixels = packed.as_chunks::<2>().0.as_chunks::<4>().0;
                let row = row.as_chunks_mut::<2>().0.as_chunks_mut::<4>().0;
                for (pixel, &[b, g, r, a]) in row.iter_mut().zip(pixels) {
                    // A sample in fixed point: 8192 stands for 1. Negative colours are outside of sRGB, and are clamped
                    // to 0.
                    let light = |sample| f32::from(i16::from_le_bytes(sample)) / 8192.0;
                    let stored = |share: f32| ((share * 65535.0 + 0.5) as u16).to_ne_bytes();
                    let colours = [r, g, b].map(|c| convert::to_gamma(light(c).clamp(0.0, 1.0)));
                    let [r, g, b] = colours.map(stored);
                    *pixel = [r, g, b, stored(light(a))];
                }
            }
        }
    }
}

/// A bitmap whose header has been read.
pub(crate) struct Bmp<'a> {
    job: &'a Job<'a>,
    header: Header,
    head: Head,
    input: &'a mut dyn Input,
    /// Whether indices are replaced by their colours: true unless the target takes indices.
    looks_up: bool,
}

impl<'a> Bmp<'a> {
    /// Scans run-length coded pixels once, to find out whether each pixel gets a colour.
    pub(crate) fn new(job: &'a Job<'a>, mut head: Head, input: &'a mut dyn Input) -> Result<Self> {
        let memory = match head.packing {
            Packing::Plain => (BAND + 2 * head.stride) as u64,
            Packing::Runs(_) => head.layout.bytes() * 4 / 3,
            Packing::Fax => head.layout.bytes() + job.input_len,
        };
        if let Packing::Runs(bits) = head.packing {
            packed::find_skipped(job, &mut head, bits, input)?;
        }
        let layout = head.layout;
        Ok(Self {
            job,
            header: Header {
                layout: match &head.coding {
                    Coding::Index { colours, .. } => layout.with(colours.channels(), Depth::Eight),
                    _ => layout,
                },
                orientation: Orientation::NoTransforms,
                icc: head.icc.take(),
                memory,
                animated: false,
                lossless: true,
            },
            head,
            input,
            looks_up: true,
        })
    }
}

impl<'a> Source<'a> for Bmp<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn index(&mut self, transparency: bool) -> Option<Colours> {
        let Coding::Index { colours, .. } = &self.head.coding else {
            return None;
        };
        if !transparency && !colours.is_opaque() {
            return None;
        }
        self.looks_up = false;
        self.header.layout = self.head.layout;
        Some(colours.clone())
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let colours = match &self.head.coding {
            Coding::Index { colours, .. } if self.looks_up => Some(colours.clone()),
            _ => None,
        };
        let rows: Box<dyn Rows + 'a> = match self.head.packing {
            Packing::Plain => Box::new(BmpRows::new(self.job, self.head, self.input)),
            Packing::Runs(bits) => packed::runs(self.job, &self.head, bits, self.input)?,
            Packing::Fax => Box::new(packed::fax(self.job, &self.head, self.input)?),
        };
        Ok(match colours {
            Some(colours) => Box::new(LookedUp::new(rows, &colours)),
            None => rows,
        })
    }
}

/// Rows that are stored without compression.
struct BmpRows<'a> {
    job: &'a Job<'a>,
    head: Head,
    input: &'a mut dyn Input,
    /// The current band: consecutive rows in the order of the file.
    band: Vec<u8>,
    /// The next row of the picture, from 0 at its top.
    next: usize,
}

impl<'a> BmpRows<'a> {
    fn new(job: &'a Job<'a>, head: Head, input: &'a mut dyn Input) -> Self {
        let band_rows = (BAND / head.stride).max(1);
        Self {
            job,
            band: vec![0; band_rows * head.stride],
            head,
            input,
            next: 0,
        }
    }

    /// Reads the band that begins with the next row of the picture.
    fn fill(&mut self) -> Result<()> {
        self.job.check()?;
        let (height, stride) = (self.head.layout.height as usize, self.head.stride);
        let count = (self.band.len() / stride).min(height - self.next);
        self.band.truncate(count * stride);
        let first = if self.head.top_down {
            self.next
        } else {
            height - self.next - count
        };
        let at = self.head.offset + first as u64 * stride as u64;
        // Missing bytes are either padding at the very end, or belong to rows of a damaged file that are never
        // returned.
        let available = self.job.input_len.saturating_sub(at);
        let available = available.min(self.band.len() as u64) as usize;
        self.input
            .seek(SeekFrom::Start(at))
            .and_then(|_| self.input.read_exact(&mut self.band[..available]))
            .map_err(|err| failed(self.job, err))
    }
}

impl Rows for BmpRows<'_> {
    fn layout(&self) -> Layout {
        self.head.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let stride = self.head.stride;
        let band_rows = (BAND / stride).max(1);
        if self.next.is_multiple_of(band_rows) {
            self.fill()?;
        }
        let within = self.next % band_rows;
        let at = if self.head.top_down {
            within
        } else {
            self.band.len() / stride - 1 - within
        };
        let of_file = if self.head.top_down {
            self.next
        } else {
            self.head.layout.height as usize - 1 - self.next
        };
        self.next += 1;
        if self.head.first_end() + of_file as u64 * stride as u64 > self.job.input_len {
            return Err(self.job.unreadable("a row of pixels is missing"));
        }
        self.head.unpack(&self.band[at * stride..][..stride], row);
        Ok(())
    }

    fn goes_on(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A file with a header of 40 bytes, and `rest` after it.
    fn file(width: i32, height: i32, bits: u16, rest: &[u8]) -> Vec<u8> {
        let mut file = b"BM\0\0\0\0\0\0\0\0".to_vec();
        file.extend((54 + rest.len() as u32).to_le_bytes());
        file.extend(40u32.to_le_bytes());
        file.extend(width.to_le_bytes());
        file.extend(height.to_le_bytes());
        file.extend([1, 0]);
        file.extend(bits.to_le_bytes());
        file.extend([0; 24]);
        file.extend(rest);
        file
    }

    #[track_caller]
    fn head_of(file: Vec<u8>) -> Head {
        match Head::read(&mut Cursor::new(file)).unwrap() {
            Found::Bitmap(head) => *head,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn check(bits: u16, palette: &[u8], packed: &[u8], expected: &[u8]) {
        let head = head_of(file(3, 1, bits, palette));
        let mut row = vec![0; head.layout.row_bytes()];
        head.unpack(packed, &mut row);
        assert_eq!(row, expected);
    }

    #[test]
    fn pixels_are_unpacked() {
        let colours = [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0];
        check(1, &colours, &[0b0100_0000, 0, 0, 0], &[0, 1, 0]);
        check(2, &colours, &[0b0110_0000, 0, 0, 0], &[1, 2, 0]);
        check(4, &colours[..8], &[0x01, 0x10, 0, 0], &[0, 1, 1]);
        // Indices beyond the palette count as index 0.
        check(8, &colours[..8], &[1, 0, 2, 0], &[1, 0, 0]);
        let pixels = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0];
        check(24, &[], &pixels, &[3, 2, 1, 6, 5, 4, 9, 8, 7]);
        let pixels = [0x00, 0x7c, 0xe0, 0x03, 0x1f, 0x00, 0, 0];
        check(16, &[], &pixels, &[255, 0, 0, 0, 255, 0, 0, 0, 255]);
    }

    #[test]
    fn only_the_padding_of_the_last_row_may_be_missing() {
        let packed = |width, bits| head_of(file(width, 1, bits, &[])).packed;
        assert_eq!(packed(4, 24), 12);
        assert_eq!(packed(3, 24), 9);
        assert_eq!(packed(9, 1), 2);
        assert_eq!(packed(3, 4), 2);
    }

    #[test]
    fn headers_are_parsed_or_refused() {
        assert!(head_of(file(3, -1, 24, &[])).top_down);
        let mut odd = file(3, 1, 24, &[]);
        odd[30] = 9;
        let found = Head::read(&mut Cursor::new(odd)).unwrap();
        assert!(matches!(found, Found::Nothing(_)));
        assert!(Head::read(&mut Cursor::new(b"BM".to_vec())).is_err());
    }

    #[test]
    fn pixels_follow_the_palette_despite_a_wrong_offset() {
        let mut forgetful = file(3, 1, 8, &[0; 12]);
        forgetful[10..14].copy_from_slice(&54u32.to_le_bytes());
        forgetful[46] = 2;
        assert_eq!(head_of(forgetful.clone()).offset, 54 + 2 * 4);
        // Without a number of colours, the header does not say whether a palette follows.
        forgetful[46] = 0;
        assert_eq!(head_of(forgetful).offset, 54);
    }

    #[test]
    fn bitmaps_are_recognised_by_their_headers() {
        let mut hot = file(3, 1, 24, &[]);
        hot[6] = 29;
        assert!(recognise(&hot, false));
        assert!(recognise(&hot[14..], true));
        assert!(!recognise(&hot[14..], false));
        assert!(!recognise(b"BM is a text", true));
        let array = [&b"BA\x28\0\0\0\0\0\0\0\0\0\0\0"[..], &hot].concat();
        assert!(recognise(&array, false));
    }
}
