//! The shared store on a real engine, and announced where there is none. That the comparison sees what it should is shown by spoiling the
//! script in a dozen places.

#[path = "../../../tests/support/tools.rs"]
mod tools;

use super::{Dir, Is, compare, is, outcome, request, take_keys, uploaded};
use crate::{
    error::Kind,
    store::{Place, Spool, Store, local, shared, spool::SpoolAt},
};
use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    os::unix::fs::FileExt,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

struct Engine {
    child: Child,
    port: u16,
}

impl Engine {
    fn start() -> Option<Self> {
        if !tools::has("redis-server") {
            return None;
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let child = Command::new("redis-server")
            .args([
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--port",
                &port.to_string(),
            ])
            .stdout(Stdio::null())
            .spawn();
        Some(Self {
            child: child.unwrap(),
            port,
        })
    }

    /// Has it forget everything.
    fn clear(&self) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(b"FLUSHALL\r\nQUIT\r\n").unwrap();
        stream.read_to_end(&mut Vec::new()).unwrap();
    }

    /// For how many seconds the only key with this beginning will still be kept.
    fn left(&self, beginning: &str) -> u64 {
        let script = format!(
            "EVAL \"return redis.call('TTL', redis.call('KEYS', '{beginning}*')[1])\" 0\r\nQUIT\r\n"
        );
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(script.as_bytes()).unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        let digits = said.lines().next().and_then(|line| line.strip_prefix(':'));
        digits.unwrap_or_else(|| panic!("{said}")).parse().unwrap()
    }

    /// A store on this engine, with a script of its own.
    fn store(&self, dir: &Dir, script: &str) -> Store {
        Self::store_at(self.port, dir, script)
    }

    fn store_at(port: u16, dir: &Dir, script: &str) -> Store {
        let sharing = shared::Settings {
            target: format!("redis://127.0.0.1:{port}").parse().unwrap(),
            lease: Duration::from_secs(60),
            queue: 100,
        };
        let (scratch, _) = local::Store::open(dir.settings(), SystemTime::now()).unwrap();
        let store = shared::Store::open_with(sharing, scratch, script.to_owned()).unwrap();
        let store = Store(Place::Shared(store));
        let deadline = Instant::now() + Duration::from_secs(20);
        while store.reachable().is_err() {
            assert!(Instant::now() < deadline, "the engine does not answer");
            thread::sleep(Duration::from_millis(10));
        }
        store
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_engine_does_what_the_model_does() {
    let Some(engine) = Engine::start() else {
        return;
    };
    for seed in 1..=20 {
        let dir = Dir::new();
        let store = engine.store(&dir, shared::SCRIPT);
        engine.clear();
        compare(&store, seed, 200).unwrap();
    }
}

#[test]
fn an_engine_keeps_keys() {
    let Some(engine) = Engine::start() else {
        return;
    };
    let dir = Dir::new();
    take_keys(&engine.store(&dir, shared::SCRIPT));
}

#[test]
fn a_script_that_is_spoiled_is_noticed() {
    let Some(engine) = Engine::start() else {
        return;
    };
    #[track_caller]
    fn check(engine: &Engine, from: &str, to: &str) {
        assert_eq!(
            shared::SCRIPT.matches(from).count(),
            1,
            "{from} stands once"
        );
        let (dir, script) = (Dir::new(), shared::SCRIPT.replace(from, to));
        let store = engine.store(&dir, &script);
        let noticed = (1..=20).any(|seed| {
            engine.clear();
            compare(&store, seed, 200).is_err()
        });
        assert!(noticed, "nobody noticed {to:?} in place of {from:?}");
    }
    let spoiled = [
        (
            "if is_held(holds, first, last, size) then return { 'held' } end",
            "",
        ),
        ("if whole(first, last) then return true end", "return true"),
        ("last = last or size", "last = last or size - 1"),
        (
            "hold.first < last and first < hold.last",
            "hold.first <= last and first <= hold.last",
        ),
        (
            "holds[#holds + 1] = { token = token, first = first, last = last, ends",
            "holds[1] = { token = token, first = first, last = last, ends",
        ),
        ("merged[1] == 0 and merged[2] >= size", "merged[2] >= size"),
        (
            "if a <= merged[2] and merged[1] <= b then",
            "if a < merged[2] and merged[1] < b then",
        ),
        (
            "if merged[1] < merged[2] then rest[#rest + 1] = merged end",
            "",
        ),
        ("redis.call('HSET', record, 'ranges', ranges)", ""),
        (
            "redis.call('HSET', record, 'state', 'd', 'down', '1', 'dtok', token)",
            "",
        ),
        ("redis.call('HSET', record, 'state', 'r')\n", "\n"),
        ("redis.call('RPUSH', wait, id)", ""),
        ("redis.call('HSET', record, 'state', 'f', 'json', json)", ""),
        (
            "return f[1] == 'w' and f[2] == token",
            "return f[1] == 'w' and f[2] ~= token",
        ),
    ];
    for (from, to) in spoiled {
        check(&engine, from, to);
    }
}

/// What the model does not know of: an instance that speaks too late.
#[test]
fn a_late_instance_is_not_heard() {
    let Some(engine) = Engine::start() else {
        return;
    };
    let (dir, other) = (Dir::new(), Dir::new());
    let (slow, quick) = (
        engine.store(&dir, shared::SCRIPT),
        engine.store(&other, shared::SCRIPT),
    );
    let now = SystemTime::now();
    let spool = uploaded(&slow);
    let id = spool.id();
    assert!(spool.accept(request(), now).unwrap().is_none());
    let late = slow.next().unwrap();
    // Its lease ends: here, because it is given back in its name.
    let Place::Shared(store) = &slow.0 else {
        unreachable!("it is shared")
    };
    store.give_back(&late_token(&late), &id);
    let taken = quick.next().unwrap();
    assert_eq!(taken.id(), id);
    // It is told with the next beat; and whoever asks only then, at once.
    for limit in [Duration::from_secs(20), Duration::ZERO] {
        let (tell, told) = mpsc::channel();
        late.when_lost(move || tell.send(()).unwrap());
        told.recv_timeout(limit).unwrap();
    }
    let output = |spool: &Spool, bytes: &[u8]| {
        spool.create_output().unwrap().write_all(bytes).unwrap();
    };
    output(&late, b"too late!!");
    assert_eq!(
        late.commit(request(), outcome(), now).unwrap_err().kind(),
        Kind::Busy
    );
    assert_eq!(
        is(&quick.status(&id, now, Duration::ZERO)),
        Some(Is::Processing)
    );
    output(&taken, b"in time");
    taken.commit(request(), outcome(), now).unwrap();
    assert_eq!(quick.peek(&id, now).unwrap().file_size, 7);
    assert_eq!(slow.peek(&id, now).unwrap().file_size, 7);
}

fn late_token(spool: &Spool) -> String {
    match &spool.0 {
        SpoolAt::Shared(spool) => spool.token().to_owned(),
        SpoolAt::Local(_) => unreachable!("it is shared"),
    }
}

/// The pieces of a result do not show, wherever a range begins and ends.
#[test]
fn ranges_are_what_lies_there() {
    let Some(engine) = Engine::start() else {
        return;
    };
    let (dir, now) = (Dir::new(), SystemTime::now());
    let store = engine.store(&dir, shared::SCRIPT);
    let bytes: Vec<u8> = (0..400_000_u32).map(|at| (at / 7) as u8).collect();
    let check = |spool: Spool| {
        let id = spool.id();
        spool.create_output().unwrap().write_all(&bytes).unwrap();
        spool.commit(request(), outcome(), now).unwrap();
        for range in [
            0..1,
            5..131_008,
            131_007..131_009,
            262_016..400_000,
            131_008..270_000,
        ] {
            // The one before is given back a little later than it is dropped.
            let wait = Duration::from_secs(5);
            let claim = store.claim_to_open(&id, range.clone(), now, wait);
            let mut read = vec![0; (range.end - range.start) as usize];
            let file = claim.unwrap().open().unwrap();
            file.read_exact_at(&mut read, range.start).unwrap();
            assert!(
                read == bytes[range.start as usize..range.end as usize],
                "{range:?}"
            );
        }
    };
    check(uploaded(&store));
    assert!(uploaded(&store).accept(request(), now).unwrap().is_none());
    check(store.next().unwrap());
}

/// A way to the engine that breaks when it is told to: what was asked arrives, and the answer does not.
struct Way {
    port: u16,
    /// Whether the next connection that is asked for a step is to break.
    breaks: Arc<AtomicBool>,
}

impl Way {
    fn to(engine: &Engine) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (breaks, to) = (Arc::new(AtomicBool::new(false)), engine.port);
        let told = breaks.clone();
        thread::spawn(move || {
            for here in listener.incoming() {
                let (here, told) = (here.unwrap(), told.clone());
                let Ok(there) = TcpStream::connect(("127.0.0.1", to)) else {
                    break;
                };
                let (mut asks, mut asked) = (here.try_clone().unwrap(), there.try_clone().unwrap());
                thread::spawn(move || io::copy(&mut asks, &mut asked));
                thread::spawn(move || answer(there, here, &told));
            }
        });
        Self { port, breaks }
    }

    /// Does something whose answer is lost, the first time.
    fn broken<T>(&self, act: impl FnOnce() -> T) -> T {
        self.breaks.store(true, Ordering::SeqCst);
        let done = act();
        assert!(!self.breaks.load(Ordering::SeqCst), "nothing was lost");
        done
    }
}

/// Passes answers on. If it is told to, it ends both ways in place of the first that begins with "ok".
fn answer(mut there: TcpStream, mut here: TcpStream, breaks: &AtomicBool) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(len @ 1..) = there.read(&mut buffer) {
        let is_step = buffer[..len].windows(6).any(|six| six == b"\r\nok\r\n");
        if is_step && breaks.swap(false, Ordering::SeqCst) {
            let _ = here.shutdown(Shutdown::Both);
            let _ = there.shutdown(Shutdown::Both);
            break;
        }
        if here.write_all(&buffer[..len]).is_err() {
            break;
        }
    }
}

/// What is sent again, because nobody knows whether it arrived, is done once, and is kept for as long as if it had been sent once.
#[test]
fn what_is_sent_twice_is_done_once() {
    let Some(engine) = Engine::start() else {
        return;
    };
    let (dir, now) = (Dir::new(), SystemTime::now());
    // The engine has to be there before the way to it.
    engine.store(&Dir::new(), shared::SCRIPT);
    let way = Way::to(&engine);
    let store = Engine::store_at(way.port, &dir, shared::SCRIPT);
    let bytes: Vec<u8> = (0..300_000_u32).map(|at| (at / 7) as u8).collect();
    let finish = |spool: Spool| {
        let id = spool.id();
        spool.create_output().unwrap().write_all(&bytes).unwrap();
        way.broken(|| spool.commit(request(), outcome(), now))
            .unwrap();
        let left = engine.left("{convertd}:b:");
        assert!(left > 60, "the result is kept for {left} s");
        let claim = store.claim_to_open(&id, None, now, Duration::ZERO).unwrap();
        let mut read = Vec::new();
        claim.open().unwrap().read_to_end(&mut read).unwrap();
        assert!(read == bytes, "another result");
        drop(claim.delivered());
    };
    finish(uploaded(&store));
    engine.clear();
    let spool = uploaded(&store);
    way.broken(|| spool.accept(request(), now)).unwrap();
    let left = engine.left("{convertd}:u:");
    assert!(left > 60, "the upload is kept for {left} s");
    finish(store.next().unwrap());
    assert!(store.next().is_none(), "it was accepted twice");
}
