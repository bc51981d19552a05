//! Compares both forms of the store with a model: random operations are run on both, and every answer must be the same.
//! The model has no disk, no network and no clock.

mod bounds;
mod hardship;
mod redis;
mod server;

use super::{
    Claim, Durability, Entered, Failure, Outcome, Receipt, Repeat, Request, Settings, Spool,
    Status, Store, Unavailable,
};
use crate::{
    error::Kind,
    id::ConversionId,
    job::{Options, Quality, Task},
};
use std::{
    io::Write,
    ops::Range,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant, SystemTime},
};

const LEN: u64 = 10;
/// Time for which store and model may differ, because Redis learns of the end of a claim a moment later. A difference
/// that lasts longer is a fault.
const PATIENCE: Duration = Duration::from_secs(120);

/// A conversion as the model sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    Processing,
    Ready,
    Failed,
    Downloaded,
}

struct Model {
    is: Is,
    holds: Vec<(u64, Range<u64>)>,
    delivered: [bool; LEN as usize],
}

impl Model {
    fn new(is: Is) -> Self {
        Self {
            is,
            holds: Vec::new(),
            delivered: [false; LEN as usize],
        }
    }

    /// Expected refusal of a range; `None` if it is granted.
    fn refusal(&self, range: &Range<u64>) -> Option<&'static str> {
        let is_whole = |range: &Range<u64>| *range == (0..LEN);
        let is_held = self
            .holds
            .iter()
            .any(|(_, held)| match is_whole(range) || is_whole(held) {
                true => is_whole(range),
                false => held.start < range.end && range.start < held.end,
            });
        match self.is {
            Is::Ready if is_held => Some("claimed"),
            Is::Ready => None,
            Is::Processing => Some("processing"),
            Is::Failed => Some("failed"),
            Is::Downloaded => Some("downloaded"),
        }
    }

    /// Delivers a range. Returns whether this ends the link.
    fn deliver(&mut self, number: u64, range: &Range<u64>) -> bool {
        if self.is != Is::Ready {
            return false;
        }
        self.holds.retain(|(held, _)| *held != number);
        self.delivered[range.start as usize..range.end as usize].fill(true);
        let whole = self.delivered.iter().all(|&byte| byte);
        if whole {
            *self = Self::new(Is::Downloaded);
        }
        whole
    }
}

fn is(status: &Status) -> Option<Is> {
    match status {
        Status::NotFound | Status::Unreachable => None,
        Status::Processing { .. } => Some(Is::Processing),
        Status::Ready(_) => Some(Is::Ready),
        Status::Failed(_) => Some(Is::Failed),
        Status::Expired { downloaded, .. } => downloaded.then_some(Is::Downloaded),
    }
}

fn word(why: &Unavailable) -> &'static str {
    match why {
        Unavailable::NotFound => "not found",
        Unavailable::Processing => "processing",
        Unavailable::Failed(_) => "failed",
        Unavailable::Expired { downloaded: true } => "downloaded",
        Unavailable::Expired { downloaded: false } => "expired",
        Unavailable::Claimed => "claimed",
        Unavailable::Unreachable => "unreachable",
    }
}

/// A conversion in the store and in the model, with the claims and the receipt of its clients.
struct Case {
    id: ConversionId,
    model: Model,
    spool: Option<Spool>,
    claims: Vec<(u64, Range<u64>, Claim)>,
    receipt: Option<Receipt>,
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn request() -> Request {
    Request {
        original_filename: "a.png".into(),
        task: Task {
            from: "png".into(),
            to: "bmp".into(),
            quality: Quality::Medium,
            options: Options::default(),
            file_title: None,
        },
        original_format: None,
        media_type: "image/bmp".into(),
        remarks: Vec::new(),
        repeat: None,
    }
}

fn outcome() -> Outcome {
    Outcome {
        conversion_time: 0.5,
        ..Outcome::default()
    }
}

fn uploaded(store: &Store) -> Spool {
    let mut spool = store.spool(None, None).unwrap();
    spool.write_all(b"uploaded").unwrap();
    spool
}

/// Performs random operations on a store and on the model. The error names the first difference that lasts longer than
/// `patience`.
fn compare(store: &Store, seed: u64, steps: usize, patience: Duration) -> Result<(), String> {
    let (mut random, now) = (Random(seed), SystemTime::now());
    let (mut cases, mut numbers) = (Vec::<Case>::new(), 0);
    for step in 0..steps {
        let at_step = |what: &str| format!("step {step} of seed {seed}: {what}");
        if cases.len() < 3 {
            cases.push(begin(store, &mut random, now).map_err(|what| at_step(&what))?);
        }
        let at = random.below(cases.len());
        let case = &mut cases[at];
        match random.below(6) {
            0 => {
                if let Some(spool) = case.spool.take() {
                    case.model.is = end(spool, random.below(3) > 0, now)?;
                }
            }
            1 | 2 => {
                let edges = [0, 3, 5, 7, LEN];
                let from = random.below(4);
                let to = from + 1 + random.below(4 - from);
                let range = match random.below(3) {
                    0 => 0..LEN,
                    _ => edges[from]..edges[to],
                };
                // The whole result can be requested with or without a range.
                let asked = (range != (0..LEN) || random.below(2) > 0).then_some(range.clone());
                let expected = case.model.refusal(&range);
                let deadline = Instant::now() + patience;
                loop {
                    let claim = store.claim(&case.id, asked.clone(), now, Duration::ZERO);
                    let got = claim.as_ref().err().map(word);
                    if got == expected {
                        if let Ok(claim) = claim {
                            numbers += 1;
                            case.model.holds.push((numbers, range.clone()));
                            case.claims.push((numbers, range, claim));
                        }
                        break;
                    }
                    if Instant::now() > deadline {
                        return Err(at_step(&format!(
                            "{range:?} is {got:?} and not {expected:?}"
                        )));
                    }
                    drop(claim);
                    thread::sleep(Duration::from_millis(2));
                }
            }
            3 if !case.claims.is_empty() => {
                let (number, ..) = case.claims.swap_remove(0);
                case.model.holds.retain(|(held, _)| *held != number);
            }
            4 if !case.claims.is_empty() => {
                let (number, range, claim) = case.claims.swap_remove(0);
                let receipt = claim.delivered();
                let expected = case.model.deliver(number, &range);
                if receipt.is_some() != expected {
                    return Err(at_step(&format!(
                        "delivering {range:?} ends it: not {expected}"
                    )));
                }
                if receipt.is_some() {
                    // Other downloads of the result have become useless, so they are given up.
                    case.claims.clear();
                    case.receipt = receipt;
                }
            }
            5 => match case.receipt.take() {
                Some(receipt) if random.below(2) == 0 => {
                    receipt.lost();
                    case.model = Model::new(Is::Ready);
                }
                Some(_) => {}
                None if case.model.is == Is::Downloaded || case.model.is == Is::Failed => {
                    cases.swap_remove(at);
                    continue;
                }
                None => {}
            },
            _ => {}
        }
        let expected = Some(cases[at].model.is);
        let deadline = Instant::now() + patience;
        loop {
            let got = is(&store.status(&cases[at].id, now, Duration::ZERO));
            if got == expected {
                break;
            }
            if Instant::now() > deadline {
                return Err(at_step(&format!("it is {got:?} and not {expected:?}")));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
    Ok(())
}

fn begin(store: &Store, random: &mut Random, now: SystemTime) -> Result<Case, String> {
    let spool = uploaded(store);
    let id = spool.id();
    let mut case = Case {
        id,
        model: Model::new(Is::Processing),
        spool: None,
        claims: Vec::new(),
        receipt: None,
    };
    if random.below(2) == 0 {
        case.model.is = end(spool, true, now)?;
        return Ok(case);
    }
    let kept = spool
        .accept(request(), now)
        .map_err(|err| err.to_string())?;
    case.spool = match kept {
        Some(spool) => Some(spool),
        None => (0..3).find_map(|_| store.next()),
    };
    let taken = case.spool.as_ref().map(Spool::id);
    match taken == Some(id) {
        true => Ok(case),
        false => Err(format!("{taken:?} was taken and not {id:?}")),
    }
}

fn end(spool: Spool, well: bool, now: SystemTime) -> Result<Is, String> {
    if well {
        let mut output = spool.create_output().map_err(|err| err.to_string())?;
        output.write_all(b"ten bytes!").unwrap();
        let stored = spool.commit(request(), outcome(), now);
        return stored.map(|_| Is::Ready).map_err(|err| err.to_string());
    }
    let failure = Failure {
        kind: Kind::BadInput,
        reason: None,
        message: "no".into(),
    };
    spool.fail(failure, now);
    Ok(Is::Failed)
}

/// A data directory that is removed when the test ends.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("convertd-model-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn settings(&self) -> Settings {
        Settings {
            dir: self.0.join("data"),
            link_ttl: Duration::from_secs(600),
            tombstone_ttl: Duration::from_secs(600),
            reserve: 0,
            max_records: 1000,
            durability: Durability::Process,
        }
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_directory_keeps_keys() {
    let dir = Dir::new();
    let (store, _) = Store::open(dir.settings(), None, SystemTime::now()).unwrap();
    take_keys(&store);
}

#[test]
fn a_directory_does_what_the_model_does() {
    for seed in 1..=20 {
        let dir = Dir::new();
        let (store, _) = Store::open(dir.settings(), None, SystemTime::now()).unwrap();
        compare(&store, seed, 200, PATIENCE).unwrap();
    }
}

/// Checks the rules of keys that both forms of the store keep.
fn take_keys(store: &Store) {
    let digest = |text: &str| {
        let mut digester = store.digester().unwrap();
        digester.add_text(text);
        digester.finish()
    };
    let repeat = |key: &str, form: &str| Repeat {
        key: digest(key),
        form: digest(form),
    };
    let enter = |repeat| store.enter(&repeat, SystemTime::now()).unwrap();
    let Entered::First(hold) = enter(repeat("a", "1")) else {
        panic!("a is free");
    };
    assert!(matches!(enter(repeat("a", "1")), Entered::UnderWay));
    assert!(matches!(enter(repeat("a", "2")), Entered::Other));
    assert!(matches!(enter(repeat("b", "2")), Entered::First(_)));
    drop(hold);
    let is_free = |name: &str| {
        let until = Instant::now() + PATIENCE;
        loop {
            match enter(repeat(name, "1")) {
                Entered::First(hold) => return hold,
                _ if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
                _ => panic!("{name} is not free"),
            }
        }
    };
    // A conversion that the store does not contain does not occupy a key.
    is_free("a").done(ConversionId::random().unwrap());
    let hold = is_free("a");
    let spool = uploaded(store);
    let id = spool.id();
    let spool = spool.accept(request(), SystemTime::now()).unwrap();
    hold.done(id);
    for _ in 0..2 {
        assert!(matches!(enter(repeat("a", "1")), Entered::Repeat(found) if found == id));
        assert!(matches!(enter(repeat("a", "2")), Entered::Other));
    }
    drop(spool);
}
