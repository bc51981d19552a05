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
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
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

    /// A store on this engine, with a script of its own.
    fn store(&self, dir: &Dir, script: &str) -> Store {
        let sharing = shared::Settings {
            target: format!("redis://127.0.0.1:{}", self.port).parse().unwrap(),
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
