//! Counter styles: representation of numbers (CSS Counter Styles 3). Counts nothing.
//!
//! A style has an algorithm (`system`), the symbols that it combines, and descriptors for the text around the number. A
//! number outside the range of a style is represented in its fallback style, and finally in decimal digits.
//!
//! The predefined styles are rules of a style sheet of their own, parsed when a document first uses
//! one that it does not define itself.

use super::{
    rules::counter_rules,
    tokens::{Token, tokens, trimmed},
    value::Cursor,
};
use convertd_tree::numerals::{self, Ones};
use std::{cell::OnceCell, collections::HashMap, rc::Rc};

/// Predefined styles as a style sheet.
const PREDEFINED: &str = include_str!("counter-styles.css");

/// Limit on the counter styles that a document defines.
const MAX_STYLES: usize = 1000;
/// Limit on the symbols of a counter style.
const MAX_SYMBOLS: usize = 2000;
/// Limit on chains of `extends` and `fallback`.
const DEEPEST: usize = 8;
/// Limit on the length of a representation, in characters; the specification asks for at least 60
/// (2.1).
const LONGEST: usize = 120;

/// Algorithm of a style (CSS Counter Styles 3, 3.1).
#[derive(Clone, Debug, PartialEq)]
enum System {
    Cyclic,
    /// A symbol each for consecutive numbers from this one on.
    Fixed(i32),
    Symbolic,
    Alphabetic,
    Numeric,
    Additive,
    /// Longhand Chinese and related styles: ten digits and three place markers (7.1.2). The
    /// informal variants omit the leading one of 10 to 19.
    Chinese {
        informal: bool,
    },
    /// Another style's algorithm.
    Extends(Rc<str>),
}

/// A counter style: algorithm, symbols, and descriptors (`None`: not specified). Fields: the
/// algorithm with its symbols, text around the number, and the numbers that it applies to.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterStyle {
    system: System,
    symbols: Vec<Rc<str>>,
    /// Weights with their symbols, in the order written; the specification demands decreasing weights (3.8).
    additive: Vec<(i32, Rc<str>)>,
    prefix: Option<Rc<str>>,
    suffix: Option<Rc<str>>,
    /// Text before and after negative numbers.
    negative: Option<(Rc<str>, Rc<str>)>,
    /// Ranges of numbers, inclusive; `None` for the algorithm's own.
    range: Option<Vec<(i32, i32)>>,
    /// Minimum length, and the symbol that fills it.
    pad: Option<(usize, Rc<str>)>,
    fallback: Option<Rc<str>>,
}

impl CounterStyle {
    /// A style without symbols.
    fn new(system: System) -> Self {
        Self {
            system,
            symbols: Vec::new(),
            additive: Vec::new(),
            prefix: None,
            suffix: None,
            negative: None,
            range: None,
            pad: None,
            fallback: None,
        }
    }

    /// Parses the arguments of `symbols()` (6.4).
    pub(super) fn of_symbols(mut cursor: Cursor<'_>) -> Option<Self> {
        let system = match cursor.attempt(|cursor| cursor.word()).as_deref() {
            None | Some("symbolic") => System::Symbolic,
            Some("cyclic") => System::Cyclic,
            Some("numeric") => System::Numeric,
            Some("alphabetic") => System::Alphabetic,
            Some("fixed") => System::Fixed(1),
            Some(_) => return None,
        };
        let mut style = Self::new(system);
        style.symbols = symbols(&mut cursor);
        // Anonymous styles have a space as suffix, instead of a period and a space.
        style.suffix = Some(" ".into());
        (cursor.is_done() && style.is_complete()).then_some(style)
    }

    /// Parses the descriptors of an `@counter-style` rule (3). `None` if the result is invalid.
    fn of_rule(pairs: &[(String, Vec<Token>, bool)]) -> Option<Self> {
        let mut style = Self::new(System::Symbolic);
        for (name, value, _) in pairs {
            style.descriptor(name, Cursor::new(trimmed(value)));
        }
        style.is_complete().then_some(style)
    }

    /// Parses one descriptor. Returns `None` for an invalid one, which is ignored.
    fn descriptor(&mut self, name: &str, mut value: Cursor<'_>) -> Option<()> {
        match name {
            "system" => self.system = system(&mut value)?,
            "symbols" => self.symbols = symbols(&mut value),
            // Each part is a weight and a symbol, in any order (3.8).
            "additive-symbols" => {
                let pair = |mut part: Cursor<'_>| {
                    let before = part.integer();
                    let symbol = symbol(&mut part)?;
                    Some((before.or_else(|| part.integer())?, symbol))
                };
                let parts = value.parts().into_iter().take(MAX_SYMBOLS);
                self.additive = parts.map(pair).collect::<Option<Vec<_>>>()?;
            }
            "prefix" => self.prefix = Some(symbol(&mut value)?),
            "suffix" => self.suffix = Some(symbol(&mut value)?),
            "negative" => {
                let before = symbol(&mut value)?;
                self.negative = Some((before, symbol(&mut value).unwrap_or_else(|| "".into())));
            }
            "range" => self.range = range(value)?,
            // Length and symbol are in any order (3.6).
            "pad" => {
                let before = value.integer();
                let symbol = symbol(&mut value)?;
                let count = before.or_else(|| value.integer())?;
                self.pad = Some((count.clamp(0, LONGEST as i32) as usize, symbol));
            }
            "fallback" => match value.next()? {
                Token::Ident(name) => self.fallback = Some(name.to_ascii_lowercase().into()),
                _ => return None,
            },
            _ => {}
        }
        Some(())
    }

    /// Returns whether the style has enough symbols for its algorithm (3.1).
    fn is_complete(&self) -> bool {
        match &self.system {
            System::Cyclic | System::Fixed(_) | System::Symbolic => !self.symbols.is_empty(),
            System::Alphabetic | System::Numeric => self.symbols.len() >= 2,
            System::Additive => !self.additive.is_empty(),
            // Ten digits, and the markers of ten, hundred and thousand.
            System::Chinese { .. } => self.symbols.len() == 13,
            System::Extends(_) => true,
        }
    }

    /// Returns whether a number is within the range (3.5). An omitted range is that of the
    /// algorithm.
    fn holds(&self, number: i32) -> bool {
        match &self.range {
            Some(ranges) => ranges
                .iter()
                .any(|(from, to)| (*from..=*to).contains(&number)),
            None => match self.system {
                System::Alphabetic | System::Symbolic => number >= 1,
                System::Additive => number >= 0,
                _ => true,
            },
        }
    }

    /// Representation of a number, which may be negative only for cyclic and fixed styles. `None` if the algorithm
    /// cannot represent it (3.1.1 to 3.1.6).
    fn symbols_for(&self, number: i64) -> Option<String> {
        let count = self.symbols.len() as i64;
        let at = |index: i64| self.symbols.get(usize::try_from(index).ok()?);
        match &self.system {
            // Cyclic: the symbols over and over, 1 being the first.
            System::Cyclic => Some(at((number - 1).rem_euclid(count.max(1)))?.to_string()),
            System::Fixed(first) => Some(at(number - i64::from(*first))?.to_string()),
            // Symbolic: the symbols once, then each twice, and so on: a, b, aa, bb.
            System::Symbolic => {
                let times = (number - 1) / count.max(1) + 1;
                let symbol = at((number - 1).rem_euclid(count.max(1)))?;
                let fits = times > 0 && times as usize * symbol.chars().count().max(1) <= LONGEST;
                fits.then(|| symbol.repeat(times as usize))
            }
            // Alphabetic: like spreadsheet columns, without a zero digit: a … z, aa, ab.
            System::Alphabetic => {
                let (mut rest, mut parts) = (number, Vec::new());
                while rest > 0 {
                    rest -= 1;
                    parts.push(at(rest % count)?.as_ref());
                    rest /= count;
                }
                parts.reverse();
                (!parts.is_empty()).then(|| parts.concat())
            }
            // Numeric: a positional system whose base is the number of symbols, the first being
            // zero.
            System::Numeric => {
                let (mut rest, mut parts) = (number, Vec::new());
                loop {
                    parts.push(at(rest % count)?.as_ref());
                    rest /= count;
                    if rest == 0 {
                        break;
                    }
                }
                parts.reverse();
                Some(parts.concat())
            }
            System::Additive => added(number, &self.additive),
            // One zero represents each gap between digits (7.1.2).
            System::Chinese { informal } => {
                let ones = match informal {
                    true => Ones::Informal,
                    false => Ones::WithZeros,
                };
                let symbols: Vec<&str> = self.symbols.iter().map(AsRef::as_ref).collect();
                numerals::chinese(u32::try_from(number).ok()?, &symbols, ones)
            }
            System::Extends(_) => None,
        }
    }
}

/// Additive representation: each weight as often as it fits, in the order of the list (3.1.6).
fn added(number: i64, additive: &[(i32, Rc<str>)]) -> Option<String> {
    // Zero has a representation only if a symbol has the weight 0.
    let (mut rest, mut out) = (number, String::new());
    if number == 0 {
        let zero = additive.iter().find(|(weight, _)| *weight == 0);
        return zero.map(|(_, symbol)| symbol.to_string());
    }
    for (weight, symbol) in additive.iter().filter(|(weight, _)| *weight > 0) {
        let times = rest / i64::from(*weight);
        if times as usize > LONGEST {
            return None;
        }
        out.push_str(&symbol.repeat(times as usize));
        rest %= i64::from(*weight);
    }
    (rest == 0 && out.chars().count() <= LONGEST).then_some(out)
}

/// Parses a symbol: a string or an identifier.
fn symbol(cursor: &mut Cursor<'_>) -> Option<Rc<str>> {
    match cursor.peek()? {
        Token::Text(text) | Token::Ident(text) => {
            cursor.next();
            Some(text.clone())
        }
        _ => None,
    }
}

/// Parses symbols up to the limit.
fn symbols(cursor: &mut Cursor<'_>) -> Vec<Rc<str>> {
    let mut all = Vec::new();
    while all.len() < MAX_SYMBOLS
        && let Some(symbol) = symbol(cursor)
    {
        all.push(symbol);
    }
    all
}

/// Parses `system` (3.1). The first symbol of `fixed` represents 1 unless a number follows.
fn system(cursor: &mut Cursor<'_>) -> Option<System> {
    Some(match cursor.word()?.as_str() {
        "cyclic" => System::Cyclic,
        "fixed" => System::Fixed(cursor.integer().unwrap_or(1)),
        "symbolic" => System::Symbolic,
        "alphabetic" => System::Alphabetic,
        "numeric" => System::Numeric,
        "additive" => System::Additive,
        "chinese" => System::Chinese {
            informal: cursor.is_word("informal"),
        },
        "extends" => System::Extends(cursor.word()?.into()),
        _ => return None,
    })
}

/// Parses `range`: pairs of bounds, which may be `infinite` (3.5). The inner `None` is `auto`, the
/// outer one an invalid value.
fn range(mut value: Cursor<'_>) -> Option<Option<Vec<(i32, i32)>>> {
    if value.is_word("auto") {
        return Some(None);
    }
    let mut all = Vec::new();
    for mut part in value.parts() {
        let mut end = |endless: i32| match part.is_word("infinite") {
            true => Some(endless),
            false => part.integer(),
        };
        // `infinite` is the lowest bound if it comes first, and the highest one if it comes second.
        all.push((end(i32::MIN)?, end(i32::MAX)?));
    }
    Some(Some(all))
}

/// Styles by name.
type Named = HashMap<Rc<str>, Rc<CounterStyle>>;

/// Counter styles of a document, as its style sheets define them and CSS predefines them.
#[derive(Clone, Default)]
pub struct CounterStyles {
    /// Styles that the document defines.
    own: Named,
    /// Predefined styles, parsed when one of them is first needed.
    predefined: OnceCell<Named>,
    /// The style `decimal`; most documents use no other.
    decimal: OnceCell<Rc<CounterStyle>>,
}

impl CounterStyles {
    /// Adds the style of an `@counter-style` rule, unless it is invalid.
    pub(super) fn add(&mut self, name: &str, pairs: &[(String, Vec<Token>, bool)]) {
        if self.own.len() < MAX_STYLES
            && let Some(style) = CounterStyle::of_rule(pairs)
        {
            self.own.insert(name.into(), Rc::new(style));
        }
    }

    /// Style of this name, as defined.
    fn find(&self, name: &str) -> Option<Rc<CounterStyle>> {
        if let Some(own) = self.own.get(name) {
            return Some(own.clone());
        }
        // The predefined styles are parsed when the first of them is needed.
        let predefined = self.predefined.get_or_init(|| {
            let mut all = Named::new();
            for (name, pairs) in counter_rules(&tokens(PREDEFINED)) {
                if let Some(style) = CounterStyle::of_rule(&pairs) {
                    all.insert(name, Rc::new(style));
                }
            }
            all
        });
        predefined.get(name).cloned()
    }

    /// Style of this name with its base resolved; `decimal` if unknown.
    pub fn named(&self, name: &str) -> Rc<CounterStyle> {
        let decimal = || {
            let style = self.decimal.get_or_init(|| {
                let mut style = CounterStyle::new(System::Numeric);
                style.symbols = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
                    .into_iter()
                    .map(Rc::from)
                    .collect();
                Rc::new(style)
            });
            style.clone()
        };
        match name {
            // The common case needs no predefined sheet, which takes time to parse.
            "decimal" if !self.own.contains_key(name) => decimal(),
            name => self.resolved(name, 0).unwrap_or_else(decimal),
        }
    }

    /// Style with missing descriptors taken from the style that it extends (3.1.7). The depth
    /// bounds cycles, in which two styles extend each other.
    fn resolved(&self, name: &str, depth: usize) -> Option<Rc<CounterStyle>> {
        let style = self.find(name)?;
        let System::Extends(base) = &style.system else {
            return Some(style);
        };
        if depth > DEEPEST {
            return None;
        }
        let base = self.resolved(base, depth + 1)?;
        let mut whole = (*base).clone();
        let own = (*style).clone();
        // Descriptors of the style itself have priority over those of its base.
        whole.prefix = own.prefix.or(whole.prefix);
        whole.suffix = own.suffix.or(whole.suffix);
        whole.negative = own.negative.or(whole.negative);
        whole.range = own.range.or(whole.range);
        whole.pad = own.pad.or(whole.pad);
        whole.fallback = own.fallback.or(whole.fallback);
        Some(Rc::new(whole))
    }

    /// Representation of a number in a style; decimal digits if no fallback can represent it.
    pub fn written(&self, number: i32, style: &CounterStyle) -> String {
        self.attempt(number, style, 0)
            .unwrap_or_else(|| number.to_string())
    }

    /// Tries a style and then its fallbacks (3.7). `None` if the number must be written in decimal digits. The length
    /// for padding includes the sign (3.6).
    fn attempt(&self, number: i32, style: &CounterStyle, depth: usize) -> Option<String> {
        // Cyclic and fixed styles have symbols of their own for negative numbers; the others write
        // the absolute value with a sign.
        let signed = !matches!(style.system, System::Cyclic | System::Fixed(_));
        let value = match signed {
            true => i64::from(number).abs(),
            false => i64::from(number),
        };
        let found = match style.holds(number) {
            true => style.symbols_for(value),
            false => None,
        };
        // A number that the style cannot write is written in its fallback style.
        let Some(mut text) = found else {
            let name = style.fallback.as_deref().unwrap_or("decimal");
            if depth > DEEPEST || name == "decimal" {
                return None;
            }
            return self.attempt(number, &*self.resolved(name, 0)?, depth + 1);
        };
        let negative = number < 0 && signed;
        let (before, after) = match &style.negative {
            Some((before, after)) => (&**before, &**after),
            None => ("-", ""),
        };
        // The fill is between sign and number: `-007`.
        if let Some((count, symbol)) = &style.pad {
            let sign = match negative {
                true => before.chars().count() + after.chars().count(),
                false => 0,
            };
            let missing = count.saturating_sub(text.chars().count() + sign);
            text = symbol.repeat(missing) + &text;
        }
        Some(match negative {
            true => format!("{before}{text}{after}"),
            false => text,
        })
    }

    /// Marker text of a list item: the number with prefix and suffix (default `". "`, 3.3 and 3.4).
    pub fn marker(&self, number: i32, style: &CounterStyle) -> String {
        let prefix = style.prefix.as_deref().unwrap_or("");
        let suffix = style.suffix.as_deref().unwrap_or(". ");
        format!("{prefix}{}{suffix}", self.written(number, style))
    }
}

#[cfg(test)]
mod tests {
    use super::CounterStyles;

    #[track_caller]
    fn check(name: &str, number: i32, wanted: &str) {
        let styles = CounterStyles::default();
        assert_eq!(
            styles.written(number, &styles.named(name)),
            wanted,
            "{name} {number}"
        );
    }

    #[test]
    fn numbers_are_written_in_the_predefined_styles() {
        check("decimal", -12, "-12");
        check("decimal-leading-zero", 7, "07");
        check("decimal-leading-zero", -7, "-7");
        check("upper-alpha", 105, "DA");
        check("lower-roman", 1994, "mcmxciv");
        check("lower-roman", 4000, "4000");
        check("lower-greek", 25, "αα");
        check("hebrew", 15, "טו");
        check("armenian", 105, "ՃԵ");
        check("thai", 40, "๔๐");
        check("japanese-informal", 1111, "千百十一");
        check("simp-chinese-informal", 12, "十二");
        check("simp-chinese-informal", 105, "一百零五");
        check("cjk-earthly-branch", 13, "一三");
        check("nothing-known", 3, "3");
        check("symbolic-unknown", i32::MIN, "-2147483648");
    }
}
