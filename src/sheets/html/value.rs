//! Values of table cells: from the attributes of Excel, LibreOffice or SheetJS, or else from the notation of the text.
//! Only texts in ISO 8601 become dates, because `1/2/2026` is in January in some countries and in February in others.

use crate::{
    format_names::stated_code, number::NumberStyle, separators::Separators, shown::book::Value,
    time::Moment, types,
};
use convertd_markup::dom::Element;
use convertd_office::time::Clock;

/// Maximum length of a formula, in bytes. Excel's own limit is the same number of characters.
const MAX_FORMULA: usize = 8192;

/// Value of a cell, with its number format and its formula.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Held {
    /// Value, or `None` for the text of the cell.
    pub(super) value: Option<Value>,
    /// Format code of Excel.
    pub(super) code: Option<Box<str>>,
    /// Formula in the syntax of Excel.
    pub(super) formula: Option<Box<str>>,
}

impl Held {
    /// Value of a cell with this text. `code` is the number format in its style.
    pub(super) fn of(
        cell: &Element,
        text: &str,
        code: Option<Box<str>>,
        separators: Separators,
    ) -> Self {
        let code = code.or_else(|| code_in_attributes(cell));
        let (value, own) = match stated(cell, text) {
            Some(value) => (value, None),
            None if code.as_deref() == Some("@") => (None, None),
            None => written(text, code.is_some(), separators),
        };
        let formula = cell.get("x:fmla").or_else(|| cell.get("data-f"));
        let formula = formula.map(|formula| formula.trim().trim_start_matches('='));
        Self {
            value,
            code: code.or_else(|| own.map(Into::into)),
            formula: formula
                .filter(|formula| !formula.is_empty() && formula.len() <= MAX_FORMULA)
                .map(Into::into),
        }
    }
}

/// Number format in an attribute.
fn code_in_attributes(cell: &Element) -> Option<Box<str>> {
    // LibreOffice writes the language of the page, the language of the code, and the code in the notation of that
    // language. Only codes in the notation of US English (1033) are read.
    let of_libre = || {
        let mut parts = cell.get("sdnum")?.splitn(3, ';');
        let (page, own, code) = (parts.next()?, parts.next()?, parts.next()?);
        let language = match own.trim() {
            "" | "0" => page,
            own => own,
        };
        (language.trim() == "1033").then_some(code)
    };
    stated_code(cell.get("data-z").or_else(of_libre)?)
}

/// Value in attributes. The inner `None` stands for the text of the cell.
fn stated(cell: &Element, text: &str) -> Option<Option<Value>> {
    let own = |name: &str| {
        cell.get(name)
            .map(|own| if own.is_empty() { text } else { own })
    };
    let number = |text: &str| text.trim().parse().ok().filter(|one: &f64| one.is_finite());
    let boolean = |text: &str| matches!(text.trim(), "1" | "TRUE" | "true");
    if let Some(own) = cell.get("x:str") {
        return Some((!own.is_empty()).then(|| Value::Text(own.into())));
    }
    if let Some(own) = own("x:bool") {
        return Some(Some(Value::Boolean(boolean(own))));
    }
    if let Some(own) = own("x:err") {
        return Some(Some(Value::Error(own.into())));
    }
    if let Some(found) = own("x:num").and_then(number) {
        return Some(Some(Value::Number(found)));
    }
    if let Some(found) = cell.get("sdval").and_then(number) {
        return Some(Some(Value::Number(found)));
    }
    let of_sheet_js = cell.get("data-v").unwrap_or(text);
    match cell.get("data-t")? {
        "n" => number(of_sheet_js).map(|number| Some(Value::Number(number))),
        "b" => Some(Some(Value::Boolean(boolean(of_sheet_js)))),
        "s" => Some(None),
        _ => None,
    }
}

/// Value of a text, with a number format that shows it in the same way. `formatted` is whether the cell has a number
/// format; only then is a text with a currency symbol beside digits a number.
fn written(text: &str, formatted: bool, separators: Separators) -> (Option<Value>, Option<String>) {
    match text {
        "TRUE" | "true" => return (Some(Value::Boolean(true)), None),
        "FALSE" | "false" => return (Some(Value::Boolean(false)), None),
        _ => {}
    }
    let amount = |text: &str| {
        let plain = separators.plain(text)?;
        let number = types::number(&plain)?;
        let whole = plain.trim_start_matches('-').split(['.', '%']).next()?;
        let grouped = whole.len() > 3 && !text.contains(whole);
        Some((number.value, code_like(number.look, &plain, grouped)))
    };
    let found = amount(text).or_else(|| formatted.then(|| amount(&without_currency(text)))?);
    if let Some((number, code)) = found {
        return (Some(Value::Number(number)), code);
    }
    let moment = Moment::parse(text).and_then(|moment| Some((moment.serial()?, moment.clock())));
    match moment {
        Some((serial, clock)) => {
            let code = match clock {
                Clock::Date => "yyyy-mm-dd",
                Clock::DateTime => "yyyy-mm-dd hh:mm:ss",
                Clock::Time | Clock::Duration => "hh:mm:ss",
            };
            (Some(Value::Number(serial)), Some(code.to_owned()))
        }
        None => (None, None),
    }
}

/// Number without its currency symbol. Parentheses, as accountants write them, become a minus sign.
fn without_currency(text: &str) -> String {
    let is_sign = |c: char| {
        c == '$' || ('\u{a2}'..='\u{a5}').contains(&c) || ('\u{20a0}'..='\u{20cf}').contains(&c)
    };
    let bare: String = text.chars().filter(|c| !is_sign(*c)).collect();
    let inner = bare.trim().strip_prefix('(');
    match inner.and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => format!("-{}", inner.trim()),
        None => bare.trim().to_owned(),
    }
}

/// Number format that shows a number as it was written. `None` for the general format.
fn code_like(style: NumberStyle, plain: &str, grouped: bool) -> Option<String> {
    let whole = if grouped { "#,##0" } else { "0" };
    let decimals = |count: usize| match count {
        0 => String::new(),
        count => format!(".{}", "0".repeat(count)),
    };
    match style {
        NumberStyle::General => {
            let fraction = plain.split_once('.').map_or(0, |(_, digits)| digits.len());
            grouped.then(|| format!("{whole}{}", decimals(fraction)))
        }
        NumberStyle::Fixed(count) => Some(format!("{whole}{}", decimals(count.into()))),
        NumberStyle::Percent(count) => Some(format!("0{}%", decimals(count.into()))),
        NumberStyle::Scientific(count) => Some(format!("0{}E+00", decimals(count.into()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_markup::{
        dom::{self, Data},
        html::Syntax,
    };

    #[track_caller]
    fn check(
        attributes: &str,
        text: &str,
        code: Option<&str>,
        expected: Option<Value>,
        shown: &str,
    ) {
        let page = dom::build(&format!("<table><tr><td {attributes}>"), Syntax::Html);
        let cell = page.all().find(|id| page.tag(*id) == "td").unwrap();
        let Data::Element(cell) = &page.node(cell).data else {
            panic!("no cell");
        };
        let held = Held::of(cell, text, code.map(Into::into), Separators::Point);
        assert_eq!(held.value, expected, "{attributes} {text}");
        assert_eq!(
            held.code.as_deref().unwrap_or_default(),
            shown,
            "{attributes} {text}"
        );
    }

    #[test]
    fn attributes_state_the_value_of_a_cell() {
        let number = |number| Some(Value::Number(number));
        check("x:num='1.5'", "1,50 €", None, number(1.5), "");
        check("x:num", "42", Some("0.0"), number(42.0), "0.0");
        check("x:str", "007", None, None, "");
        check(
            "x:bool='TRUE'",
            "WAHR",
            None,
            Some(Value::Boolean(true)),
            "",
        );
        check(
            "x:err='#N/A'",
            "#NV",
            None,
            Some(Value::Error("#N/A".into())),
            "",
        );
        check(
            "sdval='7' sdnum='1033;0;0.00'",
            "7.00",
            None,
            number(7.0),
            "0.00",
        );
        check(
            "sdval='7' sdnum='1031;0;0,00'",
            "7,00",
            None,
            number(7.0),
            "",
        );
        check(
            "data-t='n' data-v='3' data-z='0%'",
            "300%",
            None,
            number(3.0),
            "0%",
        );
        check("data-t='s' data-v='3'", "3", None, None, "");
    }

    #[test]
    fn text_is_a_number_if_no_digit_is_lost() {
        let number = |number| Some(Value::Number(number));
        check("", "1,234.50", None, number(1234.5), "#,##0.00");
        check("", "1,234.5", None, number(1234.5), "#,##0.0");
        check("", "15%", None, number(0.15), "0%");
        check("", "12.5", None, number(12.5), "");
        check("", "00501", None, None, "");
        check("", "12", Some("@"), None, "@");
        check("", "$1,234.50", None, None, "");
        check(
            "",
            "$1,234.50",
            Some("$#,##0.00"),
            number(1234.5),
            "$#,##0.00",
        );
        check(
            "",
            "(3.00)",
            Some("0.00_);(0.00)"),
            number(-3.0),
            "0.00_);(0.00)",
        );
        check("", "2026-11-27", None, number(46353.0), "yyyy-mm-dd");
        check("", "1/2/2026", None, None, "");
    }
}
