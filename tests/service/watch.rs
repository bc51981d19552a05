//! A watched folder: the files that are converted, their results, and the state after kills. Like a person, the tests
//! look only at the files in both folders.

use crate::{
    harness::{TempDir, program, resident_kib, wait_for},
    samples::{self, identify},
    tools,
};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, File},
    io::Write,
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// A folder to watch, a folder for the results, and the program that watches.
pub(crate) struct Watched {
    dir: TempDir,
    arguments: Vec<String>,
    process: Option<Child>,
}

impl Watched {
    pub(crate) fn new(arguments: &str) -> Self {
        let dir = TempDir::new();
        fs::create_dir(dir.path().join("in")).unwrap();
        let mut watched = Self {
            dir,
            arguments: arguments.split_whitespace().map(str::to_owned).collect(),
            process: None,
        };
        watched.start();
        watched
    }

    fn start(&mut self) {
        self.start_with(&[]);
    }

    fn start_with(&mut self, variables: &[(&str, &str)]) {
        let mut options = File::options();
        let log = options.create(true).append(true);
        let log = log.open(self.dir.path().join("log")).unwrap();
        let process = Command::new(program())
            .args(["watch", "in", "out"])
            .args(&self.arguments)
            .envs(variables.iter().copied())
            .current_dir(self.dir.path())
            .stderr(Stdio::from(log))
            .spawn();
        self.process = Some(process.unwrap());
    }

    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file into the folder, and creates the folders above it.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        let place = self.at("in").join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, bytes).unwrap();
    }

    #[track_caller]
    pub(crate) fn wait(&self, name: &str) -> Vec<u8> {
        let place = self.at(name);
        wait_for(&format!("{name}; there is {:?}", self.all("")), || {
            fs::read(&place).ok()
        })
    }

    /// Paths of all files below a folder, except hidden ones.
    fn all(&self, folder: &str) -> Vec<String> {
        let root = self.at(folder);
        let (mut found, mut open) = (Vec::new(), vec![root.clone()]);
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).unwrap().flatten() {
                let path = entry.path();
                if entry.file_name().as_bytes().starts_with(b".") {
                } else if entry.file_type().unwrap().is_dir() {
                    open.push(path);
                } else {
                    let path = path.strip_prefix(&root).unwrap();
                    found.push(path.to_string_lossy().into_owned());
                }
            }
        }
        found.sort();
        found
    }

    /// Resident memory of the program, in KiB.
    pub(crate) fn resident_kib(&self) -> u64 {
        let process = self.process.as_ref().expect("it runs");
        resident_kib(process.id())
    }

    fn log(&self) -> String {
        fs::read_to_string(self.at("log")).unwrap_or_default()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.kill();
    }
}

fn picture() -> Vec<u8> {
    samples::ppm(30, 20)
}

#[test]
fn new_files_are_converted_and_moved_away() {
    let watched = Watched::new("--to png --quality low");
    watched.put("a.ppm", &picture());
    watched.put("deep/er/b.ppm", &picture());
    watched.put("bad.jpg", b"\xff\xd8\xff\xe0 and no more");
    watched.put("x.rar", b"Rar!\x1a\x07\x01\0");
    assert_eq!(identify(&watched.wait("out/a.png")), "png");
    assert_eq!(identify(&watched.wait("out/deep/er/b.png")), "png");
    assert_eq!(watched.wait("out/originals/deep/er/b.ppm"), picture());
    let why = String::from_utf8(watched.wait("in/x.rar.error.txt")).unwrap();
    assert!(why.contains("a RAR archive"), "{why}");
    watched.wait("in/bad.jpg.error.txt");
    // Another file with the same name replaces no result and no original.
    watched.put("a.ppm", &samples::ppm(9, 9));
    watched.wait("out/a (2).png");
    watched.wait("out/originals/a (2).ppm");
    // A failed file is tried again after it has changed. If it succeeds, the text about its error is removed.
    watched.put("bad.jpg", &picture());
    watched.wait("out/bad.png");
    wait_for("the text to go", || {
        (watched.all("in") == ["x.rar", "x.rar.error.txt"]).then_some(())
    });
    let expected = [
        "a (2).png",
        "a.png",
        "bad.png",
        "deep/er/b.png",
        "originals/a (2).ppm",
        "originals/a.ppm",
        "originals/bad.jpg",
        "originals/deep/er/b.ppm",
    ];
    assert_eq!(watched.all("out"), expected);
}

#[test]
fn originals_are_deleted_or_kept_as_the_option_says() {
    let watched = Watched::new("--to png --originals delete");
    watched.put("a.ppm", &picture());
    watched.wait("out/a.png");
    wait_for("the original to go", || {
        watched.all("in").is_empty().then_some(())
    });
    assert_eq!(watched.all("out"), ["a.png"]);

    let mut watched = Watched::new("--to png --originals keep");
    watched.put("a.ppm", &picture());
    watched.wait("out/a.png");
    // After a restart, the program does not convert this file again, even if somebody has removed the result.
    wait_for("the conversion to be logged", || {
        watched.log().contains("became").then_some(())
    });
    watched.kill();
    fs::remove_file(watched.at("out/a.png")).unwrap();
    watched.start();
    watched.put("b.ppm", &picture());
    watched.wait("out/b.png");
    assert_eq!(watched.all("out"), ["b.png"]);
    // The result of a new version replaces the result of the old version.
    let before = watched.wait("out/b.png");
    watched.put("b.ppm", &samples::ppm(40, 40));
    wait_for("the new result", || {
        (watched.wait("out/b.png") != before).then_some(())
    });
    assert_eq!(watched.all("out"), ["b.png"]);
    assert_eq!(watched.all("in"), ["a.ppm", "b.ppm"]);
}

#[test]
fn folder_names_set_the_format() {
    let watched = Watched::new("");
    watched.put("to-png/a.ppm", &picture());
    watched.put("to-png/to-gif/sub/b.ppm", &picture());
    watched.put("to-nothing/c.ppm", &picture());
    watched.put("d.ppm", &picture());
    assert_eq!(identify(&watched.wait("out/to-png/a.png")), "png");
    assert_eq!(
        identify(&watched.wait("out/to-png/to-gif/sub/b.gif")),
        "gif"
    );
    let why = String::from_utf8(watched.wait("in/to-nothing/c.ppm.error.txt")).unwrap();
    assert!(why.contains("\"nothing\""), "{why}");
    // An original is moved away shortly after its result exists.
    let left = ["d.ppm", "to-nothing/c.ppm", "to-nothing/c.ppm.error.txt"];
    wait_for("the converted files to be removed", || {
        (watched.all("in") == left).then_some(())
    });
}

#[test]
fn links_pipes_and_unfinished_files_are_left_alone() {
    let watched = Watched::new("--to png");
    let inside = watched.at("in");
    let odd = inside.join(OsStr::from_bytes(b"odd\xff\x1b[2J\n.ppm"));
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        inside.join("fifo.ppm"),
        rustix::fs::Mode::RUSR,
    )
    .unwrap();
    symlink(".", inside.join("loop")).unwrap();
    symlink("/etc/hostname", inside.join("link.txt")).unwrap();
    watched.put("half.ppm.part", &picture());
    let mut growing = File::create(inside.join("growing.ppm")).unwrap();
    fs::write(&odd, picture()).unwrap();
    // This file changes all the time, and others are converted in the meantime.
    wait_for("the file with the odd name to be converted", || {
        growing.write_all(b"x").unwrap();
        let place = watched
            .at("out")
            .join(OsStr::from_bytes(b"odd\xff\x1b[2J\n.png"));
        fs::read(place).ok()
    });
    // The result exists before its original is moved.
    wait_for("the original to be moved away", || {
        (!odd.exists()).then_some(())
    });
    let left = watched.all("in");
    assert_eq!(
        left,
        [
            "fifo.ppm",
            "growing.ppm",
            "half.ppm.part",
            "link.txt",
            "loop"
        ]
    );
    assert!(!watched.log().contains('\x1b'));
}

#[test]
fn nested_folders_are_refused() {
    let dir = TempDir::new();
    fs::create_dir_all(dir.path().join("in/sub")).unwrap();
    symlink("in/sub", dir.path().join("link")).unwrap();
    #[track_caller]
    fn check(dir: &TempDir, arguments: &[&str], code: i32, words: &str) {
        let output = Command::new(program())
            .arg("watch")
            .args(arguments)
            .current_dir(dir.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
    check(
        &dir,
        &["in", "in/out", "--to", "png"],
        2,
        "two separate folders",
    );
    check(
        &dir,
        &["in", "link", "--to", "png"],
        2,
        "two separate folders",
    );
    check(
        &dir,
        &["in", "in", "--to", "png"],
        2,
        "two separate folders",
    );
    check(
        &dir,
        &["in/sub", "in", "--to", "png"],
        2,
        "two separate folders",
    );
    check(&dir, &["nowhere", "out", "--to", "png"], 1, "nowhere");
    check(&dir, &["in", "out", "--to", "xyz"], 2, "xyz");
    check(
        &dir,
        &["in", "out", "--originals", "burn"],
        2,
        "move, delete, keep",
    );
    check(&dir, &["in"], 2, "one for the results");
    check(&dir, &["in", "out", "--queue", "1"], 2, "--queue");
    check(&dir, &["in", "out", "--settle", "-1"], 2, "--settle");
    check(&dir, &["in", "out", "--ignore", ""], 2, "--ignore");
}

#[test]
fn a_result_folder_is_locked_by_one_watch() {
    let watched = Watched::new("--to png");
    wait_for("the watch starts", || {
        watched.log().contains("watching").then_some(())
    });
    let other = Command::new(program())
        .args(["watch", "in", "out", "--to", "png"])
        .current_dir(watched.dir.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8(other.stderr).unwrap();
    assert_eq!(other.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("another watch"), "{stderr}");
}

#[test]
fn a_folder_has_at_most_one_watch_that_moves_files() {
    let watched = Watched::new("--to png --originals keep");
    wait_for("the watch starts", || {
        watched.log().contains("watching").then_some(())
    });
    let start = |arguments: &[&str]| {
        Command::new(program())
            .args(["watch", "in"])
            .args(arguments)
            .current_dir(watched.dir.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let other = start(&["other", "--to", "gif"]).wait_with_output().unwrap();
    let stderr = String::from_utf8(other.stderr).unwrap();
    assert_eq!(other.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("--originals keep"), "{stderr}");
    // Programs that keep the originals may watch the same folder.
    let mut other = start(&["other", "--to", "gif", "--originals", "keep"]);
    watched.put("a.ppm", &picture());
    watched.wait("out/a.png");
    watched.wait("other/a.gif");
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn the_watch_waits_for_files_that_are_being_written() {
    let watched = Watched::new("--to png --originals delete --settle 0");
    let whole = samples::ppm(60, 50);
    let (page, rest) = whole.split_at(whole.len() / 2);
    let mut scan = File::create(watched.at("in/scan.ppm")).unwrap();
    scan.write_all(page).unwrap();
    // The scanner pauses in the middle of its file while other files are converted.
    for name in ["a", "b", "c"] {
        watched.put(&format!("{name}.ppm"), &picture());
        watched.wait(&format!("out/{name}.png"));
    }
    wait_for("all files but the open one to be moved away", || {
        (watched.all("in") == ["scan.ppm"]).then_some(())
    });
    assert_eq!(watched.all("out"), ["a.png", "b.png", "c.png"]);
    scan.write_all(rest).unwrap();
    drop(scan);
    let result = watched.wait("out/scan.png");
    assert_eq!(result[16..24], [0, 0, 0, 60, 0, 0, 0, 50]);
    wait_for("the original to go", || {
        watched.all("in").is_empty().then_some(())
    });
    assert_eq!(watched.all("out").len(), 4);
}

#[test]
fn names_of_the_maximum_length_do_not_affect_other_files() {
    let watched = Watched::new("--to jpeg --settle 0");
    let (good, bad) = ("g".repeat(251) + ".ppm", "b".repeat(251) + ".ppm");
    watched.put(&bad, b"P6 and no more");
    watched.put(&good, &picture());
    let cut = "g".repeat(250) + ".jpeg";
    watched.wait(&format!("out/{cut}"));
    watched.put("after.ppm", &picture());
    watched.wait("out/after.jpeg");
    let texts = || {
        let names = watched.all("in").into_iter();
        names
            .filter(|name| name.ends_with(".error.txt"))
            .collect::<Vec<_>>()
    };
    let text = wait_for("a file with the error", || texts().pop());
    assert_eq!(text.len(), 255);
    let message = fs::read_to_string(watched.at("in").join(&text)).unwrap();
    assert!(message.starts_with(&bad), "{message}");
    for name in ["after.ppm", &good] {
        watched.wait(&format!("out/originals/{name}"));
    }
    assert_eq!(watched.log().matches(&format!("{bad}: ")).count(), 1);
}

#[test]
fn folders_that_are_created_again_are_used() {
    let watched = Watched::new("--to png --settle 0");
    let rename = |from: &str, to: &str| fs::rename(watched.at(from), watched.at(to)).unwrap();
    watched.put("a.ppm", &picture());
    watched.wait("out/originals/a.ppm");
    rename("in", "in-before");
    fs::create_dir(watched.at("in")).unwrap();
    watched.put("b.ppm", &picture());
    watched.wait("out/originals/b.ppm");
    // The result folder vanishes, as if it were unmounted. The program creates no folder in its place, and loses no
    // file.
    rename("out", "out-before");
    watched.put("c.ppm", &picture());
    wait_for("the log to report the missing folder", || {
        watched
            .log()
            .contains("waiting for the folder")
            .then_some(())
    });
    assert_eq!(watched.all("in"), ["c.ppm"]);
    fs::create_dir(watched.at("out")).unwrap();
    watched.wait("out/originals/c.ppm");
    assert_eq!(watched.all("out"), ["c.png", "originals/c.ppm"]);
    // Another folder takes the place of the result folder, as if a file system were mounted over it.
    fs::create_dir(watched.at("other")).unwrap();
    rename("out", "out-after");
    rename("other", "out");
    watched.put("d.ppm", &picture());
    watched.wait("out/originals/d.ppm");
    assert_eq!(watched.all("out"), ["d.png", "originals/d.ppm"]);
}

#[test]
fn ignored_files_are_left_alone() {
    let watched = Watched::new("--to png --settle 0 --ignore draft* --ignore old/**.ppm");
    let left = [
        "$RECYCLE.BIN/a.ppm",
        "@eaDir/a.ppm",
        "System Volume Information/a.ppm",
        "a.ppm.crdownload",
        "draft-1.ppm",
        "lost+found/a.ppm",
        "old/deep/a.ppm",
        "~$a.ppm",
    ];
    for name in left {
        watched.put(name, &picture());
    }
    watched.put("z.ppm", &picture());
    watched.wait("out/originals/z.ppm");
    assert_eq!(watched.all("out"), ["originals/z.ppm", "z.png"]);
    assert_eq!(watched.all("in"), left);
}

#[test]
fn more_converters_than_queue_places_fail_no_file() {
    let mut watched = Watched::new("--to png --settle 0 --converters 12");
    watched.kill();
    for number in 0..60 {
        watched.put(&format!("{number}.ppm"), &samples::ppm(20, 20 + number));
    }
    watched.start_with(&[("CONVERTD_QUEUE", "1"), ("CONVERTD_MEMORY", "")]);
    wait_for("all to be converted", || {
        watched.all("in").is_empty().then_some(())
    });
    assert_eq!(watched.all("out").len(), 120);
    assert!(!watched.log().contains("tried again"), "{}", watched.log());
}

/// A picture of 120,000 bytes that cannot be compressed.
fn noise() -> Vec<u8> {
    let mut random = samples::Random::new(1);
    let pixels = (0..200 * 200 * 3).map(|_| random.below(256) as u8);
    let mut picture = b"P6\n200 200\n255\n".to_vec();
    picture.extend(pixels);
    picture
}

#[test]
fn the_watch_waits_while_the_disk_is_full() {
    let dir = TempDir::new();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=300k", "convertd-test"])
        .arg(dir.path())
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        return tools::lacking("the right to mount a tmpfs with mount(8)");
    }
    let mut watched = Watched::new("--to png");
    watched.kill();
    // The program may have been killed before it created the result folder.
    let _ = fs::remove_dir_all(watched.at("out"));
    symlink(dir.path(), watched.at("out")).unwrap();
    fs::write(dir.path().join("filler"), vec![1; 280 << 10]).unwrap();
    watched.start();
    watched.put("a.ppm", &noise());
    wait_for("the log to report the full disk", || {
        watched.log().contains("the disk is full").then_some(())
    });
    assert_eq!(watched.all("in"), ["a.ppm"]);
    fs::remove_file(dir.path().join("filler")).unwrap();
    let result = wait_for("the result", || fs::read(dir.path().join("a.png")).ok());
    assert_eq!(identify(&result), "png");
    watched.kill();
    let _ = Command::new("umount").arg("-l").arg(dir.path()).status();
}

/// Converts many files while the program is killed again and again. `CONVERTD_CRASHES` sets the number of kills.
#[test]
fn kills_lose_nothing_and_duplicate_nothing() {
    let kills: u32 = std::env::var("CONVERTD_CRASHES").map_or(12, |text| text.parse().unwrap());
    let files = 40 * kills;
    let mut watched = Watched::new("--to png --quality low --converters 2 --settle 0");
    let mut expected = BTreeMap::new();
    for number in 0..files {
        let (width, height) = (3 + number % 50, 3 + number / 50);
        watched.put(
            &format!("{}/{number}.ppm", number % 7),
            &samples::ppm(width as usize, height as usize),
        );
        expected.insert(format!("{}/{number}.png", number % 7), (width, height));
    }
    let results = |watched: &Watched| {
        let found = watched.all("out").into_iter();
        found.filter(|name| name.ends_with(".png")).count() as u32
    };
    for kill in 1..=kills {
        // Each run converts some more files, and is killed in the middle of a file.
        let enough = (files * kill) / (kills + 1);
        wait_for("some results", || {
            (results(&watched) >= enough).then_some(())
        });
        watched.kill();
        watched.start();
    }
    wait_for("the folder to be empty", || {
        watched.all("in").is_empty().then_some(())
    });
    let found = watched.all("out");
    let (originals, found): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|name| name.starts_with("originals/"));
    assert_eq!(originals.len() as u32, files);
    let names: Vec<&String> = expected.keys().collect();
    assert_eq!(found.iter().collect::<Vec<_>>(), names);
    for (name, (width, height)) in &expected {
        let bytes = fs::read(watched.at("out").join(Path::new(name))).unwrap();
        let size = [width, height].map(|side| side.to_be_bytes());
        assert_eq!(bytes[16..24], *size.as_flattened(), "{name}");
        assert!(bytes.ends_with(b"IEND\xae\x42\x60\x82"), "{name}");
    }
    let parts = fs::read_dir(watched.at("out/.convertd-watch/parts")).unwrap();
    assert_eq!(parts.count(), 0);
}
