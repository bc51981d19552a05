//! Products of 8-bit weights and activations with AVX2. The instruction for sums of pairs of products (vpmaddubsw)
//! takes unsigned numbers on one side. These are the absolute values of the activations, whose signs are applied to the
//! weights. Its sums have 16 bits, into which two products of at most 127 · 127 fit.

use core::arch::x86_64::__m256i;
use pulp::{bytemuck::cast, x86::V3};

/// Rows that are computed together: four vectors of eight.
const ROWS: usize = 32;
/// Number of adjacent columns of a row that a 32-bit lane of a vector holds.
const COLUMNS: usize = 4;

/// Weights for a processor with AVX2.
pub(super) struct Blocks {
    /// For each group of 32 rows, and in it for each group of four columns: four vectors of eight rows with four
    /// columns each.
    weights: Vec<[[i8; 32]; 4]>,
    /// Number of groups of four columns.
    columns: usize,
    processor: V3,
}

impl Blocks {
    /// Arranges weights, which are given row by row, in blocks. `None` if the processor has no AVX2.
    pub(super) fn of(weights: &[i8], inputs: usize) -> Option<Self> {
        let processor = V3::try_new()?;
        let columns = inputs.div_ceil(COLUMNS);
        let rows = weights.len() / inputs;
        let mut blocks = vec![[[0; 32]; 4]; columns * rows.div_ceil(ROWS)];
        for (row, weights) in weights.chunks_exact(inputs).enumerate() {
            for (column, weight) in weights.iter().enumerate() {
                let block = &mut blocks[row / ROWS * columns + column / COLUMNS];
                block[row % ROWS / 8][row % 8 * COLUMNS + column % COLUMNS] = *weight;
            }
        }
        Some(Self {
            weights: blocks,
            columns,
            processor,
        })
    }

    /// Writes to `sums` the product of each row and `vector`. The caller has padded `vector` to a multiple of four
    /// columns, and `sums` to a multiple of 32 rows.
    pub(super) fn multiply(&self, vector: &[i8], sums: &mut [i32]) {
        struct Product<'a>(&'a Blocks, &'a [i8], &'a mut [i32]);
        impl pulp::NullaryFnOnce for Product<'_> {
            type Output = ();
            #[inline(always)]
            fn call(self) {
                self.0.multiply_with(self.1, self.2);
            }
        }
        self.processor.vectorize(Product(self, vector, sums));
    }

    #[inline(always)]
    fn multiply_with(&self, vector: &[i8], sums: &mut [i32]) {
        let (avx, avx2) = (self.processor.avx, self.processor.avx2);
        let ones = avx._mm256_set1_epi16(1);
        let (vector, _) = vector.as_chunks::<COLUMNS>();
        let vector = &vector[..self.columns];
        let (sums, _) = sums.as_chunks_mut::<8>();
        let blocks = self.weights.chunks_exact(self.columns);
        for (sums, blocks) in sums.chunks_exact_mut(4).zip(blocks) {
            let mut lanes = [avx._mm256_setzero_si256(); 4];
            for (block, four) in blocks.iter().zip(vector) {
                let signs = avx._mm256_set1_epi32(i32::from_le_bytes(four.map(i8::cast_unsigned)));
                let values = avx2._mm256_abs_epi8(signs);
                for (lane, weights) in lanes.iter_mut().zip(block) {
                    let weights = avx2._mm256_sign_epi8(cast::<_, __m256i>(*weights), signs);
                    let pairs = avx2._mm256_maddubs_epi16(values, weights);
                    *lane = avx2._mm256_add_epi32(*lane, avx2._mm256_madd_epi16(pairs, ones));
                }
            }
            for (sum, lane) in sums.iter_mut().zip(lanes) {
                *sum = cast(lane);
            }
        }
    }
}
