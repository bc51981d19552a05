//! LZW as GIF has it (GIF89a, appendix F): a stream of codes, each of which stands for a string of indices that was
//! seen before.
//!
//! Every code written also defines a new one: the string it stands for, longer by the next index. Codes begin with one
//! bit more than an index has, grow to 12 bits, and then a clear code starts anew. Strings are found in a table with
//! open addressing: an entry of 32 bits holds the code of all but the last index, that index, and the code of the
//! whole. Writes only: reading is the decoder's part.
//!
//! Its own code, because `weezl` 0.1 takes 2.8 (256 colours, a photograph or noise) to 3.5 times (16 colours) the processor
//! time on 12 megapixels, for files that are 0.3 % smaller.

/// Bits of the longest code.
const LONGEST: u32 = 12;

/// Codes that there can be.
const CODES: u32 = 1 << LONGEST;

/// Bits of a place in the table, which has room for twice as many strings as there can be.
const PLACE: u32 = 13;

/// No string: the last code is never the beginning of one.
const FREE: u32 = u32::MAX;

/// Makes a stream of codes, from the low bit of each byte up.
pub(crate) struct Compressor {
    /// Each string as the code of all but its last index (12 bits), that index (8), and its own code (12), at the first
    /// free place of those that the first two give.
    strings: Box<[u32; 1 << PLACE]>,
    /// What has been read and not written, as a code.
    prefix: Option<u32>,
    /// The code that starts anew; the one that ends everything is the next.
    clear: u32,
    /// The code of the next string.
    next: u32,
    width: u32,
    buffer: u64,
    count: u32,
    out: Vec<u8>,
}

impl Compressor {
    /// For indices of at most `bits` bits: 2 to 8. What is given out begins with that number, as in a file.
    pub(crate) fn new(bits: u32) -> Self {
        let mut new = Self {
            strings: Box::new([FREE; 1 << PLACE]),
            prefix: None,
            clear: 1 << bits,
            next: 0,
            width: bits + 1,
            buffer: 0,
            count: 0,
            out: vec![bits as u8],
        };
        new.start();
        new
    }

    /// Compresses more indices.
    pub(crate) fn add(&mut self, indices: &[u8]) {
        let mut indices = indices.iter().map(|&index| u32::from(index));
        let Some(mut prefix) = self.prefix.or_else(|| indices.next()) else {
            return;
        };
        for index in indices {
            let string = prefix << 8 | index;
            let hash = string.wrapping_mul(0x9e37_79b1);
            let mut place = hash >> (32 - PLACE);
            // Odd, so that it comes by every place.
            let step = hash >> 4 | 1;
            prefix = loop {
                let found = self.strings[place as usize];
                if found >> LONGEST == string {
                    break found & (CODES - 1);
                }
                if found == FREE {
                    self.strings[place as usize] = string << LONGEST | self.next;
                    self.put(prefix);
                    break index;
                }
                place = place.wrapping_add(step) & ((1 << PLACE) - 1);
            };
        }
        self.prefix = Some(prefix);
    }

    /// The whole stream.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if let Some(prefix) = self.prefix {
            self.put(prefix);
        }
        self.bits(self.clear + 1);
        let left = self.count.div_ceil(8) as usize;
        self.out
            .extend_from_slice(&self.buffer.to_le_bytes()[..left]);
        self.out
    }

    /// Writes the code of a string, with which a decoder learns the next one.
    fn put(&mut self, code: u32) {
        self.bits(code);
        if self.next == 1 << self.width {
            self.width += 1;
        }
        self.next += 1;
        if self.next == CODES {
            self.strings.fill(FREE);
            self.start();
        }
    }

    fn start(&mut self) {
        self.bits(self.clear);
        self.next = self.clear + 2;
        self.width = self.clear.ilog2() + 1;
    }

    fn bits(&mut self, code: u32) {
        self.buffer |= u64::from(code) << self.count;
        self.count += self.width;
        if self.count >= 32 {
            self.out
                .extend_from_slice(&(self.buffer as u32).to_le_bytes());
            self.buffer >>= 32;
            self.count -= 32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weezl::{BitOrder, decode::Decoder};

    #[track_caller]
    fn check(bits: u32, indices: &[u8]) {
        for piece in [1, 7, usize::MAX] {
            let mut compressor = Compressor::new(bits);
            for piece in indices.chunks(piece.min(indices.len().max(1))) {
                compressor.add(piece);
            }
            let stream = compressor.finish();
            assert_eq!(u32::from(stream[0]), bits);
            let mut decoder = Decoder::new(BitOrder::Lsb, bits as u8);
            let back = decoder.decode(&stream[1..]).unwrap();
            assert!(back == indices, "{bits} bits, {} indices", indices.len());
            assert!(decoder.has_ended());
        }
    }

    #[test]
    fn decoders_give_the_same_indices() {
        let mut random = 1_u32;
        for bits in 2..=8 {
            // Every place at which codes become longer, or start anew, also as the end.
            for len in (0..40).chain((40..20_000).step_by(997)) {
                let noise: Vec<u8> = (0..len)
                    .map(|_| {
                        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        (random >> (32 - bits)) as u8
                    })
                    .collect();
                check(bits, &noise);
                check(bits, &vec![1; len]);
            }
        }
        for len in 3_000..4_600 {
            let ramp: Vec<u8> = (0..len).map(|at| (at * 5 + at * at / 7) as u8).collect();
            let mut compressor = Compressor::new(8);
            compressor.add(&ramp);
            let back = Decoder::new(BitOrder::Lsb, 8).decode(&compressor.finish()[1..]);
            assert!(back.unwrap() == ramp, "{len}");
        }
    }
}
