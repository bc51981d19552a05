//! Functions of annuities: loans and savings with equal payments in each period (OpenDocument 1.3, part 4, 6.12).
//! Does not round.
//!
//! All functions but `SLN` solve the same equation: present value × growth + payment × growth of the payments + future
//! value = 0. Payments are negative where money is paid out.

use super::{
    Fault,
    evaluate::{EvaluationContext, Found},
    expression::{Expression, Function},
    values::{DIVISION, NUMBER, fault},
};
use Function as F;

impl EvaluationContext<'_> {
    /// Computes a financial function.
    pub(super) fn of_money(&self, function: Function, arguments: &[Expression]) -> Found<f64> {
        let argument = |at: usize| self.number(arguments.get(at).ok_or(Fault::Unknown)?);
        // Future value and payment time are optional and default to 0.
        let or_none = |at: usize| self.number_or(arguments.get(at), 0.0);
        // A payment time other than 0 means the beginning of each period.
        let early = |at: usize| Ok::<_, Fault>(or_none(at)? != 0.0);
        // The first argument is the interest rate per period, except for SLN, whose first argument is the cost.
        let rate = argument(0)?;
        Ok(match function {
            F::Payment => payment(rate, argument(1)?, argument(2)?, or_none(3)?, early(4)?)?,
            F::FutureValue => -future(rate, argument(1)?, argument(2)?, or_none(3)?, early(4)?),
            F::PresentValue => {
                let (count, payment, future, early) =
                    (argument(1)?, argument(2)?, or_none(3)?, early(4)?);
                let growth = (1.0 + rate).powf(count);
                -(future + payment * payments(rate, count, early)) / growth
            }
            F::Periods => {
                let (payment, present, future, early) =
                    (argument(1)?, argument(2)?, or_none(3)?, early(4)?);
                if rate == 0.0 {
                    return match payment {
                        0.0 => Err(fault(DIVISION)),
                        payment => Ok(-(present + future) / payment),
                    };
                }
                let due = payment * if early { 1.0 + rate } else { 1.0 } / rate;
                let count = ((due - future) / (due + present)).ln() / (1.0 + rate).ln();
                match count.is_finite() {
                    true => count,
                    false => return Err(fault(NUMBER)),
                }
            }
            F::Interest | F::Principal => {
                let (period, count, present) = (argument(1)?, argument(2)?, argument(3)?);
                let (last, early) = (or_none(4)?, early(5)?);
                if !(1.0..=count).contains(&period) {
                    return Err(fault(NUMBER));
                }
                let payment = payment(rate, count, present, last, early)?;
                // A payment at the beginning of a period bears no interest in that period.
                let interest = match (early, period == 1.0) {
                    (true, true) => 0.0,
                    (true, false) => {
                        -rate * (future(rate, period - 2.0, payment, present, true) + payment)
                    }
                    (false, _) => -rate * future(rate, period - 1.0, payment, present, false),
                };
                if function == F::Interest {
                    interest
                } else {
                    payment - interest
                }
            }
            F::StraightLine => {
                let (rest, life) = (argument(1)?, argument(2)?);
                match life {
                    0.0 => return Err(fault(DIVISION)),
                    life => (rate - rest) / life,
                }
            }
            _ => return Err(Fault::Unknown),
        })
    }
}

/// Future value of payments of 1 per period. `early` payments are made at the beginning of each period.
fn payments(rate: f64, count: f64, early: bool) -> f64 {
    match rate {
        0.0 => count,
        rate => ((1.0 + rate).powf(count) - 1.0) / rate * if early { 1.0 + rate } else { 1.0 },
    }
}

/// Future value of a present sum and of regular payments after `count` periods.
fn future(rate: f64, count: f64, payment: f64, present: f64, early: bool) -> f64 {
    present * (1.0 + rate).powf(count) + payment * payments(rate, count, early)
}

/// Payment per period that pays off `present` and leaves `future` after `count` periods.
fn payment(rate: f64, count: f64, present: f64, future: f64, early: bool) -> Found<f64> {
    let sum = payments(rate, count, early);
    match sum == 0.0 {
        true => Err(fault(NUMBER)),
        false => Ok(-(present * (1.0 + rate).powf(count) + future) / sum),
    }
}
