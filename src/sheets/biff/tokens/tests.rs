//! Formulas of both formats as text.

use super::*;

fn scope(is_wide: bool) -> Scope {
    Scope {
        is_wide,
        links: vec![
            Link::Sheets("'My sheet'!".into()),
            Link::Functions(0),
            Link::Deleted,
            Link::Elsewhere,
        ],
        names: vec!["Rate".into(), "_xlfn.IFERROR".into()],
        outer: vec![vec!["EDATE".into()]],
    }
}

#[track_caller]
fn check(is_wide: bool, tokens: &[u8], extra: &[u8], expected: Option<&str>) {
    let formula = Formula { tokens, extra };
    let text = formula.text(&scope(is_wide), (4, 2));
    assert_eq!(text.as_deref(), expected, "{tokens:x?}");
}

#[test]
fn tokens_become_text() {
    let narrow = |tokens: &[u8], expected| check(false, tokens, &[], Some(expected));
    // Relative and absolute references, and whole columns and rows.
    narrow(&[0x24, 1, 0, 0, 0xc0], "A2");
    narrow(&[0x44, 1, 0, 0, 0], "$A$2");
    narrow(&[0x25, 0, 0, 9, 0, 1, 0x80, 2, 0x40], "$B1:C$10");
    narrow(&[0x25, 0, 0, 255, 255, 0, 0xc0, 1, 0xc0], "A:B");
    narrow(&[0x25, 1, 0, 2, 0, 0, 0xc0, 255, 0xc0], "2:3");
    narrow(&[0x3a, 0, 0, 1, 0, 0, 0xc0], "'My sheet'!A2");
    narrow(
        &[0x5b, 0, 0, 0, 0, 1, 0, 0, 0xc0, 1, 0xc0],
        "'My sheet'!A1:B2",
    );
    narrow(&[0x3a, 2, 0, 1, 0, 0, 0xc0], "#REF!");
    // Distances from C5; the last one wraps around the edge of the sheet.
    narrow(&[0x2c, 0xff, 0xff, 0xff, 0xc0], "B4");
    narrow(&[0x2c, 0xfb, 0xff, 0, 0x80], "$A65536");
    // Operators, texts, numbers, functions.
    narrow(&[0x1e, 1, 0, 0x1e, 2, 0, 0x03, 0x15, 0x14], "(1+2)%");
    narrow(&[0x17, 3, 0, b'a', b'"', 0xe9, 0x16, 0x08], "\"a\"\"é\"&");
    narrow(&[0x1d, 1, 0x1c, 0x2a, 0x0b], "TRUE=#N/A");
    narrow(&[0x1e, 7, 0, 0x1e, 3, 0, 0x41, 39, 0], "MOD(7,3)");
    narrow(&[0x23, 1, 0, 0, 0, 0x19, 0x10, 0, 0], "SUM(Rate)");
    narrow(&[0x1e, 1, 0, 0x16, 0x22, 2, 1, 0], "IF(1,)");
    narrow(
        &[0x39, 1, 0, 1, 0, 0, 0, 0x1e, 1, 0, 0x22, 2, 255, 0],
        "EDATE(1)",
    );
    narrow(
        &[0x23, 2, 0, 0, 0, 0x1e, 1, 0, 0x22, 2, 255, 0],
        "IFERROR(1)",
    );
    let numbers = [
        &[0x1f][..],
        &1e300_f64.to_le_bytes(),
        &[0x1f],
        &0.1_f64.to_le_bytes(),
        &[4],
    ];
    narrow(&numbers.concat(), "1E+300-0.1");
    // CHOOSE, with its jump table.
    narrow(
        &[
            0x1e, 1, 0, 0x19, 4, 1, 0, 9, 9, 9, 9, 0x1e, 5, 0, 0x22, 2, 100, 0,
        ],
        "CHOOSE(1,5)",
    );
    let one = [&[1][..], &1.5_f64.to_le_bytes()].concat();
    let text = [2, 1, 0, 0, b'x'];
    let array = [&[1, 0, 0][..], &one, &text].concat();
    check(
        false,
        &[0x60, 0, 0, 0, 0, 0, 0, 0],
        &array,
        Some("{1.5,\"x\"}"),
    );
    check(true, &[0x24, 1, 0, 0, 0, 0, 0xc0], &[], Some("A2"));
    check(true, &[0x17, 1, 0, b'x', 0], &[], Some("\"x\""));
    check(
        true,
        &[0x3a, 0, 0, 1, 0, 0, 0, 0, 0xc0],
        &[],
        Some("'My sheet'!A2"),
    );
}

#[test]
fn tokens_that_cannot_be_translated_are_left_out() {
    let none = |tokens: &[u8]| {
        check(false, tokens, &[], None);
        check(true, tokens, &[], None);
    };
    none(&[]);
    // Truncated tokens, too few or too many operands, unknown functions and names, other workbooks.
    none(&[0x24, 1]);
    none(&[0x1e, 1, 0, 0x03]);
    none(&[0x1e, 1, 0, 0x1e, 1, 0]);
    none(&[0x21, 255, 255]);
    none(&[0x22, 200, 4, 0]);
    none(&[0x23, 9, 0, 0, 0]);
    none(&[0x23, 0, 0, 0, 0]);
    none(&[0x39, 3, 0, 1, 0, 0, 0]);
    none(&[0x3a, 3, 0, 1, 0, 0, 0xc0]);
    none(&[0x20, 0, 0, 0, 0, 0, 0, 0]);
    none(&[0x18, 0x19, 0, 0]);
    // A formula that grows with each token is rejected before it gets long.
    let bomb = [&[0x17, 1, 0, b'x'][..], &[0x15; 60_000]].concat();
    none(&bomb);
}
