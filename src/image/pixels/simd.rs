//! Runs loops with the vector instructions of the processor, such as AVX2. Results are the same with and without them.

use pulp::{Arch, Simd, WithSimd};

/// Runs `work`, which pulp compiles for each kind of processor that it knows. Only code that is inlined benefits, so
/// the closure and the functions that it calls must be marked `#[inline(always)]`.
#[inline(always)]
pub(crate) fn run<R>(work: impl FnMut() -> R) -> R {
    Arch::new().dispatch(Closure(work))
}

struct Closure<F>(F);

impl<R, F: FnMut() -> R> WithSimd for Closure<F> {
    type Output = R;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> R {
        (self.0)()
    }
}
