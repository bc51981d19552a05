//! The content of a scan header of a JPEG file (T.81, B.2.3). Contains data only.

use super::{conditioning::Conditioning, huffman::Table};
use std::{ops::Range, sync::Arc};

/// Quantisation steps in zigzag order.
pub(crate) type Steps = Arc<[u16; 64]>;

/// A component of a scan, with its tables.
#[derive(Clone)]
pub(crate) struct ScanComponent {
    /// Index of the component in the frame.
    pub(crate) component: usize,
    /// Its quantisation table.
    pub(crate) steps: Steps,
    /// Its Huffman tables for DC and AC coefficients.
    pub(crate) dc: Arc<Table>,
    pub(crate) ac: Arc<Table>,
}

/// A scan of sequential Huffman coding.
#[derive(Clone)]
pub(crate) struct Scan {
    pub(crate) parts: Vec<ScanComponent>,
    /// The restart interval in MCUs; 0 without restart markers.
    pub(crate) restart: usize,
    /// The entropy-coded data, with its restart markers.
    pub(crate) data: Range<usize>,
}

/// A component of a scan whose coding process is not sequential Huffman coding.
#[derive(Clone)]
pub(crate) struct OtherPart {
    /// Index of the component in the frame.
    pub(crate) component: usize,
    /// The numbers of its tables.
    pub(crate) dc: usize,
    pub(crate) ac: usize,
    /// Its quantisation table; `None` for the lossless process.
    pub(crate) steps: Option<Steps>,
    /// Its Huffman table: for DC coefficients, for AC coefficients, or for differences. `None` for arithmetic coding
    /// and for a scan that refines DC coefficients.
    pub(crate) codes: Option<Arc<Table>>,
}

/// A scan of a progressive file, of arithmetic coding, or of the lossless process.
#[derive(Clone)]
pub(crate) struct OtherScan {
    pub(crate) parts: Vec<OtherPart>,
    /// The first and the last coefficient (Ss, Se). In the lossless process, the first is the predictor.
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The bit positions of the previous scan and of this one (Ah, Al). In the lossless process, the second is the
    /// point transform.
    pub(crate) high: u32,
    pub(crate) low: u32,
    pub(crate) conditioning: Conditioning,
    /// The restart interval in MCUs; 0 without restart markers.
    pub(crate) restart: usize,
    /// The entropy-coded data, with its restart markers.
    pub(crate) data: Range<usize>,
}
