//! Downloads: each result can be downloaded once and completely, and no failed download consumes it. Every byte is
//! compared.

use crate::{
    contract::{failure, success},
    harness::{Answer, Client, Request, Server, wait_for},
    samples::{self, identify},
};
use std::thread;

/// A result that can be downloaded, with its expected content.
pub(crate) struct Offer {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) content: Vec<u8>,
}

/// Offers a small file.
pub(crate) fn small(server: &Server) -> Offer {
    offer(server, &samples::ppm(20, 20), "p.ppm", "ff")
}

/// Offers a file of 32 MB, which is far more than sockets can hold.
pub(crate) fn large(server: &Server) -> Offer {
    offer(server, &samples::plain_qoi(2000, 2000), "p.qoi", "ff")
}

/// Offers the result of a conversion. Only deterministic targets such as Farbfeld work, because a first download gives
/// the content that is expected of the second.
pub(crate) fn offer(server: &Server, file: &[u8], name: &str, target: &str) -> Offer {
    let content = samples::converted(server, file, name, target);
    let answer = server.convert(file, name, target);
    Offer {
        id: answer.data("conversion_id"),
        url: answer.data("download_url"),
        content,
    }
}

#[track_caller]
fn range(server: &Server, offer: &Offer, range: &str) -> Answer {
    server.send(Request::get(&offer.url).field("Range", range))
}

#[track_caller]
pub(crate) fn is_ready(server: &Server, offer: &Offer) {
    assert_eq!(server.status(&offer.id)["status"], "ready");
}

/// Checks that the file is gone, and that the answers to a download and to a status request say so.
#[track_caller]
pub(crate) fn is_gone(server: &Server, offer: &Offer) {
    let error = failure(&server.get(&offer.url), 404);
    assert!(error.contains("downloaded"), "{error}");
    assert_eq!(server.status(&offer.id)["status"], "expired");
    failure(&range(server, offer, "bytes=0-0"), 404);
    assert_eq!(server.connect().send(Request::head(&offer.url)).status, 404);
    wait_for("the files are deleted", || {
        let files = server.files();
        let left = files.iter().any(|file| file.starts_with(&offer.id));
        (!left).then_some(())
    });
}

#[test]
fn a_file_is_downloaded_once() {
    let server = Server::start();
    let offer = small(&server);
    is_ready(&server, &offer);
    let answer = server.get(&offer.url);
    assert_eq!(answer.status, 200);
    assert!(*answer.body == *offer.content);
    is_gone(&server, &offer);
    server.wait_until_empty();
}

#[test]
fn the_head_of_a_download_describes_the_file() {
    let server = Server::start();
    let record = server.convert(&samples::ppm(20, 20), "ein Bild – 写真.ppm", "png");
    let data = success(&record, 200);
    let answer = server.get(&record.data("download_url"));
    assert_eq!(answer.field("content-type"), Some("image/png"));
    assert_eq!(
        answer.field("content-length").unwrap(),
        data["file_size"].to_string()
    );
    assert_eq!(
        answer.field("content-disposition"),
        Some(
            "attachment; filename=\"ein Bild _ __.png\"; filename*=UTF-8''ein%20Bild%20%E2%80%93%20%E5%86%99%E7%9C%9F.png"
        )
    );
    assert_eq!(answer.field("accept-ranges"), Some("bytes"));
    assert_eq!(answer.field("cache-control"), Some("no-store"));
    assert_eq!(answer.field("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.field("content-security-policy"), Some("sandbox"));
    let etag = answer.field("etag").unwrap();
    assert!(
        etag.len() > 2 && etag.starts_with('"') && etag.ends_with('"'),
        "{etag}"
    );
    let date = |name: &str| httpdate::parse_http_date(answer.field(name).unwrap()).unwrap();
    let life = date("expires")
        .duration_since(date("last-modified"))
        .unwrap()
        .as_secs();
    assert!((1800..=1801).contains(&life), "{life}");
    let expires = date("expires")
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    assert_eq!(
        expires.as_secs(),
        crate::contract::seconds(&data["expires_at"])
    );
}

#[test]
fn head_requests_consume_nothing() {
    let server = Server::start();
    let offer = small(&server);
    let mut connection = server.connect();
    for _ in 0..3 {
        let answer = connection.send(Request::head(&offer.url));
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.field("content-length").unwrap(),
            offer.content.len().to_string()
        );
    }
    // Ranges are defined only for GET (RFC 9110, section 14.2).
    let answer = connection.send(Request::head(&offer.url).field("Range", "bytes=0-0"));
    assert_eq!((answer.status, answer.field("content-range")), (200, None));
    is_ready(&server, &offer);
    assert!(*connection.send(Request::get(&offer.url)).body == *offer.content);
}

#[test]
fn ranges_resume_and_the_last_byte_consumes_the_file() {
    let server = Server::start();
    let offer = small(&server);
    let len = offer.content.len();
    let part = |asked: &str, from: usize, to: usize| {
        let answer = range(&server, &offer, asked);
        assert_eq!(answer.status, 206, "{asked}: {answer:?}");
        assert_eq!(
            answer.field("content-range"),
            Some(format!("bytes {from}-{}/{len}", to - 1).as_str())
        );
        assert!(*answer.body == offer.content[from..to], "{asked}");
    };
    part("bytes=100-199", 100, 200);
    part("bytes=0-9", 0, 10);
    part("bytes=5-149", 5, 150);
    part("bytes=100-199", 100, 200);
    is_ready(&server, &offer);
    part("bytes=-100", len - 100, len);
    is_ready(&server, &offer);
    part(&format!("bytes=200-{}", len - 102), 200, len - 101);
    is_ready(&server, &offer);
    part(&format!("bytes={0}-{0}", len - 101), len - 101, len - 100);
    is_gone(&server, &offer);
}

#[test]
fn a_range_of_the_whole_file_delivers_and_consumes_it() {
    let server = Server::start();
    for asked in [
        "bytes=0-",
        "bytes=0-99999999",
        "bytes=-99999999",
        "BYTES=0-",
        "bytes= 0-",
    ] {
        let offer = small(&server);
        let answer = range(&server, &offer, asked);
        assert!(matches!(answer.status, 200 | 206), "{asked}");
        assert!(*answer.body == *offer.content, "{asked}");
        is_gone(&server, &offer);
    }
}

#[test]
fn an_unsatisfiable_range_consumes_nothing() {
    let server = Server::start();
    let offer = small(&server);
    let len = offer.content.len();
    for asked in [
        format!("bytes={len}-"),
        format!("bytes={len}-{len}"),
        "bytes=-0".into(),
    ] {
        let answer = range(&server, &offer, &asked);
        failure(&answer, 416);
        assert_eq!(
            answer.field("content-range"),
            Some(format!("bytes */{len}").as_str()),
            "{asked}"
        );
    }
    is_ready(&server, &offer);
    assert!(*server.get(&offer.url).body == *offer.content);
}

#[test]
fn invalid_ranges_are_ignored() {
    let server = Server::start();
    for asked in [
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=9-3",
        "bytes=a-b",
        "bytes=0-1,5-6",
        "lines=0-1",
        "bytes=+1-2",
    ] {
        let offer = small(&server);
        let answer = range(&server, &offer, asked);
        assert_eq!(answer.status, 200, "{asked}");
        assert!(*answer.body == *offer.content, "{asked}");
    }
}

#[test]
fn if_range_resumes_only_the_same_file() {
    let server = Server::start();
    let offer = small(&server);
    let etag = server
        .connect()
        .send(Request::head(&offer.url))
        .field("etag")
        .unwrap()
        .to_owned();
    let ask = |tag: &str| {
        server.send(
            Request::get(&offer.url)
                .field("Range", "bytes=0-9")
                .field("If-Range", tag),
        )
    };
    let same = ask(&etag);
    assert_eq!((same.status, same.body.len()), (206, 10));
    let other = ask("\"another\"");
    assert_eq!((other.status, other.body.len()), (200, offer.content.len()));
    is_gone(&server, &offer);
}

#[test]
fn a_failed_precondition_consumes_nothing() {
    let server = Server::start();
    let offer = small(&server);
    let head = server.connect().send(Request::head(&offer.url));
    let etag = head.field("etag").unwrap();
    let modified = head.field("last-modified").unwrap();
    let (past, future) = (
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Fri, 31 Dec 2100 23:59:59 GMT",
    );
    let weak = format!("W/{etag}");
    let several = format!("\"another\", {etag}");
    let check = |name: &str, value: &str, status: u16| {
        let asked = |request: Request| request.field(name, value);
        let answer = server.connect().send(asked(Request::head(&offer.url)));
        assert_eq!(answer.status, status, "HEAD with {name}: {value}");
        if status != 200 {
            let answer = server.send(asked(Request::get(&offer.url)));
            assert_eq!(answer.status, status, "{name}: {value}");
            assert_eq!(answer.field("etag"), Some(etag), "{name}: {value}");
        }
    };
    check("If-Match", etag, 200);
    check("If-Match", "*", 200);
    check("If-Match", &several, 200);
    check("If-Match", &weak, 412);
    check("If-Match", "\"another\"", 412);
    check("If-None-Match", "\"another\"", 200);
    check("If-None-Match", &weak, 304);
    check("If-None-Match", &several, 304);
    check("If-None-Match", "*", 304);
    check("If-Unmodified-Since", past, 412);
    check("If-Unmodified-Since", modified, 200);
    check("If-Unmodified-Since", "yesterday", 200);
    check("If-Modified-Since", past, 200);
    check("If-Modified-Since", modified, 304);
    check("If-Modified-Since", future, 304);
    is_ready(&server, &offer);
    let answer = server.send(Request::get(&offer.url).field("If-Match", etag));
    assert!(answer.status == 200 && *answer.body == *offer.content);
    is_gone(&server, &offer);
}

#[test]
fn a_broken_transfer_consumes_nothing() {
    let server = Server::start();
    let offer = large(&server);
    for received in [0, 1, 100, 1 << 20] {
        let mut connection = server.connect();
        connection.write(Request::get(&offer.url).bytes());
        connection.read_bytes(received).unwrap();
        drop(connection);
        is_ready(&server, &offer);
    }
    // The last client's claim on the result ends when the server notices that the client has left.
    let answer = wait_for("the link works again", || {
        let answer = server.get(&offer.url);
        (answer.status == 200).then_some(answer)
    });
    assert!(*answer.body == *offer.content);
    is_gone(&server, &offer);
}

/// Bytes that are still in the kernel have not reached the client.
#[test]
fn a_file_sent_but_not_received_is_kept() {
    let server = Server::start();
    // All bytes fit into the server's send buffer, and hardly any into the client's receive buffer.
    let offer = offer(&server, &samples::plain_qoi(200, 200), "p.qoi", "ff");
    let mut connection = Client::connect_narrow(server.address());
    connection.write(Request::get(&offer.url).bytes());
    connection.peek(1);
    let error = failure(&server.get(&offer.url), 404);
    assert!(error.contains("downloading"), "{error}");
    is_ready(&server, &offer);
    drop(connection);
    let answer = wait_for("the link works again", || {
        Some(server.get(&offer.url)).filter(|answer| answer.status == 200)
    });
    assert!(*answer.body == *offer.content);
    is_gone(&server, &offer);
}

/// Sends a request, and waits until the kernel on the client's side has received the whole answer, which the client
/// does not read.
fn unread(server: &Server, offer: &Offer) -> Client {
    let mut connection = server.connect();
    connection.write(Request::get(&offer.url).bytes());
    wait_for("the client's kernel has the whole answer", || {
        (server.status(&offer.id)["status"] == "expired").then_some(())
    });
    connection
}

#[test]
fn a_result_received_but_not_read_is_kept() {
    let server = Server::start();
    let offer = small(&server);
    // The kernel resets a connection that is closed with unread bytes, as if the client program had been killed.
    drop(unread(&server, &offer));
    wait_for("the link works again", || {
        (server.status(&offer.id)["status"] == "ready").then_some(())
    });
    assert!(*server.get(&offer.url).body == *offer.content);
    is_gone(&server, &offer);
    // A result counts as received if the client reads it before it closes the connection, or if the client sends
    // another request.
    let (read, followed) = (small(&server), small(&server));
    let mut connection = unread(&server, &read);
    connection.read();
    drop(connection);
    let mut connection = unread(&server, &followed);
    connection.write(Request::get("/api/v1/health").bytes());
    is_gone(&server, &read);
    is_gone(&server, &followed);
}

#[test]
fn a_reset_before_full_receipt_is_noticed() {
    let server = Server::with("--log debug").start();
    let offer = offer(&server, &samples::plain_qoi(200, 200), "p.qoi", "ff");
    let mut connection = Client::connect_narrow(server.address());
    connection.write(Request::get(&offer.url).bytes());
    connection.peek(1);
    failure(&server.get(&offer.url), 404);
    drop(connection);
    let answer = wait_for("the link works again", || {
        Some(server.get(&offer.url)).filter(|answer| answer.status == 200)
    });
    assert!(*answer.body == *offer.content);
    // The server did not treat the connection as silent.
    let log = server.log();
    let given_up = log.iter().any(|line| line.contains("too slowly"));
    assert!(!given_up, "{log:?}");
}

#[test]
fn a_slow_reader_gets_everything_and_delays_no_other_client() {
    let server = Server::start();
    let offers: Vec<Offer> = (0..6).map(|_| large(&server)).collect();
    let mut readers: Vec<_> = offers
        .iter()
        .map(|offer| {
            let mut connection = server.connect();
            connection.write(Request::get(&offer.url).bytes());
            connection
        })
        .collect();
    let mut connection = server.connect();
    for _ in 0..50 {
        success(&connection.send(Request::get("/api/v1/health")), 200);
        failure(&connection.send(Request::get("/api/v1/download/x")), 404);
        for reader in &mut readers {
            reader.peek(10_000);
        }
    }
    let other = small(&server);
    assert!(*server.get(&other.url).body == *other.content);
    for (offer, mut reader) in offers.iter().zip(readers) {
        is_ready(&server, offer);
        assert!(*reader.read().body == *offer.content);
        is_gone(&server, offer);
    }
}

#[test]
fn the_first_of_two_downloads_wins() {
    let server = Server::start();
    let offer = large(&server);
    let mut first = server.connect();
    first.write(Request::get(&offer.url).bytes());
    first.peek(100_000);
    let second = server.get(&offer.url);
    let error = failure(&second, 404);
    assert!(
        second.field("retry-after").is_some() && error.contains("downloading"),
        "{error}"
    );
    // HEAD and status requests are still answered.
    assert_eq!(server.connect().send(Request::head(&offer.url)).status, 200);
    is_ready(&server, &offer);
    assert!(*first.read().body == *offer.content);
    is_gone(&server, &offer);
}

#[test]
fn a_second_client_gets_a_result_after_the_first_disconnects() {
    let server = Server::start();
    let offer = large(&server);
    let mut first = server.connect();
    first.write(Request::get(&offer.url).bytes());
    first.peek(100_000);
    thread::scope(|scope| {
        let second = scope.spawn(|| {
            wait_for("the link works again", || {
                let answer = server.get(&offer.url);
                (answer.status == 200).then_some(answer)
            })
        });
        drop(first);
        assert!(*second.join().unwrap().body == *offer.content);
    });
    is_gone(&server, &offer);
}

#[test]
fn exactly_one_of_many_downloads_gets_the_file() {
    let server = Server::start();
    for _ in 0..5 {
        let offer = small(&server);
        let answers: Vec<Answer> = thread::scope(|scope| {
            let clients: Vec<_> = (0..10)
                .map(|_| scope.spawn(|| server.get(&offer.url)))
                .collect();
            clients
                .into_iter()
                .map(|client| client.join().unwrap())
                .collect()
        });
        let (got, rest): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(got.len(), 1);
        assert!(*got[0].body == *offer.content);
        for answer in rest {
            failure(answer, 404);
        }
        is_gone(&server, &offer);
    }
}

#[test]
fn parallel_ranges_make_one_download() {
    let server = Server::start();
    let offer = large(&server);
    let (len, pieces) = (offer.content.len(), 8);
    thread::scope(|scope| {
        for piece in 0..pieces {
            let (server, offer) = (&server, &offer);
            let (from, to) = (len * piece / pieces, len * (piece + 1) / pieces);
            scope.spawn(move || {
                let answer = range(server, offer, &format!("bytes={from}-{}", to - 1));
                assert_eq!(answer.status, 206, "{answer:?}");
                assert!(*answer.body == offer.content[from..to]);
            });
        }
    });
    is_gone(&server, &offer);
}

#[test]
fn the_connection_stays_after_a_download() {
    let server = Server::start();
    let mut connection = server.connect();
    for _ in 0..3 {
        let offer = small(&server);
        assert!(*connection.send(Request::get(&offer.url)).body == *offer.content);
        // The server records the outcome at once, so the next request on the same connection sees it.
        failure(&connection.send(Request::get(&offer.url)), 404);
        let path = format!("/api/v1/status/{}", offer.id);
        assert_eq!(
            success(&connection.send(Request::get(&path)), 200)["status"],
            "expired"
        );
    }
}

#[test]
fn an_http_1_0_client_gets_the_file() {
    let server = Server::start();
    let offer = small(&server);
    let mut connection = server.connect();
    connection.write(format!("GET {} HTTP/1.0\r\n\r\n", offer.url));
    assert!(*connection.read().body == *offer.content);
    assert!(connection.is_closed());
    is_gone(&server, &offer);
}

#[test]
fn a_client_that_half_closes_gets_the_file() {
    let server = Server::start();
    let offer = large(&server);
    let mut connection = server.connect();
    connection.write(Request::get(&offer.url).bytes());
    connection.finish_sending();
    assert!(*connection.read().body == *offer.content);
    is_gone(&server, &offer);
}

#[test]
fn invalid_identifiers_have_no_file() {
    let server = Server::start();
    let offer = small(&server);
    let upper = offer.id.to_uppercase();
    let long = "a".repeat(5000);
    let ids = [
        "",
        ".",
        "..",
        "%2e%2e",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "lock",
        "incoming",
        "%00",
        &upper,
        &long,
    ];
    for id in ids {
        failure(&server.get(&format!("/api/v1/download/{id}")), 404);
    }
    failure(&server.get(&format!("{}/", offer.url)), 404);
    failure(&server.get(&format!("{}/output", offer.url)), 404);
    failure(&server.get(&format!("{}%20", offer.url)), 404);
    let error = failure(
        &server.get("/api/v1/download/00000000-0000-4000-8000-000000000000"),
        404,
    );
    assert!(error.contains("no conversion"), "{error}");
    // A query has no effect.
    assert_eq!(server.get(&format!("{}?download=1", offer.url)).status, 200);
}

#[test]
fn a_download_may_finish_after_the_link_expires() {
    // On a slow disk the first links may expire before the download begins.
    let begun = [2, 10, 60].into_iter().find_map(|seconds| {
        let server = Server::with(&format!("--link-ttl {seconds}")).start();
        let answer = server.convert(&samples::plain_qoi(2000, 2000), "p.qoi", "ff");
        let (id, url) = (answer.data("conversion_id"), answer.data("download_url"));
        let mut connection = server.connect();
        connection.write(Request::get(&url).bytes());
        let has_begun = connection.peek(12).starts_with(b"HTTP/1.1 200");
        has_begun.then_some((server, connection, id, url))
    });
    let (server, mut connection, id, url) = begun.expect("a download that begins in time");
    connection.peek(100_000);
    wait_for("the link expires", || {
        (server.status(&id)["status"] == "expired").then_some(())
    });
    failure(&server.get(&url), 404);
    let file = connection.read();
    assert_eq!((file.status, file.body.len()), (200, 16 + 8 * 2000 * 2000));
    assert_eq!(identify(&file.body), "ff");
    server.wait_until_empty();
}

#[test]
fn prefetches_and_link_previews_do_not_consume_a_link() {
    let server = Server::start();
    let offer = small(&server);
    let slack = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";
    let teams = "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com";
    for (name, value, status) in [
        ("Sec-Purpose", "prefetch", 403),
        ("Sec-Purpose", "prefetch;prerender", 403),
        ("Purpose", "Prefetch", 403),
        ("X-Moz", "prefetch", 403),
        ("X-Purpose", "preview", 403),
        ("User-Agent", slack, 200),
        ("User-Agent", teams, 200),
        ("User-Agent", "TelegramBot (like TwitterBot)", 200),
        ("User-Agent", "WhatsApp/2.23.20.0", 200),
    ] {
        for range in [false, true] {
            let mut request = Request::get(&offer.url).field(name, value);
            if range {
                request = request.field("Range", "bytes=0-");
            }
            let answer = server.send(request);
            assert_eq!(answer.status, status, "{value}: {answer:?}");
            let media_type = answer.field("content-type");
            assert_eq!(media_type, Some("text/html; charset=utf-8"));
            assert_eq!(answer.field("cache-control"), Some("no-store"));
            assert!(answer.body.len() < 2000);
            is_ready(&server, &offer);
        }
    }
    // Programs without the name of a known link preview get the file, even if they call themselves a bot.
    for agent in [
        "DiscordBot (https://example.org, 1.0)",
        "my-bot/1.0",
        "Mozilla/5.0",
    ] {
        let offer = small(&server);
        let answer = server.send(Request::get(&offer.url).field("User-Agent", agent));
        assert_eq!(*answer.body, *offer.content, "{agent}");
        is_gone(&server, &offer);
    }
}
