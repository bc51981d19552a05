//! Files that a killed server leaves behind. Every flow is cut off before each of its changes to the disk in turn, and
//! so is the recovery from it. The next start must find one of the valid states, and no file that does not belong to
//! that state.

use super::{
    faults::{self, Plan},
    *,
};

/// The state in which the conversion is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    Unknown,
    Processing,
    Ready,
    Failed,
    Downloaded,
    Expired,
}

fn state(store: &Store, id: &ConversionId, seconds: u64) -> Is {
    match store.status(id, at(seconds)) {
        Status::NotFound => Is::Unknown,
        Status::Processing { .. } => Is::Processing,
        Status::Ready(_) => Is::Ready,
        Status::Failed(_) => Is::Failed,
        Status::Unreachable => unreachable!("a directory is always there"),
        Status::Expired {
            downloaded,
            expires_at,
        } => {
            assert_eq!(expires_at, at(TTL));
            if downloaded {
                Is::Downloaded
            } else {
                Is::Expired
            }
        }
    }
}

/// The files that belong to a conversion in this state. All others are orphans.
fn files(id: &ConversionId, is: Is) -> Vec<String> {
    match is {
        Is::Unknown => vec![],
        Is::Processing => vec![format!("{id}.accepted"), format!("{id}.upload")],
        Is::Ready => vec![format!("{id}.result")],
        Is::Failed => vec![format!("{id}.failed")],
        Is::Downloaded | Is::Expired => vec![],
    }
}

/// Lines of the file of endings about the conversion; repeated lines count once.
fn lines(id: &ConversionId, is: Is) -> Vec<String> {
    match is {
        Is::Downloaded => vec![ending(id, "downloaded")],
        Is::Expired => vec![ending(id, "expired")],
        Is::Unknown | Is::Processing | Is::Ready | Is::Failed => vec![],
    }
}

/// A transition from one state to another. `run` begins at `from`, which is set up without faults.
struct Flow {
    from: Is,
    to: Is,
    run: fn(&Store, Begun),
}

/// A conversion in the state in which a flow begins.
enum Begun {
    Spool(Spool),
    Stored(ConversionId),
}

impl Begun {
    fn at(from: Is, store: &Store) -> (ConversionId, Self) {
        match from {
            Is::Unknown => {
                let spool = uploaded(store);
                (spool.id(), Self::Spool(spool))
            }
            Is::Processing => {
                let spool = accepted(store);
                (spool.id(), Self::Spool(spool))
            }
            Is::Ready => {
                let id = ready(store).id;
                (id, Self::Stored(id))
            }
            Is::Failed => {
                let spool = accepted(store);
                let id = spool.id();
                spool.fail(failure(), at(0));
                (id, Self::Stored(id))
            }
            Is::Downloaded | Is::Expired => unreachable!("no flow begins with an end"),
        }
    }

    fn spool(self) -> Spool {
        match self {
            Self::Spool(spool) => spool,
            Self::Stored(_) => unreachable!("the flow begins with a spool"),
        }
    }

    fn id(&self) -> ConversionId {
        match self {
            Self::Spool(spool) => spool.id(),
            Self::Stored(id) => *id,
        }
    }
}

const FLOWS: &[Flow] = &[
    Flow {
        from: Is::Unknown,
        to: Is::Unknown,
        run: |_, begun| {
            let spool = begun.spool();
            let _ = convert(&spool);
        },
    },
    Flow {
        from: Is::Unknown,
        to: Is::Ready,
        run: |_, begun| {
            let spool = begun.spool();
            if convert(&spool).is_ok() {
                let _ = spool.commit(request(), outcome(), at(0));
            }
        },
    },
    Flow {
        from: Is::Unknown,
        to: Is::Processing,
        run: |_, begun| {
            let _ = begun.spool().accept(request(), at(0));
        },
    },
    Flow {
        from: Is::Processing,
        to: Is::Ready,
        run: |_, begun| {
            let spool = begun.spool();
            if convert(&spool).is_ok() {
                let _ = spool.commit(request(), outcome(), at(0));
            }
        },
    },
    Flow {
        from: Is::Processing,
        to: Is::Failed,
        run: |_, begun| {
            let spool = begun.spool();
            let _ = convert(&spool);
            spool.fail(failure(), at(0));
        },
    },
    Flow {
        from: Is::Ready,
        to: Is::Downloaded,
        run: |store, begun| {
            download(store, &begun.id());
        },
    },
    Flow {
        from: Is::Ready,
        to: Is::Expired,
        run: |store, _| {
            store.sweep(at(TTL));
        },
    },
    Flow {
        from: Is::Failed,
        to: Is::Expired,
        run: |store, _| {
            store.sweep(at(TTL));
        },
    },
];

/// Cuts a flow off at a change, or lets that change fail. Returns the store, the conversion, and whether the flow
/// reached the change.
fn cut(dir: &Dir, flow: &Flow, plan: Plan) -> (Store, ConversionId, bool) {
    let store = dir.store();
    let (id, begun) = Begun::at(flow.from, &store);
    faults::set(plan);
    (flow.run)(&store, begun);
    let cut = matches!(faults::plan(), Plan::Work | Plan::DieAfter(0));
    (store, id, cut)
}

/// Checks that the directory holds the files that belong to the state which the store reports, and no others.
#[track_caller]
fn check_whole(dir: &Dir, store: &Store, id: &ConversionId, allowed: &[Is], context: &str) {
    let is = state(store, id, 0);
    assert!(allowed.contains(&is), "{context}: {is:?}");
    assert_eq!(dir.tree(), files(id, is), "{context}: {is:?}");
    match is {
        Is::Ready => assert_eq!(content(&claim(store, id)), OUTPUT, "{context}"),
        Is::Processing => {
            let upload = dir.path().join(format!("{id}.upload"));
            assert_eq!(fs::read(upload).unwrap(), UPLOAD, "{context}");
        }
        Is::Downloaded | Is::Expired | Is::Unknown | Is::Failed => {}
    }
    let mut endings = dir.endings();
    endings.dedup();
    assert_eq!(endings, lines(id, is), "{context}: {is:?}");
}

#[test]
fn a_kill_at_any_point_leaves_the_state_before_or_the_one_after() {
    for flow in FLOWS {
        let mut finished = false;
        for step in 0.. {
            let dir = Dir::new();
            let (store, id, killed) = cut(&dir, flow, Plan::DieAfter(step));
            drop(store);
            faults::set(Plan::Work);
            let (store, spools) = dir.open(at(0));
            let context = format!("{:?} to {:?}, killed after {step}", flow.from, flow.to);
            let allowed: &[Is] = if killed {
                &[flow.from, flow.to]
            } else {
                &[flow.to]
            };
            check_whole(&dir, &store, &id, allowed, &context);
            let processing = state(&store, &id, 0) == Is::Processing;
            assert_eq!(spools.len(), usize::from(processing), "{context}");
            for spool in spools {
                convert(&spool).unwrap();
                spool.commit(request(), outcome(), at(0)).unwrap();
                store.sweep(at(0));
                check_whole(&dir, &store, &id, &[Is::Ready], &context);
            }
            if !killed {
                finished = true;
                break;
            }
        }
        assert!(finished);
    }
}

#[test]
fn a_kill_during_recovery_is_recovered_from() {
    for flow in FLOWS {
        'steps: for step in 0.. {
            for second in 0.. {
                let dir = Dir::new();
                let (store, id, killed) = cut(&dir, flow, Plan::DieAfter(step));
                drop(store);
                faults::set(Plan::DieAfter(second));
                drop(Store::open(dir.settings(), at(0)));
                let killed_again = faults::plan() == Plan::DieAfter(0);
                faults::set(Plan::Work);
                let (store, _spools) = dir.open(at(0));
                let context = format!(
                    "{:?} to {:?}, killed after {step}, then {second}",
                    flow.from, flow.to
                );
                check_whole(&dir, &store, &id, &[flow.from, flow.to], &context);
                if !killed_again {
                    if !killed {
                        break 'steps;
                    }
                    break;
                }
            }
        }
    }
}

#[test]
fn the_running_server_recovers_from_one_failed_change() {
    for flow in FLOWS {
        for step in 0.. {
            let dir = Dir::new();
            let (store, id, failed) = cut(&dir, flow, Plan::FailOnceAfter(step));
            faults::set(Plan::Work);
            let context = format!("{:?} to {:?}, failed after {step}", flow.from, flow.to);
            let is = state(&store, &id, 0);
            store.sweep(at(0));
            assert_eq!(state(&store, &id, 0), is, "{context}");
            // A conversion whose result could not be stored has failed.
            let allowed = [flow.from, flow.to, Is::Failed];
            assert!(allowed.contains(&is), "{context}: {is:?}");
            drop(store);
            let (store, _spools) = dir.open(at(0));
            check_whole(&dir, &store, &id, &[is], &context);
            if !failed {
                break;
            }
        }
    }
}

#[test]
fn files_that_only_a_bad_disk_can_leave_are_removed() {
    #[track_caller]
    fn check(damage: impl Fn(&dyn Fn(&str) -> PathBuf), left: Is) {
        let dir = Dir::new();
        let id = ready(&dir.store()).id;
        damage(&|name| dir.path().join(name.replace("ID", &id.to_string())));
        check_whole(&dir, &dir.store(), &id, &[left], "damaged");
    }
    let write = |name: &'static str, bytes: &'static [u8]| {
        move |path: &dyn Fn(&str) -> PathBuf| fs::write(path(name), bytes).unwrap()
    };
    let alter = |change: fn(&mut Vec<u8>)| {
        move |path: &dyn Fn(&str) -> PathBuf| {
            let mut bytes = fs::read(path("ID.result")).unwrap();
            change(&mut bytes);
            fs::write(path("ID.result"), bytes).unwrap();
        }
    };
    check(|_| {}, Is::Ready);
    check(write("ID.result", b""), Is::Unknown);
    check(write("ID.result", b"short"), Is::Unknown);
    check(alter(|bytes| bytes.truncate(bytes.len() - 1)), Is::Unknown);
    check(alter(|bytes| bytes.push(0)), Is::Unknown);
    check(alter(|bytes| bytes.fill(0)), Is::Unknown);
    check(
        alter(|bytes| bytes.splice(..0, [0]).for_each(drop)),
        Is::Unknown,
    );
    check(alter(|bytes| drop(bytes.drain(..1))), Is::Unknown);
    // The length of the record.
    check(
        alter(|bytes| {
            let at = bytes.len() - 8;
            bytes[at..at + 4].fill(255);
        }),
        Is::Unknown,
    );
    check(
        |path| fs::remove_file(path("ID.result")).unwrap(),
        Is::Unknown,
    );
    check(|path| fs::remove_file(path("key")).unwrap(), Is::Unknown);
    check(write("key", b"no key"), Is::Unknown);
    check(write("incoming/ID.failed", b"torn"), Is::Ready);
    check(write("incoming/ID.result", b"late"), Is::Ready);
    check(write("ID.upload", b"late"), Is::Ready);
    check(write("ID.accepted", b"late"), Is::Ready);
    check(write("ID.attempts", b"\0\0"), Is::Ready);
}

#[test]
fn invalid_records_are_removed() {
    #[track_caller]
    fn check(extension: &str, bytes: &[u8]) {
        let dir = Dir::new();
        let store = dir.store();
        let spool = accepted(&store);
        let id = spool.id();
        if extension == "failed" {
            spool.fail(failure(), at(0));
        } else {
            drop(spool);
        }
        drop(store);
        fs::write(dir.path().join(format!("{id}.{extension}")), bytes).unwrap();
        check_whole(&dir, &dir.store(), &id, &[Is::Unknown], extension);
    }
    for extension in ["accepted", "failed"] {
        check(extension, b"");
        check(extension, b"{}");
        check(extension, "[".repeat(100_000).as_bytes());
        check(extension, &vec![b' '; 5 << 20]);
    }
}

#[test]
fn a_long_record_is_read_back() {
    let dir = Dir::new();
    let store = dir.store();
    let spool = uploaded(&store);
    convert(&spool).unwrap();
    let outcome = Outcome {
        notes: vec!["note ".repeat(100); 20],
        ..outcome()
    };
    let record = spool.commit(request(), outcome, at(0)).unwrap();
    drop(store);
    assert_eq!(dir.store().peek(&record.id, at(0)), Ok(record));
}

#[test]
fn a_download_counts_more_than_an_expiry() {
    for words in [["expired", "downloaded"], ["downloaded", "expired"]] {
        let dir = Dir::new();
        let id = ready(&dir.store()).id;
        let lines = words.map(|word| format!("{}\n", ending(&id, word)));
        fs::write(dir.path().join("ended/log"), lines.concat()).unwrap();
        let store = dir.store();
        assert_eq!(state(&store, &id, 0), Is::Downloaded);
        assert!(dir.tree().is_empty());
    }
}

#[test]
fn a_torn_line_does_not_affect_other_lines() {
    let dir = Dir::new();
    let store = dir.store();
    let [first, second] = [(); 2].map(|()| ready(&store).id);
    download(&store, &first);
    drop(store);
    let path = dir.path().join("ended/log");
    let torn = format!(
        "{}\n\0\u{e9}\n{} downl",
        ending(&first, "downloaded"),
        second
    );
    fs::write(&path, torn).unwrap();
    let store = dir.store();
    assert_eq!(state(&store, &first, 0), Is::Downloaded);
    assert_eq!(state(&store, &second, 0), Is::Ready);
    download(&store, &second);
    drop(store);
    let store = dir.store();
    assert_eq!(state(&store, &first, 0), Is::Downloaded);
    assert_eq!(state(&store, &second, 0), Is::Downloaded);
}

#[test]
fn the_file_of_endings_does_not_grow_without_end() {
    let dir = Dir::new();
    let store = dir.store();
    let kept = ready(&store).id;
    download(&store, &kept);
    drop(store);
    let path = dir.path().join("ended/log");
    let old = |number: u32| format!("{number:08x}-0000-4000-8000-000000000000 expired 1000\n");
    let stale: String = (0..20_000).map(old).collect();
    let before = fs::read_to_string(&path).unwrap();
    fs::write(&path, before + &stale).unwrap();
    let store = dir.store();
    assert_eq!(dir.endings().len(), 1, "forgotten by the first sweep");
    assert_eq!(state(&store, &kept, 0), Is::Downloaded);
    drop(store);
    assert_eq!(state(&dir.store(), &kept, 0), Is::Downloaded);
}
