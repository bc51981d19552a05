//! Every pair on the command line: one call for each target, with all files that can be converted to the target. Also a
//! watched folder.

use crate::{
    catalogue::{formats, nothing_is, on_threads},
    files::Files,
    harness::{Process, Server, TempDir, command, wait_for},
};
use std::{collections::BTreeMap, fs, process::Stdio};

#[test]
fn every_pair_converts() {
    let server = Server::start();
    let formats = formats(&server);
    let files = Files::of_each(&server, &formats);
    drop_in_order(server);
    // Each target needs one call for each field that makes pages small.
    let mut calls = BTreeMap::<_, Vec<&str>>::new();
    for to in &formats {
        for from in &to.sources {
            let call = calls.entry((&to.name, to.small(from)));
            call.or_default().push(from);
        }
    }
    let calls: Vec<_> = calls.into_iter().collect();
    let wrong = on_threads(
        &calls,
        || (),
        |(), ((to, small), sources)| {
            let dir = TempDir::new();
            for from in sources {
                let place = dir.path().join(format!("{from}-file.{from}"));
                fs::write(place, files.of(&formats, from, to)).unwrap();
            }
            let inputs = sources.iter().map(|from| format!("{from}-file.{from}"));
            let option = small.strip_prefix('&').map(|field| ["--option", field]);
            let output = command()
                .arg("convert")
                .args(inputs)
                .args(["--to", to, "--out-dir", "out"])
                .args(option.iter().flatten())
                .current_dir(dir.path())
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let made = fs::read_dir(dir.path().join("out")).map_or(0, Iterator::count);
            let stderr = String::from_utf8_lossy(&output.stderr);
            match output.status.success() && made == sources.len() {
                true => Ok(()),
                false => Err(format!("{to}{small}: {made} of {sources:?}: {stderr}")),
            }
        },
    );
    nothing_is(&wrong, calls.len());
}

/// Ends a server that is not needed any more, so that it does not disturb the measurements of later tests.
fn drop_in_order(mut server: Server) {
    server.terminate();
}

#[test]
fn a_file_becomes_another_by_pipes_and_by_names() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("a.md"), "# Title\n\nwords\n").unwrap();
    let run = |arguments: &str| {
        let status = command()
            .args(arguments.split(' '))
            .current_dir(dir.path())
            .stdin(Stdio::null())
            .status();
        assert!(status.unwrap().success(), "{arguments}");
    };
    run("convert a.md a.pdf --option title=T");
    run("convert a.pdf locked.pdf --option encrypt=secret");
    run("convert locked.pdf a.txt --option password=secret");
    assert!(fs::read_to_string(at("a.txt")).unwrap().contains("words"));
    let output = command()
        .args(["convert", "-", "-", "--to", "txt"])
        .current_dir(dir.path())
        .stdin(fs::File::open(at("a.pdf")).unwrap())
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("words"),
        "{output:?}"
    );
    for arguments in [
        "--version",
        "formats",
        "formats --json",
        "licences",
        "man",
        "help",
        "completions bash",
    ] {
        run(arguments);
    }
}

#[test]
fn a_folder_is_watched() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("in")).unwrap();
    let child = command()
        .args(["watch", "in", "out", "--to", "pdf"])
        .current_dir(dir.path())
        .stderr(Stdio::null())
        .spawn();
    let mut watching = Process::new(child.unwrap());
    fs::write(at("in/a.md"), "words\n").unwrap();
    fs::write(at("in/b.csv"), "a,b\n1,2\n").unwrap();
    for name in ["out/a.pdf", "out/b.pdf", "out/originals/a.md"] {
        wait_for(name, || at(name).exists().then_some(()));
    }
    watching.signal(rustix::process::Signal::TERM);
    let status = wait_for("the watch ends", || watching.exited());
    assert!(status.success(), "{status}");
}
