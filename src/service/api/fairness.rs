//! Limits how many unfinished conversions one client may have. Does not limit connections, because the HTTP server does
//! that.

use crate::error::{Error, Kind, Result};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

/// The number of unfinished conversions of each [client](super::client). Clones share the numbers.
#[derive(Clone, Debug)]
pub struct Fairness {
    limit: usize,
    running: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// An unfinished conversion of a client. It counts until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    fairness: Fairness,
    address: IpAddr,
}

impl Fairness {
    /// Allows each client at most `limit` unfinished conversions; 0 for no limit.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            running: Arc::default(),
        }
    }

    /// Counts one more conversion of `client`, until the returned turn is dropped. Returns `None` without counting if
    /// there is no limit, or if `client` is `None`.
    ///
    /// Errors: [`Kind::Busy`] if the client has reached the limit.
    pub(super) fn enter(&self, client: Option<IpAddr>) -> Result<Option<Turn>> {
        let Some(address) = client.filter(|_| self.limit > 0) else {
            return Ok(None);
        };
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let count = running.entry(address).or_default();
        if *count >= self.limit {
            let text = match self.limit {
                1 => "your address has one unfinished conversion, the limit; wait until it ends"
                    .to_owned(),
                most => format!(
                    "your address has {most} unfinished conversions, the limit; wait until one ends"
                ),
            };
            return Err(Error::new(Kind::Busy, text));
        }
        *count += 1;
        Ok(Some(Turn {
            fairness: self.clone(),
            address,
        }))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut running = self
            .fairness
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = running.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                running.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_reached_the_limit_waits_for_itself_alone() {
        let fairness = Fairness::new(2);
        let (one, other) = ("192.0.2.1".parse().ok(), "192.0.2.2".parse().ok());
        let first = fairness.enter(one).unwrap();
        let _second = fairness.enter(one).unwrap();
        assert_eq!(fairness.enter(one).unwrap_err().kind(), Kind::Busy);
        assert!(fairness.enter(other).is_ok());
        drop(first);
        assert!(fairness.enter(one).is_ok());
        assert!(fairness.enter(None).unwrap().is_none());
    }
}
