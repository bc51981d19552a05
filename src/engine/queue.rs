//! Orders that wait for a converter, first come first served. Never holds more than it has places for.
//!
//! A place is taken before anything is promised to a client, so that what was accepted cannot be refused for want of room
//! afterwards: [`Queue::place`] may fail, [`Place::submit`] cannot.

use super::Order;
use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

/// The queue of an engine. Clones are the same queue.
#[derive(Clone)]
pub(crate) struct Queue(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Orders that may wait, those included whose place is taken but which are not here yet.
    room: usize,
}

#[derive(Default)]
struct State {
    orders: VecDeque<Order>,
    /// Places that are taken and not used yet.
    taken: usize,
    /// Converters that wait for an order.
    idle: usize,
    closed: bool,
}

/// A right to queue one order. Given back when dropped.
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

    /// A place, if there is one left: as many as may wait, and one for each converter that has nothing to do.
    pub(crate) fn place(&self) -> Option<Place> {
        let mut state = self.state();
        if state.closed || state.is_full(self.0.room) {
            return None;
        }
        state.taken += 1;
        Some(Place {
            queue: self.clone(),
            used: false,
        })
    }

    pub(crate) fn is_full(&self) -> bool {
        self.state().is_full(self.0.room)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.state().orders.is_empty()
    }

    /// Waits for the next order. `None` once the queue is closed.
    pub(crate) fn next(&self) -> Option<Order> {
        let mut state = self.state();
        state.idle += 1;
        let mut state = self
            .0
            .changed
            .wait_while(state, |state| state.orders.is_empty() && !state.closed)
            .unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        state.orders.pop_front()
    }

    /// Takes no more orders, and gives back those that wait.
    pub(crate) fn close(&self) -> Vec<Order> {
        let mut state = self.state();
        state.closed = true;
        self.0.changed.notify_all();
        state.orders.drain(..).collect()
    }
}

impl State {
    fn is_full(&self, room: usize) -> bool {
        self.orders.len() + self.taken >= room + self.idle
    }
}

impl Place {
    /// Queues an order. Gives it back if the engine has stopped since.
    pub(crate) fn submit(mut self, order: Order) -> Result<(), Box<Order>> {
        self.used = true;
        let mut state = self.queue.state();
        state.taken -= 1;
        if state.closed {
            return Err(Box::new(order));
        }
        state.orders.push_back(order);
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
