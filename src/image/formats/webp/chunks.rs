//! The container of WebP (RFC 9649, section 2): chunks in, chunks out. Never decodes an image chunk.

/// Flags of a `VP8X` chunk.
pub(crate) const ICC: u8 = 0x20;
pub(crate) const ALPHA: u8 = 0x10;
pub(crate) const EXIF: u8 = 0x08;
pub(crate) const XMP: u8 = 0x04;
#[cfg(feature = "libwebp")]
pub(crate) const ANIMATION: u8 = 0x02;

/// A named piece of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'a> {
    pub(crate) name: [u8; 4],
    pub(crate) data: &'a [u8],
}

/// The chunks of a WebP file, up to the first that is cut short.
pub(crate) fn chunks(file: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    pieces(file.get(12..).unwrap_or_default())
}

/// Chunks that stand one after another.
pub(crate) fn pieces(mut rest: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    std::iter::from_fn(move || {
        let (name, tail) = rest.split_first_chunk::<4>()?;
        let (len, tail) = tail.split_first_chunk::<4>()?;
        let len = u32::from_le_bytes(*len) as usize;
        let data = tail.get(..len)?;
        rest = tail.get(len.next_multiple_of(2)..).unwrap_or_default();
        Some(Chunk { name: *name, data })
    })
}

/// Whether a file is as long as its header says. Some writers forget to pad the last chunk.
pub(crate) fn is_whole(head: &[u8], file_len: u64) -> bool {
    head.get(4..8)
        .and_then(|len| len.try_into().ok())
        .is_some_and(|len| u64::from(u32::from_le_bytes(len)) + 8 <= file_len + 1)
}

/// Appends a chunk, padded to an even length.
pub(crate) fn put(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend(name);
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    if !data.len().is_multiple_of(2) {
        file.push(0);
    }
}

/// The payload of a `VP8X` chunk.
pub(crate) fn extended(flags: u8, width: u32, height: u32) -> [u8; 10] {
    let mut data = [0; 10];
    data[0] = flags;
    data[4..7].copy_from_slice(&(width - 1).to_le_bytes()[..3]);
    data[7..].copy_from_slice(&(height - 1).to_le_bytes()[..3]);
    data
}

/// A file of these chunks, already [put](put) together.
pub(crate) fn file(chunks: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(chunks.len() + 12);
    file.extend(b"RIFF");
    file.extend((chunks.len() as u32 + 4).to_le_bytes());
    file.extend(b"WEBP");
    file.extend(chunks);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found() {
        let mut body = Vec::new();
        put(&mut body, b"ICCP", b"odd");
        put(&mut body, b"VP8L", b"even");
        let file = file(&body);
        let found: Vec<_> = chunks(&file)
            .map(|chunk| (chunk.name, chunk.data))
            .collect();
        assert_eq!(found, [(*b"ICCP", &b"odd"[..]), (*b"VP8L", &b"even"[..])]);
        assert!(is_whole(&file, file.len() as u64));
        assert!(!is_whole(&file, file.len() as u64 - 2));
    }
}
