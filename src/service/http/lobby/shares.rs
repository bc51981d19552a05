//! Shares of clients in places that all of them use: the workers of the upload lane, and the queue for them. Does not
//! use connections.
//!
//! A worker may be busy for as long as a conversion takes, so a few clients that fill all workers would make everybody
//! else wait for them. Each client may take one more place as long as it holds no more places than are free. One client
//! alone gets half of the places, each of twelve clients a thirteenth, and some remain for a newcomer, unless there are
//! only one or two places. Nothing has to be configured, and nobody has to count how many clients there are. (Choudhury
//! and Hahne, "Dynamic queue length thresholds in a shared memory packet switch", 1996, with a factor of 1.)

use std::{collections::HashMap, net::IpAddr};

/// The number of places, the number of taken ones, and the number that each client holds. A client of `None`, such as
/// this machine itself, may take all places.
pub(super) struct Shares {
    places: usize,
    taken: usize,
    by_client: HashMap<IpAddr, usize>,
}

impl Shares {
    pub(super) fn new(places: usize) -> Self {
        Self {
            places,
            taken: 0,
            by_client: HashMap::new(),
        }
    }

    /// Number of places that are taken.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    /// Returns whether this client may take a place.
    pub(super) fn admit(&self, client: Option<IpAddr>) -> bool {
        let free = self.places.saturating_sub(self.taken);
        let held = client.and_then(|client| self.by_client.get(&client));
        free > 0 && held.is_none_or(|&held| held <= free)
    }

    /// Counts a place as taken by this client.
    pub(super) fn take(&mut self, client: Option<IpAddr>) {
        self.taken += 1;
        if let Some(client) = client {
            *self.by_client.entry(client).or_default() += 1;
        }
    }

    /// Counts a place of this client as free again.
    pub(super) fn give_back(&mut self, client: Option<IpAddr>) {
        self.taken -= 1;
        if let Some(client) = client
            && let Some(held) = self.by_client.get_mut(&client)
        {
            *held -= 1;
            if *held == 0 {
                self.by_client.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shares;
    use std::net::{IpAddr, Ipv4Addr};

    fn client(number: u8) -> Option<IpAddr> {
        Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, number)))
    }

    /// Lets each of these clients take all that it may, one place at a time, and returns how many each has.
    fn fill(shares: &mut Shares, clients: &[Option<IpAddr>]) -> Vec<usize> {
        let mut held = vec![0; clients.len()];
        loop {
            let before = shares.taken();
            for (&client, held) in clients.iter().zip(&mut held) {
                if shares.admit(client) {
                    shares.take(client);
                    *held += 1;
                }
            }
            if shares.taken() == before {
                return held;
            }
        }
    }

    #[test]
    fn clients_that_take_all_they_may_leave_places_for_others() {
        #[track_caller]
        fn check(places: usize, clients: u8, each: usize) {
            let mut shares = Shares::new(places);
            let clients: Vec<_> = (0..clients).map(client).collect();
            let held = fill(&mut shares, &clients);
            assert!(
                held.iter().all(|&held| held == each || held + 1 == each),
                "{held:?}"
            );
            assert!(
                shares.admit(client(200)),
                "nothing is left of {places} places"
            );
        }
        check(64, 1, 33);
        check(64, 4, 13);
        check(64, 12, 5);
    }

    #[test]
    fn all_of_a_few_places_can_be_used_by_one_client() {
        for places in [1, 2] {
            let mut shares = Shares::new(places);
            assert_eq!(fill(&mut shares, &[client(1)]), [places]);
            assert!(!shares.admit(client(2)));
        }
    }

    #[test]
    fn this_machine_itself_may_take_every_place() {
        let mut shares = Shares::new(64);
        assert_eq!(fill(&mut shares, &[None]), [64]);
        assert!(!shares.admit(None));
    }

    #[test]
    fn a_place_that_is_given_back_can_be_taken_again() {
        let mut shares = Shares::new(2);
        fill(&mut shares, &[client(1)]);
        shares.give_back(client(1));
        assert!(shares.admit(client(2)));
        assert!(shares.admit(client(1)));
        shares.give_back(client(1));
        assert!(shares.by_client.is_empty());
    }
}
