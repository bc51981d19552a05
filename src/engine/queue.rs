//! The bounded queue of orders that wait for a converter. Never holds more orders than it has places.
//!
//! Clients take turns: the next order comes from the client with the fewest running conversions, and among equals from the
//! client whose last turn was the longest ago. So a client that sends many files, or files that take long, delays only itself;
//! first come, first served would make everybody wait for it.
//!
//! A place is reserved before a request is accepted, so that an accepted request cannot be refused later for lack of room:
//! [`Queue::place`] may fail, [`Place::submit`] fails only when the engine has been stopped.

use super::{Order, shutting_down};
use crate::error::{Error, Kind, Result};
use std::{
    collections::{HashMap, VecDeque},
    net::IpAddr,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

/// The queue of an engine. Clones share one queue.
#[derive(Clone)]
pub(crate) struct Queue(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// The number of orders that may wait, including those whose place is reserved but which have not arrived yet.
    room: usize,
}

/// See [`Order::client`].
type Client = Option<IpAddr>;

#[derive(Default)]
struct State {
    orders: Turns<Order>,
    /// The number of places that are reserved and not used yet.
    taken: usize,
    /// The number of converters that wait for an order.
    idle: usize,
    closed: bool,
}

/// The waiting orders by client, and how many orders of each client are running.
struct Turns<T> {
    /// Each client's orders in the order of arrival, and the clients in the order of their turns. No client's list is empty.
    waiting: VecDeque<(Client, VecDeque<T>)>,
    running: HashMap<Client, usize>,
    len: usize,
}

/// A reserved place for one order. Given back when dropped unused.
pub struct Place {
    queue: Queue,
    used: bool,
}

impl Queue {
    pub(crate) fn new(room: usize) -> Self {
        Self(Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            room,
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a place, if one is left. There are `room` places, and one more for each idle converter.
    ///
    /// Errors: [`Kind::Busy`] if none is left, or the queue is closed.
    pub(crate) fn place(&self) -> Result<Place> {
        let mut state = self.state();
        if state.closed {
            return Err(shutting_down());
        }
        if state.is_full(self.0.room) {
            let text = "too many conversions are waiting already";
            return Err(Error::new(Kind::Busy, text));
        }
        state.taken += 1;
        Ok(Place {
            queue: self.clone(),
            used: false,
        })
    }

    pub(crate) fn is_full(&self) -> bool {
        self.state().is_full(self.0.room)
    }

    /// Orders that wait.
    pub(crate) fn len(&self) -> usize {
        self.state().orders.len
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Waits for the next order. The caller must call [`ended`](Self::ended) when it is done. `None` once the queue is closed.
    pub(crate) fn next(&self) -> Option<Order> {
        let mut state = self.state();
        state.idle += 1;
        let mut state = self
            .0
            .changed
            .wait_while(state, |state| state.orders.len == 0 && !state.closed)
            .unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        state.orders.next()
    }

    /// Notes that a running order of `client` has ended.
    pub(crate) fn ended(&self, client: Client) {
        self.state().orders.ended(client);
    }

    /// Closes the queue to new orders, and returns those that wait.
    pub(crate) fn close(&self) -> Vec<Order> {
        let mut state = self.state();
        state.closed = true;
        self.0.changed.notify_all();
        state.orders.drain()
    }
}

impl State {
    fn is_full(&self, room: usize) -> bool {
        self.orders.len + self.taken >= room + self.idle
    }
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            running: HashMap::new(),
            len: 0,
        }
    }
}

impl<T> Turns<T> {
    fn push(&mut self, client: Client, order: T) {
        self.len += 1;
        match self.waiting.iter_mut().find(|(other, _)| *other == client) {
            Some((_, orders)) => orders.push_back(order),
            None => self.waiting.push_back((client, VecDeque::from([order]))),
        }
    }

    fn next(&mut self) -> Option<T> {
        let running = |client| self.running.get(client).copied().unwrap_or(0);
        // `min_by_key` returns the first of several minima, which is the client whose last turn was the longest ago.
        let (at, _) = self
            .waiting
            .iter()
            .enumerate()
            .min_by_key(|(_, (client, _))| running(client))?;
        let (client, mut orders) = self.waiting.remove(at)?;
        let order = orders.pop_front();
        if !orders.is_empty() {
            self.waiting.push_back((client, orders));
        }
        self.len -= 1;
        *self.running.entry(client).or_default() += 1;
        order
    }

    fn ended(&mut self, client: Client) {
        if let Some(count) = self.running.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                self.running.remove(&client);
            }
        }
    }

    fn drain(&mut self) -> Vec<T> {
        self.len = 0;
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_iter().flat_map(|(_, orders)| orders).collect()
    }
}

impl Place {
    /// Queues an order. Gives it back if the queue has been closed since the place was reserved.
    pub(crate) fn submit(mut self, order: Order) -> std::result::Result<(), Box<Order>> {
        self.used = true;
        let mut state = self.queue.state();
        state.taken -= 1;
        if state.closed {
            return Err(Box::new(order));
        }
        state.orders.push(order.client, order);
        self.queue.0.changed.notify_one();
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.used {
            self.queue.state().taken -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> Client {
        Some(IpAddr::from([192, 0, 2, number]))
    }

    #[test]
    fn clients_take_turns() {
        /// Each letter is an order of the client of that name; a single converter takes them.
        #[track_caller]
        fn check(arrivals: &str, expected: &str) {
            let mut turns = Turns::default();
            for name in arrivals.chars() {
                turns.push(client(name as u8), name);
            }
            let taken: String = std::iter::from_fn(|| {
                let next = turns.next()?;
                turns.ended(client(next as u8));
                Some(next)
            })
            .collect();
            assert_eq!(taken, expected);
            assert_eq!((turns.len, turns.running.len()), (0, 0));
        }
        check("aaaa", "aaaa");
        check("aaaab", "abaaa");
        check("aabbcc", "abcabc");
        check("abcaab", "abcaba");
    }

    #[test]
    fn whoever_has_less_running_goes_first() {
        let mut turns = Turns::default();
        for name in ['a', 'a', 'a', 'b', 'b'] {
            turns.push(client(name as u8), name);
        }
        // Two converters: the second takes an order of `b`, although `a` was there before.
        assert_eq!((turns.next(), turns.next()), (Some('a'), Some('b')));
        turns.ended(client(b'b'));
        assert_eq!(turns.next(), Some('b'), "`a` has one running");
        turns.push(None, 'n');
        turns.ended(client(b'b'));
        assert_eq!(
            turns.next(),
            Some('n'),
            "orders without a client count as one"
        );
        assert_eq!(turns.drain(), ['a', 'a']);
        assert_eq!(turns.len, 0);
    }
}
