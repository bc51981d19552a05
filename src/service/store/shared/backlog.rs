//! Queue of steps whose outcome no request waits for. The steps are kept, in order, while Redis cannot be reached, for
//! up to [`MAX_AGE`].

use super::pool::{Fault, Link};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// Time after which a step is dropped because Redis could not be reached.
const MAX_AGE: Duration = Duration::from_secs(600);
/// Limit on waiting steps.
const MAX_STEPS: usize = 16_384;

/// A step to send soon: an operation of the script and its arguments.
pub(super) struct Step {
    words: Vec<Vec<u8>>,
    since: Instant,
    /// A further step, sent if Redis answers this one with the given word.
    then: Option<(&'static str, Box<Step>)>,
}

impl Step {
    pub(super) fn new(words: &[&[u8]]) -> Self {
        Self {
            words: words.iter().map(|word| word.to_vec()).collect(),
            since: Instant::now(),
            then: None,
        }
    }

    /// Adds a step that is sent only if the answer to this one is `answer`.
    pub(super) fn then(self, answer: &'static str, next: Self) -> Self {
        Self {
            then: Some((answer, Box::new(next))),
            ..self
        }
    }
}

/// The channel into which all threads put their steps.
pub(super) struct Backlog(Sender<Step>, Receiver<Step>);

impl Default for Backlog {
    fn default() -> Self {
        let (sender, receiver) = bounded(MAX_STEPS);
        Self(sender, receiver)
    }
}

impl Backlog {
    /// Queues a step. If the queue is full, the step is dropped: once the lease ends, Redis reaches the same state.
    pub(super) fn soon(&self, step: Step) {
        if self.0.try_send(step).is_err() {
            log::warn!("an update of the shared store was dropped: too many are waiting");
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.1.is_empty()
    }
}

/// Steps that have not been sent to Redis yet.
#[derive(Default)]
pub(super) struct UnsentSteps(VecDeque<Step>);

impl UnsentSteps {
    /// Takes the queued steps, after waiting at most `pause` for one.
    pub(super) fn take(&mut self, backlog: &Backlog, pause: Duration) {
        self.0.extend(backlog.1.recv_timeout(pause));
        self.0.extend(backlog.1.try_iter());
    }

    /// Sends the waiting steps to Redis until it cannot be reached. Then drops steps that are older than [`MAX_AGE`],
    /// and the last ones if more than [`MAX_STEPS`] are left.
    pub(super) fn send(&mut self, link: &Link) {
        while link.is_up()
            && let Some(step) = self.0.pop_front()
        {
            let words: Vec<&[u8]> = step.words.iter().map(Vec::as_slice).collect();
            match link.step(&words) {
                Ok(reply) => {
                    if let Some((answer, next)) = step.then
                        && reply.first_word() == answer
                    {
                        self.0.push_front(*next);
                    }
                }
                Err(Fault::Away(_)) => self.0.push_front(step),
                Err(fault) => log::warn!("an update was refused by the shared store: {fault:?}"),
            }
        }
        self.0.retain(|step| step.since.elapsed() < MAX_AGE);
        self.0.truncate(MAX_STEPS);
    }
}
