//! Chooses the partitions and parameters of Rice codes (RFC 9639, section 9.2.7) that take the fewest bits for a
//! residual. Writes no codes.
//!
//! The length of a Rice code follows from the magnitude of its number, so the length of a partition can be estimated
//! from the sum of magnitudes alone. The sum of a large partition is the sum of two smaller ones, which makes it cheap
//! to try every partition order.

/// The largest parameters that fit into 4 and into 5 bits; the next value is the escape code.
pub(crate) const MAX_RICE: (u32, u32) = (14, 30);

/// The Rice parameters of the partitions, all of which have the same length.
#[derive(Default)]
pub(crate) struct Rice {
    /// The partition order: the binary logarithm of the number of partitions.
    pub(crate) order: u32,
    pub(crate) parameters: Vec<u32>,
}

/// The cheapest partition order up to `most` with its parameters, and the estimated length of the residual in bits.
pub(crate) fn rice(residual: &[i32], warm_up: usize, most: u32) -> (Rice, u64) {
    let length = residual.len() + warm_up;
    let mut order = most.min(length.trailing_zeros());
    while order > 0 && length >> order <= warm_up {
        order -= 1;
    }
    let mut sums = Vec::with_capacity(1 << order);
    let mut rest = residual;
    for i in 0..1usize << order {
        let count = (length >> order) - if i == 0 { warm_up } else { 0 };
        let (now, later) = rest.split_at(count);
        rest = later;
        let sum = now.iter().map(|x| u64::from(x.unsigned_abs())).sum();
        sums.push((count as u64, sum));
    }
    let mut best = (Rice::default(), u64::MAX);
    loop {
        let mut parameters = Vec::with_capacity(sums.len());
        let mut bits = 6;
        for (count, sum) in &sums {
            let (parameter, cost) = parameter(*count, *sum);
            parameters.push(parameter);
            bits += cost + 4;
        }
        if parameters.iter().any(|parameter| *parameter > MAX_RICE.0) {
            bits += parameters.len() as u64;
        }
        if bits < best.1 {
            best = (Rice { order, parameters }, bits);
        }
        if order == 0 {
            return best;
        }
        order -= 1;
        sums = sums
            .chunks(2)
            .map(|pair| (pair[0].0 + pair[1].0, pair[0].1 + pair[1].1))
            .collect();
    }
}

/// The best Rice parameter for `count` numbers with this sum of magnitudes, and their estimated length in bits.
fn parameter(count: u64, sum: u64) -> (u32, u64) {
    let cost = |parameter: u32| {
        let unary = match parameter {
            0 => 2 * sum,
            parameter => sum >> (parameter - 1),
        };
        (count * u64::from(1 + parameter) + unary).saturating_sub(count / 2)
    };
    let guess = (sum.checked_div(count).unwrap_or(0) + 1)
        .ilog2()
        .min(MAX_RICE.1 - 1);
    let (low, high) = (guess.saturating_sub(1), guess + 1);
    let best = (low..=high)
        .min_by_key(|parameter| cost(*parameter))
        .unwrap_or(guess);
    (best, cost(best))
}
