//! The queue of orders, and the assignment of converters to them. A new order needs a place that was reserved for it.
//!
//! At most `converters` conversions run at the same time. Each conversion that has begun is in a lane: a thread with a
//! child of its own. There are more lanes than converters, because a conversion that is stopped in favour of others
//! (see [`Turns`]) keeps its lane and its memory, and waits there for a converter. A conversion that waits for memory
//! releases its converter, too, because the jobs that hold the memory may need the converter to finish.
//!
//! A place is reserved before a request is accepted, so that an accepted request cannot be refused later for lack of a
//! place: [`Queue::reserve`] may fail, but [`Reservation::submit`] fails only once the engine has been stopped.
//!
//! Each lane has a condition variable of its own. With a shared one, the end of each conversion would wake all threads.

use super::lanes::{Activity, Entry, LaneState, State};
use super::{
    order::{Order, shutting_down},
    turns::{Bounds, Client, Lane, Next, Running, Turns},
};
use crate::error::{Error, Kind, Result};
use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Interval at which a stopped conversion checks whether it is still wanted.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The queue of an engine. Clones share one queue.
#[derive(Clone)]
pub(super) struct Queue(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Signals a change to each lane.
    changed: Vec<Condvar>,
    /// Signals that a place or a converter may be free, or that the queue is closed.
    eased: Condvar,
    converters: usize,
    /// The number of orders that may wait. A reserved place counts before its order has arrived.
    room: usize,
}

/// A reserved place for one order. Dropping it unused gives the place back.
pub struct Reservation {
    queue: Queue,
    client: Client,
    used: bool,
}

/// A conversion that has begun, in its lane.
pub(super) struct BegunConversion<'q> {
    queue: &'q Queue,
    lane: Lane,
}

/// State of a lane after its conversion has left.
pub(super) struct Departure {
    /// Whether the conversion was sent back to the queue, and has not ended.
    pub(super) is_sent_back: bool,
    /// Whether the lane should keep its child for the next conversion.
    pub(super) stays_warm: bool,
}

impl Queue {
    pub(super) fn new(room: usize, converters: usize, lanes: usize) -> Self {
        Self(Arc::new(Shared {
            state: Mutex::new(State {
                turns: Turns::default(),
                free: converters,
                lanes: (0..lanes).map(|_| LaneState::default()).collect(),
                idle: VecDeque::new(),
                closed: false,
            }),
            changed: (0..lanes).map(|_| Condvar::new()).collect(),
            eased: Condvar::new(),
            converters,
            room,
        }))
    }

    /// Reserves a place for an order of `client`. There are `room` places, and one more for each free converter.
    ///
    /// Errors: [`Kind::Busy`] if the client may have no further place, or the queue is closed.
    pub(super) fn reserve(&self, client: Client) -> Result<Reservation> {
        self.try_reserve(&mut self.state(), client)
    }

    /// Waits until the client may have a place, and reserves it.
    ///
    /// Errors: [`Kind::Busy`] once the queue is closed.
    pub(super) fn wait_and_reserve(&self, client: Client) -> Result<Reservation> {
        let mut state = self.state();
        loop {
            let reservation = self.try_reserve(&mut state, client);
            if reservation.is_ok() || state.closed {
                return reservation;
            }
            state = self
                .0
                .eased
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until a converter is free and no order waits for it. Returns false once the queue is closed.
    pub(super) fn wait_until_idle(&self) -> bool {
        let is_busy =
            |state: &mut State| (state.free == 0 || state.turns.taken() > 0) && !state.closed;
        let state = self.0.eased.wait_while(self.state(), is_busy);
        !state.unwrap_or_else(PoisonError::into_inner).closed
    }

    pub(super) fn is_full(&self) -> bool {
        self.state().left(self.0.room) == 0
    }

    /// Number of orders that wait to be begun.
    pub(super) fn waiting(&self) -> usize {
        self.state().turns.waiting()
    }

    /// Number of conversions that have begun: those that run or wait for memory, and those that are stopped.
    pub(super) fn begun(&self) -> (usize, usize) {
        let state = self.state();
        let count =
            |is: fn(Activity) -> bool| state.lanes.iter().filter(|lane| is(lane.does)).count();
        (
            count(|does| matches!(does, Activity::Runs | Activity::Starves)),
            count(|does| matches!(does, Activity::Stopped | Activity::SentBack)),
        )
    }

    /// Waits for the next order of a lane, and for a converter to run it. The caller must call [`leave`](Self::leave)
    /// when it is done. `is_warm` states whether the lane has a child. `None` once the queue is closed.
    pub(super) fn next(&self, lane: Lane, is_warm: bool) -> Option<Entry> {
        let mut state = self.state();
        if state.lanes[lane].does == Activity::TidiesUp {
            state.free += 1;
        }
        state.lanes[lane].does = Activity::Idle;
        state.lanes[lane].is_warm = is_warm;
        match is_warm {
            true => state.idle.push_back(lane),
            false => state.idle.push_front(lane),
        }
        self.assign(&mut state);
        let mut state = self.0.changed[lane]
            .wait_while(state, |state| {
                state.lanes[lane].given.is_none() && !state.closed
            })
            .unwrap_or_else(PoisonError::into_inner);
        state.lanes[lane].given.take()
    }

    /// The conversion that has begun in a lane.
    pub(super) fn conversion(&self, lane: Lane) -> BegunConversion<'_> {
        BegunConversion { queue: self, lane }
    }

    /// Records that a lane's conversion has ended, with or without success. The converter is free once the lane asks
    /// for the [`next`](Self::next) order.
    pub(super) fn leave(&self, lane: Lane) -> Departure {
        let mut state = self.state();
        let (client, does) = (state.lanes[lane].client, state.lanes[lane].does);
        state.count(lane, Instant::now());
        let next = match does {
            Activity::Runs => {
                state.turns.released(client);
                Activity::TidiesUp
            }
            Activity::Stopped => {
                state.turns.forget_stopped(client, lane);
                Activity::Nothing
            }
            Activity::Nothing
            | Activity::Idle
            | Activity::TidiesUp
            | Activity::Starves
            | Activity::SentBack => Activity::Nothing,
        };
        state.turns.left(client);
        state.lanes[lane].does = next;
        let waits = |state: &LaneState| {
            state.is_warm && matches!(state.does, Activity::Idle | Activity::TidiesUp)
        };
        let warm = state.lanes.iter().filter(|lane| waits(lane)).count();
        let stays_warm = warm + usize::from(next == Activity::Nothing) <= self.0.converters;
        state.lanes[lane].is_warm = stays_warm;
        Departure {
            is_sent_back: does == Activity::SentBack,
            stays_warm,
        }
    }

    /// Queues the next order of a request that already had a place. The order needs no place, and precedes all other
    /// orders of its client. Returns the order if the queue is closed.
    pub(super) fn go_on(&self, order: Order) -> std::result::Result<(), Box<Order>> {
        let mut state = self.state();
        if state.closed {
            return Err(Box::new(order));
        }
        let client = order.client;
        state.turns.push_next(client, Entry::new(order));
        self.assign(&mut state);
        Ok(())
    }

    /// Queues an order again that has begun before. Returns the order if the queue is closed.
    pub(super) fn take_back(&self, entry: Entry) -> std::result::Result<(), Box<Order>> {
        let mut state = self.state();
        if state.closed {
            return Err(Box::new(entry.order));
        }
        state.turns.push_back_in(entry.order.client, entry);
        self.assign(&mut state);
        Ok(())
    }

    /// Closes the queue to new orders, and returns those that wait.
    pub(super) fn close(&self) -> Vec<Order> {
        let mut state = self.state();
        state.closed = true;
        for changed in &self.0.changed {
            changed.notify_one();
        }
        self.0.eased.notify_all();
        let entries = state.turns.drain();
        entries.into_iter().map(|entry| entry.order).collect()
    }

    /// Reserves a place without waiting. See [`reserve`](Self::reserve).
    fn try_reserve(&self, state: &mut State, client: Client) -> Result<Reservation> {
        if state.closed {
            return Err(shutting_down());
        }
        let left = state.left(self.0.room);
        if !state.turns.reserve(client, left, self.0.room / 4) {
            let text = "too many conversions are waiting already";
            return Err(Error::new(Kind::Busy, text));
        }
        Ok(Reservation {
            queue: self.clone(),
            client,
            used: false,
        })
    }

    /// Locks the state, also after a panic of another thread: every change to it is completed under one lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Limits on the choice of the next order. A client may have begun as many conversions as there are converters, so
    /// a client that is alone uses them all.
    fn bounds(&self, state: &State) -> Bounds {
        Bounds {
            lanes: state.idle.len(),
            most: self.0.converters,
        }
    }

    /// Assigns free converters in turn. If a client lacks a lane, sends a conversion that has no converter back to the
    /// queue, so that its lane becomes free.
    fn assign(&self, state: &mut State) {
        while state.free > 0
            && let Some(next) = state.turns.next(self.bounds(state))
        {
            let lane = match next {
                Next::GoOn(lane) => lane,
                Next::Begin(client, entry) => {
                    let Some(lane) = state.idle.pop_back() else {
                        debug_assert!(false, "an order was begun without a lane");
                        break;
                    };
                    let is_warm = true;
                    state.lanes[lane] = LaneState {
                        client,
                        given: Some(entry),
                        is_warm,
                        ..LaneState::default()
                    };
                    lane
                }
            };
            state.free -= 1;
            let lane_state = &mut state.lanes[lane];
            (lane_state.does, lane_state.turn) = (Activity::Runs, Duration::ZERO);
            lane_state.counted = Some(Instant::now());
            self.0.changed[lane].notify_one();
        }
        // Without spare lanes no conversion is sent back: it needs two free lanes to begin again, and might never get
        // them.
        if state.lanes.len() > self.0.converters
            && let Some(lane) = state.whom_to_send_back()
        {
            let client = state.lanes[lane].client;
            state.turns.forget_stopped(client, lane);
            state.lanes[lane].does = Activity::SentBack;
            self.0.changed[lane].notify_one();
        }
        self.0.eased.notify_all();
    }
}

impl BegunConversion<'_> {
    /// Releases the converter if another conversion should run now, and returns whether it did. The caller must then
    /// stop its conversion and [wait](Self::wait) for its next turn. Takes little time.
    pub(super) fn makes_room(&self) -> bool {
        let mut state = self.queue.state();
        state.count(self.lane, Instant::now());
        let lane_state = &state.lanes[self.lane];
        let job = Running {
            client: lane_state.client,
            turn: lane_state.turn,
            ran: lane_state.ran,
        };
        let bounds = self.queue.bounds(&state);
        let makes_room = lane_state.does == Activity::Runs && state.turns.is_outrun(job, bounds);
        if makes_room {
            self.give_back(&mut state, Activity::Stopped);
        }
        makes_room
    }

    /// Releases the converter while the conversion waits for memory. Afterwards the conversion must [wait](Self::wait)
    /// for another one.
    pub(super) fn release_for_memory(&self) {
        let mut state = self.queue.state();
        if state.lanes[self.lane].does == Activity::Runs {
            self.give_back(&mut state, Activity::Starves);
        }
    }

    /// Fails if the conversion has to leave its lane.
    pub(super) fn check(&self) -> Result<()> {
        match self.queue.state().lanes[self.lane].does {
            Activity::SentBack => Err(sent_back()),
            _ => Ok(()),
        }
    }

    /// Waits until the conversion has a converter. `check` is called about ten times a second; its error ends the wait.
    ///
    /// Errors: those of [`BegunConversion::check`], and those of the function `check`.
    pub(super) fn wait(&self, check: impl Fn() -> Result<()>) -> Result<()> {
        let mut state = self.queue.state();
        if state.lanes[self.lane].does == Activity::Starves {
            let client = state.lanes[self.lane].client;
            state.lanes[self.lane].does = Activity::Stopped;
            state.turns.stopped(client, self.lane);
            self.queue.assign(&mut state);
        }
        loop {
            match state.lanes[self.lane].does {
                Activity::Runs => return Ok(()),
                Activity::SentBack => return Err(sent_back()),
                _ => check()?,
            }
            state = self.queue.0.changed[self.lane]
                .wait_timeout(state, CHECK_INTERVAL)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Releases the converter, which passes to the next conversion. `does` is the new state of this lane.
    fn give_back(&self, state: &mut State, does: Activity) {
        state.count(self.lane, Instant::now());
        let lane_state = &mut state.lanes[self.lane];
        lane_state.does = does;
        let client = lane_state.client;
        state.turns.released(client);
        if does == Activity::Stopped {
            state.turns.stopped(client, self.lane);
        }
        state.free += 1;
        self.queue.assign(state);
    }
}

/// Error that ends an attempt in a lane that another client needs. It never leaves the engine.
fn sent_back() -> Error {
    Error::new(Kind::Busy, "the conversion was stopped in favour of others")
}

impl Reservation {
    /// Queues an order. Returns it if the queue has been closed since the place was reserved.
    pub(super) fn submit(mut self, order: Order) -> std::result::Result<(), Box<Order>> {
        self.used = true;
        let mut state = self.queue.state();
        let client = order.client;
        if state.closed {
            state.turns.unreserve(self.client);
            return Err(Box::new(order));
        }
        state.turns.push(client, Entry::new(order));
        state.turns.unreserve(self.client);
        self.queue.assign(&mut state);
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if !self.used {
            self.queue.state().turns.unreserve(self.client);
            self.queue.0.eased.notify_all();
        }
    }
}
