//! Lanes of the engine, and what each does: the state behind the queue. Waits for nothing.

use super::{
    order::Order,
    turns::{Client, Lane, Turns},
};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

pub(super) struct State {
    pub(super) turns: Turns<Entry>,
    /// Number of free converters.
    pub(super) free: usize,
    pub(super) lanes: Vec<LaneState>,
    /// Lanes without a conversion. Those with a child that is ready are at the end, from which lanes are taken.
    pub(super) idle: VecDeque<Lane>,
    pub(super) closed: bool,
}

/// An order in the queue.
pub(super) struct Entry {
    pub(super) order: Order,
    /// Time at which it was first queued.
    pub(super) queued: Instant,
    /// Time at which it first began; `None` until it is sent back.
    pub(super) begun: Option<Instant>,
}

impl Entry {
    pub(super) fn new(order: Order) -> Self {
        Self {
            order,
            queued: Instant::now(),
            begun: None,
        }
    }
}

/// State of a lane, for the assignment of converters.
#[derive(Default)]
pub(super) struct LaneState {
    pub(super) does: Activity,
    pub(super) client: Client,
    /// The conversion that the lane must begin next.
    pub(super) given: Option<Entry>,
    /// Whether the lane has a child, or starts one.
    pub(super) is_warm: bool,
    /// Time up to which the client has been charged for the converter.
    pub(super) counted: Option<Instant>,
    /// Time with a converter in the current turn.
    pub(super) turn: Duration,
    /// Time with a converter in all turns since the conversion began in this lane.
    pub(super) ran: Duration,
}

/// Activity of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Activity {
    /// The thread is starting, or is between two conversions.
    #[default]
    Nothing,
    /// The lane waits for an order.
    Idle,
    /// The lane's conversion has a converter, so it runs.
    Runs,
    /// The lane's conversion has ended, but still occupies the converter: the child is being replaced, or the result
    /// passed on.
    TidiesUp,
    /// The lane's conversion waits for memory, without a converter.
    Starves,
    /// The lane's conversion waits for a converter.
    Stopped,
    /// The lane's conversion must leave, because another client needs a lane.
    SentBack,
}

impl State {
    /// Number of free places. A free converter adds a place, because an order can begin there without waiting.
    pub(super) fn left(&self, room: usize) -> usize {
        (room + self.free).saturating_sub(self.turns.taken())
    }

    /// Charges a lane's client for the time that its conversion has had a converter.
    pub(super) fn count(&mut self, lane: Lane, now: Instant) {
        let lane_state = &mut self.lanes[lane];
        if lane_state.does == Activity::Runs {
            let since = lane_state.counted.replace(now).unwrap_or(now);
            let time = now.saturating_duration_since(since);
            lane_state.turn += time;
            lane_state.ran += time;
            self.turns.charge(lane_state.client, time);
        }
    }

    /// The lane to clear if a client needs one and no lane will soon be free. Only lanes whose conversion has no
    /// converter are considered. The chosen lane is the one whose conversion has run for the shortest time and so
    /// loses the least work.
    pub(super) fn whom_to_send_back(&self) -> Option<Lane> {
        let is_soon_free = |lane_state: &LaneState| match lane_state.does {
            Activity::Nothing | Activity::Idle | Activity::TidiesUp | Activity::SentBack => true,
            Activity::Runs | Activity::Starves | Activity::Stopped => false,
        };
        if self.lanes.iter().any(is_soon_free) || !self.turns.lacks_lane() {
            return None;
        }
        let seats = self.lanes.iter().enumerate();
        seats
            .filter(|(_, lane_state)| {
                matches!(lane_state.does, Activity::Starves | Activity::Stopped)
            })
            .min_by_key(|(_, lane_state)| lane_state.ran)
            .map(|(lane, _)| lane)
    }
}
