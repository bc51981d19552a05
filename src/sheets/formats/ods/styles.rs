//! Cell styles: the number formats of a file that is read, and the fixed set of styles of a file that is written.
//! Ignores fonts and colours.

use crate::{
    containers::xml::Element,
    number::NumberStyle,
    sheet::View,
    time::{Clock, Moment},
};
use std::{borrow::Cow, collections::HashMap, fmt::Write as _};

/// Maximum number of styles that are read.
const MAX: usize = 1 << 16;
/// Maximum length of the names of a style, its parent and its number format, in bytes. Styles with longer names are
/// ignored.
const MAX_NAME: usize = 1 << 10;

/// Maximum number of styles in a chain of parents, which may be a cycle in a damaged file.
pub(super) const MAX_PARENTS: usize = 32;

/// Maximum number of decimal places of a style.
const DECIMALS: u8 = 15;

/// Number formats by cell style (part 3, 16.2 and 16.29).
#[derive(Default)]
pub(super) struct Styles {
    /// Number formats by number style.
    formats: HashMap<String, NumberStyle>,
    /// Cell styles while they are read, by name. The default style has an empty name.
    written: HashMap<String, Written>,
    /// Number formats by cell style.
    cells: HashMap<String, NumberStyle>,
    /// Number format of cells without a style.
    default: NumberStyle,
    /// Names of table styles that hide a sheet.
    hidden: Vec<String>,
    /// Number style that is being read, and whether it is a percentage.
    format: Option<(String, bool)>,
    /// Table style that is being read.
    table: Option<String>,
    /// Notation of numbers and dates that the client asks for.
    view: View,
}

/// A cell style as it is written.
struct Written {
    /// Name of its number style.
    format: Option<String>,
    /// Name of the style from which it inherits.
    parent: Option<String>,
}

impl Styles {
    pub(super) fn new(view: View) -> Self {
        Self {
            view,
            ..Self::default()
        }
    }

    /// Returns whether the displayed text of a cell is wanted rather than its value.
    pub(super) fn shown(&self) -> bool {
        self.view == View::Shown
    }

    /// Reads the start tag of an element.
    pub(super) fn start(&mut self, element: &Element<'_>) {
        let attribute = |name: &str| element.attribute(name).unwrap_or_default();
        match (element.space, element.name) {
            ("number", "number-style" | "percentage-style") => {
                let is_percent = element.name == "percentage-style";
                self.format = Some((attribute("name").into_owned(), is_percent));
            }
            ("number", name) if name.ends_with("-style") => self.format = None,
            ("number", "number" | "scientific-number") => {
                let Some((name, percent)) = self.format.take() else {
                    return;
                };
                let decimals = attribute("decimal-places").parse::<u8>().unwrap_or(0);
                let decimals = decimals.min(DECIMALS);
                let grouped = attribute("grouping") == "true";
                let format = match (element.name, percent) {
                    ("number", true) => NumberStyle::Percent(decimals),
                    ("number", false) if decimals > 0 && !grouped => NumberStyle::Fixed(decimals),
                    ("scientific-number", false) => NumberStyle::Scientific(decimals),
                    _ => return,
                };
                if self.formats.len() < MAX {
                    self.formats.insert(name, format);
                }
            }
            ("style", "style" | "default-style") => {
                let name = attribute("name").into_owned();
                let names = ["name", "data-style-name", "parent-style-name"];
                if names.iter().any(|name| attribute(name).len() > MAX_NAME) {
                    return;
                }
                match &*attribute("family") {
                    "table" => self.table = Some(name),
                    "table-cell" if self.written.len() < MAX => {
                        let word = |name| element.attribute(name).map(Cow::into_owned);
                        let style = Written {
                            format: word("data-style-name"),
                            parent: word("parent-style-name"),
                        };
                        self.written.insert(name, style);
                    }
                    _ => {}
                }
            }
            ("style", "table-properties") => {
                if let Some(name) = self.table.take()
                    && attribute("display") == "false"
                    && self.hidden.len() < MAX
                {
                    self.hidden.push(name);
                }
            }
            _ => {}
        }
    }

    /// Finds the number formats of the cell styles, once all styles are read. A style without one has that of its
    /// parent, and all of them have that of the default style.
    pub(super) fn finish(&mut self) {
        let all = std::mem::take(&mut self.written);
        let format = |name: &str| {
            let parent = |style: &&Written| all.get(style.parent.as_deref()?);
            let chain = std::iter::successors(all.get(name), parent).take(MAX_PARENTS);
            let stated = chain
                .chain(all.get(""))
                .find_map(|style| style.format.as_deref());
            stated
                .and_then(|name| self.formats.get(name))
                .copied()
                .unwrap_or_default()
        };
        self.default = format("Default");
        let formats: Vec<NumberStyle> = all.keys().map(|name| format(name)).collect();
        self.cells = all.into_keys().zip(formats).collect();
    }

    /// Returns whether a table style hides its sheet.
    pub(super) fn is_hidden(&self, name: &str) -> bool {
        self.hidden.iter().any(|hidden| hidden == name)
    }

    /// Number format of a cell style.
    pub(super) fn style(&self, name: Option<&str>) -> NumberStyle {
        let style = name.and_then(|name| self.cells.get(name).copied());
        style.unwrap_or(self.default)
    }
}

/// Name of the written style for a number. `None` for the general format, and for a fixed format without decimal
/// places.
pub(super) fn of_number(style: NumberStyle) -> Option<String> {
    match style {
        NumberStyle::General | NumberStyle::Fixed(0) => None,
        NumberStyle::Fixed(decimals) => Some(format!("f{}", decimals.min(DECIMALS))),
        NumberStyle::Percent(decimals) => Some(format!("p{}", decimals.min(DECIMALS))),
        NumberStyle::Scientific(decimals) => Some(format!("e{}", decimals.min(DECIMALS))),
    }
}

/// Name of the written style for a date or time.
pub(super) fn of_moment(moment: Moment) -> &'static str {
    match moment.clock() {
        Clock::Date => "date",
        Clock::DateTime => "datetime",
        Clock::Time => "time",
        Clock::Duration => "duration",
    }
}

/// Written content of `office:automatic-styles`: one style for each format that a value can have.
pub(super) fn written() -> String {
    let mut xml = String::new();
    // Writing to a string cannot fail.
    let mut cell = |name: &str, format: &str| {
        let _ = write!(
            xml,
            "{format}<style:style style:name=\"{name}\" style:family=\"table-cell\" style:parent-style-name=\"Default\" style:data-style-name=\"N{name}\"/>"
        );
    };
    for count in 0..=DECIMALS {
        let places = format!(
            "number:decimal-places=\"{count}\" number:min-decimal-places=\"{count}\" number:min-integer-digits=\"1\""
        );
        if count > 0 {
            cell(
                &format!("f{count}"),
                &format!(
                    "<number:number-style style:name=\"Nf{count}\"><number:number {places}/></number:number-style>"
                ),
            );
        }
        cell(
            &format!("p{count}"),
            &format!(
                "<number:percentage-style style:name=\"Np{count}\"><number:number {places}/><number:text>%</number:text></number:percentage-style>"
            ),
        );
        cell(
            &format!("e{count}"),
            &format!(
                "<number:number-style style:name=\"Ne{count}\"><number:scientific-number {places} number:min-exponent-digits=\"2\"/></number:number-style>"
            ),
        );
    }
    let day = "<number:year number:style=\"long\"/><number:text>-</number:text><number:month number:style=\"long\"/><number:text>-</number:text><number:day number:style=\"long\"/>";
    let time = "<number:hours number:style=\"long\"/><number:text>:</number:text><number:minutes number:style=\"long\"/><number:text>:</number:text><number:seconds number:style=\"long\"/>";
    cell(
        "date",
        &format!("<number:date-style style:name=\"Ndate\">{day}</number:date-style>"),
    );
    cell(
        "datetime",
        &format!(
            "<number:date-style style:name=\"Ndatetime\">{day}<number:text> </number:text>{time}</number:date-style>"
        ),
    );
    cell(
        "time",
        &format!("<number:time-style style:name=\"Ntime\">{time}</number:time-style>"),
    );
    cell(
        "duration",
        &format!(
            "<number:time-style style:name=\"Nduration\" number:truncate-on-overflow=\"false\">{time}</number:time-style>"
        ),
    );
    xml + "<style:style style:name=\"hidden\" style:family=\"table\"><style:table-properties table:display=\"false\"/></style:style>"
}
