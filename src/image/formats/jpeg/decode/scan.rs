//! The content of a scan header of a JPEG file (T.81, B.2.3). Contains data only.

use super::{conditioning::Conditioning, huffman::Table};
use std::{ops::Range, sync::Arc};

/// Quantisation steps in zigzag order.
pub(crate) type Steps = Arc<[u16; 64]>;

/// A component of a scan, with the tables that it uses.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) component: usize,
    pub(crate) steps: Steps,
    pub(crate) dc: Arc<Table>,
    pub(crate) ac: Arc<Table>,
}

/// A scan of sequential Huffman coding.
#[derive(Clone)]
pub(crate) struct Scan {
    pub(crate) parts: Vec<Part>,
    /// The restart interval in MCUs; 0 if there are no restart markers.
    pub(crate) restart: usize,
    /// The entropy-coded data, with its restart markers.
    pub(crate) data: Range<usize>,
}

/// A component of a scan of another coding process than sequential Huffman coding.
#[derive(Clone)]
pub(crate) struct OtherPart {
    pub(crate) component: usize,
    /// The numbers of its tables.
    pub(crate) dc: usize,
    pub(crate) ac: usize,
    /// Only where there is a transform.
    pub(crate) steps: Option<Steps>,
    /// Only with Huffman codes: those of DC or of AC coefficients, or of differences. A scan that refines DC coefficients has none.
    pub(crate) codes: Option<Arc<Table>>,
}

/// A scan of a progressive file, with arithmetic coding, or without loss.
#[derive(Clone)]
pub(crate) struct OtherScan {
    pub(crate) parts: Vec<OtherPart>,
    /// The first coefficient and the last one (Ss, Se). Without loss, the first of them is the predictor.
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The bit positions of the scan before and of this one (Ah, Al). Without loss, the second is the point transform.
    pub(crate) high: u32,
    pub(crate) low: u32,
    pub(crate) conditioning: Conditioning,
    /// The restart interval in MCUs; 0 if there are no restart markers.
    pub(crate) restart: usize,
    /// The entropy-coded data, with its restart markers.
    pub(crate) data: Range<usize>,
}
