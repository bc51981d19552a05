//! Writes the JPEG segment by segment, in the order that the reconstruction data states (ISO/IEC 18181-2, A.3). Leaves
//! the data of scans to [`scans`].

use super::{
    Lost, Result,
    coefficients::Picture,
    data::{Application, Code, Data, Quantisation, Scan, SegmentSource},
    entropy,
    scans::{self, Padding, State},
};
use crate::formats::jpeg::markers::{
    APP1, APP2, DHT, DQT, DRI, EOI, EXIF, ICC, PREFIX, SOF0, SOF2, SOI, SOS, XMP, segment,
};

/// Metadata of a JPEG XL file from outside of the reconstruction data.
pub(super) struct Described<'a> {
    pub(super) icc: &'a [u8],
    pub(super) exif: &'a [u8],
    pub(super) xmp: &'a [u8],
}

/// The parts of the reconstruction data that have not been written yet.
struct Unwritten<'a> {
    /// Application segments whose content is in the reconstruction data.
    bytes: &'a [u8],
    applications: std::slice::Iter<'a, Application>,
    comments: &'a [u8],
    comment_lens: std::slice::Iter<'a, usize>,
    between: &'a [u8],
    between_lens: std::slice::Iter<'a, usize>,
    tail: &'a [u8],
    icc: &'a [u8],
    /// Number of the last part of the colour profile that has been written; 0 before the first part.
    icc_number: u8,
    /// Number of all parts of the colour profile.
    icc_count: u8,
    codes: &'a [Code],
    quantisations: &'a [Quantisation],
    scans: std::slice::Iter<'a, Scan>,
    padding: Padding<'a>,
}

/// Takes the first `len` items off `bytes`.
fn take<'a, T>(bytes: &mut &'a [T], len: usize) -> Result<&'a [T]> {
    let (taken, rest) = bytes.split_at_checked(len).ok_or(Lost)?;
    *bytes = rest;
    Ok(taken)
}

impl<'a> Unwritten<'a> {
    /// Divides the bytes by their use: application segments, comments, bytes between segments, and the tail.
    fn new(data: &'a Data, described: &Described<'a>) -> Result<Self> {
        let icc = data
            .applications
            .iter()
            .filter(|segment| segment.kind == SegmentSource::Icc);
        let here = data
            .applications
            .iter()
            .filter(|segment| segment.kind == SegmentSource::Here);
        let mut bytes = &data.bytes[..];
        let applications = take(&mut bytes, here.map(|segment| segment.len).sum())?;
        let comments = take(&mut bytes, data.comments.iter().sum())?;
        let between = take(&mut bytes, data.between.iter().sum())?;
        Ok(Self {
            bytes: applications,
            applications: data.applications.iter(),
            comments,
            comment_lens: data.comments.iter(),
            between,
            between_lens: data.between.iter(),
            tail: bytes,
            icc: described.icc,
            icc_number: 0,
            icc_count: u8::try_from(icc.count()).map_err(|_| Lost)?,
            codes: &data.codes,
            quantisations: &data.quantisations,
            scans: data.scans.iter(),
            padding: Padding(data.padding.as_ref().map(|bits| bits.iter())),
        })
    }
}

/// Writes the whole file. Calls `go_on` before each row of MCUs in a scan, and fails if `go_on` returns `false`.
pub(super) fn write(
    data: &Data,
    picture: &Picture,
    described: &Described<'_>,
    go_on: &dyn Fn() -> bool,
) -> Result<Vec<u8>> {
    let unwritten = &mut Unwritten::new(data, described)?;
    let mut state = State::default();
    let mut file = vec![PREFIX, SOI];
    // A table that no component uses has the steps of the previous table (A.5).
    let mut steps = None;
    for &marker in &data.markers {
        match marker {
            SOF0..=SOF2 => {
                state.is_progressive = marker == SOF2;
                frame(&mut file, marker, data, picture);
            }
            DHT => huffman(&mut file, unwritten, &mut state)?,
            0xd0..=0xd7 => file.extend([PREFIX, marker]),
            EOI => {
                file.extend([PREFIX, EOI]);
                file.extend(unwritten.tail);
            }
            SOS => {
                let scan = unwritten.scans.next().ok_or(Lost)?;
                header(&mut file, scan, data);
                scans::write(
                    &mut file,
                    scan,
                    picture,
                    &state,
                    &mut unwritten.padding,
                    go_on,
                )?;
            }
            DQT => quantisation(&mut file, unwritten, data, picture, &mut steps)?,
            DRI => {
                state.restart_interval = data.restart_interval.into();
                segment(&mut file, DRI, &data.restart_interval.to_be_bytes());
            }
            0xe0..=0xef => application(&mut file, unwritten, described)?,
            0xfe => {
                let len = *unwritten.comment_lens.next().ok_or(Lost)?;
                file.push(PREFIX);
                file.extend(take(&mut unwritten.comments, len)?);
            }
            0xff => {
                let len = *unwritten.between_lens.next().ok_or(Lost)?;
                file.extend(take(&mut unwritten.between, len)?);
            }
            _ => return Err(Lost),
        }
    }
    Ok(file)
}

/// Writes a frame header (T.81, B.2.2).
fn frame(file: &mut Vec<u8>, marker: u8, data: &Data, picture: &Picture) {
    let mut content = vec![8];
    content.extend(picture.height.to_be_bytes());
    content.extend(picture.width.to_be_bytes());
    content.push(data.components.len() as u8);
    for (component, plane) in data.components.iter().zip(&picture.components) {
        let sampling = plane.horizontal << 4 | plane.vertical;
        content.extend([component.id, sampling as u8, component.quantisation]);
    }
    segment(file, marker, &content);
}

/// Writes a scan header (T.81, B.2.3).
fn header(file: &mut Vec<u8>, scan: &Scan, data: &Data) {
    let mut content = vec![scan.parts.len() as u8];
    for part in &scan.parts {
        let id = data
            .components
            .get(part.component)
            .map_or(0, |component| component.id);
        content.extend([id, part.dc << 4 | part.ac]);
    }
    content.extend([scan.first, scan.last, scan.high << 4 | scan.low]);
    segment(file, SOS, &content);
}

/// Writes the next Huffman tables as one segment, up to the first that is marked as the last of its segment.
fn huffman(file: &mut Vec<u8>, unwritten: &mut Unwritten<'_>, state: &mut State) -> Result<()> {
    let last = unwritten.codes.iter().position(|code| code.is_last);
    let mut content = Vec::new();
    for code in take(&mut unwritten.codes, last.ok_or(Lost)? + 1)? {
        content.push(u8::from(code.is_ac) << 4 | code.slot);
        content.extend(code.counts);
        content.extend(&code.symbols);
        let tables = if code.is_ac {
            &mut state.ac
        } else {
            &mut state.dc
        };
        tables[usize::from(code.slot & 3)] = Some(Box::new(entropy::codes(code)?));
    }
    segment(file, DHT, &content);
    Ok(())
}

/// Writes the next quantisation tables as one segment, up to the first that is marked as the last of its segment.
fn quantisation(
    file: &mut Vec<u8>,
    unwritten: &mut Unwritten<'_>,
    data: &Data,
    picture: &Picture,
    steps: &mut Option<[u16; 64]>,
) -> Result<()> {
    let last = unwritten
        .quantisations
        .iter()
        .position(|table| table.is_last);
    let mut content = Vec::new();
    for table in take(&mut unwritten.quantisations, last.ok_or(Lost)? + 1)? {
        let mut components = data.components.iter();
        let user = components.position(|component| component.quantisation == table.slot);
        if let Some(plane) = user.and_then(|at| picture.components.get(at)) {
            *steps = Some(plane.steps);
        }
        content.push(u8::from(table.is_wide) << 4 | table.slot);
        for step in steps.ok_or(Lost)? {
            match table.is_wide {
                true => content.extend(step.to_be_bytes()),
                false => content.push(step as u8),
            }
        }
    }
    segment(file, DQT, &content);
    Ok(())
}

/// Writes an application segment, either from the reconstruction data or from the metadata of the JPEG XL file.
fn application(
    file: &mut Vec<u8>,
    unwritten: &mut Unwritten<'_>,
    described: &Described<'_>,
) -> Result<()> {
    let Application { kind, len } = unwritten.applications.next().ok_or(Lost)?;
    // Length of the content: without the second byte of the marker and the length field.
    let rest = len.checked_sub(3).ok_or(Lost)?;
    let whole = |content: &[u8], name: &[u8]| {
        let is_long = content.len() + name.len() == rest;
        is_long.then(|| [name, content].concat()).ok_or(Lost)
    };
    match kind {
        SegmentSource::Here => {
            file.push(PREFIX);
            file.extend(take(&mut unwritten.bytes, *len)?);
        }
        SegmentSource::Icc => {
            let part = rest.checked_sub(ICC.len() + 2).ok_or(Lost)?;
            unwritten.icc_number += 1;
            let numbers = [unwritten.icc_number, unwritten.icc_count];
            let part = take(&mut unwritten.icc, part)?;
            segment(file, APP2, &[ICC, &numbers, part].concat());
        }
        SegmentSource::Exif => segment(file, APP1, &whole(described.exif, EXIF)?),
        SegmentSource::Xmp => segment(file, APP1, &whole(described.xmp, XMP)?),
    }
    Ok(())
}
