//! Demands beyond the limits of memory and time, and beyond the share of an address. Also a service without keys on a
//! network.

use super::{assert_sound, pictures};
use crate::{
    harness::{Form, Process, Request, Server, command, wait_for},
    tools,
};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::{
    io::{BufRead, BufReader},
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

/// Resident memory of the service and its children, in KiB. Pages of the program's file do not count, because all
/// processes share them.
fn resident(process: &Process) -> u64 {
    let all = process.children().into_iter().chain([process.id()]);
    all.map(resident_of).sum()
}

fn resident_of(pid: u32) -> u64 {
    // The process may already have ended.
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

/// Memory budget of conversions in the tests below, in MiB.
const BUDGET: u64 = 64;

/// Memory that the service may use in addition to the budget, in MiB.
const BESIDE: u64 = 64;

/// Converts sixteen large pictures at the same time, to several formats whose encoders differ. Each conversion needs a
/// large share of the budget, and succeeds or is refused for lack of memory. `watch` is called repeatedly until all
/// conversions have ended.
fn sixteen_at_once(server: &mut Server, mut watch: impl FnMut(&Process) + Send) {
    let source = pictures::plain_png(2500, 2000);
    let targets = ["jpg", "gif", "webp", "tga", "tiff", "bmp", "png", "qoi"];
    let done = AtomicBool::new(false);
    let address = server.address();
    thread::scope(|scope| {
        let jobs: Vec<_> = (0..16)
            .map(|index| {
                let form = Form::of(&source, "large.png", targets[index % targets.len()]);
                scope.spawn(move || {
                    crate::harness::Client::connect(address).send(Request::form(form))
                })
            })
            .collect();
        let (process, done) = (server.process(), &done);
        scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                watch(process);
                thread::sleep(Duration::from_millis(2));
            }
        });
        let answers: Vec<_> = jobs.into_iter().map(|job| job.join()).collect();
        done.store(true, Ordering::Relaxed);
        for (index, answer) in answers.into_iter().enumerate() {
            let answer = answer.expect("an answer");
            assert!(matches!(answer.status, 200 | 400), "{index}: {answer:?}");
            if answer.status == 400 {
                assert!(answer.error().contains("memory"), "{answer:?}");
            }
        }
    });
    assert_sound(server);
}

#[test]
fn memory_stays_within_the_budget() {
    let mut server = Server::with(&format!("--memory {BUDGET}M --converters 4")).start();
    let mut most = 0;
    sixteen_at_once(&mut server, |process| most = most.max(resident(process)));
    let limit = (BUDGET + BESIDE) << 10;
    eprintln!("{most} KiB at the most, with a limit of {limit} KiB");
    assert!(most < limit, "{most} KiB, with a limit of {limit} KiB");
}

/// Like the test above, but in one process for which the kernel limits memory. An allocation beyond the limit would end
/// the service.
#[test]
fn memory_beyond_the_budget_is_not_allocated() {
    let args = format!("--memory {BUDGET}M --converters 4 --isolation thread");
    let mut server = Server::with(&args).start();
    // This value includes the stacks of threads, which are reserved but not used.
    let idle = server.process().data_kib() << 10;
    let most = Rlimit {
        current: Some(idle + ((BUDGET + BESIDE) << 20)),
        maximum: Some(idle + ((BUDGET + BESIDE) << 20)),
    };
    let pid = Pid::from_raw(server.process().id() as i32);
    prlimit(pid, Resource::Data, most).expect("the limit can be set");
    sixteen_at_once(&mut server, |_| ());
    assert!(server.process().exited().is_none());
}

#[test]
fn a_job_beyond_the_whole_budget_is_refused_with_figures() {
    let server = Server::with("--memory 16M").start();
    let answer = server.convert(&pictures::plain_png(4000, 4000), "large.png", "gif");
    assert_eq!(answer.status, 400, "{answer:?}");
    let error = answer.error();
    assert!(error.contains("16 MiB"), "{error}");
    assert_sound(&server);
}

#[test]
fn a_conversion_ends_at_its_time_limit() {
    let server = Server::with("--job-timeout 1 --converters 1").start();
    // The AV1 encoder needs seconds for this many pixels, whatever the picture shows.
    let picture = pictures::plain_png(3000, 3000);
    let form = Form::of(&picture, "large.png", "avif").field("quality", "high");
    let answer = server.submit(form);
    assert_eq!(answer.status, 400, "{answer:?}");
    assert!(answer.error().contains("took longer than"), "{answer:?}");
    assert_sound(&server);
}

#[test]
fn a_client_that_hangs_up_frees_the_converter() {
    hangs_up("");
}

/// Old clients send a line break after the body.
#[test]
fn a_disconnect_after_an_extra_empty_line_is_noticed() {
    hangs_up("\r\n");
    hangs_up("\r\n\r\n\n");
}

#[track_caller]
fn hangs_up(after_form: &str) {
    let mut server = Server::with("--converters 1").start();
    let form = Form::of(pictures::long(), "large.png", "webp").field("quality", "high");
    let mut client = server.connect();
    client.write(Request::form(form).bytes());
    client.write(after_form);
    let child = wait_for("the conversion runs", || {
        let child = *server.process().children().first()?;
        (resident_of(child) > 30 << 10).then_some(child)
    });
    drop(client);
    assert_sound(&server);
    // The service did not wait for the end of the conversion, but ended it.
    let page = server.get("/metrics").body.to_vec();
    let page = String::from_utf8(page).expect("it is text");
    let abandoned = r#"convertd_conversions_total{from="png",to="webp",outcome="abandoned"} 1"#;
    assert!(page.contains(abandoned), "{page}");
    assert!(
        !server.process().children().contains(&child),
        "the old child still runs"
    );
    wait_for("the files of the conversion are deleted", || {
        let files = server.files();
        files
            .iter()
            .all(|file| file.starts_with("ended/"))
            .then_some(())
    });
}

#[test]
fn the_log_warns_of_a_public_service_without_keys() {
    for (args, env, warns) in [
        ("--listen 0.0.0.0:0", None, true),
        ("--listen 0.0.0.0:0", Some("secret"), false),
        ("--listen 127.0.0.1:0", None, false),
    ] {
        let mut setup = Server::with(args);
        if let Some(keys) = env {
            setup = setup.env("CONVERTD_API_KEYS", keys);
        }
        let mut server = setup.start();
        server.terminate();
        let log = server.log();
        let warned = log.iter().any(|line| line.contains("no API keys are set"));
        assert_eq!(warned, warns, "{args} {env:?}: {log:?}");
    }
}

#[test]
fn other_origins_are_allowed_only_by_name() {
    let ask = |server: &Server, method: &str, origin: &str| {
        let request = Request::new(method, "/api/v1/health").field("Origin", origin);
        let answer = server.send(request);
        let allowed = answer
            .field("access-control-allow-origin")
            .map(str::to_owned);
        (answer.status, allowed)
    };
    let closed = Server::start();
    assert_eq!(ask(&closed, "GET", "https://a.example"), (200, None));
    assert_eq!(ask(&closed, "OPTIONS", "https://a.example"), (204, None));
    let open = Server::with("--cors-origin https://a.example,https://b.example").start();
    let named = |origin: &str| Some(origin.to_owned());
    assert_eq!(
        ask(&open, "GET", "https://a.example"),
        (200, named("https://a.example"))
    );
    assert_eq!(
        ask(&open, "OPTIONS", "https://b.example"),
        (204, named("https://b.example"))
    );
    for origin in [
        "https://c.example",
        "https://a.example.evil",
        "null",
        "http://a.example",
    ] {
        assert_eq!(ask(&open, "GET", origin), (200, None), "{origin}");
    }
}

/// Starts the service under a limit that the shell sets. Returns the last line with `words` that the service logs
/// before it listens.
fn started_under(limit: &str, words: &str) -> String {
    let dir = crate::harness::TempDir::new();
    let mut service = std::process::Command::new("bash")
        .args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")])
        .arg(command().get_program())
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(dir.path().join("data"))
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash runs");
    let log = BufReader::new(service.stderr.take().expect("its stderr is a pipe"));
    let mut lines = log.lines().map_while(Result::ok);
    let before_it_listens = lines
        .by_ref()
        .take_while(|line| !line.contains("listening on"));
    let found = before_it_listens.filter(|line| line.contains(words)).last();
    service.kill().expect("it runs");
    service.wait().expect("it ends");
    found.unwrap_or_default()
}

#[test]
fn the_log_warns_of_a_low_limit_on_descriptors() {
    if !crate::tools::has("bash") {
        return;
    }
    let line = started_under("ulimit -n 700", "connections");
    assert!(line.contains("[WARN]") && line.contains("700"), "{line:?}");
    let line = started_under("ulimit -n 20000", "open files");
    assert_eq!(line, "");
}

/// If an operator sets `ulimit -f`, a large upload must not end the service.
#[test]
fn exceeding_a_file_size_limit_fails_only_the_upload() {
    let mut server = Server::start();
    assert_sound(&server);
    let limit = Rlimit {
        current: Some(1 << 20),
        maximum: Some(1 << 20),
    };
    let pid = Pid::from_raw(server.process().id() as i32);
    prlimit(pid, Resource::Fsize, limit).expect("the limit can be set");
    let answer = server.convert(&pictures::ppm(2 << 20), "a.ppm", "png");
    assert_eq!(answer.status, 507, "{answer:?}");
    assert_sound(&server);
}

/// A request that a proxy forwards for this client. The service must trust this machine as a proxy.
fn forwarded(request: Request, client: &str) -> Request {
    request.field("X-Forwarded-For", client)
}

#[test]
fn one_client_does_not_hold_up_the_conversions_of_another() {
    let server = Server::with("--converters 1 --trusted-proxies 127.0.0.1").start();
    let slow = pictures::plain_png(3000, 2000);
    let slow = Form::of(&slow, "slow.png", "webp").field("quality", "high");
    // The client reaches its limit of eight. On a slow disk some conversions end while others are accepted.
    let greedy: Vec<String> = (0..100)
        .map_while(|_| {
            let request = Request::form(slow.clone()).field("Prefer", "respond-async");
            let answer = server.send(forwarded(request, "192.0.2.1"));
            assert!(matches!(answer.status, 202 | 503), "{answer:?}");
            (answer.status == 202).then(|| answer.data("conversion_id"))
        })
        .collect();
    assert!((8..100).contains(&greedy.len()));
    let more = Request::form(Form::of(&pictures::png(8, 8), "a.png", "bmp"));
    // Another client waits only for the running conversion, and not for the waiting conversions of the first client.
    let answer = server.send(forwarded(more, "192.0.2.2"));
    assert_eq!(answer.status, 200, "{answer:?}");
    let processing = greedy
        .iter()
        .filter(|id| server.status(id)["status"] == "processing");
    assert!(processing.count() >= 5);
}

/// A network namespace with an address that is not loopback, which is removed when this value is dropped. `None` if the
/// test has no right to make one.
struct Namespace(String);

impl Namespace {
    fn new() -> Option<Self> {
        let name = format!("convertd-{}", std::process::id());
        let run = |args: &str| {
            let status = std::process::Command::new("ip")
                .args(args.split(' '))
                .stderr(Stdio::null())
                .status();
            status.is_ok_and(|status| status.success())
        };
        if !run(&format!("netns add {name}")) {
            return None;
        }
        let namespace = Self(name);
        let inside = format!("netns exec {} ip", namespace.0);
        let made = run(&format!("{inside} link set lo up"))
            && run(&format!("{inside} addr add 192.0.2.1/24 dev lo"))
            && run(&format!("{inside} addr add 192.0.2.2/24 dev lo"));
        made.then_some(namespace)
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = std::process::Command::new("ip")
            .args(["netns", "del", &self.0])
            .status();
    }
}

#[test]
fn one_address_cannot_take_all_connections() {
    let Some(namespace) = Namespace::new() else {
        return tools::lacking("the right to make a network namespace with ip(8)");
    };
    let dir = crate::harness::TempDir::new();
    let binary = command();
    // The shell uses two addresses, of which one has reached its limit.
    let script = r#"
        "$0" serve --listen 192.0.2.1:8080 --data-dir "$1" --connections-per-address 3 2>"$1.log" &
        server=$!
        until curl -sf --interface 192.0.2.2 http://192.0.2.1:8080/api/v1/health >/dev/null; do sleep 0.05; done
        exec 3<>/dev/tcp/192.0.2.1/8080 4<>/dev/tcp/192.0.2.1/8080 5<>/dev/tcp/192.0.2.1/8080
        sleep 0.3
        curl -s -o /dev/null --max-time 120 http://192.0.2.1:8080/api/v1/health && echo same passes || echo same refused
        curl -s -o /dev/null --max-time 120 --interface 192.0.2.2 http://192.0.2.1:8080/api/v1/health && echo other passes
        "$0" serve --listen 192.0.2.1:8081 --data-dir "$1.more" --conversions-per-address 1 2>>"$1.log" &
        more=$!
        convert() {
            printf 'a,b\n1,2\n' | curl -s -o /dev/null -w '%{http_code}' --max-time 120 "$@" -F 'file=@-;filename=a.nothing' \
                -F target_format=png http://192.0.2.1:8081/api/v1/convert
        }
        until curl -sf http://192.0.2.1:8081/api/v1/health >/dev/null; do sleep 0.05; done
        exec 6<>/dev/tcp/192.0.2.1/8081
        printf 'POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 99\r\n\r\n--' >&6
        sleep 0.3
        # A file that is not a picture gets 400 once it has a turn; without a turn the answer is 503.
        echo same "$(convert)" other "$(convert --interface 192.0.2.2)"
        kill $server $more
        wait $server $more
    "#;
    let output = std::process::Command::new("ip")
        .args(["netns", "exec", &namespace.0, "bash", "-c", script])
        .arg(binary.get_program())
        .arg(dir.path().join("data"))
        .output()
        .expect("ip(8) runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        stdout, "same refused\nother passes\nsame 503 other 400\n",
        "{output:?}"
    );
}
