//! The table of an M4A file's packets in the making: two bytes for 23 ms. Holds no sound.

/// Sizes of packets, in pieces, so that a long list never has to be moved.
#[derive(Default)]
pub(crate) struct Packets {
    pieces: Vec<Vec<u16>>,
}

impl Packets {
    const PIECE: usize = 1 << 16;

    /// Adds one.
    pub(crate) fn push(&mut self, size: usize) {
        if self
            .pieces
            .last()
            .is_none_or(|piece| piece.len() == Self::PIECE)
        {
            self.pieces.push(Vec::with_capacity(Self::PIECE));
        }
        if let Some(piece) = self.pieces.last_mut() {
            // The format's cap on bits keeps packets of eight channels below 6 KiB.
            piece.push(size.min(usize::from(u16::MAX)) as u16);
        }
    }

    /// Keeps the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.pieces.truncate(count.div_ceil(Self::PIECE));
        let before = self.pieces.len().saturating_sub(1) * Self::PIECE;
        if let Some(piece) = self.pieces.last_mut() {
            piece.truncate(count - before);
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.pieces.iter().flatten().map(|size| u64::from(*size))
    }
}
