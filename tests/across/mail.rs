//! Mail as users convert it: the content of the results, and the treatment of attachments.

use crate::harness::{Directory, convert, converted, has, output};
#[cfg(all(feature = "ocr", feature = "svg"))]
use base64::{Engine as _, engine::general_purpose::STANDARD};

const MAIL: &str = "From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\r\nTo: you@example.org\r\nDate: Fri, 21 Nov 1997 09:55:06 -0600\r\n\
    Subject: Plans\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n\
    --m\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hello <b>you</b></p><img src=\"http://a.example/x.png\">\r\n\
    --m\r\nContent-Type: text/plain; name=notes.txt\r\nContent-Disposition: attachment; filename=notes.txt\r\n\r\nattached words\r\n--m--\r\n";

fn text(name: &str, mail: &str, to: &str) -> String {
    let made = converted(name, mail.as_bytes(), to, &[]);
    String::from_utf8(made).unwrap()
}

#[test]
fn every_target_has_the_headers_and_the_body() {
    let plain = text("a.eml", MAIL, "txt");
    for words in [
        "From: Jörg <j@example.org>",
        "Subject: Plans",
        "Attachments: notes.txt (14 B)",
        "Hello you",
    ] {
        assert!(plain.contains(words), "{words}: {plain}");
    }
    let page = text("a.eml", MAIL, "html");
    assert!(
        page.contains("<title>Plans</title>") && page.contains("<strong>you</strong>"),
        "{page}"
    );
    assert!(text("a.eml", MAIL, "md").contains("**you**"));
    for to in ["pdf", "docx", "odt", "rtf", "epub"] {
        assert!(!converted("a.eml", MAIL.as_bytes(), to, &[]).is_empty());
    }
    let (_, notes) = convert("mail", MAIL.as_bytes(), "txt", &[]).unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("was not loaded")),
        "{notes:?}"
    );
}

#[test]
fn a_mailbox_has_a_heading_for_each_mail() {
    let two = format!(
        "From a@x Fri Nov 21 09:55:06 1997\n{MAIL}\nFrom b@x Sat Nov 22 09:55:06 1997\nSubject: Second\n\nbody\n"
    );
    let plain = text("a.mbox", &two, "md");
    assert!(
        plain.contains("# Plans") && plain.contains("# Second"),
        "{plain}"
    );
}

#[test]
fn damage_in_a_mail_has_a_note() {
    #[track_caller]
    fn check(mail: &str, says: &str) {
        let (_, notes) = convert("a.eml", mail.as_bytes(), "txt", &[]).unwrap();
        let is_noted = notes.0.iter().any(|note| note.contains(says));
        assert_eq!(is_noted, !says.is_empty(), "{:?}", notes.0);
    }
    let base64 = |body: &str| {
        format!("From: a@x\nSubject: b\nContent-Transfer-Encoding: base64\n\n{body}\n")
    };
    check(&base64("d29y\r\nZHM="), "");
    check(&base64("d29y!!!ZHM="), "not all of it is valid base64");
    check(&base64("d29yZ"), "not all of it is valid base64");
    let long = "someone@example.org, ".repeat(60_000);
    check(
        &format!("From: a@x\nTo: {long}\n\nb\n"),
        "the number and length of fields",
    );
    let list = "someone@example.org,\n ".repeat(5_000);
    check(&format!("From: a@x\nTo: {list}b@x\n\nb\n"), "");
    let empty = b"From a@x Fri Nov 21 09:55:06 1997\n\nwords\n";
    let error = convert("a.mbox", empty, "txt", &[])
        .unwrap_err()
        .to_string();
    assert!(error.contains("it contains no mail"), "{error}");
}

#[test]
fn attachments_go_where_they_are_wanted() {
    let zip = converted("a.eml", MAIL.as_bytes(), "txt", &[("attachments", "zip")]);
    let names = String::from_utf8_lossy(&zip);
    assert!(zip.starts_with(b"PK") && names.contains("mail.txt") && names.contains("notes.txt"));
    let pdf = converted(
        "a.eml",
        MAIL.as_bytes(),
        "pdf",
        &[("attachments", "append")],
    );
    assert!(pdf.starts_with(b"%PDF-"));
    if has("pdftotext") {
        let directory = Directory::new();
        let path = directory.file("a.pdf", &pdf);
        let words = output("pdftotext", &[&path, "-"]);
        assert!(
            words.contains("Hello you") && words.contains("attached words"),
            "{words}"
        );
    }
}

#[cfg(all(feature = "ocr", feature = "svg"))]
#[test]
fn attachments_that_are_pictures_of_text_are_read_if_that_is_asked_for() {
    if !has("pdftotext") {
        return;
    }
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='200'><rect width='900' height='200' fill='white'/>\
                   <text x='40' y='110' font-size='48'>The quick brown fox jumps</text></svg>";
    let png = converted("a.svg", drawing.as_bytes(), "png", &[]);
    let scan = converted("a.png", &png, "pdf", &[]);
    let mut mail =
        "From: a@x\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
                    --b\nContent-Type: text/plain\n\nHello you\n"
            .to_owned();
    for (name, media_type, file) in [
        ("one.png", "image/png", &png),
        ("two.pdf", "application/pdf", &scan),
    ] {
        mail += &format!(
            "--b\nContent-Type: {media_type}\nContent-Disposition: attachment; filename={name}\n\
             Content-Transfer-Encoding: base64\n\n{}\n",
            STANDARD.encode(file)
        );
    }
    mail += "--b--\n";
    let words = |options: &[(&str, &str)]| {
        let pdf = converted("a.eml", mail.as_bytes(), "pdf", options);
        let directory = Directory::new();
        let path = directory.file("a.pdf", &pdf);
        output("pdftotext", &[&path, "-"])
    };
    let unread = words(&[("attachments", "append")]);
    assert_eq!(unread.matches("quick brown fox").count(), 0, "{unread}");
    let read = words(&[("attachments", "append"), ("ocr", "true")]);
    assert_eq!(read.matches("quick brown fox").count(), 2, "{read}");
}

#[test]
fn the_kind_of_encryption_is_named() {
    let mail = "From: a@x\nSubject: s\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIIB\n";
    let error = convert("a.eml", mail.as_bytes(), "txt", &[]).unwrap_err();
    assert!(error.message().contains("S/MIME"), "{error}");
}

#[test]
fn damaged_mail_gives_a_result_or_an_error() {
    for end in (0..MAIL.len())
        .step_by(7)
        .filter(|end| MAIL.is_char_boundary(*end))
    {
        let _ = convert("a.eml", &MAIL.as_bytes()[..end], "txt", &[]);
    }
    for at in (0..MAIL.len()).step_by(3) {
        let mut bytes = MAIL.as_bytes().to_vec();
        bytes[at] ^= 0x15;
        let _ = convert("a.eml", &bytes, "txt", &[]);
    }
}

#[test]
fn invitations_reports_and_saved_pages_are_read() {
    let invitation = "From: Ann <a@example.org>\nSubject: Budget\nContent-Type: text/calendar; method=REQUEST\n\n\
        BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nSUMMARY:Budget review\nDTSTART:20240722T080000Z\nDTEND:20240722T083000Z\n\
        LOCATION:Room 4\\, second floor\nATTENDEE;CN=Bob:mailto:b@example.org\nEND:VEVENT\nEND:VCALENDAR\n";
    let plain = text("a.eml", invitation, "txt");
    for words in [
        "Invitation: Budget review",
        "When: 2024-07-22 08:00–08:30 UTC",
        "Where: Room 4, second floor",
        "Who: Bob <b@example.org>",
    ] {
        assert!(plain.contains(words), "{words}: {plain}");
    }
    let report = "From: m@example.org\nSubject: Undelivered\nContent-Type: multipart/report; boundary=a\n\n--a\n\nIt failed.\n--a\n\
        Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; b@example.org\nAction: failed\nStatus: 5.1.1\n--a--\n";
    let page = text("a.eml", report, "md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 3, "{page}");
    assert!(
        rows[0].contains("Recipient") && rows[2].contains("b@example.org"),
        "{page}"
    );
    let saved = "From: <Saved by Blink>\nSnapshot-Content-Location: http://x/\nSubject: Saved page\nContent-Type: multipart/related; boundary=a\n\n--a\n\
        Content-Type: text/html\nContent-Location: http://x/\n\n<html><body><h1>Saved</h1></body></html>\n--a--\n";
    let page = text("a.mhtml", saved, "md");
    assert!(page.contains("# Saved") && !page.contains("From"), "{page}");
}
