//! The page in headless Chromium. page.mjs contains the steps, which playwright-core performs; axe-core checks the
//! page.

use crate::{
    harness::{Server, TempDir},
    tools,
};
use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Packages that npm installs, unless `CONVERTD_BROWSER` names a directory whose `node_modules` contains them.
const PACKAGES: [&str; 2] = ["playwright-core@1.65.1", "axe-core@4.14.1"];

/// Names of the browser in Debian and elsewhere.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

#[test]
fn the_page_works_in_a_browser() {
    let scratch = TempDir::new();
    let Some((browser, packages)) = tools_in(scratch.path()) else {
        return;
    };
    let open = Server::start();
    let locked = Server::with("--log info")
        .env("CONVERTD_API_KEYS", "key")
        .start();
    let prefixed = Server::with("--base-path /convert").start();
    let address = |server: &Server, path: &str| format!("http://{}{path}", server.address());
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let status = Command::new("node")
        .arg(tests.join("service/at_root/page.mjs"))
        .args([
            address(&open, "/"),
            address(&locked, "/"),
            address(&prefixed, "/convert"),
        ])
        .arg(tests.join("data"))
        .current_dir(packages)
        .env("CHROMIUM", browser)
        .status();
    assert!(status.unwrap().success(), "see the steps above");
    // No step may have caused a panic in the service.
    assert!(open.log().iter().all(|line| !line.contains("panicked")));
}

/// Paths of the browser and of a directory with the packages. If something is missing, returns `None` and prints a
/// message.
fn tools_in(scratch: &Path) -> Option<(PathBuf, PathBuf)> {
    let dirs: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let found = |name: &&str| {
        dirs.iter()
            .map(|dir| dir.join(name))
            .find(|path| path.is_file())
    };
    let Some(browser) = BROWSERS.iter().find_map(found) else {
        tools::lacking("chromium");
        return None;
    };
    if !tools::has("node") {
        return None;
    }
    if let Some(packages) = env::var_os("CONVERTD_BROWSER") {
        return Some((browser, packages.into()));
    }
    let installed = Command::new("npm")
        .args([
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            ".",
        ])
        .args(PACKAGES)
        .current_dir(scratch)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !installed.is_ok_and(|status| status.success()) {
        tools::lacking("npm, and a registry to install playwright-core and axe-core from");
        return None;
    }
    Some((browser, scratch.into()))
}
