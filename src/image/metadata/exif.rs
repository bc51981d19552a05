//! The inside of EXIF: directories of tags (TIFF 6.0, section 2; Exif 2.32, 4.6). Never trusts an offset.

/// What stands before EXIF in a segment of JPEG (Exif 2.32, 4.7.2), and what some writers put before it elsewhere.
pub(crate) const PREFIX: &[u8] = b"Exif\0\0";

/// The tag of XMP in a TIFF (XMP specification, part 3, 1.1.7).
pub(crate) const XMP: u16 = 700;

pub(crate) const ORIENTATION: u16 = 0x0112;
/// Where the directory of EXIF stands.
pub(crate) const EXIF: u16 = 0x8769;
/// Where that of the place stands.
pub(crate) const GPS: u16 = 0x8825;
pub(crate) const WIDTH: u16 = 0xa002;
pub(crate) const HEIGHT: u16 = 0xa003;
/// A directory within that of EXIF, of little use.
const INTEROPERABILITY: u16 = 0xa005;
/// Offsets within it are from the beginning of the file it was in, so that it does not survive a move.
const MAKER_NOTE: u16 = 0x927c;

/// What the first directory tells about the picture and not about the file: description, make, model, software, date,
/// artist, XMP, rating, copyright, and what Windows adds.
const DESCRIPTIVE: [u16; 15] = [
    270, 271, 272, 305, 306, 315, XMP, 18_246, 18_249, 33_432, 40_091, 40_092, 40_093, 40_094,
    40_095,
];

/// Most entries that are read of a directory.
pub(crate) const MOST_ENTRIES: usize = 512;

/// Most bytes that a tree is made of, XMP included. Values may lie over one another in a file.
const MOST_BYTES: usize = 2 * super::MOST;

/// The order of bytes.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    little: bool,
}

impl Order {
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head.get(..4)? {
            b"II*\0" => Some(Self { little: true }),
            b"MM\0*" => Some(Self { little: false }),
            _ => None,
        }
    }

    pub(crate) fn short(self, bytes: &[u8]) -> Option<u16> {
        let bytes = *bytes.first_chunk()?;
        Some(if self.little {
            u16::from_le_bytes(bytes)
        } else {
            u16::from_be_bytes(bytes)
        })
    }

    pub(crate) fn long(self, bytes: &[u8]) -> Option<u32> {
        let bytes = *bytes.first_chunk()?;
        Some(if self.little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    }

    pub(crate) fn put(self, value: u32) -> [u8; 4] {
        if self.little {
            value.to_le_bytes()
        } else {
            value.to_be_bytes()
        }
    }

    /// A `SHORT` in the four bytes of an entry.
    pub(crate) fn put_short(self, value: u16) -> [u8; 4] {
        let [a, b] = if self.little {
            value.to_le_bytes()
        } else {
            value.to_be_bytes()
        };
        [a, b, 0, 0]
    }
}

/// Bytes of one value of this type, and of its largest part that has an order.
fn widths(kind: u16) -> Option<(usize, usize)> {
    match kind {
        1 | 2 | 6 | 7 => Some((1, 1)),
        3 | 8 => Some((2, 2)),
        4 | 9 | 11 | 13 => Some((4, 4)),
        5 | 10 => Some((8, 4)),
        12 => Some((8, 8)),
        _ => None,
    }
}

/// Where the entries of a directory stand, each with 12 bytes, and where the pointer to the next one does.
pub(crate) fn places(
    block: &[u8],
    order: Order,
    at: usize,
) -> Option<(impl Iterator<Item = usize> + use<>, usize)> {
    let count = order.short(block.get(at..)?)? as usize;
    let (start, end) = (at + 2, at + 2 + 12 * count);
    (end <= block.len()).then(|| ((0..count).map(move |n| start + 12 * n), end))
}

/// One tag with its values, in little-endian order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) tag: u16,
    pub(crate) kind: u16,
    pub(crate) count: u32,
    pub(crate) value: Vec<u8>,
}

/// The directories, taken apart: for TIFF, where they are among those of the picture itself.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tree {
    /// What describes the picture.
    pub(crate) first: Vec<Entry>,
    pub(crate) exif: Vec<Entry>,
    pub(crate) gps: Vec<Entry>,
}

/// Gives so many bytes from such a place, if they are there.
type Fetch<'a> = dyn FnMut(u64, usize) -> Option<Vec<u8>> + 'a;

impl Tree {
    /// Takes apart what `fetch` gives. Without maker notes and thumbnails.
    pub(crate) fn read(fetch: &mut Fetch<'_>) -> Option<Self> {
        let mut left = MOST_BYTES;
        let fetch: &mut Fetch<'_> = &mut |at, len| {
            left = left.checked_sub(len)?;
            fetch(at, len)
        };
        let head = fetch(0, 8)?;
        let order = Order::of(&head)?;
        let first = order.long(&head[4..])?;
        let (mut tree, mut exif, mut gps) = (Self::default(), None, None);
        each_entry(fetch, order, first, |tag, entry| match tag {
            EXIF => exif = entry.value.first_chunk().copied().map(u32::from_le_bytes),
            GPS => gps = entry.value.first_chunk().copied().map(u32::from_le_bytes),
            _ if DESCRIPTIVE.contains(&tag) => tree.first.push(entry),
            _ => {}
        })?;
        if let Some(at) = exif {
            // What is damaged is left out.
            let _ = each_entry(fetch, order, at, |tag, entry| {
                if !matches!(tag, MAKER_NOTE | INTEROPERABILITY) {
                    tree.exif.push(entry);
                }
            });
        }
        if let Some(at) = gps {
            let _ = each_entry(fetch, order, at, |_, entry| tree.gps.push(entry));
        }
        Some(tree)
    }

    /// Takes apart a block in memory.
    pub(crate) fn of(block: &[u8]) -> Option<Self> {
        Self::read(&mut |at, len| {
            let start = usize::try_from(at).ok()?;
            Some(block.get(start..start.checked_add(len)?)?.to_vec())
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty() && self.exif.is_empty() && self.gps.is_empty()
    }

    /// Takes the bytes of a tag out of the first directory.
    pub(crate) fn take(&mut self, tag: u16) -> Option<Vec<u8>> {
        let at = self.first.iter().position(|entry| entry.tag == tag)?;
        Some(self.first.remove(at).value)
    }

    /// A block with all of it.
    pub(crate) fn block(mut self) -> Vec<u8> {
        let mut block = b"II*\0\x08\0\0\0".to_vec();
        let pointer = |tag: u16| Entry {
            tag,
            kind: 4,
            count: 1,
            value: vec![0; 4],
        };
        let parts = [(EXIF, &mut self.exif), (GPS, &mut self.gps)];
        for (tag, entries) in &parts {
            if !entries.is_empty() {
                self.first.push(pointer(*tag));
            }
        }
        self.first.sort_by_key(|entry| entry.tag);
        let start = block.len() + 2;
        let tags: Vec<u16> = self.first.iter().map(|entry| entry.tag).collect();
        put(&mut block, &self.first);
        for (tag, entries) in parts {
            let Some(at) = tags.iter().position(|found| *found == tag) else {
                continue;
            };
            let place = (block.len() as u32).to_le_bytes();
            block[start + 12 * at + 8..][..4].copy_from_slice(&place);
            entries.sort_by_key(|entry| entry.tag);
            put(&mut block, entries);
        }
        block
    }
}

/// Appends a directory, and behind it what does not fit into its entries.
fn put(block: &mut Vec<u8>, entries: &[Entry]) {
    block.extend((entries.len() as u16).to_le_bytes());
    let mut beyond = Vec::new();
    let end = block.len() + 12 * entries.len() + 4;
    for entry in entries {
        block.extend(entry.tag.to_le_bytes());
        block.extend(entry.kind.to_le_bytes());
        block.extend(entry.count.to_le_bytes());
        let mut value = [0; 4];
        if let Some(short) = value.get_mut(..entry.value.len()) {
            short.copy_from_slice(&entry.value);
        } else {
            value = ((end + beyond.len()) as u32).to_le_bytes();
            beyond.extend(&entry.value);
            beyond.resize(beyond.len().next_multiple_of(2), 0);
        }
        block.extend(value);
    }
    block.extend([0; 4]);
    block.extend(beyond);
}

/// Calls `see` with every entry of a directory that can be read.
fn each_entry(
    fetch: &mut Fetch<'_>,
    order: Order,
    at: u32,
    mut see: impl FnMut(u16, Entry),
) -> Option<()> {
    let at = u64::from(at);
    let count = usize::from(order.short(&fetch(at, 2)?)?).min(MOST_ENTRIES);
    let directory = fetch(at + 2, 12 * count)?;
    for entry in directory.as_chunks::<12>().0 {
        let (tag, kind) = (order.short(entry)?, order.short(&entry[2..])?);
        let count = order.long(&entry[4..])?;
        let Some((width, part)) = widths(kind) else {
            continue;
        };
        let len = width.saturating_mul(count as usize);
        let mut value = match len {
            0..=4 => entry[8..8 + len].to_vec(),
            5..=MOST_BYTES => {
                let Some(value) = fetch(order.long(&entry[8..])?.into(), len) else {
                    continue;
                };
                value
            }
            _ => continue,
        };
        if !order.little {
            value.chunks_exact_mut(part).for_each(<[u8]>::reverse);
        }
        let entry = Entry {
            tag,
            kind,
            count,
            value,
        };
        see(tag, entry);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(tag: u16, kind: u16, value: &[u8]) -> Entry {
        Entry {
            tag,
            kind,
            count: (value.len() / widths(kind).unwrap().0) as u32,
            value: value.to_vec(),
        }
    }

    fn tree() -> Tree {
        Tree {
            first: vec![entry(271, 2, b"Somebody\0"), entry(306, 2, b"Now\0")],
            exif: vec![
                entry(0x829a, 5, &[1, 0, 0, 0, 100, 0, 0, 0]),
                entry(WIDTH, 3, &[9, 0]),
                entry(HEIGHT, 4, &[7, 0, 0, 0]),
            ],
            gps: vec![entry(1, 2, b"N\0")],
        }
    }

    #[test]
    fn what_is_put_together_comes_apart() {
        assert_eq!(Tree::of(&tree().block()), Some(tree()));
        assert_eq!(Tree::of(b"II*\0"), None);
        assert_eq!(Tree::of(b""), None);
    }

    #[test]
    fn damage_is_survived() {
        let block = tree().block();
        for at in 0..block.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut damaged = block.clone();
                damaged[at] = byte;
                drop(Tree::of(&damaged));
            }
            drop(Tree::of(&block[..at]));
        }
    }
}
