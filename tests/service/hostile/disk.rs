//! Disks that are full, read-only, gone, or owned by another user.

use super::{assert_sound, pictures};
use crate::{
    harness::{Server, TempDir, command, wait_for},
    tools,
};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

/// A small file system, which is unmounted when this value is dropped.
struct Disk(TempDir);

impl Disk {
    /// Mounts a file system. If the test has no right to do so, returns `None` and prints a message.
    fn of_size(size: &str) -> Option<Self> {
        let dir = TempDir::new();
        let mounted = Command::new("mount")
            .args([
                "-t",
                "tmpfs",
                "-o",
                &format!("size={size}"),
                "convertd-test",
            ])
            .arg(dir.path())
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            Some(Self(dir))
        } else {
            tools::lacking("the right to mount a tmpfs with mount(8)");
            None
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

#[test]
fn the_service_recovers_from_a_full_disk_without_losses() {
    let Some(disk) = Disk::of_size("16m") else {
        return;
    };
    let server = Server::with(&format!(
        "--data-dir {}",
        disk.path().join("data").display()
    ))
    .start();
    let kept = server.convert(&pictures::png(100, 100), "kept.png", "bmp");
    assert_eq!(kept.status, 200);

    // An upload that announces its length is refused before the server reads it.
    let refused = server.convert(&pictures::ppm(20 << 20), "a.ppm", "png");
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.field("retry-after").is_some());

    // A chunked upload fails when the disk is full. A result that is larger than its source fails as well.
    let form = crate::harness::Form::of(&pictures::ppm(20 << 20), "a.ppm", "png");
    let chunked = server.send(crate::harness::Request::form(form).chunked(1 << 16));
    assert_eq!(chunked.status, 507, "{chunked:?}");
    let grown = server.convert(&pictures::plain_png(3000, 3000), "a.png", "bmp");
    assert_eq!(grown.status, 507, "{grown:?}");
    // An accepted conversion fails later, and its status says so.
    let form = crate::harness::Form::of(&pictures::plain_png(3000, 3000), "a.png", "bmp");
    let accepted =
        server.send(crate::harness::Request::form(form).field("Prefer", "respond-async"));
    assert_eq!(accepted.status, 202, "{accepted:?}");
    let path = format!("/api/v1/status/{}", accepted.data("conversion_id"));
    let failed = wait_for("the conversion fails", || {
        let answer = server.get(&path);
        (answer.status != 200).then_some(answer)
    });
    assert!(matches!(failed.status, 500 | 507), "{failed:?}");

    // Another program fills the disk.
    let filler = disk.path().join("filler");
    let mut file = fs::File::create(&filler).unwrap();
    wait_for("health says so", || {
        // The program writes repeatedly, because the service deletes files of the failed conversion in the meantime.
        while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
        (server.get("/api/v1/health").data("status") == "degraded").then_some(())
    });
    drop(file);
    assert_eq!(
        server.convert(&pictures::png(9, 9), "a.png", "bmp").status,
        503
    );
    // An earlier result is still available, and is deleted after its download.
    let url = kept.data("download_url");
    assert_eq!(server.get(&url).status, 200);
    assert_eq!(
        server.status(&kept.data("conversion_id"))["status"],
        "expired"
    );

    fs::remove_file(filler).unwrap();
    wait_for("the service recovers", || {
        (server.get("/api/v1/health").data("status") == "operational").then_some(())
    });
    assert_sound(&server);
}

/// Checks that the program reports an error when it cannot start.
#[track_caller]
fn refuses_to_start(program: &mut Command, dir: &Path) {
    let output = program
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(dir)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    assert!(!output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains(&*dir.to_string_lossy()),
        "it does not name the directory: {stderr}"
    );
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn a_directory_that_cannot_be_used_is_named_at_the_start() {
    let dir = TempDir::new();
    fs::write(dir.path().join("file"), "").unwrap();
    refuses_to_start(&mut command(), &dir.path().join("file"));
    refuses_to_start(&mut command(), Path::new("/proc/convertd"));
    if let Some(disk) = Disk::of_size("4m") {
        let read_only = Command::new("mount")
            .args(["-o", "remount,ro"])
            .arg(disk.path())
            .status();
        assert!(read_only.is_ok_and(|status| status.success()));
        refuses_to_start(&mut command(), &disk.path().join("data"));
    }
    // The directory belongs to another user, and the program runs without privileges.
    if rustix::process::geteuid().is_root() {
        let theirs = dir.path().join("theirs");
        fs::create_dir(&theirs).unwrap();
        let mut unprivileged = Command::new("setpriv");
        unprivileged.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
        // The other user may not have access to the build directory, so the program is copied.
        let copy = dir.path().join("convertd");
        fs::copy(command().get_program(), &copy).unwrap();
        refuses_to_start(unprivileged.arg(copy), &theirs);
    }
}

#[test]
fn a_deleted_directory_is_created_again() {
    let mut server = Server::start();
    let lost = server.convert(&pictures::png(9, 9), "a.png", "bmp");
    fs::remove_dir_all(server.data_dir()).unwrap();
    assert_eq!(server.get(&lost.data("download_url")).status, 500);
    wait_for("the data directory exists again", || {
        let answer = server.convert(&pictures::png(9, 9), "a.png", "bmp");
        assert!(matches!(answer.status, 200 | 500 | 503), "{answer:?}");
        (answer.status == 200).then_some(())
    });
    assert_sound(&server);
    // The directory is created again even without a request. A restart can read the results, because the key is there
    // again.
    fs::remove_dir_all(server.data_dir()).unwrap();
    wait_for("the data directory exists again without a request", || {
        server.data_dir().join("key").exists().then_some(())
    });
    let kept = server.convert(&pictures::png(9, 9), "a.png", "bmp");
    server.terminate();
    server.start_again();
    assert_eq!(server.get(&kept.data("download_url")).status, 200);
    // If the parent directory is missing, the directory cannot be created again.
    fs::remove_dir_all(server.data_dir().parent().unwrap()).unwrap();
    let answer = server.convert(&pictures::png(9, 9), "a.png", "bmp");
    assert!(matches!(answer.status, 500 | 503), "{answer:?}");
    wait_for("health says so", || {
        (server.get("/api/v1/health").data("status") == "degraded").then_some(())
    });
    fs::create_dir_all(server.data_dir().parent().unwrap()).unwrap();
    wait_for("the service recovers", || {
        (server.get("/api/v1/health").data("status") == "operational").then_some(())
    });
    assert_sound(&server);
    assert!(server.process().exited().is_none());
}

#[test]
fn damaged_results_and_keys_are_named() {
    let mut server = Server::start();
    let whole = server.convert(&pictures::png(9, 9), "a.png", "bmp");
    let id = whole.data("conversion_id");
    server.terminate();
    let result = server.data_dir().join(format!("{id}.result"));
    let mut bytes = fs::read(&result).unwrap();
    let last = bytes.len() - 30;
    bytes[last] ^= 1;
    fs::write(&result, bytes).unwrap();
    server.start_again();
    server.wait_for_line("the result is named", |line| {
        line.contains("its result is damaged")
    });
    assert_eq!(server.get(&whole.data("download_url")).status, 404);
    server.terminate();
    fs::write(server.data_dir().join("key"), "not a key").unwrap();
    server.start_again();
    server.wait_for_line("the key is named", |line| line.contains("key is damaged"));
    let next = server.convert(&pictures::png(9, 9), "a.png", "bmp");
    assert_eq!(server.get(&next.data("download_url")).status, 200);
}

#[test]
fn health_is_answered_without_free_descriptors() {
    let mut server = Server::start();
    let id = server.process().id();
    let id = i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    let limit = |current: u64| {
        let rlimit = rustix::process::Rlimit {
            current: Some(current),
            maximum: rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum,
        };
        rustix::process::prlimit(id, rustix::process::Resource::Nofile, rlimit).unwrap()
    };
    wait_for("the server answers and holds its spare descriptors", || {
        (server.get("/api/v1/health").status == 200).then_some(())
    });
    let before = limit(server.process().descriptors() as u64);
    for _ in 0..20 {
        assert_eq!(server.get("/api/v1/health").data("status"), "operational");
    }
    limit(before.current.unwrap());
    assert_sound(&server);
}
