//! The content of a scan header of a JPEG file (T.81, B.2.3). Defines types only.

use super::{conditioning::Conditioning, huffman::Table};
use std::{ops::Range, sync::Arc};

/// Quantisation steps in zigzag order.
pub(crate) type Steps = Arc<[u16; 64]>;

/// A component of a scan, with its tables.
#[derive(Clone)]
pub(crate) struct ScanComponent {
    /// Index of the component in the frame.
    pub(crate) component: usize,
    /// Quantisation table of the component.
    pub(crate) steps: Steps,
    /// Huffman table of its DC coefficients.
    pub(crate) dc: Arc<Table>,
    /// Huffman table of its AC coefficients.
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
    /// Number of its table for DC coefficients.
    pub(crate) dc: usize,
    /// Number of its table for AC coefficients.
    pub(crate) ac: usize,
    /// Quantisation table of the component; `None` for the lossless process.
    pub(crate) steps: Option<Steps>,
    /// Its Huffman table: for DC coefficients, for AC coefficients, or for differences. `None` for arithmetic coding
    /// and for a scan that refines DC coefficients.
    pub(crate) codes: Option<Arc<Table>>,
}

/// A scan of a progressive file, of arithmetic coding, or of the lossless process.
#[derive(Clone)]
pub(crate) struct OtherScan {
    pub(crate) parts: Vec<OtherPart>,
    /// First coefficient (Ss). In the lossless process, number of the predictor.
    pub(crate) first: usize,
    /// Last coefficient (Se).
    pub(crate) last: usize,
    /// Number of low bits that the previous scan of these coefficients left out (Ah); 0 in their first scan.
    pub(crate) high: u32,
    /// Number of low bits that this scan leaves out (Al). In the lossless process, the point transform.
    pub(crate) low: u32,
    /// Conditioning of arithmetic coding.
    pub(crate) conditioning: Conditioning,
    /// The restart interval in MCUs; 0 without restart markers.
    pub(crate) restart: usize,
    /// The entropy-coded data, with its restart markers.
    pub(crate) data: Range<usize>,
}
