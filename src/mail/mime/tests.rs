//! Tests of the reader of messages: parts, attachments, texts and damaged structures.

use super::*;
use crate::job::testing::with_job;

fn message(text: &str) -> Message {
    with_job(|job| read(job, text.as_bytes()).unwrap())
}

#[test]
fn a_body_with_its_attachments_is_read() {
    let mail = "From: A <a@x>\nTo: b@x\nSubject: =?utf-8?q?caf=C3=A9?=\nContent-Type: multipart/mixed; boundary=\"m\"\n\nignored\n--m\n\
        Content-Type: multipart/related; boundary=r\n\n--r\nContent-Type: multipart/alternative; boundary=a\n\n--a\nContent-Type: text/plain; charset=iso-8859-1\n\
        Content-Transfer-Encoding: quoted-printable\n\n=E9t=E9\n--a\nContent-Type: text/html\n\n<p><img src=cid:i>\n--a--\n--r\nContent-Type: image/png\nContent-ID: <i>\n\
        Content-Transfer-Encoding: base64\n\neA==\n--r--\n--m\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=\"../a.pdf\"\n\nx\n--mm\n";
    let found = message(mail);
    assert_eq!(found.subject, "café");
    assert_eq!(found.text.as_deref().map(str::trim), Some("été"));
    assert_eq!(found.html.as_deref(), Some("<p><img src=cid:i>"));
    let names: Vec<_> = found
        .attachments
        .iter()
        .map(|attachment| (attachment.name.as_str(), attachment.bytes.len()))
        .collect();
    assert_eq!(names, [("attachment-1", 1), ("a.pdf", 7)]);
}

#[test]
fn invitations_reports_and_digests_are_shown() {
    let found = message(
        "Content-Type: multipart/alternative; boundary=a\n\n--a\nContent-Type: text/plain\n\nhi\n--a\nContent-Type: text/calendar; method=REQUEST\n\n\
         BEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n--a\nContent-Type: application/ics; name=invite.ics\n\nBEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n--a--\n",
    );
    assert_eq!(found.shown, ["<p><b>Event:</b> x</p>"]);
    assert_eq!(found.attachments.len(), 2);
    let found = message(
        "Content-Type: multipart/report; boundary=a\n\n--a\n\nIt failed.\n--a\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n\
         Final-Recipient: rfc822; b@x\nAction: failed\n--a\nContent-Type: message/rfc822\n\nSubject: old\n\nx\n--a--\n",
    );
    assert!(
        found.shown[0].contains("<td>b@x</td><td>failed</td>"),
        "{:?}",
        found.shown
    );
    assert_eq!(found.attachments[0].name, "old.eml");
    let found = message(
        "Content-Type: multipart/digest; boundary=a\n\n--a\n\nFrom: a@x\nSubject: one\n\nfirst\n--a\nContent-Type: message/rfc822\n\nSubject: two\n\nsecond\n--a--\n",
    );
    let inner: Vec<_> = found
        .inner
        .iter()
        .map(|mail| (mail.subject.as_str(), mail.text.as_deref()))
        .collect();
    assert_eq!(inner, [("one", Some("first")), ("two", Some("second"))]);
    let found = message(
        "Content-Type: multipart/digest; boundary=a\n\n--a\n\nSubject: one\nContent-Type: application/pdf; name=a.pdf\n\nx\n--a--\n",
    );
    assert!(found.attachments.is_empty());
    assert_eq!(found.into_attachments()[0].name, "a.pdf");
    let found = message("Content-Type: text/plain\n\nsee\nbegin 644 c.txt\n#0V%T\n`\nend\n");
    assert_eq!(
        (found.text.as_deref(), found.attachments[0].name.as_str()),
        (Some("see\n"), "c.txt")
    );
    let found = message("Content-Type: text/enriched\n\n<bold>x</bold>");
    assert_eq!(found.html.as_deref(), Some("<b>x</b>"));
}

#[test]
fn inline_signatures_are_removed() {
    #[track_caller]
    fn check(body: &str, expected: &str) {
        let found = message(&format!("Content-Type: text/plain\n\n{body}"));
        assert_eq!(found.text.as_deref(), Some(expected), "{body}");
    }
    let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\none\n- -- \ntwo\n\
                  -----BEGIN PGP SIGNATURE-----\n\niQ\n=x\n-----END PGP SIGNATURE-----\n";
    check(signed, "one\n-- \ntwo\n");
    let around = format!("before\n{signed}the list's footer\n{signed}end");
    check(
        &around,
        "before\none\n-- \ntwo\nthe list's footer\none\n-- \ntwo\nend",
    );
    let cut = signed.split("-----END").next().unwrap_or_default();
    check(cut, "one\n-- \ntwo");
}

#[test]
fn certificates_are_attached() {
    // ContentInfo with SignedData that has a version, no digest algorithms, and content of a type without octets.
    let mail = "Content-Type: application/pkcs7-mime; smime-type=certs-only; name=smime.p7c\n\
                Content-Transfer-Encoding: base64\n\n\
                MCMGCSqGSIb3DQEHAqAWMBQCAQExADALBgkqhkiG9w0BBwExAA==\n";
    let found = message(mail);
    let names: Vec<_> = found.attachments.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["smime.p7c"]);
}

#[test]
fn format_flowed_paragraphs_are_joined() {
    let found = message("Content-Type: text/plain; format=flowed\n\na \nb\n> c \n> d\n-- \nx");
    assert_eq!(found.text.as_deref(), Some("a b\n> c d\n-- \nx"));
}

#[test]
fn a_mail_that_was_cut_off_is_noted() {
    let whole =
        "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: text/plain\n\nx\n--a--\n";
    assert!(message(whole).remarks.is_empty());
    let cut = message(whole.strip_suffix("--a--\n").unwrap());
    assert_eq!(cut.text.as_deref(), Some("x\n"));
    assert!(cut.remarks[0].contains("cut off"), "{:?}", cut.remarks);
}

#[test]
fn the_root_of_related_parts_is_the_body() {
    let mail = |start: &str| {
        message(&format!(
            "Content-Type: multipart/related; boundary=a{start}\nContent-Location: https://a.example/x/\n\n\
             --a\nContent-Type: text/css\nContent-Location: s.css\n\np{{}}\n\
             --a\nContent-Type: text/html\nContent-Location: f.htm\n\nframe\n\
             --a\nContent-Type: multipart/alternative; boundary=b\nContent-ID: <r>\n\n\
             --b\nContent-Type: text/plain\n\nplain\n--b\nContent-Type: text/html\nContent-Location: p.htm\n\nroot\n--b--\n--a--\n"
        ))
    };
    let found = mail("; start=\"<r>\"");
    assert_eq!(found.html.as_deref(), Some("root"));
    assert_eq!(found.location, "https://a.example/x/p.htm");
    let locations: Vec<_> = found
        .attachments
        .iter()
        .map(|file| file.location.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(locations, ["s.css", "f.htm"]);
    let found = mail("");
    assert_eq!(found.location, "https://a.example/x/f.htm");
    assert_eq!(found.attachments.len(), 2);
}

#[test]
fn hostile_mails_have_limits() {
    let deep: String = (0..1000)
        .map(|nth| format!("Content-Type: multipart/mixed; boundary=b{nth}\n\n--b{nth}\n"))
        .collect();
    assert!(!message(&deep).remarks.is_empty());
    let many = format!(
        "Content-Type: multipart/mixed; boundary=b\n\n{}",
        "--b\nContent-Type: image/png\n\nx\n".repeat(10_000)
    );
    assert!(message(&many).attachments.len() < 10_000);
    with_job(|job| {
        assert!(read(job, b"Content-Type: multipart/encrypted; boundary=a\n\n").is_err());
        assert!(
            read(
                job,
                b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx"
            )
            .is_err()
        );
    });
    for text in [
        "",
        "\n",
        "Content-Type: multipart/mixed\n\nx",
        "Content-Type: multipart/mixed; boundary=\"\"\n\nx",
        ":",
        "a:\n b",
    ] {
        message(text);
    }
}
