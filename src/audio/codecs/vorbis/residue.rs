//! Writes the residue of a Vorbis block (Vorbis I, section 8): it chooses a classification for each partition, and
//! writes its code words. This step loses no precision, because the residue has been rounded to whole numbers before.
//!
//! A classification is a sequence of codebooks, one for each pass; each pass codes the remainder of the pass before.
//! libvorbis' codebooks were made for whole numbers, so a classification either represents a partition exactly or not
//! at all. That makes the choice simple: of the exact classifications, the shortest is best.
//!
//! The codebooks are lattices: in each dimension, their vectors take all multiples of a step up to a limit. So the
//! nearest vector is found by rounding instead of by a search, and its code word by its position in the lattice.

use rusty_vorbis::{
    BitWriter,
    setup::{Codebook, Residue, SetupTables},
};

/// The largest magnitude of a number. Coupling at most doubles it, and the classification with the widest reach must
/// still represent the doubled value.
pub(crate) const LARGEST: i32 = 1000;

/// A code word, and its length in bits.
type Code = (u32, u8);

/// A codebook whose vectors are multiples of a step in every dimension.
struct Lattice {
    dimensions: usize,
    /// The largest multiple, in either direction from 0.
    reach: i32,
    step: i32,
    /// The code of each vector, indexed by its position in the lattice. Length 0 means that the vector has no code.
    codes: Vec<Code>,
}

/// The codebooks of a setup header, indexed for encoding.
pub(crate) struct Books(Vec<Option<Lattice>>);

impl Lattice {
    /// Sorts the code words of a codebook by the positions of their vectors in the lattice. `None` if the codebook has
    /// no vectors, or does not fit a lattice.
    fn new(book: &Codebook) -> Option<Self> {
        let dimensions = usize::from(book.dimensions);
        let values = book.vq.as_ref()?;
        let mut levels: Vec<i32> = values.iter().map(|x| x.round() as i32).collect();
        levels.sort_unstable();
        levels.dedup();
        let (first, second) = (*levels.first()?, *levels.get(1)?);
        let mut lattice = Self {
            dimensions,
            reach: levels.len() as i32 / 2,
            step: second - first,
            codes: vec![(0, 0); levels.len().checked_pow(u32::from(book.dimensions))?],
        };
        let codes = book.codewords.iter().zip(&book.lengths);
        for (vector, (word, length)) in values.chunks_exact(dimensions).zip(codes) {
            let mut vector: Vec<i32> = vector.iter().map(|x| x.round() as i32).collect();
            let position = lattice.take(&mut vector);
            *lattice.codes.get_mut(position)? = (*word, *length);
        }
        Some(lattice)
    }

    /// Subtracts the nearest vector of the lattice from `vector`, and returns that vector's position.
    fn take(&self, vector: &mut [i32]) -> usize {
        let width = 2 * self.reach + 1;
        vector.iter_mut().rev().fold(0, |position, x| {
            let nearest = match self.step {
                1 => *x,
                step => (2 * *x + step * x.signum()) / (2 * step),
            };
            let nearest = nearest.clamp(-self.reach, self.reach);
            *x -= nearest * self.step;
            position * width as usize + (nearest + self.reach) as usize
        })
    }
}

/// A partition and its code words, ready to be written.
#[derive(Default)]
struct Partition {
    class: u32,
    /// The codes of all passes, in order.
    codes: Vec<Code>,
    /// For each pass, the end of its codes in `codes`.
    ends: [usize; 8],
    bits: u32,
}

impl Books {
    pub(crate) fn new(tables: &SetupTables) -> Self {
        Self(tables.codebooks.iter().map(Lattice::new).collect())
    }

    /// Encodes a partition in the classification that takes the fewest bits.
    fn classify(&self, residue: &Residue, numbers: &[i32]) -> Partition {
        let mut best = Partition::default();
        if numbers.iter().all(|x| *x == 0) {
            return best;
        }
        best.bits = u32::MAX;
        for (class, books) in (0..).zip(&residue.books) {
            if let Some(way) = self.encode(class, books, numbers)
                && way.bits < best.bits
            {
                best = way;
            }
        }
        best
    }

    /// Encodes a partition in one classification. `None` if the classification cannot represent it exactly.
    fn encode(&self, class: u32, books: &[i16; 8], numbers: &[i32]) -> Option<Partition> {
        let mut rest = numbers.to_vec();
        let mut way = Partition {
            class,
            ..Partition::default()
        };
        for (book, end) in books.iter().zip(&mut way.ends) {
            if let Ok(book) = usize::try_from(*book) {
                let lattice = self.0.get(book)?.as_ref()?;
                for vector in rest.chunks_exact_mut(lattice.dimensions) {
                    let code = lattice.codes[lattice.take(vector)];
                    if code.1 == 0 {
                        return None;
                    }
                    way.bits += u32::from(code.1);
                    way.codes.push(code);
                }
            }
            *end = way.codes.len();
        }
        rest.iter().all(|x| *x == 0).then_some(way)
    }

    /// Writes the numbers of all channels, which are interleaved (residue type 2).
    pub(crate) fn write(
        &self,
        tables: &SetupTables,
        residue: &Residue,
        numbers: &[i32],
        writer: &mut BitWriter,
    ) {
        let end = numbers.len().min(residue.end as usize);
        let partitions: Vec<Partition> = numbers[..end]
            .chunks_exact(residue.partition_size as usize)
            .map(|numbers| self.classify(residue, numbers))
            .collect();
        let class_book = &tables.codebooks[usize::from(residue.classbook)];
        let group = usize::from(class_book.dimensions);
        for pass in 0..8 {
            for partitions in partitions.chunks(group) {
                if pass == 0 {
                    let entry = (0..group).fold(0, |entry, i| {
                        let class = partitions.get(i).map_or(0, |partition| partition.class);
                        entry * u32::from(residue.classifications) + class
                    });
                    let (word, length) = class_book.encode(entry);
                    writer.write(word, u32::from(length));
                }
                for partition in partitions {
                    let start = match pass {
                        0 => 0,
                        pass => partition.ends[pass - 1],
                    };
                    for (word, length) in &partition.codes[start..partition.ends[pass]] {
                        writer.write(*word, u32::from(*length));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusty_vorbis::setup::{SETUP_Q4_STEREO, parse_setup};

    #[test]
    fn every_partition_has_a_class_and_small_numbers_a_cheap_one() {
        let tables = parse_setup(SETUP_Q4_STEREO, 2).unwrap();
        let books = Books::new(&tables);
        for residue in &tables.residues {
            let size = residue.partition_size as usize;
            let mut bits = 0;
            for largest in [0, 1, 2, 4, 8, 16, 32, 200, LARGEST] {
                let numbers: Vec<i32> = (0..size as i32)
                    .map(|i| if i % 2 == 0 { largest } else { -2 * largest })
                    .collect();
                let partition = books.classify(residue, &numbers);
                assert!(partition.bits >= bits && partition.bits < 2000);
                bits = partition.bits;
            }
        }
        // Every pair of classes has a code word.
        for residue in &tables.residues {
            let classes = u32::from(residue.classifications);
            let book = &tables.codebooks[usize::from(residue.classbook)];
            assert!((0..classes * classes).all(|entry| book.encode(entry).1 > 0));
        }
    }
}
