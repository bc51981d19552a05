//! Collects the sizes of an M4A file's packets, in two bytes for each packet of 23 ms. Holds no sound.

/// The sizes of packets in bytes, in separate pieces, so that a growing list is never moved.
#[derive(Default)]
pub(crate) struct Packets {
    pieces: Vec<Vec<u16>>,
}

impl Packets {
    /// Number of sizes in a piece.
    const PIECE: usize = 1 << 16;

    /// Appends a size.
    pub(crate) fn push(&mut self, size: usize) {
        if self
            .pieces
            .last()
            .is_none_or(|piece| piece.len() == Self::PIECE)
        {
            self.pieces.push(Vec::with_capacity(Self::PIECE));
        }
        if let Some(piece) = self.pieces.last_mut() {
            // The format limits a packet of eight channels to 6 KiB, so the size is never cut.
            piece.push(size.min(usize::from(u16::MAX)) as u16);
        }
    }

    /// Keeps the first `count` sizes.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.pieces.truncate(count.div_ceil(Self::PIECE));
        let before = self.pieces.len().saturating_sub(1) * Self::PIECE;
        if let Some(piece) = self.pieces.last_mut() {
            piece.truncate(count - before);
        }
    }

    /// Returns the number of packets.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }

    /// Returns the sizes of all packets in bytes.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.pieces.iter().flatten().map(|size| u64::from(*size))
    }
}
