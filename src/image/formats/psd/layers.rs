//! Reads the layer records of a Photoshop file (Layer and Mask Information Section): the rectangles of layers, their
//! blend modes, and the positions of their channels. Reads no pixels.
//!
//! Records are stored from the bottom layer to the top one; the channels of all layers follow in the same order. A
//! group is a pair of records without pixels: one below its layers, which only marks its end, and one above them, with
//! the visibility and the opacity of the group.

use super::{
    planes::invalid,
    structure::{Structure, bytes},
};
use convertd_core::job::Input;
use std::io::{self, SeekFrom};

/// Largest number of channels in a layer: 56, and a few masks.
const MAX_CHANNELS: u16 = 64;

/// ID of the alpha channel of a layer.
pub(crate) const ALPHA: i16 = -1;
/// ID of the channel with the mask of a layer.
pub(crate) const MASK: i16 = -2;

/// Flag of a layer that is hidden.
const HIDDEN: u8 = 2;
/// Flag of a mask that is disabled.
const MASK_IS_OFF: u8 = 2;

/// A rectangle in coordinates of the canvas. It may be partly or wholly outside of the canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rectangle {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Rectangle {
    /// Reads a rectangle: top, left, bottom, right.
    fn read(input: &mut dyn Input) -> io::Result<Self> {
        let top = i32::from_be_bytes(bytes(input)?);
        let left = i32::from_be_bytes(bytes(input)?);
        let bottom = i32::from_be_bytes(bytes(input)?);
        let right = i32::from_be_bytes(bytes(input)?);
        let side = |from: i32, to: i32| u32::try_from(i64::from(to) - i64::from(from)).unwrap_or(0);
        Ok(Self {
            left,
            top,
            width: side(left, right),
            height: side(top, bottom),
        })
    }

    pub(crate) fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// A channel of a layer in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channel {
    /// 0 and above for colours; otherwise [`ALPHA`], [`MASK`] or another mask.
    pub(crate) id: i16,
    /// Offset in the file, in bytes.
    pub(crate) at: u64,
    /// Length in bytes, including the field for its compression.
    pub(crate) len: u64,
}

/// A mask that hides parts of a layer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mask {
    pub(crate) rectangle: Rectangle,
    /// Value of the mask outside of its rectangle.
    pub(crate) beyond: u8,
}

/// A visible layer with pixels.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) rectangle: Rectangle,
    pub(crate) blend: [u8; 4],
    /// Opacity from 0 to 1, multiplied by that of the layer's groups.
    pub(crate) opacity: f32,
    pub(crate) mask: Option<Mask>,
    pub(crate) channels: Vec<Channel>,
}

/// The visible layers of a file, from bottom to top, and the numbers of layers that are left out or incomplete.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    pub(crate) seen: Vec<Layer>,
    /// Number of hidden layers.
    pub(crate) hidden: u32,
    /// Number of adjustment and fill layers, which have no pixels.
    pub(crate) adjusting: u32,
    /// Number of layers with effects, such as shadows.
    pub(crate) effects: u32,
    /// Number of layers that are clipped to the layer below.
    pub(crate) clipped: u32,
}

/// A layer record.
struct Record {
    layer: Layer,
    is_hidden: bool,
    is_clipped: bool,
    /// Whether the record is an adjustment or fill layer without pixels.
    adjusts: bool,
    has_effects: bool,
    /// Kind of section divider: 0 for a layer, 1 or 2 for the top of a group, 3 for its bottom.
    divides: u32,
}

impl Layers {
    /// Reads the records at the offset `at`.
    pub(crate) fn read(input: &mut dyn Input, at: u64, structure: &Structure) -> io::Result<Self> {
        input.seek(SeekFrom::Start(at))?;
        let count = i16::from_be_bytes(bytes(input)?).unsigned_abs();
        let mut records = Vec::new();
        for _ in 0..count {
            records.push(record(input, structure.wide)?);
        }
        let mut data = input.stream_position()?;
        for record in &mut records {
            for channel in &mut record.layer.channels {
                channel.at = data;
                data = data
                    .checked_add(channel.len)
                    .ok_or_else(|| invalid("a layer is too long"))?;
            }
        }
        Ok(Self::of(records))
    }

    /// Resolves groups: a layer is hidden if one of its groups is hidden, and opacities are multiplied.
    fn of(records: Vec<Record>) -> Self {
        let mut found = Self::default();
        // From top to bottom, so that a group is known before its layers.
        let mut groups: Vec<(bool, f32)> = vec![(false, 1.0)];
        for mut record in records.into_iter().rev() {
            let (is_hidden, opacity) = groups.last().copied().unwrap_or((false, 1.0));
            let is_hidden = is_hidden || record.is_hidden;
            let opacity = opacity * record.layer.opacity;
            match record.divides {
                1 | 2 => groups.push((is_hidden, opacity)),
                3 => {
                    if groups.len() > 1 {
                        groups.pop();
                    }
                }
                _ if is_hidden => found.hidden += 1,
                _ if record.adjusts => found.adjusting += 1,
                _ if record.layer.rectangle.pixels() == 0 => {}
                _ => {
                    found.effects += u32::from(record.has_effects);
                    found.clipped += u32::from(record.is_clipped);
                    record.layer.opacity = opacity;
                    found.seen.push(record.layer);
                }
            }
        }
        found.seen.reverse();
        found
    }
}

/// Reads a layer record (Adobe, "Layer records"): rectangle, channels, blend mode, and additional information.
fn record(input: &mut dyn Input, wide: bool) -> io::Result<Record> {
    let rectangle = Rectangle::read(input)?;
    let count = u16::from_be_bytes(bytes(input)?);
    if count > MAX_CHANNELS {
        return Err(invalid("a layer has too many channels"));
    }
    let mut channels = Vec::new();
    for _ in 0..count {
        let id = i16::from_be_bytes(bytes(input)?);
        let len = if wide {
            u64::from_be_bytes(bytes(input)?)
        } else {
            u32::from_be_bytes(bytes(input)?).into()
        };
        channels.push(Channel { id, at: 0, len });
    }
    if &bytes(input)? != b"8BIM" {
        return Err(invalid("a layer has no signature"));
    }
    let blend = bytes(input)?;
    let [opacity, clipping, flags, _] = bytes(input)?;
    let len = u32::from_be_bytes(bytes(input)?);
    let end = input.stream_position()? + u64::from(len);
    let mask = mask(input)?;
    let ranges = u32::from_be_bytes(bytes(input)?);
    input.seek_relative(ranges.into())?;
    // The name, after one byte for its length. Both together are padded to a multiple of four bytes.
    let [name] = bytes(input)?;
    input.seek_relative(i64::from((u16::from(name) + 1).next_multiple_of(4)) - 1)?;
    let mut record = Record {
        layer: Layer {
            rectangle,
            blend,
            opacity: f32::from(opacity) / 255.0,
            mask,
            channels,
        },
        is_hidden: flags & HIDDEN != 0,
        is_clipped: clipping != 0,
        adjusts: false,
        has_effects: false,
        divides: 0,
    };
    while input.stream_position()? + 12 <= end {
        let [_, _, _, _, key @ ..]: [u8; 8] = bytes(input)?;
        // Blocks whose length has 8 bytes in a PSB.
        let long = matches!(
            &key,
            b"LMsk" | b"FMsk" | b"cinf" | b"FEid" | b"FXid" | b"PxSD" | b"Alph"
        );
        let len = if wide && long {
            u64::from_be_bytes(bytes(input)?)
        } else {
            u32::from_be_bytes(bytes(input)?).into()
        };
        let next = input.stream_position()? + len;
        match &key {
            b"lsct" | b"lsdk" if len >= 4 => record.divides = u32::from_be_bytes(bytes(input)?),
            b"lrFX" | b"lfx2" | b"lmfx" => record.has_effects = true,
            // Fill layers (solid colours, gradients, patterns) and adjustment layers. One with pixels counts as a
            // normal layer.
            b"SoCo" | b"GdFl" | b"PtFl" | b"levl" | b"curv" | b"brit" | b"blnc" | b"hue "
            | b"hue2" | b"selc" | b"mixr" | b"grdm" | b"phfl" | b"expA" | b"vibA" | b"nvrt"
            | b"post" | b"thrs" | b"blwh" | b"clrL" | b"CgEd" => {
                record.adjusts = rectangle.pixels() == 0
            }
            _ => {}
        }
        input.seek(SeekFrom::Start(next))?;
    }
    input.seek(SeekFrom::Start(end))?;
    Ok(record)
}

/// Reads the mask that a user has painted. `None` without a mask, or if it is disabled.
fn mask(input: &mut dyn Input) -> io::Result<Option<Mask>> {
    let len = u32::from_be_bytes(bytes(input)?);
    let end = input.stream_position()? + u64::from(len);
    let mut mask = None;
    if len >= 18 {
        let rectangle = Rectangle::read(input)?;
        let [beyond, flags] = bytes(input)?;
        mask = (flags & MASK_IS_OFF == 0).then_some(Mask { rectangle, beyond });
    }
    input.seek(SeekFrom::Start(end))?;
    Ok(mask)
}
