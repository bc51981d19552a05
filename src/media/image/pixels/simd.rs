//! Runs loops with AVX2 if the processor has it. Results are the same with and without.

use pulp::{Arch, Simd, WithSimd};

/// Does `work`, of which all that is inlined is compiled for each kind of processor. A closure has to be marked
/// `#[inline(always)]` for that, as do the functions that it calls.
#[inline(always)]
pub(crate) fn run<R>(work: impl FnMut() -> R) -> R {
    Arch::new().dispatch(Work(work))
}

struct Work<F>(F);

impl<R, F: FnMut() -> R> WithSimd for Work<F> {
    type Output = R;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> R {
        (self.0)()
    }
}
