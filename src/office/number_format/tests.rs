//! Compares formatted texts with those of Excel.

use super::*;

/// Results of `TEXT(value, code)` that Excel stored in the workbooks `*FormatTests.xlsx` of Apache POI (Apache-2.0):
/// epoch, type of the value (number, string or boolean), value, code and result.
const ANSWERS: &str = include_str!("answers.tsv");

#[track_caller]
fn shown(epoch: Epoch, code: &str, value: f64) -> String {
    let mut out = String::new();
    NumberFormat::parse(code).number(value, epoch, &mut out);
    out
}

#[test]
fn every_answer_of_excel_is_reproduced() {
    let mut wrong = Vec::new();
    for row in ANSWERS.lines() {
        let fields: Vec<&str> = row.split('\t').collect();
        let [epoch, kind, value, code, answer] = fields[..] else {
            panic!("five fields: {row}");
        };
        let epoch = match epoch {
            "1904" => Epoch::From1904,
            _ => Epoch::From1900,
        };
        let text = |text: &str| {
            let shown = NumberFormat::parse(code).text(text);
            shown.unwrap_or_else(|| text.to_owned())
        };
        let actual = match (kind, value) {
            ("b", "1") => text("TRUE"),
            ("b", _) => text("FALSE"),
            ("s", _) => text(value),
            _ => shown(epoch, code, value.parse().unwrap()),
        };
        if actual != answer {
            wrong.push(format!("{row:?} {actual:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn common_codes_match_office_output() {
    #[track_caller]
    fn check(code: &str, value: f64, expected: &str) {
        assert_eq!(shown(Epoch::From1900, code, value), expected, "{code}");
    }
    check("", 1.5, "1.5");
    check("General\" kg\"", 12.5, "12.5 kg");
    check("#,##0.00\\ \"€\"", 1240.0, "1,240.00 €");
    check("#,##0.00\\ [$€-407]", -1240.5, "-1,240.50 €");
    check("[$$-409]#,##0", 85000.0, "$85,000");
    check(
        "_(* #,##0.00_);_(* (#,##0.00);_(* \"-\"??_);_(@_)",
        -12.5,
        " (12.50)",
    );
    check(
        "_(* #,##0.00_);_(* (#,##0.00);_(* \"-\"??_);_(@_)",
        0.0,
        " -   ",
    );
    check("0.00;[Red]-0.00", -1.005, "-1.01");
    check(
        "[<=9999999]###-####;(###) ###-####",
        5_551_234.0,
        "555-1234",
    );
    check(
        "[<=9999999]###-####;(###) ###-####",
        2_125_551_234.0,
        "(212) 555-1234",
    );
    check("[<0]\"low \"0;[>100]\"high \"0;0", -3.0, "low 3");
    check("[<1]0;[>10]0", 5.0, "########");
    check("000-00-0000", 123_456_789.0, "123-45-6789");
    check("0.0,,\" m\"", 12_345_678.0, "12.3 m");
    check("# ??/??", 0.3125, "  5/16");
    check("# ?/8", 2.9, "2 7/8");
    check("# ?/8", 2.99, "3    ");
    check("?/?", 2.5, "5/2");
    check(";;;", 5.0, "");
    check("0%", 0.155, "16%");
    check("##0.0E+0", 12_345.0, "12.3E+3");
    check("0.00E+00", 0.0, "0.00E+00");
    check("0.0E+0", 9.96, "1.0E+1");
    check("yyyy\\-mm\\-dd", 60.0, "1900-02-29");
    check("ddd d mmm yyyy", 43_831.0, "Wed 1 Jan 2020");
    check("m/d/yyyy", 0.0, "1/0/1900");
    check("mmmmm", 43_831.0, "J");
    check("dd.mm.yyyy", -1.0, "########");
    check("dd.mm.yyyy", 3e6, "########");
    check("h:mm", 0.999_999, "23:59");
    check("hh:mm:ss", 0.999_999, "00:00:00");
    check("[h]:mm", 1.5, "36:00");
    check("h AM/PM", 0.0, "12 AM");
    check(
        "[$-F800]dddd, mmmm dd, yyyy",
        45_000.0,
        "Wednesday, March 15, 2023",
    );
    check("yyyy\"年\"m\"月\"d\"日\"", 45_000.0, "2023年3月15日");
}

#[test]
fn east_asian_numerals_are_shown() {
    let check = |code: &str, value: f64, expected: &str| {
        assert_eq!(shown(Epoch::From1900, code, value), expected, "{code}");
    };
    check("[DBNum1][$-804]General", 12_323.0, "一万二千三百二十三");
    check("[DBNum1][$-804]General", 10_203.0, "一万〇二百〇三");
    check("[DBNum1][$-804]General", 100_000_000.0, "一亿");
    check("[DBNum1][$-804]General", 0.0, "〇");
    check("[DBNum1][$-804]General", -2.5, "-二.五");
    check("[DBNum2][$-804]General", 1010.0, "壹仟零壹拾");
    check("[DBNum1][$-411]General", 11_110.0, "一万千百十");
    check("[DBNum4][$-412]General", 320.0, "삼백이십");
    check("[DBNum1]0", 120.0, "一二〇");
    check("[DBNum3]0.0", 1.5, "１.５");
    let date = "[DBNum1][$-804]yyyy\"年\"m\"月\"d\"日\"";
    check(date, 45_210.0, "二〇二三年十月十一日");
}

#[test]
fn any_code_formats_any_number() {
    let odd = [
        "[",
        "[h",
        "\"",
        "\\",
        "_",
        "*",
        "#.#.#",
        "/",
        "#/",
        "/#",
        "E+",
        "0E+E+0",
        ",,,",
        "0,,,.,,0,",
        "?/?/?",
        "0/0",
        "[>]0",
        "[$]",
        "@@@@;;;;;;",
        "#/0",
        "#/99999999999",
        "h:m:s.000000000000000",
        "[h][m][s]",
        "00000/00000",
    ];
    for code in odd {
        for value in [0.0, -1.0, 0.5, 1e308, -1e-308, 1e15, 2_958_465.999_999_9] {
            shown(Epoch::From1904, code, value);
        }
    }
    let long = "0".repeat(100_000);
    assert!(shown(Epoch::From1900, &long, 1.0).len() < 2000);
}
