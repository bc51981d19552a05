//! Office and OpenDocument files that are encrypted with a password (`tests/data/locked`).

use crate::harness::{convert, converted, fixture};

const PASSWORD: (&str, &str) = ("password", "secret é");

fn data(name: &str) -> Vec<u8> {
    fixture(&format!("locked/{name}"))
}

/// Files that [`PASSWORD`] opens, each with a target to which it is converted, and words that the result must contain.
const FILES: &[(&str, &str, &str)] = &[
    ("locked.docx", "txt", "What is locked in a document"),
    ("locked.doc", "txt", "What is locked in a document"),
    ("locked.odt", "txt", "What is locked in a document"),
    ("whole.odt", "txt", "What is locked in a document"),
    #[cfg(feature = "spreadsheet")]
    ("locked.xlsx", "csv", "What is locked in a sheet"),
    #[cfg(feature = "spreadsheet")]
    ("locked.xls", "csv", "What is locked in a sheet"),
    #[cfg(feature = "spreadsheet")]
    ("locked.ods", "csv", "What is locked in a sheet"),
    #[cfg(feature = "presentation")]
    ("locked.pptx", "txt", "What is locked in slides"),
];

#[test]
fn the_password_opens_them() {
    for (name, to, words) in FILES {
        let made = converted(name, &data(name), to, &[PASSWORD]);
        let text = String::from_utf8(made).unwrap();
        assert!(text.contains(words), "{name}: {text}");
    }
}

#[test]
#[cfg(feature = "pdf")]
fn the_password_opens_them_on_the_way_to_pages() {
    for (name, ..) in FILES {
        let picture = converted(name, &data(name), "png", &[PASSWORD]);
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        let stamp = ("stamp", "Draft");
        let pages = converted(name, &data(name), "pdf", &[PASSWORD, stamp]);
        assert!(pages.starts_with(b"%PDF"), "{name}");
    }
}

#[test]
fn without_the_password_they_are_refused() {
    #[track_caller]
    fn check(name: &str, to: &str, fields: &[(&str, &str)], expected: &str) {
        let error = convert(name, &data(name), to, fields).unwrap_err();
        assert!(error.message().contains(expected), "{name}: {error}");
    }
    for (name, to, _) in FILES {
        check(name, to, &[], "send its password in the field password");
        let other = ("password", "Secret é");
        check(
            name,
            to,
            &[other],
            "the password in the field password is wrong",
        );
    }
}

#[test]
#[cfg(feature = "spreadsheet")]
fn the_password_that_excel_tries_itself_need_not_be_sent() {
    let made = converted("usual.xls", &data("usual.xls"), "csv", &[]);
    assert_eq!(made, b"What is locked in a sheet\r\n");
}

/// Before an encrypted package is decrypted, only the file extension tells its format. The extension in this test is
/// wrong.
#[test]
#[cfg(feature = "presentation")]
fn the_error_names_the_content_of_a_misnamed_package() {
    let error = convert("a.docx", &data("locked.pptx"), "txt", &[PASSWORD]).unwrap_err();
    assert!(
        error.message().contains("contains a presentation"),
        "{error}"
    );
}

#[test]
fn damage_ends_in_an_error_or_a_result() {
    let mut seed = 0x10cced_u64;
    let mut below = |limit: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize % limit
    };
    // The key of the other files takes a hundred thousand hashes. The fuzz test of the service damages those files.
    for (name, to, _) in FILES
        .iter()
        .filter(|(name, ..)| name.ends_with("xls") || name.ends_with("doc"))
    {
        let whole = data(name);
        for round in 0..200 {
            let mut bytes = whole.clone();
            match round % 4 {
                0 => bytes.truncate(below(whole.len())),
                _ => (0..8).for_each(|_| bytes[below(whole.len())] = below(256) as u8),
            }
            if !bytes.is_empty() {
                let _ = convert(name, &bytes, to, &[PASSWORD]);
            }
        }
    }
}
