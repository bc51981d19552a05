//! Chooses which conversion runs next, and which one must stop for it. Starts and stops nothing itself, and reads no
//! clock.
//!
//! This is fair queueing by time used, like the scheduling of processes. A converter goes to the client that has the
//! fewest conversions running. Among clients with equally few, it goes to the one that has used the least converter
//! time. A new client starts with the time of the client that has used the least, so it neither waits for others to
//! catch up nor makes up for its absence. So a client that sends many or slow files delays only its own conversions.
//!
//! Nobody can predict how long a conversion takes. So a conversion that has used up its time slice while other clients
//! wait is stopped. Its memory stays allocated, and it continues at its client's next turn. The slice is a second,
//! divided by the number of waiting clients plus one, so that each of them gets a turn within about a second. An icon
//! is converted within its first slice. A conversion that has run for a second in total counts as a long one. It is
//! stopped after the shortest slice if a waiting conversion may be short. A stopped conversion occupies a lane (a
//! thread with a child), and there are more lanes than converters. If a client without a begun conversion finds no free
//! lane, a stopped conversion is sent back to the queue. It starts over once two lanes are free, so that one lane
//! always remains for a conversion that may be short.

use std::{collections::VecDeque, net::IpAddr, time::Duration};

/// The client of an order; see [`Order::client`](super::Order::client).
pub(super) type Client = Option<IpAddr>;
/// The number of a converter thread.
pub(super) type Lane = usize;

/// The time within which all waiting clients should have had a turn.
const ROUND: Duration = Duration::from_secs(1);
/// Total running time from which a conversion counts as long.
const LONG: Duration = Duration::from_secs(1);
/// Shortest slice. It must be longer than it takes to start a child and to switch to it.
const SHORTEST: Duration = Duration::from_millis(40);

/// The waiting and the begun conversions of all clients.
pub(super) struct Turns<T> {
    /// Shares of the clients, ordered by their last turns. The client whose last turn was longest ago comes first.
    shares: VecDeque<Share<T>>,
}

/// A client's orders in the engine. Removed with the client's last order.
struct Share<T> {
    client: Client,
    /// The converter time that the client's conversions have used.
    used: Duration,
    /// Places that are reserved for orders that have not arrived yet.
    reserved: usize,
    /// Waiting orders, in the order of arrival.
    waiting: VecDeque<Waiting<T>>,
    /// Stopped conversions, which wait for a converter to continue.
    stopped: VecDeque<Lane>,
    /// Number of conversions that have a lane, whatever their state.
    begun: usize,
    /// Number of conversions that have a converter.
    running: usize,
}

struct Waiting<T> {
    order: T,
    /// Whether the order was sent back before, which shows that it takes long.
    is_long: bool,
}

/// A running conversion that others may preempt.
#[derive(Clone, Copy)]
pub(super) struct Running {
    pub(super) client: Client,
    /// Running time since the conversion last got a converter.
    pub(super) turn: Duration,
    /// Running time in total since the conversion began in its lane.
    pub(super) ran: Duration,
}

/// Limits on the choice of the next order.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// The number of free lanes.
    pub(super) lanes: usize,
    /// The number of conversions that a client may have begun.
    pub(super) most: usize,
}

/// Next action of a free converter.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<T> {
    /// Begin this order, of this client, in a lane that is free.
    Begin(Client, T),
    /// Continue the conversion in this lane.
    GoOn(Lane),
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self {
            shares: VecDeque::new(),
        }
    }
}

impl<T> Turns<T> {
    /// Number of orders that wait.
    pub(super) fn waiting(&self) -> usize {
        self.shares.iter().map(|share| share.waiting.len()).sum()
    }

    /// Number of taken places: by waiting orders, by reservations, and by stopped conversions, because these wait, too.
    pub(super) fn taken(&self) -> usize {
        self.shares.iter().map(Share::taken).sum()
    }

    /// Reserves a place for an order of `client`, and returns whether that was possible. `left` places are free;
    /// `spare` of these are only for clients that have no place.
    ///
    /// An address may take a further place only while it has fewer places than are free, apart from the spare ones. So
    /// other addresses find a place, however many orders a few addresses have queued. Orders without a client may take
    /// all free places.
    pub(super) fn reserve(&mut self, client: Client, left: usize, spare: usize) -> bool {
        let own = self.find(client).map_or(0, Share::taken);
        let fits = left > 0 && (client.is_none() || own == 0 || own < left.saturating_sub(spare));
        if fits {
            self.share(client).reserved += 1;
        }
        fits
    }

    /// Releases a reserved place, because its order has arrived, or never will.
    pub(super) fn unreserve(&mut self, client: Client) {
        self.change(client, |share| share.reserved -= 1);
    }

    /// Queues an order.
    pub(super) fn push(&mut self, client: Client, order: T) {
        let is_long = false;
        self.share(client)
            .waiting
            .push_back(Waiting { order, is_long });
    }

    /// Queues the next order of a request whose earlier order has ended, before all others of its client.
    pub(super) fn push_next(&mut self, client: Client, order: T) {
        let is_long = false;
        self.share(client)
            .waiting
            .push_front(Waiting { order, is_long });
    }

    /// Queues an order that was sent back, before all others of its client.
    pub(super) fn push_back_in(&mut self, client: Client, order: T) {
        let is_long = true;
        self.share(client)
            .waiting
            .push_front(Waiting { order, is_long });
    }

    /// Chooses the next conversion for a free converter.
    pub(super) fn next(&mut self, bounds: Bounds) -> Option<Next<T>> {
        let could_run = self.shares.iter().enumerate();
        // `min_by_key` returns the first of several minima, which is the client whose last turn was the longest ago.
        // Among equals, clients without a stopped conversion come first, because their orders may be short.
        let (at, _) = could_run
            .filter(|(_, share)| share.can_run(bounds))
            .min_by_key(|(_, share)| (share.running, share.used, !share.stopped.is_empty()))?;
        let mut share = self.shares.remove(at)?;
        // Conversions that have begun come first, so that a client does not begin all its conversions and finish none.
        let next = match share.stopped.pop_front() {
            Some(lane) => Next::GoOn(lane),
            None => {
                share.begun += 1;
                Next::Begin(share.client, share.waiting.pop_front()?.order)
            }
        };
        share.running += 1;
        self.shares.push_back(share);
        Some(next)
    }

    /// Returns whether a running conversion must now be stopped in favour of another client's conversion.
    pub(super) fn is_outrun(&self, job: Running, bounds: Bounds) -> bool {
        let Some(own) = self.find(job.client) else {
            return false;
        };
        let rivals = || {
            let others = self
                .shares
                .iter()
                .filter(|share| share.client != job.client);
            others.filter(|share| share.can_run(bounds) && share.running < own.running)
        };
        // The slice divides a round among the rivals and this client.
        let count = u32::try_from(rivals().count()).unwrap_or(u32::MAX - 1);
        let slice = match job.ran >= LONG && rivals().any(|share| share.stopped.is_empty()) {
            true => SHORTEST,
            false => (ROUND / (count + 1)).max(SHORTEST),
        };
        job.turn >= slice
            // Stopping is worthwhile only if it makes the shares more equal: the rival would still run fewer
            // conversions or, with as many, has used less time.
            && rivals().any(|share| (share.running + 1, share.used) < (own.running, own.used))
    }

    /// Returns whether a client without a begun conversion has an order that may be short. The caller checks that no
    /// lane is free for it.
    pub(super) fn lacks_lane(&self) -> bool {
        let may_be_short = |share: &Share<T>| share.waiting.front().is_some_and(|o| !o.is_long);
        self.shares
            .iter()
            .any(|share| share.begun == 0 && may_be_short(share))
    }

    /// Counts converter time that a client has used.
    pub(super) fn charge(&mut self, client: Client, time: Duration) {
        self.change(client, |share| share.used += time);
    }

    /// Records that a conversion has given its converter back. It may keep its lane.
    pub(super) fn released(&mut self, client: Client) {
        self.change(client, |share| share.running -= 1);
    }

    /// Records that a conversion without a converter waits for one.
    pub(super) fn stopped(&mut self, client: Client, lane: Lane) {
        self.change(client, |share| share.stopped.push_back(lane));
    }

    /// Records that a conversion no longer waits for a converter.
    pub(super) fn forget_stopped(&mut self, client: Client, lane: Lane) {
        self.change(client, |share| share.stopped.retain(|&other| other != lane));
    }

    /// Records that a conversion has ended, or was sent back, and leaves its lane.
    pub(super) fn left(&mut self, client: Client) {
        self.change(client, |share| share.begun -= 1);
    }

    /// Removes and returns all waiting orders.
    pub(super) fn drain(&mut self) -> Vec<T> {
        let waiting = self.shares.iter_mut().flat_map(|s| s.waiting.drain(..));
        let orders = waiting.map(|waiting| waiting.order).collect();
        self.shares.retain(|share| !share.is_empty());
        orders
    }

    /// Finds the share of a client. `None` if the client has no orders.
    fn find(&self, client: Client) -> Option<&Share<T>> {
        self.shares.iter().find(|share| share.client == client)
    }

    /// Returns the share of a client, and creates it if the client has none.
    fn share(&mut self, client: Client) -> &mut Share<T> {
        let found = self.shares.iter().position(|share| share.client == client);
        let at = found.unwrap_or_else(|| {
            let least = self.shares.iter().map(|share| share.used).min();
            self.shares.push_back(Share {
                client,
                used: least.unwrap_or_default(),
                reserved: 0,
                waiting: VecDeque::new(),
                stopped: VecDeque::new(),
                begun: 0,
                running: 0,
            });
            self.shares.len() - 1
        });
        &mut self.shares[at]
    }

    /// Changes the share of a client, and removes it if it has become empty.
    fn change(&mut self, client: Client, change: impl FnOnce(&mut Share<T>)) {
        let found = self.shares.iter().position(|share| share.client == client);
        debug_assert!(found.is_some(), "{client:?} has nothing here");
        if let Some(at) = found {
            change(&mut self.shares[at]);
            if self.shares[at].is_empty() {
                self.shares.remove(at);
            }
        }
    }
}

impl<T> Share<T> {
    /// Number of the client's places. Stopped conversions count, because they wait again.
    fn taken(&self) -> usize {
        self.reserved + self.waiting.len() + self.stopped.len()
    }

    /// Returns whether an order or a stopped conversion of the client could get a converter. An order that was sent
    /// back needs two free lanes.
    fn can_run(&self, Bounds { lanes, most }: Bounds) -> bool {
        let needed = |order: &Waiting<T>| if order.is_long { 2 } else { 1 };
        let can_begin =
            || self.begun < most && self.waiting.front().is_some_and(|o| needed(o) <= lanes);
        !self.stopped.is_empty() || can_begin()
    }

    /// Returns whether the client can be forgotten.
    fn is_empty(&self) -> bool {
        self.reserved + self.begun == 0 && self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn bounds(lanes: usize, most: usize) -> Bounds {
        Bounds { lanes, most }
    }

    fn client(name: char) -> Client {
        Some(IpAddr::from([192, 0, 2, name as u8]))
    }

    fn arriving(names: &str) -> Turns<char> {
        let mut turns = Turns::default();
        for name in names.chars() {
            turns.push(client(name), name);
        }
        turns
    }

    #[track_caller]
    fn begins(turns: &mut Turns<char>) -> Option<char> {
        match turns.next(bounds(9, 9))? {
            Next::Begin(of, name) => {
                assert_eq!(of, client(name));
                Some(name)
            }
            other => panic!("{other:?}"),
        }
    }

    fn ends(turns: &mut Turns<char>, name: char) {
        turns.released(client(name));
        turns.left(client(name));
    }

    #[test]
    fn clients_take_turns() {
        /// Checks the order in which a single converter takes `arrivals`. Each letter is an order of the client of that
        /// name.
        #[track_caller]
        fn check(arrivals: &str, expected: &str) {
            let mut turns = arriving(arrivals);
            let taken: String = std::iter::from_fn(|| {
                let next = begins(&mut turns)?;
                ends(&mut turns, next);
                Some(next)
            })
            .collect();
            assert_eq!(taken, expected);
            assert!(turns.shares.is_empty());
        }
        check("aaaa", "aaaa");
        check("aaaab", "abaaa");
        check("aabbcc", "abcabc");
        check("abcaab", "abcaba");
    }

    #[test]
    fn the_client_with_fewer_running_conversions_goes_first() {
        let mut turns = arriving("aaabb");
        // Two converters: the second takes an order of `b`, although `a` came first.
        assert_eq!(begins(&mut turns), Some('a'));
        assert_eq!(begins(&mut turns), Some('b'));
        ends(&mut turns, 'b');
        assert_eq!(begins(&mut turns), Some('b'), "`a` has one running");
        turns.push(None, 'n');
        ends(&mut turns, 'b');
        assert_eq!(turns.next(bounds(9, 9)), Some(Next::Begin(None, 'n')));
        assert_eq!(turns.drain(), ['a', 'a']);
        assert_eq!(turns.waiting(), 0);
    }

    #[test]
    fn the_client_with_less_used_time_goes_first_and_absence_earns_nothing() {
        let mut turns = arriving("aaabb");
        for (next, took) in [('a', 5), ('b', 1), ('b', 1)] {
            assert_eq!(begins(&mut turns), Some(next));
            turns.charge(client(next), took * SECOND);
            ends(&mut turns, next);
        }
        // `c` comes last, and begins with the converter time of `a`. `b` has left, and comes back as a new client.
        turns.push(client('c'), 'c');
        turns.push(client('b'), 'b');
        assert_eq!(begins(&mut turns), Some('a'));
        assert_eq!(begins(&mut turns), Some('c'));
    }

    #[test]
    fn a_conversion_makes_room_after_its_slice() {
        let mut turns = arriving("aa");
        assert_eq!(begins(&mut turns), Some('a'));
        #[track_caller]
        fn check(turns: &Turns<char>, [turn, ran]: [u64; 2], lanes: usize, expected: bool) {
            let [turn, ran] = [turn, ran].map(Duration::from_millis);
            let client = client('a');
            let found = turns.is_outrun(Running { client, turn, ran }, bounds(lanes, 9));
            assert_eq!(found, expected, "{turn:?} of {ran:?}, {lanes} lanes");
        }
        turns.charge(client('a'), SECOND);
        check(&turns, [9000, 9000], 1, false);
        turns.push(client('b'), 'b');
        // `b` begins with the converter time of `a`, so `a` is not outrun before it has used more.
        check(&turns, [500, 500], 1, false);
        turns.charge(client('a'), SECOND);
        check(&turns, [400, 400], 1, false);
        check(&turns, [500, 500], 1, true);
        check(&turns, [500, 500], 0, false);
        check(&turns, [30, 1000], 1, false);
        check(&turns, [40, 1000], 1, true);
        turns.push(client('c'), 'c');
        turns.push(client('d'), 'd');
        check(&turns, [250, 250], 1, true);
        // Two conversions of `b` run, and one of `a`: stopping that of `a` would not make the shares more equal.
        let mut turns = arriving("abbb");
        for expected in ['a', 'b'] {
            assert_eq!(begins(&mut turns), Some(expected));
        }
        assert_eq!(begins(&mut turns), Some('b'));
        check(&turns, [9000, 9000], 1, false);
    }

    #[test]
    fn a_stopped_conversion_goes_on_before_its_client_begins_another() {
        let mut turns = arriving("aab");
        assert_eq!(begins(&mut turns), Some('a'));
        turns.charge(client('a'), SECOND);
        turns.released(client('a'));
        turns.stopped(client('a'), 7);
        assert_eq!(turns.taken(), 3);
        assert_eq!(begins(&mut turns), Some('b'));
        assert_eq!(turns.next(bounds(9, 9)), Some(Next::GoOn(7)));
        assert_eq!(turns.next(bounds(9, 1)), None, "`a` may have one begun");
        assert_eq!(begins(&mut turns), Some('a'));
    }

    #[test]
    fn an_order_that_was_sent_back_leaves_a_lane_free() {
        let mut turns = arriving("a");
        assert!(turns.lacks_lane());
        assert_eq!(begins(&mut turns), Some('a'));
        ends(&mut turns, 'a');
        turns.push_back_in(client('a'), 'a');
        assert!(!turns.lacks_lane());
        assert_eq!(turns.next(bounds(1, 9)), None);
        turns.push(client('b'), 'b');
        assert_eq!(
            turns.next(bounds(1, 9)),
            Some(Next::Begin(client('b'), 'b'))
        );
        assert_eq!(
            turns.next(bounds(2, 9)),
            Some(Next::Begin(client('a'), 'a'))
        );
    }

    #[test]
    fn addresses_with_many_orders_leave_places_for_another_one() {
        /// Checks how many of `room` places each of these addresses gets if it takes as many as it can.
        #[track_caller]
        fn check(room: usize, clients: &str, expected: &[usize]) {
            let mut turns = arriving("");
            let mut take_all = |name| {
                let mut more = || turns.reserve(client(name), room - turns.taken(), room / 4);
                std::iter::from_fn(|| more().then_some(())).count()
            };
            let taken: Vec<_> = clients.chars().map(&mut take_all).collect();
            assert_eq!(taken, expected);
        }
        check(64, "a", &[24]);
        check(64, "abcdefgh", &[24, 12, 6, 3, 2, 1, 1, 1]);
        check(1, "ab", &[1, 0]);
        let mut turns = arriving("");
        assert!((0..64).all(|taken| turns.reserve(None, 64 - taken, 16)));
        assert!(!turns.reserve(None, 0, 16));
        turns.unreserve(None);
        assert_eq!(turns.taken(), 63);
    }
}
