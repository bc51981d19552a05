//! The files in `examples/deploy`, each tested with the program that uses it. The front ends run with TLS in front of a
//! real service.

use crate::{
    harness::{DEADLINE, Process, Server, TempDir, command, free_port, program, wait_for},
    samples::{self, identify},
    tools,
};
use rustix::process::Signal;
use std::{
    fs,
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The host name in the examples, which operators replace by their own.
const NAME: &str = "convert.example";

fn example(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/deploy");
    folder.join(name)
}

/// An example in which some texts are replaced, as an operator would replace them. Each text must occur in the example.
#[track_caller]
fn adapted(name: &str, replaced: &[(&str, &str)]) -> String {
    let mut text = fs::read_to_string(example(name)).unwrap();
    for (old, new) in replaced {
        assert!(text.contains(old), "{name} has no {old:?}");
        text = text.replace(old, new);
    }
    text
}

/// Runs a program that must succeed, and returns its output.
#[track_caller]
fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{command:?}: {text}");
    text
}

/// A front end that listens on a port of this machine, and ends when this value is dropped.
struct FrontEnd {
    process: Process,
    port: u16,
    certificate: PathBuf,
}

/// Asks the program to end instead of killing it. If nginx were killed, its processes would stay and keep the output of
/// the tests open.
impl Drop for FrontEnd {
    fn drop(&mut self) {
        if self.process.exited().is_none() {
            self.process.signal(Signal::TERM);
        }
        let asked = Instant::now();
        while self.process.exited().is_none() && asked.elapsed() < DEADLINE {
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl FrontEnd {
    #[track_caller]
    fn start(command: &mut Command, port: u16, certificate: PathBuf) -> Self {
        let child = command.stdin(Stdio::null()).spawn().unwrap();
        let mut process = Process::new(child);
        wait_for("the front end listens", || {
            assert!(process.exited().is_none(), "the front end has ended");
            TcpStream::connect(("127.0.0.1", port)).ok()
        });
        Self {
            process,
            port,
            certificate,
        }
    }

    /// A call of curl that trusts only the certificate of this front end. curl prints the content, and the status in
    /// the last line.
    fn curl(&self, path: &str) -> Command {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--max-time", "300"])
            .args(["--write-out", "\n%{http_code}", "--cacert"])
            .arg(&self.certificate)
            .args(["--resolve", &format!("{NAME}:{}:127.0.0.1", self.port)])
            .arg(format!("https://{NAME}:{}{path}", self.port));
        curl
    }

    #[track_caller]
    fn status(&self, path: &str) -> String {
        let answer = succeeds(&mut self.curl(path));
        answer.lines().last().unwrap_or_default().to_owned()
    }

    /// Checks the tasks that every front end has.
    #[track_caller]
    fn check(&self, server: &Server, scratch: &Path) {
        let picture = scratch.join("photo.ppm");
        fs::write(&picture, samples::ppm(64, 48)).unwrap();
        let mut convert = self.curl("/api/v1/convert");
        convert
            .args([
                "-F",
                "target_format=png",
                "-H",
                "X-Forwarded-For: 203.0.113.9",
                "-F",
            ])
            .arg(format!("file=@{}", picture.display()));
        let answer = succeeds(&mut convert);
        let (record, status) = answer.rsplit_once('\n').unwrap();
        assert_eq!(status, "200", "{record}");
        let record: serde_json::Value = serde_json::from_str(record).unwrap();
        let url = record["data"]["download_url"].as_str().unwrap();
        let result = scratch.join("photo.png");
        succeeds(self.curl(url).arg("-o").arg(&result));
        assert_eq!(identify(&fs::read(&result).unwrap()), "png");
        assert_eq!(self.status(url), "404", "a link works once");
        // The front end passes requests for the page on, but not requests for the paths that are meant for operators.
        let page = succeeds(self.curl("/").args(["-H", "Accept: text/html"]));
        assert!(page.contains("<title>") && page.ends_with("\n200"));
        assert_eq!(self.status("/metrics"), "404");
        let head = succeeds(self.curl("/api/v1/health").args(["-D", "-"]));
        for field in ["strict-transport-security:", "x-request-id:"] {
            let found = head
                .lines()
                .any(|line| line.to_lowercase().starts_with(field));
            assert!(found, "no {field} in {head}");
        }
        // The service has logged this request. The proxy itself must therefore have answered the earlier request for
        // `/metrics`.
        server.wait_for_line("the request for health", |line| {
            line.contains("GET /api/v1/health 200")
        });
        assert!(
            !server
                .log()
                .iter()
                .any(|line| line.contains("GET /metrics"))
        );
    }
}

fn service() -> Server {
    let options = format!("--trusted-proxies 127.0.0.1 --allow-host {NAME} --log info");
    Server::with(&options).start()
}

#[test]
fn nginx_forwards_requests_with_tls() {
    if !(tools::has("nginx") && tools::has("curl") && tools::has("openssl")) {
        return;
    }
    let (server, scratch) = (service(), TempDir::new());
    let folder = scratch.path();
    let (certificate, key) = (folder.join("fullchain.pem"), folder.join("key.pem"));
    succeeds(
        Command::new("openssl")
            .args([
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
            ])
            .args(["-subj", "/CN=convert.example"])
            .args(["-addext", "subjectAltName=DNS:convert.example", "-keyout"])
            .arg(&key)
            .arg("-out")
            .arg(&certificate),
    );
    let (plain, port) = (free_port(), free_port());
    let own = adapted(
        "nginx.conf",
        &[
            ("listen 80;", &format!("listen 127.0.0.1:{plain};")),
            ("listen 443 ssl;", &format!("listen 127.0.0.1:{port} ssl;")),
            (
                "http://127.0.0.1:8080",
                &format!("http://{}", server.address()),
            ),
            (
                "/etc/ssl/convert.example/fullchain.pem",
                &certificate.display().to_string(),
            ),
            (
                "/etc/ssl/convert.example/key.pem",
                &key.display().to_string(),
            ),
        ],
    );
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|name| format!("{name}_temp_path {}/{name};\n", folder.display()))
        .collect();
    let whole = format!(
        "daemon off; pid nginx.pid; error_log stderr; events {{}}\nhttp {{ access_log off;\n{temporary}{own}}}\n"
    );
    fs::write(folder.join("nginx.conf"), whole).unwrap();
    let mut nginx = Command::new("nginx");
    nginx
        .arg("-p")
        .arg(folder)
        .args(["-c", "nginx.conf", "-e", "stderr"]);
    let front = FrontEnd::start(&mut nginx, port, certificate);
    front.check(&server, folder);
    // Without TLS, every request is redirected to the address with TLS.
    let redirected = succeeds(
        Command::new("curl")
            .args([
                "-s",
                "-o",
                "/dev/null",
                "-w",
                "%{http_code} %{redirect_url}",
                "-H",
                "Host: convert.example",
            ])
            .arg(format!("http://127.0.0.1:{plain}/api/v1/health")),
    );
    assert_eq!(redirected, "308 https://convert.example/api/v1/health");
}

#[test]
fn three_instances_behind_nginx_lose_nothing() {
    if !(tools::has("nginx") && tools::has("curl") && tools::has("redis-server")) {
        return;
    }
    let script = example("cluster/try.sh");
    if tools::has("shellcheck") {
        // Rule SC1091 is disabled because the script reads a file with the environment of the instances.
        succeeds(
            Command::new("shellcheck")
                .args(["-e", "SC1091"])
                .arg(&script),
        );
    }
    let printed = succeeds(
        Command::new(&script)
            .env("CONVERTD", program())
            .env("FILES", "110")
            // The port is below the range of ephemeral ports, so that no client connection of another test uses it.
            .env(
                "PORT",
                (10_000 + std::process::id() % 2000 * 10).to_string(),
            ),
    );
    assert!(printed.contains("2 instances killed"), "{printed}");
}

#[test]
fn caddy_forwards_requests_with_tls() {
    if !(tools::has("caddy") && tools::has("curl")) {
        return;
    }
    let (server, scratch) = (service(), TempDir::new());
    let folder = scratch.path();
    let port = free_port();
    let own = adapted(
        "Caddyfile",
        &[
            (
                "\nconvert.example {\n",
                &format!("\nconvert.example:{port} {{\n\ttls internal\n\tbind 127.0.0.1\n"),
            ),
            ("127.0.0.1:8080", &server.address().to_string()),
        ],
    );
    // These options prevent the test from using shared resources of the machine: port 80, the list of certificate
    // authorities, and Caddy's port for administration.
    let plain = free_port();
    let options = format!("{{\n\tadmin off\n\thttp_port {plain}\n\tskip_install_trust\n}}\n");
    let file = folder.join("Caddyfile");
    fs::write(&file, options + &own).unwrap();
    let mut caddy = Command::new("caddy");
    caddy
        .args(["run", "--adapter", "caddyfile", "--config"])
        .arg(&file)
        .env("XDG_DATA_HOME", folder)
        .env("XDG_CONFIG_HOME", folder)
        .env("HOME", folder)
        .stderr(Stdio::null());
    let authority = folder.join("caddy/pki/authorities/local/root.crt");
    let front = FrontEnd::start(&mut caddy, port, authority);
    wait_for("Caddy has its certificate", || {
        let answer = front.curl("/api/v1/health").output().ok()?;
        answer.status.success().then_some(())
    });
    front.check(&server, folder);
}

#[test]
fn the_systemd_units_are_valid_and_expose_little() {
    if !tools::has("systemd-analyze") {
        return;
    }
    let scratch = TempDir::new();
    let program = command().get_program().to_owned();
    for name in ["convertd.service", "convertd-watch.service"] {
        let unit = scratch.path().join(name);
        let own = adapted(
            name,
            &[("/usr/local/bin/convertd", program.to_str().unwrap())],
        );
        fs::write(&unit, own).unwrap();
        let analyze = |arguments: &[&str]| {
            let mut analyze = Command::new("systemd-analyze");
            succeeds(analyze.args(arguments).arg(&unit))
        };
        analyze(&["verify", "--man=no"]);
        // The threshold is in tenths of an exposure level: 20 means 2.0 of 10.
        analyze(&["security", "--offline=true", "--threshold=20"]);
    }
}

#[test]
fn packages_are_complete_and_reproducible() {
    if !(tools::has("dpkg-deb") && tools::has("systemd-analyze") && tools::has("ar")) {
        return;
    }
    let scratch = TempDir::new();
    // The package contains a small script instead of the program, because the test does not run the program.
    let program = scratch.path().join("program");
    fs::write(&program, "#!/bin/sh\necho packed\n").unwrap();
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/package");
    if tools::has("shellcheck") {
        let scripts = ["package", "package-check", "run", "doctor", "tools"];
        let scripts = scripts.map(|name| package.with_file_name(name));
        // Rule SC1091 is disabled because the script reads the table of tools from another file.
        succeeds(
            Command::new("shellcheck")
                .args(["-e", "SC1091"])
                .args(scripts),
        );
    }
    let names = [
        "convertd-1.2.3-armv7",
        "convertd-1.2.3-armv7.container.tar.gz",
        "convertd_1.2.3_armhf.deb",
    ];
    let [one, other] = ["one", "other"].map(|folder| {
        let folder = scratch.path().join(folder);
        let mut packing = Command::new(&package);
        packing.arg("armv7-unknown-linux-gnueabihf").arg(&program);
        packing.arg(command().get_program()).arg("1.2.3");
        succeeds(packing.arg(&folder).env("SOURCE_DATE_EPOCH", "1700000000"));
        names.map(|name| fs::read(folder.join(name)).unwrap())
    });
    assert!(one == other, "the same input was packed in two ways");

    let deb = scratch.path().join("one").join(names[2]);
    let info = succeeds(Command::new("dpkg-deb").arg("--info").arg(&deb));
    assert!(info.contains("Architecture: armhf"), "{info}");
    let root = scratch.path().join("root");
    succeeds(
        Command::new("dpkg-deb")
            .arg("--extract")
            .args([&deb, &root]),
    );
    let installed = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let copyright = installed("usr/share/doc/convertd/copyright");
    assert!(copyright.contains("Apache"), "{copyright}");
    assert!(installed("etc/default/convertd").contains("CONVERTD_LISTEN="));
    // systemd checks that the program exists at the path in the unit.
    let unit = installed("usr/lib/systemd/system/convertd.service");
    let found = unit.replace("/usr/bin/convertd", program.to_str().unwrap());
    assert_ne!(unit, found);
    let unit = scratch.path().join("convertd.service");
    fs::write(&unit, found.replace("User=convertd", "User=root")).unwrap();
    succeeds(Command::new("chmod").arg("755").arg(&program));
    succeeds(
        Command::new("systemd-analyze")
            .args(["verify", "--man=no"])
            .arg(&unit),
    );
}

#[test]
fn the_openrc_script_is_sound() {
    let script = example("convertd.openrc");
    succeeds(Command::new("sh").arg("-n").arg(&script));
    if tools::has("shellcheck") {
        succeeds(Command::new("shellcheck").arg(&script));
    }
}

#[test]
fn every_variable_in_an_example_is_an_option() {
    let help = succeeds(command().arg("--help"));
    let mut found = 0;
    let files = ["", "cluster"].map(|folder| fs::read_dir(example(folder)).unwrap());
    let paths = files
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path());
    for path in paths.filter(|path| path.is_file()) {
        let text = fs::read_to_string(&path).unwrap();
        let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        for word in words.filter(|word| word.starts_with("CONVERTD_")) {
            assert!(help.contains(word), "{}: {word}", path.display());
            found += 1;
        }
    }
    assert!(found >= 6, "{found} variables");
}

#[test]
fn alerts_and_the_dashboard_use_existing_metrics() {
    if tools::has("promtool") {
        succeeds(
            Command::new("promtool")
                .args(["check", "rules"])
                .arg(example("alerts.yaml")),
        );
    }
    let server = Server::start();
    server.convert(&samples::ppm(3, 2), "p.ppm", "png");
    let metrics = String::from_utf8(server.get("/metrics").body.to_vec()).unwrap();
    // The service has metrics of a shared store only if it uses one. `up` is a metric of Prometheus itself.
    let is_known = |name: &str| {
        name.starts_with("convertd_store_") || metrics.contains(&format!("# TYPE {name} "))
    };
    let mut found = 0;
    for file in ["alerts.yaml", "grafana.json"] {
        let text = fs::read_to_string(example(file)).unwrap();
        let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        for word in
            words.filter(|word| word.starts_with("convertd_") || word.starts_with("process_"))
        {
            let name = word.strip_suffix("_bucket").unwrap_or(word);
            assert!(is_known(name), "{file}: {word}");
            found += 1;
        }
    }
    assert!(found >= 20, "{found} names");
    let dashboard = fs::read_to_string(example("grafana.json")).unwrap();
    let dashboard: serde_json::Value = serde_json::from_str(&dashboard).unwrap();
    assert!(dashboard["panels"].as_array().unwrap().len() >= 6);
}

#[test]
fn the_probes_of_kubernetes_are_answered() {
    let server = Server::with("--log info")
        .env("CONVERTD_API_KEYS", "secret")
        .start();
    let text = fs::read_to_string(example("kubernetes.yaml")).unwrap();
    let mut probes = 0;
    for line in text.lines().filter(|line| line.contains("httpGet:")) {
        let path = line
            .split("path: ")
            .nth(1)
            .and_then(|rest| rest.split(',').next())
            .unwrap();
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(&answer.body[..], b"ok\n");
        probes += 1;
    }
    assert_eq!(probes, 2);
}
