//! Data directories of earlier versions, which had a directory for each conversion.

use super::{
    faults::{self, Plan},
    *,
};

/// Writes a conversion as an earlier version would have left it. `state` and `more` are the state in the record and its
/// further fields.
fn old(dir: &Dir, state: &str, more: &str, files: &[(&str, &[u8])]) -> ConversionId {
    let id = ConversionId::random().unwrap();
    let home = dir.path().join(id.to_string());
    fs::create_dir_all(&home).unwrap();
    let record = format!(r#"{{"state":"{state}","id":"{id}",{more}}}"#);
    fs::write(home.join("record.json"), record).unwrap();
    for (name, bytes) in files {
        fs::write(home.join(name), bytes).unwrap();
    }
    id
}

const TERM: &str = r#""created_at":1700000000,"expires_at":1700001800"#;

fn old_ready(dir: &Dir, files: &[(&str, &[u8])]) -> ConversionId {
    let more = format!(
        r#""original_filename":"a.png","original_format":"png","target_format":"jpeg","media_type":"image/jpeg",
        "file_size":10,"conversion_time":0.5,"notes":[],{TERM}"#
    );
    old(dir, "ready", &more, files)
}

fn old_processing(dir: &Dir) -> ConversionId {
    let more = r#""attempts":2,"request":{"original_filename":"holiday.png","original_format":"png",
        "target_format":"jpeg","quality":"high","options":[["width","100"]],"media_type":"image/jpeg"}"#;
    old(
        dir,
        "processing",
        more,
        &[("upload", UPLOAD), ("output", b"half")],
    )
}

fn old_failed(dir: &Dir) -> ConversionId {
    let more = format!(
        r#""failure":{{"kind":"BadInput","message":"the file is not a readable PNG"}},{TERM}"#
    );
    old(dir, "failed", &more, &[])
}

#[test]
fn every_state_is_taken_over_whatever_crash_interrupts_it() {
    let mut finished = false;
    for step in 0.. {
        let dir = Dir::new();
        drop(dir.store());
        let (waiting, failed) = (old_processing(&dir), old_failed(&dir));
        let done = old_ready(
            &dir,
            &[
                ("output", OUTPUT),
                ("upload", b"late"),
                ("record.json.tmp", b"x"),
            ],
        );
        fs::create_dir_all(dir.path().join(format!("incoming/{done}"))).unwrap();
        fs::write(dir.path().join(format!("incoming/{done}/output.part")), "x").unwrap();
        faults::set(Plan::DieAfter(step));
        drop(Store::open(dir.settings(), at(0)));
        let killed = faults::plan() == Plan::DieAfter(0);
        faults::set(Plan::Work);
        let (store, spools) = dir.open(at(0));
        let [spool] = <[Spool; 1]>::try_from(spools).ok().unwrap();
        assert_eq!((spool.id(), spool.attempts()), (waiting, 2));
        assert_eq!(spool.request(), Some(&request()));
        let mut upload = Vec::new();
        spool
            .open_upload()
            .unwrap()
            .read_to_end(&mut upload)
            .unwrap();
        assert_eq!(upload, UPLOAD);
        assert_eq!(store.status(&failed, at(0)), Status::Failed(failure()));
        assert_eq!(content(&claim(&store, &done)), OUTPUT);
        let mut files = vec![
            format!("{waiting}.accepted"),
            format!("{waiting}.attempts"),
            format!("{waiting}.upload"),
            format!("{failed}.failed"),
            format!("{done}.result"),
        ];
        files.sort();
        assert_eq!(dir.tree(), files, "killed after {step}");
        if !killed {
            finished = true;
            break;
        }
    }
    assert!(finished);
}

#[test]
fn damaged_conversions_are_not_taken_over() {
    #[track_caller]
    fn check(files: &[(&str, &[u8])]) {
        let dir = Dir::new();
        drop(dir.store());
        let id = old_ready(&dir, files);
        let store = dir.store();
        assert_eq!(store.status(&id, at(0)), Status::NotFound);
        assert!(dir.tree().is_empty());
    }
    check(&[]);
    check(&[("output", b"short")]);
    check(&[("output", b"much longer than it was")]);
    check(&[("output", OUTPUT), ("record.json", b"{}")]);
    check(&[("output", OUTPUT), ("record.json", b"")]);
}

#[test]
fn endings_that_were_files_are_taken_over() {
    let dir = Dir::new();
    let id = ready(&dir.store()).id;
    let files = ["expired", "downloaded"].map(|word| dir.path().join(format!("ended/{id}.{word}")));
    for path in &files {
        fs::File::create(path)
            .unwrap()
            .set_modified(at(TTL))
            .unwrap();
    }
    for step in 0..10 {
        faults::set(Plan::DieAfter(step));
        drop(Store::open(dir.settings(), at(0)));
        faults::set(Plan::Work);
    }
    for _ in 0..2 {
        assert_eq!(dir.store().status(&id, at(0)), ended(true));
        assert!(dir.tree().is_empty());
        assert!(!files.iter().any(|path| path.exists()));
    }
}
