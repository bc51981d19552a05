//! Reads the tables of items in the box `meta` (ISO/IEC 14496-12, 8.11, and 23008-12): the type of each item, the
//! location of its data, its properties and its references. Holds only that box in memory, and no coded image.

use super::fault::Fault;
use convertd_core::{
    containers::bmff::{Content, Head},
    job::{Input, input_len},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Read, SeekFrom},
};

/// Largest size of the box `meta`, in bytes.
const MAX_META: u64 = 4 << 20;

/// Largest number of items, of references, and of extents of all items together. The properties of all items together
/// may be four times as many.
const MAX_ENTRIES: usize = 1 << 16;

/// Largest number of boxes that are read at the top level of a file.
const MAX_BOXES: usize = 1 << 10;

/// The extents of an item: offset and length of each in the file. The length 0 means that the extent reaches to the end
/// of the file.
pub(crate) type Extents = Vec<(u64, u64)>;

/// The ID of an item.
pub(crate) type Id = u64;

/// The contents of the box `meta`, by the IDs of the items.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// ID of the primary item, or 0 if the file has none.
    pub(crate) primary: Id,
    /// Position of the primary item's ID in the file, and the length of the ID in bytes.
    primary_offset: (u64, usize),
    /// Items that are not to be displayed.
    hidden: BTreeSet<Id>,
    /// Types of items.
    kinds: BTreeMap<Id, [u8; 4]>,
    /// The content types of items of the type `mime`.
    types: BTreeMap<Id, Vec<u8>>,
    /// Locations of the data of items.
    extents: BTreeMap<Id, Extents>,
    /// Type and content of each property of the file.
    properties: Vec<([u8; 4], Vec<u8>)>,
    /// The properties of an item as indices into `properties`, in the order in which they apply.
    owned: BTreeMap<Id, Vec<usize>>,
    /// The targets of references in the order of the file, by the type of the reference and the item that refers.
    to: BTreeMap<([u8; 4], Id), Vec<Id>>,
    /// The items that refer to an item, by the type of the reference and the item to which they refer.
    from: BTreeMap<([u8; 4], Id), Vec<Id>>,
}

/// Finds the next box of this type at the top level of a file, from `offset` on.
pub(crate) fn find(
    input: &mut dyn Input,
    mut offset: u64,
    kind: [u8; 4],
) -> Result<Option<Head>, Fault> {
    for _ in 0..MAX_BOXES {
        let head = match Head::read(input, offset) {
            Ok(head) => head,
            // The file ends, or a box is cut short.
            Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(err) if err.kind() == io::ErrorKind::InvalidData => return Err(Fault::Broken),
            Err(err) => return Err(Fault::Io(err)),
        };
        if head.kind == kind {
            return Ok(Some(head));
        }
        let Some(next) = head.next() else {
            return Ok(None);
        };
        offset = next;
    }
    Err(Fault::Broken)
}

/// Reads the content of a box such as `meta`, which describes items.
pub(crate) fn content(input: &mut dyn Input, head: &Head) -> Result<Vec<u8>, Fault> {
    let len = match head.len {
        Some(len) => len,
        None => input_len(input)?.saturating_sub(head.start),
    };
    if len > MAX_META {
        return Err(Fault::Unsupported("more than 4 MiB of item properties"));
    }
    input.seek(SeekFrom::Start(head.start))?;
    let mut content = Vec::new();
    input.take(len).read_to_end(&mut content)?;
    if (content.len() as u64) < len {
        return Err(Fault::Broken);
    }
    Ok(content)
}

/// The first bytes of an item, at most `most`.
pub(crate) fn data(input: &mut dyn Input, extents: &Extents, most: u64) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    for &(at, len) in extents {
        input.seek(SeekFrom::Start(at))?;
        let left = most - data.len() as u64;
        let len = if len == 0 { left } else { len.min(left) };
        (&mut *input).take(len).read_to_end(&mut data)?;
    }
    Ok(data)
}

/// Returns whether this type of an auxiliary image (ISO/IEC 23008-12, 6.5.8) means alpha. HEVC files use another name
/// for alpha than files of other codecs.
pub(crate) fn names_alpha(name: &[u8]) -> bool {
    name.starts_with(b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")
        || name.starts_with(b"urn:mpeg:hevc:2015:auxid:1\0")
}

impl Tables {
    /// The items of a file. `None` without the box `meta`, or without a primary item.
    pub(crate) fn read(input: &mut dyn Input) -> Result<Option<Self>, Fault> {
        let Some(head) = find(input, 0, *b"meta")? else {
            return Ok(None);
        };
        let meta = content(input, &head)?;
        let tables = Self::parse(head.start, &meta).ok_or(Fault::Broken)?;
        Ok(Some(tables).filter(|tables| tables.primary != 0))
    }

    /// Parses the box `meta` (ISO/IEC 14496-12, 8.11): the primary item, and the types, properties, references and
    /// locations of items. `start` is the offset of its content in the file.
    fn parse(start: u64, meta: &[u8]) -> Option<Self> {
        let mut found = Self::default();
        let mut rest = Content(meta);
        rest.version()?;
        // `iloc` is parsed last, because it may refer to `idat`, which may follow it.
        let (mut iloc, mut data) = (None, None);
        while let Some((name, mut content)) = rest.next_box() {
            match &name {
                b"pitm" => {
                    let (version, _) = content.version()?;
                    let width = if version == 0 { 2 } else { 4 };
                    let before = meta.len() - rest.0.len() - content.0.len();
                    found.primary_offset = (start + before as u64, width);
                    found.primary = content.number(width)?;
                }
                b"iinf" => found.kinds(content)?,
                b"iprp" => found.properties(content)?,
                b"iref" => found.references(content)?,
                b"iloc" => iloc = Some(content),
                // The position of this content in the file follows from its distance from the end of the bytes that
                // were read.
                b"idat" => {
                    data = Some(start + (meta.len() - rest.0.len() - content.0.len()) as u64)
                }
                _ => {}
            }
        }
        if let Some(iloc) = iloc {
            found.locations(iloc, data)?;
        }
        Some(found)
    }

    /// Parses `iinf` (8.11.6): the type of each item, and whether it is hidden.
    fn kinds(&mut self, mut content: Content<'_>) -> Option<()> {
        let (version, _) = content.version()?;
        // The number of entries has 16 bits in version 0. It is skipped, because the list ends with the last box.
        content.number(if version == 0 { 2 } else { 4 })?;
        while let Some((name, mut entry)) = content.next_box() {
            if &name != b"infe" {
                continue;
            }
            let (version, flags) = entry.version()?;
            let item = entry.number(if version < 3 { 2 } else { 4 })?;
            if flags & 1 != 0 {
                self.hidden.insert(item);
            }
            entry.take(2)?;
            // Older versions of the entry have a name instead of a type. Its first bytes are taken for an unknown type.
            let kind = *entry.take(4)?.first_chunk()?;
            if self.kinds.len() >= MAX_ENTRIES {
                return None;
            }
            self.kinds.insert(item, kind);
            if &kind == b"mime" {
                // The name of the item, then its content type, both ended by a zero byte.
                let mut texts = entry.0.split(|byte| *byte == 0).skip(1);
                let kind = texts.next().unwrap_or_default();
                self.types.insert(item, kind.to_vec());
            }
        }
        Some(())
    }

    /// Parses `iprp` (ISO/IEC 23008-12, 9.3): the list of all properties (`ipco`), and which of them each item has
    /// (`ipma`).
    fn properties(&mut self, mut content: Content<'_>) -> Option<()> {
        let mut entries = 0;
        while let Some((name, mut part)) = content.next_box() {
            match &name {
                b"ipco" => {
                    while let Some((name, property)) = part.next_box() {
                        self.properties.push((name, property.0.to_vec()));
                    }
                }
                b"ipma" => {
                    let (version, flags) = part.version()?;
                    for _ in 0..part.number(4)? {
                        let item = part.number(if version == 0 { 2 } else { 4 })?;
                        for _ in 0..part.number(1)? {
                            // The highest bit says whether the property is essential, which is ignored here.
                            let (len, mask) = if flags & 1 == 0 {
                                (1, 0x7f)
                            } else {
                                (2, 0x7fff)
                            };
                            let index = part.number(len)? & mask;
                            entries += 1;
                            if entries > 4 * MAX_ENTRIES {
                                return None;
                            }
                            // Numbers count from 1; 0 means no property.
                            if let Some(index) = index.checked_sub(1) {
                                self.owned.entry(item).or_default().push(index as usize);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Parses `iref` (ISO/IEC 14496-12, 8.11.12): the targets of each item by the type of the reference.
    fn references(&mut self, mut content: Content<'_>) -> Option<()> {
        let (version, _) = content.version()?;
        let width = if version == 0 { 2 } else { 4 };
        let mut entries = 0;
        while let Some((kind, mut reference)) = content.next_box() {
            let from = reference.number(width)?;
            for _ in 0..reference.number(2)? {
                let to = reference.number(width)?;
                entries += 1;
                if entries > MAX_ENTRIES {
                    return None;
                }
                self.to.entry((kind, from)).or_default().push(to);
                self.from.entry((kind, to)).or_default().push(from);
            }
        }
        Some(())
    }

    /// Parses `iloc` (8.11.3): the extents of each item, in the file or in `idat`, whose content begins at the offset
    /// `data`. The box begins with the widths of its fields.
    fn locations(&mut self, mut content: Content<'_>, data: Option<u64>) -> Option<()> {
        let (version, _) = content.version()?;
        let sizes = content.number(2)? as usize;
        let [offset, length, base, index] = [12, 8, 4, 0].map(|shift| sizes >> shift & 15);
        let wide = if version < 2 { 2 } else { 4 };
        let mut pieces = 0;
        for _ in 0..content.number(wide)? {
            let item = content.number(wide)?;
            let method = if version == 0 {
                0
            } else {
                content.number(2)? & 15
            };
            content.take(2)?;
            let base = content.number(base)?;
            let mut extents = Vec::new();
            for _ in 0..content.number(2)? {
                if version > 0 {
                    content.take(index)?;
                }
                let offset = base.checked_add(content.number(offset)?)?;
                let length = content.number(length)?;
                // Construction methods: 0 is an offset in the file, 1 an offset in `idat`, and 2 an offset in another
                // item, which is unsupported.
                let start = match method {
                    0 => Some(0),
                    1 => data,
                    _ => None,
                };
                pieces += 1;
                if pieces > MAX_ENTRIES {
                    return None;
                }
                if let Some(start) = start {
                    extents.push((start.checked_add(offset)?, length));
                }
            }
            self.extents.insert(item, extents);
        }
        Some(())
    }

    /// The properties of an item, in their order.
    pub(crate) fn properties_of(&self, item: Id) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
        let owned = self.owned.get(&item).into_iter().flatten();
        owned
            .filter_map(|index| self.properties.get(*index))
            .map(|(name, content)| (name, &content[..]))
    }

    /// The contents of the properties of an item that have this type.
    pub(crate) fn property<'a>(
        &'a self,
        item: Id,
        name: &'a [u8; 4],
    ) -> impl Iterator<Item = &'a [u8]> {
        self.properties_of(item)
            .filter(move |(found, _)| *found == name)
            .map(|(_, content)| content)
    }

    /// The extents of an item's data, at least one.
    pub(crate) fn extents(&self, item: Id) -> Result<&Extents, Fault> {
        let extents = self.extents.get(&item).ok_or(Fault::Broken)?;
        if extents.is_empty() {
            return Err(Fault::Broken);
        }
        Ok(extents)
    }

    /// Width and height of an item in pixels (`ispe`), before its transformations.
    pub(crate) fn sides(&self, item: Id) -> Option<(u32, u32)> {
        let mut size = Content(self.property(item, b"ispe").next()?);
        size.version()?;
        Some((size.number(4)? as u32, size.number(4)? as u32))
    }

    /// The type of an item.
    pub(crate) fn kind(&self, item: Id) -> Result<[u8; 4], Fault> {
        self.kinds.get(&item).copied().ok_or(Fault::Broken)
    }

    /// The input images of a derived image item.
    pub(crate) fn parts(&self, item: Id) -> &[Id] {
        self.to.get(&(*b"dimg", item)).map_or(&[], Vec::as_slice)
    }

    /// The items that refer to an item by references of this type.
    pub(crate) fn referring(&self, kind: &[u8; 4], item: Id) -> &[Id] {
        self.from.get(&(*kind, item)).map_or(&[], Vec::as_slice)
    }

    /// The alpha image of an item: an auxiliary image whose property `auxC` says so.
    pub(crate) fn alpha(&self, item: Id) -> Option<Id> {
        let auxiliaries = self.referring(b"auxl", item).iter().copied();
        auxiliaries.into_iter().find(|auxiliary| {
            self.property(*auxiliary, b"auxC")
                .any(|content| names_alpha(content.get(4..).unwrap_or_default()))
        })
    }

    /// The pictures of a file that are meant to be displayed. They are neither hidden, nor inputs of a derived image,
    /// nor auxiliary to another picture, as thumbnails and depth maps are. The primary item is always among them.
    pub(crate) fn pictures(&self) -> Vec<Id> {
        /// The types of items that are pictures.
        const KINDS: [&[u8; 4]; 8] = [
            b"hvc1", b"hev1", b"av01", b"avc1", b"jpeg", b"grid", b"iovl", b"iden",
        ];
        let is_shown = |item: &Id| {
            let is_auxiliary = [*b"thmb", *b"auxl"]
                .iter()
                .any(|kind| self.to.contains_key(&(*kind, *item)));
            let is_part = self.from.contains_key(&(*b"dimg", *item));
            let kind = self.kinds.get(item);
            let is_picture = kind.is_some_and(|kind| KINDS.contains(&kind));
            *item == self.primary
                || is_picture && !is_auxiliary && !is_part && !self.hidden.contains(item)
        };
        self.kinds.keys().copied().filter(is_shown).collect()
    }

    /// The position of the primary item's ID in the file, and the bytes of another ID that replaces it.
    pub(crate) fn with_primary(&self, item: Id) -> (u64, Vec<u8>) {
        let (offset, width) = self.primary_offset;
        (offset, item.to_be_bytes()[8 - width.min(8)..].to_vec())
    }

    /// Returns whether the file has a gain map, which adapts the brightness to HDR screens (ISO 21496-1, or Apple's own
    /// format).
    pub(crate) fn has_gain_map(&self) -> bool {
        const APPLE: &[u8] = b"urn:com:apple:photo:2020:aux:hdrgainmap";
        let is_map = |item: &Id| {
            let mut auxiliary_types = self.property(*item, b"auxC");
            auxiliary_types.any(|name| name.get(4..).is_some_and(|name| name.starts_with(APPLE)))
        };
        self.kinds.values().any(|kind| kind == b"tmap") || self.kinds.keys().any(is_map)
    }

    /// Returns whether the colours of an item have been multiplied by alpha.
    pub(crate) fn is_multiplied_by(&self, item: Id, alpha: Id) -> bool {
        self.referring(b"prem", alpha).contains(&item)
    }

    /// Metadata items of this type that describe the primary item, each with its content type.
    pub(crate) fn descriptions(&self, kind: [u8; 4]) -> impl Iterator<Item = (Id, &[u8])> {
        let items = self.referring(b"cdsc", self.primary).iter();
        items
            .filter(move |item| self.kinds.get(item) == Some(&kind))
            .map(|item| (*item, self.types.get(item).map_or(&b""[..], Vec::as_slice)))
    }

    /// Returns whether the first coded image of the primary item has this type. Examines at most 8 items, from the
    /// primary item down through derived images.
    pub(crate) fn starts_with(&self, kind: [u8; 4]) -> bool {
        let mut item = self.primary;
        for _ in 0..8 {
            if self.kinds.get(&item) == Some(&kind) {
                return true;
            }
            match self.parts(item).first() {
                Some(part) => item = *part,
                None => return false,
            }
        }
        false
    }
}
