//! Formulas of conditions and of cells without a stored value: parsed once, and evaluated for each cell that they are asked about. A
//! formula with a function that is not in the list here is not parsed, nor is one with a name or with cells of another sheet, unless a
//! [`Scope`] knows these. Functions whose value changes by itself (`TODAY`, `RAND`, `OFFSET`) are left out of the list on purpose.
//!
//! The grammar is that of ECMA-376 part 1, 18.17.2.

use crate::{
    cells::{COLUMNS, MAX_ROWS, reference, span},
    shown::{
        book::{Name, Value},
        formula::{error, is_word},
        validation::Operator as Comparison,
    },
};

/// The longest formula that is parsed, in bytes. Excel's own limit is 8,192 characters.
const MAX_LENGTH: usize = 1 << 13;

/// The limit on parts within parts.
const MAX_DEPTH: usize = 64;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Constant(Value),
    /// The rows of an array constant.
    Rows(Vec<Vec<Value>>),
    Cell(Place),
    Range(Place, Place),
    /// A cell or a range of the sheet with this number.
    On(usize, Box<Expression>),
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

/// Sheets and names that formulas of a workbook refer to.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    /// The names of all sheets in order, in small letters.
    pub(crate) sheets: &'s [String],
    pub(crate) names: &'s [Name],
    /// The number of the sheet that the formula is on.
    pub(crate) own: usize,
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
    ($($name:ident $($text:literal)|+),* $(,)?) => {
        /// A function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Function {
            $($name),*
        }

        impl Function {
            /// The function with this name, which is in capital letters.
            fn named(name: &str) -> Option<Self> {
                match name {
                    $($($text)|+ => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

functions! {
    And "AND", Or "OR", Xor "XOR", Not "NOT", If "IF", IfError "IFERROR", IfNa "IFNA", Ifs "IFS", Switch "SWITCH", Choose "CHOOSE",
    True "TRUE", False "FALSE", Na "NA", Value "VALUE", N "N", T "T",
    IsBlank "ISBLANK", IsNumber "ISNUMBER", IsText "ISTEXT", IsNonText "ISNONTEXT", IsLogical "ISLOGICAL", IsError "ISERROR",
    IsErr "ISERR", IsNa "ISNA", IsEven "ISEVEN", IsOdd "ISODD",
    Row "ROW", Column "COLUMN", Rows "ROWS", Columns "COLUMNS",
    Mod "MOD", Int "INT", Abs "ABS", Sign "SIGN", Sqrt "SQRT", Power "POWER", Exp "EXP", Ln "LN", Log "LOG", Log10 "LOG10", Pi "PI",
    Round "ROUND", RoundUp "ROUNDUP", RoundDown "ROUNDDOWN", Truncate "TRUNC", Ceiling "CEILING", Floor "FLOOR", Multiple "MROUND",
    Quotient "QUOTIENT",
    Len "LEN", Left "LEFT", Right "RIGHT", Mid "MID", Upper "UPPER", Lower "LOWER", Proper "PROPER", Trim "TRIM", Clean "CLEAN",
    Exact "EXACT", Search "SEARCH", Find "FIND", Substitute "SUBSTITUTE", Replace "REPLACE", Repeat "REPT", Char "CHAR" | "UNICHAR",
    Code "CODE" | "UNICODE", Text "TEXT", Concatenate "CONCATENATE" | "CONCAT", TextJoin "TEXTJOIN",
    Count "COUNT", CountFilled "COUNTA", CountBlank "COUNTBLANK",
    CountIf "COUNTIF" | "COUNTIFS", SumIf "SUMIF", SumIfs "SUMIFS", AverageIf "AVERAGEIF", AverageIfs "AVERAGEIFS", MostIfs "MAXIFS",
    LeastIfs "MINIFS",
    Sum "SUM", Product "PRODUCT", SumProduct "SUMPRODUCT", SumSquares "SUMSQ", Subtotal "SUBTOTAL",
    Least "MIN", Most "MAX", Average "AVERAGE", Large "LARGE", Small "SMALL", Median "MEDIAN", Rank "RANK" | "RANK.EQ",
    Deviation "STDEV" | "STDEV.S", DeviationOfAll "STDEVP" | "STDEV.P", Variance "VAR" | "VAR.S", VarianceOfAll "VARP" | "VAR.P",
    Percentile "PERCENTILE" | "PERCENTILE.INC", Quartile "QUARTILE" | "QUARTILE.INC",
    LookupColumn "VLOOKUP", LookupRow "HLOOKUP", Lookup "LOOKUP", LookupAny "XLOOKUP", Match "MATCH", MatchAny "XMATCH", Index "INDEX",
    Date "DATE", Year "YEAR", Month "MONTH", Day "DAY", Time "TIME", Hour "HOUR", Minute "MINUTE", Second "SECOND", Weekday "WEEKDAY",
    MonthsLater "EDATE", EndOfMonth "EOMONTH", DateDifference "DATEDIF", Days "DAYS", Days360 "DAYS360", YearFraction "YEARFRAC",
    WeekNumber "WEEKNUM", IsoWeek "ISOWEEKNUM", WorkDays "NETWORKDAYS", WorkDay "WORKDAY",
    Payment "PMT", Interest "IPMT", Principal "PPMT", PresentValue "PV", FutureValue "FV", Periods "NPER", NetPresentValue "NPV",
    StraightLine "SLN",
}

impl Expression {
    /// Parses a formula in the syntax of Excel, with or without an equals sign. `None` for one that is not understood.
    pub(crate) fn parse(formula: &str) -> Option<Self> {
        Self::parsed(formula, None, false)
    }

    /// Parses a formula of a workbook, whose sheets and names it may refer to.
    pub(crate) fn parse_in(formula: &str, scope: Scope<'_>) -> Option<Self> {
        Self::parsed(formula, Some(scope), false)
    }

    /// Parses a formula. That of a name refers to fixed cells alone: another one would stand for other cells in each place.
    fn parsed(formula: &str, scope: Option<Scope<'_>>, is_name: bool) -> Option<Self> {
        let formula = formula.trim();
        let formula = formula.strip_prefix('=').unwrap_or(formula);
        if formula.len() > MAX_LENGTH {
            return None;
        }
        let mut parser = Parser {
            rest: formula,
            depth: 0,
            scope,
            is_name,
        };
        let whole = parser.pairs(1)?;
        parser.skip_space();
        parser.rest.is_empty().then_some(whole)
    }
}

struct Parser<'f> {
    rest: &'f str,
    depth: usize,
    scope: Option<Scope<'f>>,
    is_name: bool,
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
        // Two minus signs make a number of a truth, so that they do not cancel each other.
        let mut signs = 0;
        loop {
            if self.skip("-") {
                signs = if signs == 2 { 1 } else { signs + 1 };
            } else if !self.skip("+") {
                break;
            }
        }
        let mut part = self.part()?;
        while self.skip("%") {
            part = Expression::Percent(Box::new(part));
        }
        for _ in 0..signs {
            part = Expression::Negative(Box::new(part));
        }
        Some(part)
    }

    /// Parses the smallest unit of a formula: a constant, a reference, a call, an array, or parentheses.
    fn part(&mut self) -> Option<Expression> {
        if self.skip("(") {
            let inner = self.pairs(1)?;
            return self.skip(")").then_some(inner);
        }
        match self.rest.chars().next()? {
            '"' => {
                return self
                    .quoted('"')
                    .map(|text| Expression::Constant(Value::Text(text.into())));
            }
            '{' => return self.rows(),
            '#' => return self.error(),
            '\'' => {
                let sheet = self.quoted('\'')?;
                self.rest = self.rest.strip_prefix('!')?;
                return self.on_sheet(&sheet);
            }
            _ => {}
        }
        let end = self.rest.find(|c: char| !is_word(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if let Some(whole) = self.whole(word, rest) {
            return Some(whole);
        }
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return self.number();
        }
        self.rest = rest;
        if let Some(rest) = rest.strip_prefix('!') {
            self.rest = rest;
            return self.on_sheet(word);
        }
        if self.skip("(") {
            return self.call(word);
        }
        match &*word.to_ascii_uppercase() {
            "TRUE" => return Some(Expression::Constant(Value::Boolean(true))),
            "FALSE" => return Some(Expression::Constant(Value::Boolean(false))),
            _ => {}
        }
        match reference(word) {
            Some(_) => self.cells(word),
            None => self.name(word, self.scope?.own),
        }
    }

    /// A cell or a range, whose first word is read.
    fn cells(&mut self, word: &str) -> Option<Expression> {
        let first = self.place(word)?;
        let Some(rest) = self.rest.strip_prefix(':') else {
            return Some(Expression::Cell(first));
        };
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '$');
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        Some(Expression::Range(first, self.place(word)?))
    }

    /// A cell, such as `$A1`.
    fn place(&self, word: &str) -> Option<Place> {
        let (column, row) = reference(word)?;
        let place = Place {
            row: (row, word.get(1..)?.contains('$')),
            column: (column, word.starts_with('$')),
        };
        (!self.is_name || place.row.1 && place.column.1).then_some(place)
    }

    /// Whole rows or columns, such as `$A:$C`, whose first word stands in front of `rest`.
    fn whole(&mut self, word: &str, rest: &str) -> Option<Expression> {
        let rest = rest.strip_prefix(':')?;
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let plain = |word: &str| {
            let word = word.trim_start_matches('$');
            let all = |is: fn(&u8) -> bool| !word.is_empty() && word.bytes().all(|byte| is(&byte));
            all(u8::is_ascii_digit) || all(u8::is_ascii_alphabetic)
        };
        if !plain(word) || !plain(&rest[..end]) {
            return None;
        }
        let (rows, columns) = match span(&self.rest[..word.len() + 1 + end])? {
            (Some(_), Some(_)) => return None,
            one => one,
        };
        // A column or a row that moves with the cell is only in what cells share, and that is already moved.
        let fixed = |at: u32| (at, true);
        let (rows, columns) = (
            rows.unwrap_or((0, MAX_ROWS - 1)),
            columns.unwrap_or((0, COLUMNS - 1)),
        );
        self.rest = &self.rest[word.len() + 1 + end..];
        Some(Expression::Range(
            Place {
                row: fixed(rows.0),
                column: fixed(columns.0),
            },
            Place {
                row: fixed(rows.1),
                column: fixed(columns.1),
            },
        ))
    }

    /// Cells of a sheet, or a name of it, behind the exclamation mark.
    fn on_sheet(&mut self, sheet: &str) -> Option<Expression> {
        let scope = self.scope?;
        let lower = sheet.to_lowercase();
        let number = scope.sheets.iter().position(|name| *name == lower)?;
        let end = self.rest.find(|c: char| !is_word(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let cells = match self.whole(word, rest) {
            Some(whole) => whole,
            None => {
                self.rest = rest;
                match reference(word) {
                    Some(_) => self.cells(word)?,
                    None => return self.name(word, number),
                }
            }
        };
        Some(Expression::On(number, Box::new(cells)))
    }

    /// Formula of a name: that of the sheet with this number before that of the workbook.
    fn name(&mut self, word: &str, sheet: usize) -> Option<Expression> {
        let scope = self.scope.filter(|_| !self.is_name)?;
        let lower = word.to_lowercase();
        let named = |sheet: Option<usize>| {
            let mut names = scope.names.iter();
            names.find(|name| name.sheet == sheet && name.name.to_lowercase() == lower)
        };
        let name = named(Some(sheet)).or_else(|| named(None))?;
        Expression::parsed(&name.formula, Some(scope), true)
    }

    /// An error in the place of a value, such as `#N/A`.
    fn error(&mut self) -> Option<Expression> {
        let (error, rest) = error(self.rest)?;
        self.rest = rest;
        Some(Expression::Constant(Value::Error(error.into())))
    }

    /// An array constant: columns are separated by commas, rows by semicolons.
    fn rows(&mut self) -> Option<Expression> {
        self.rest = self
            .rest
            .strip_prefix('{')
            .filter(|_| self.scope.is_some())?;
        let mut rows = vec![Vec::new()];
        loop {
            let value = match self.signed()? {
                Expression::Constant(value) => value,
                Expression::Negative(part) => match *part {
                    Expression::Constant(Value::Number(number)) => Value::Number(-number),
                    _ => return None,
                },
                _ => return None,
            };
            rows.last_mut()?.push(value);
            if self.skip(";") {
                rows.push(Vec::new());
            } else if self.skip("}") {
                let width = rows.first()?.len();
                let even = rows.iter().all(|row| row.len() == width);
                return even.then_some(Expression::Rows(rows));
            } else if !self.skip(",") {
                return None;
            }
        }
    }

    /// Parses a number, or a reference to whole rows (`1:3`), which begins with a number, too.
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
    fn quoted(&mut self, mark: char) -> Option<String> {
        let mut text = String::new();
        let mut rest = self.rest.strip_prefix(mark)?;
        loop {
            let (part, behind) = rest.split_once(mark)?;
            text.push_str(part);
            let Some(more) = behind.strip_prefix(mark) else {
                self.rest = behind;
                return Some(text);
            };
            text.push(mark);
            rest = more;
        }
    }

    /// The arguments of a function, behind its bracket. One that is left out is an empty value.
    fn call(&mut self, name: &str) -> Option<Expression> {
        let name = name.to_ascii_uppercase();
        let name = name.strip_prefix("_XLFN.").unwrap_or(&name);
        let function = Function::named(name.strip_prefix("_XLWS.").unwrap_or(name))?;
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
