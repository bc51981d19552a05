//! Formulas of conditions: parsed once, and evaluated for each cell that they are asked about. Knows the functions that such formulas
//! have; one with any other, with a name, or with cells of another sheet is not parsed.
//!
//! The grammar is that of ECMA-376 part 1, 18.17.2.

use crate::{
    cells::reference,
    shown::{book::Value, validation::Operator as Comparison},
};

/// The longest formula that is parsed, in bytes. Excel's own limit is 8,192 characters.
const MAX_LENGTH: usize = 1 << 13;

/// The limit on parts within parts.
const MAX_DEPTH: usize = 64;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Constant(Value),
    Cell(Place),
    Range(Place, Place),
    Negative(Box<Expression>),
    Percent(Box<Expression>),
    Pair(Operator, Box<Expression>, Box<Expression>),
    Call(Function, Vec<Expression>),
}

/// A cell: row and column, each with whether it stays the same from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) row: (u32, bool),
    pub(crate) column: (u32, bool),
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Compare(Comparison),
    Join,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// The operators with how strongly each binds. Longer ones come before those that they begin with.
pub(super) const OPERATORS: [(&str, Operator, u8); 12] = [
    ("<=", Operator::Compare(Comparison::LessOrEqual), 1),
    (">=", Operator::Compare(Comparison::GreaterOrEqual), 1),
    ("<>", Operator::Compare(Comparison::NotEqual), 1),
    ("<", Operator::Compare(Comparison::Less), 1),
    (">", Operator::Compare(Comparison::Greater), 1),
    ("=", Operator::Compare(Comparison::Equal), 1),
    ("&", Operator::Join, 2),
    ("+", Operator::Add, 3),
    ("-", Operator::Subtract, 3),
    ("*", Operator::Multiply, 4),
    ("/", Operator::Divide, 4),
    ("^", Operator::Power, 5),
];

/// Names the functions once: as they are called here, and as they are in formulas.
macro_rules! functions {
    ($($name:ident $text:literal),* $(,)?) => {
        /// A function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Function {
            $($name),*
        }

        impl Function {
            /// The function with this name, which is in capital letters.
            fn named(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

functions! {
    And "AND", Or "OR", Not "NOT", If "IF", IfError "IFERROR", True "TRUE", False "FALSE",
    IsBlank "ISBLANK", IsNumber "ISNUMBER", IsText "ISTEXT", IsError "ISERROR", IsEven "ISEVEN", IsOdd "ISODD",
    Row "ROW", Column "COLUMN", Weekday "WEEKDAY",
    Mod "MOD", Int "INT", Abs "ABS", Round "ROUND",
    Len "LEN", Left "LEFT", Right "RIGHT", Upper "UPPER", Lower "LOWER", Trim "TRIM", Exact "EXACT", Search "SEARCH", Find "FIND",
    Count "COUNT", CountFilled "COUNTA", CountBlank "COUNTBLANK", CountIf "COUNTIF",
    Sum "SUM", Least "MIN", Most "MAX", Average "AVERAGE", Large "LARGE", Small "SMALL", Median "MEDIAN",
}

impl Expression {
    /// Parses a formula in the syntax of Excel, with or without an equals sign. `None` for one that is not understood.
    pub(crate) fn parse(formula: &str) -> Option<Self> {
        let formula = formula.trim();
        let formula = formula.strip_prefix('=').unwrap_or(formula);
        if formula.len() > MAX_LENGTH {
            return None;
        }
        let mut parser = Parser {
            rest: formula,
            depth: 0,
        };
        let whole = parser.pairs(1)?;
        parser.skip_space();
        parser.rest.is_empty().then_some(whole)
    }
}

struct Parser<'f> {
    rest: &'f str,
    depth: usize,
}

impl Parser<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn skip(&mut self, token: &str) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Parts with operators between them that bind at least so strongly.
    fn pairs(&mut self, least: u8) -> Option<Expression> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.signed()?;
        loop {
            self.skip_space();
            let mut known = OPERATORS.iter();
            let Some((token, operator, strength)) =
                known.find(|(token, ..)| self.rest.starts_with(token))
            else {
                break;
            };
            if *strength < least {
                break;
            }
            self.rest = &self.rest[token.len()..];
            let right = self.pairs(strength + 1)?;
            left = Expression::Pair(*operator, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Some(left)
    }

    /// A part with the signs in front of it, which bind more strongly than any operator, and the percent signs behind it.
    fn signed(&mut self) -> Option<Expression> {
        let mut negative = false;
        loop {
            if self.skip("-") {
                negative = !negative;
            } else if !self.skip("+") {
                break;
            }
        }
        let mut part = self.part()?;
        while self.skip("%") {
            part = Expression::Percent(Box::new(part));
        }
        Some(match negative {
            true => Expression::Negative(Box::new(part)),
            false => part,
        })
    }

    fn part(&mut self) -> Option<Expression> {
        if self.skip("(") {
            let inner = self.pairs(1)?;
            return self.skip(")").then_some(inner);
        }
        if self.rest.starts_with('"') {
            return self.text();
        }
        let end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '.' | '_'));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return self.number();
        }
        self.rest = rest;
        if self.skip("(") {
            return self.call(word);
        }
        match &*word.to_ascii_uppercase() {
            "TRUE" => return Some(Expression::Constant(Value::Boolean(true))),
            "FALSE" => return Some(Expression::Constant(Value::Boolean(false))),
            _ => {}
        }
        let first = place(word)?;
        let Some(rest) = self.rest.strip_prefix(':') else {
            return Some(Expression::Cell(first));
        };
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '$');
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        Some(Expression::Range(first, place(word)?))
    }

    fn number(&mut self) -> Option<Expression> {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| {
            let digits = bytes[from..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit());
            from + digits.count()
        };
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let behind = digits((end + 1 + sign).min(bytes.len()));
            if behind > end + 1 + sign {
                end = behind;
            }
        }
        let number: f64 = self.rest.get(..end)?.parse().ok()?;
        self.rest = &self.rest[end..];
        number
            .is_finite()
            .then_some(Expression::Constant(Value::Number(number)))
    }

    /// A text in quotation marks, which are doubled within it.
    fn text(&mut self) -> Option<Expression> {
        let mut text = String::new();
        let mut rest = &self.rest[1..];
        loop {
            let (part, behind) = rest.split_once('"')?;
            text.push_str(part);
            let Some(more) = behind.strip_prefix('"') else {
                self.rest = behind;
                return Some(Expression::Constant(Value::Text(text.into())));
            };
            text.push('"');
            rest = more;
        }
    }

    /// The arguments of a function, behind its bracket. One that is left out is an empty value.
    fn call(&mut self, name: &str) -> Option<Expression> {
        let name = name.to_ascii_uppercase();
        let function = Function::named(name.strip_prefix("_XLFN.").unwrap_or(&name))?;
        let mut arguments = Vec::new();
        if self.skip(")") {
            return Some(Expression::Call(function, arguments));
        }
        loop {
            self.skip_space();
            arguments.push(match self.rest.starts_with([',', ')']) {
                true => Expression::Constant(Value::Empty),
                false => self.pairs(1)?,
            });
            if self.skip(")") {
                return Some(Expression::Call(function, arguments));
            }
            if !self.skip(",") {
                return None;
            }
        }
    }
}

/// A cell, such as `$A1`.
fn place(word: &str) -> Option<Place> {
    let (column, row) = reference(word)?;
    Some(Place {
        row: (row, word.get(1..)?.contains('$')),
        column: (column, word.starts_with('$')),
    })
}
