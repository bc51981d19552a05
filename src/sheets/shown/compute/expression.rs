//! The parser of formulas for evaluation: of conditional formats, and of cells without a stored value. The grammar is
//! that of ECMA-376 part 1, 18.17.2, parsed by precedence climbing.
//!
//! A formula is rejected if it calls a function that is not in the list below, or refers to a name or another sheet
//! that its [`Scope`] does not know. Volatile functions (`TODAY`, `RAND`, `OFFSET`), which Excel computes again
//! whenever it opens the file, are left out of the list on purpose.

use crate::{
    cells::{COLUMNS, MAX_ROWS, reference},
    shown::{
        book::{Name, Value},
        formula::{WholeEnd, error, is_word, whole},
        validation::Operator as Comparison,
    },
};

/// Maximum length of a formula, in bytes. Excel's own limit is 8,192 characters.
const MAX_LENGTH: usize = 1 << 13;

/// Maximum nesting of parentheses and arguments, which bounds the recursion of the parser.
const MAX_DEPTH: usize = 64;

/// A parsed formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    /// A literal number, text, truth value or error.
    Constant(Value),
    /// An array constant, row by row.
    Rows(Vec<Vec<Value>>),
    /// A reference to a cell of the same sheet.
    Cell(Place),
    /// A reference to a range of the same sheet: two opposite corners, in any order.
    Range(Place, Place),
    /// A reference to a cell or range of the sheet with this index.
    On(usize, Box<Expression>),
    /// The unary minus.
    Negative(Box<Expression>),
    /// A percent sign after a value.
    Percent(Box<Expression>),
    /// A binary operator with its operands.
    Pair(Operator, Box<Expression>, Box<Expression>),
    /// A function call.
    Call(Function, Vec<Expression>),
}

/// A reference to a cell: row and column from 0, each with whether it is absolute (`$`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) row: (u32, bool),
    pub(crate) column: (u32, bool),
}

/// Sheets and names that formulas of a workbook refer to.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    /// Names of all sheets in order, in lower case.
    pub(crate) sheets: &'s [String],
    /// Defined names of the workbook.
    pub(crate) names: &'s [Name],
    /// Index of the sheet with the formula.
    pub(crate) own: usize,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// A comparison, whose result is a boolean.
    Compare(Comparison),
    /// Concatenation of texts, `&`.
    Join,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// Binary operators with their precedence; a higher number binds more strongly. Longer tokens come before their own
/// prefixes, because the first match counts.
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

/// Declares the functions: the variant of each, and its name in formulas.
macro_rules! functions {
    ($($name:ident $($text:literal)|+),* $(,)?) => {
        /// A function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Function {
            $($name),*
        }

        impl Function {
            /// Returns the function with this name, in upper case.
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
    Exact "EXACT", Search "SEARCH", Find "FIND", Substitute "SUBSTITUTE", Replace "REPLACE", Repeat "REPT", Char "CHAR",
    CharOfUnicode "UNICHAR", Code "CODE", CodeOfUnicode "UNICODE", Text "TEXT", Concatenate "CONCATENATE" | "CONCAT", TextJoin "TEXTJOIN",
    Count "COUNT", CountFilled "COUNTA", CountBlank "COUNTBLANK",
    CountIf "COUNTIF" | "COUNTIFS", SumIf "SUMIF", SumIfs "SUMIFS", AverageIf "AVERAGEIF", AverageIfs "AVERAGEIFS", MostIfs "MAXIFS",
    LeastIfs "MINIFS",
    Sum "SUM", Product "PRODUCT", SumProduct "SUMPRODUCT", SumSquares "SUMSQ", Subtotal "SUBTOTAL",
    Least "MIN", Most "MAX", Average "AVERAGE", Large "LARGE", Small "SMALL", Median "MEDIAN", Rank "RANK" | "RANK.EQ",
    Deviation "STDEV" | "STDEV.S", DeviationOfAll "STDEVP" | "STDEV.P", Variance "VAR" | "VAR.S", VarianceOfAll "VARP" | "VAR.P",
    Percentile "PERCENTILE" | "PERCENTILE.INC", Quartile "QUARTILE" | "QUARTILE.INC",
    LookupColumn "VLOOKUP", LookupRow "HLOOKUP", Lookup "LOOKUP", LookupAny "XLOOKUP", Match "MATCH", MatchAny "XMATCH", Index "INDEX",
    Hyperlink "HYPERLINK",
    Date "DATE", Year "YEAR", Month "MONTH", Day "DAY", Time "TIME", Hour "HOUR", Minute "MINUTE", Second "SECOND", Weekday "WEEKDAY",
    MonthsLater "EDATE", EndOfMonth "EOMONTH", DateDifference "DATEDIF", Days "DAYS", Days360 "DAYS360", YearFraction "YEARFRAC",
    WeekNumber "WEEKNUM", IsoWeek "ISOWEEKNUM", WorkDays "NETWORKDAYS", WorkDay "WORKDAY",
    Payment "PMT", Interest "IPMT", Principal "PPMT", PresentValue "PV", FutureValue "FV", Periods "NPER", NetPresentValue "NPV",
    StraightLine "SLN",
}

impl Expression {
    /// Parses a formula in the syntax of Excel, with or without an equals sign. `None` if it is not supported.
    pub(crate) fn parse(formula: &str) -> Option<Self> {
        Self::parsed(formula, None, false)
    }

    /// Parses a formula of a workbook, which may refer to sheets and names of `scope`.
    pub(crate) fn parse_in(formula: &str, scope: Scope<'_>) -> Option<Self> {
        Self::parsed(formula, Some(scope), false)
    }

    /// Parses a formula. The formula of a name (`is_name`) may only use absolute references to cells: a relative one
    /// would refer to other cells in each cell that uses the name.
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
        let whole = parser.parse_binary(1)?;
        parser.skip_space();
        parser.rest.is_empty().then_some(whole)
    }
}

/// State of a parser.
struct Parser<'f> {
    /// Text that is not parsed yet.
    rest: &'f str,
    /// Current nesting of [`Parser::parse_binary`].
    depth: usize,
    /// Sheets and names to which the formula may refer.
    scope: Option<Scope<'f>>,
    /// Whether the formula belongs to a name. Names in names are not resolved, which also rules out cycles.
    is_name: bool,
}

impl<'f> Parser<'f> {
    /// Skips white space, which has no meaning between operands and operators.
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Skips a token with the spaces before it. Returns whether the token was there.
    fn skip(&mut self, token: &str) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Parses operands joined by binary operators of at least the precedence `least`.
    ///
    /// All operators are left associative, hence the right operand starts at the next precedence. This includes `^`,
    /// as in Excel.
    fn parse_binary(&mut self, least: u8) -> Option<Expression> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.parse_signed()?;
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
            let right = self.parse_binary(strength + 1)?;
            left = Expression::Pair(*operator, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Some(left)
    }

    /// Parses an operand with its signs. In Excel, the unary minus binds more strongly than `^`, so that `-2^2` is 4.
    fn parse_signed(&mut self) -> Option<Expression> {
        // Two minus signs are kept, because `--A1` turns a truth value into a number. More than two are reduced to
        // one or two.
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
            let inner = self.parse_binary(1)?;
            return self.skip(")").then_some(inner);
        }
        match self.rest.chars().next()? {
            '"' => {
                return self
                    .parse_quoted('"')
                    .map(|text| Expression::Constant(Value::Text(text.into())));
            }
            '{' => return self.rows(),
            '#' => return self.error(),
            '\'' => {
                let sheet = self.parse_quoted('\'')?;
                self.rest = self.rest.strip_prefix('!')?;
                return self.on_sheet(&sheet);
            }
            _ => {}
        }
        let end = self.rest.find(|c: char| !is_word(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        // Whole rows begin like a number (`1:3`), so they are tried before numbers.
        if let Some(whole) = self.parse_whole(word, rest) {
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
            Some(_) => self.parse_cells(word),
            None => self.name(word, self.scope?.own),
        }
    }

    /// Parses a cell or a range, whose first word is already consumed.
    fn parse_cells(&mut self, word: &str) -> Option<Expression> {
        let first = self.place(word)?;
        let Some(rest) = self.rest.strip_prefix(':') else {
            return Some(Expression::Cell(first));
        };
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '$');
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        Some(Expression::Range(first, self.place(word)?))
    }

    /// Converts a word such as `$A1` to a reference.
    fn place(&self, word: &str) -> Option<Place> {
        let (column, row) = reference(word)?;
        let place = Place {
            row: (row, word.get(1..)?.contains('$')),
            column: (column, word.starts_with('$')),
        };
        (!self.is_name || place.row.1 && place.column.1).then_some(place)
    }

    /// Parses whole rows or columns, such as `$A:$C` or `1:3`. `word` is the first word, `rest` is the text after
    /// it.
    fn parse_whole(&mut self, word: &str, rest: &'f str) -> Option<Expression> {
        let ([first, last], rest) = whole(word, rest)?;
        if self.is_name && !(first.is_absolute && last.is_absolute) {
            return None;
        }
        // The other part of each corner is the first or last row or column, which does not move.
        let place = |end: WholeEnd, row: u32, column: u32| match end.is_row {
            true => Place {
                row: (end.at, end.is_absolute),
                column: (column, true),
            },
            false => Place {
                row: (row, true),
                column: (end.at, end.is_absolute),
            },
        };
        self.rest = rest;
        Some(Expression::Range(
            place(first, 0, 0),
            place(last, MAX_ROWS - 1, COLUMNS - 1),
        ))
    }

    /// Parses a reference to cells of a sheet, or a name of that sheet. The exclamation mark is already consumed.
    fn on_sheet(&mut self, sheet: &str) -> Option<Expression> {
        let scope = self.scope?;
        let lower = sheet.to_lowercase();
        let number = scope.sheets.iter().position(|name| *name == lower)?;
        let end = self.rest.find(|c: char| !is_word(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let cells = match self.parse_whole(word, rest) {
            Some(whole) => whole,
            None => {
                self.rest = rest;
                match reference(word) {
                    Some(_) => self.parse_cells(word)?,
                    None => return self.name(word, number),
                }
            }
        };
        Some(Expression::On(number, Box::new(cells)))
    }

    /// Parses the formula of a defined name. A name of the sheet with this index hides the same name of the workbook.
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

    /// Parses an error constant, such as `#N/A`.
    fn error(&mut self) -> Option<Expression> {
        let (error, rest) = error(self.rest)?;
        self.rest = rest;
        Some(Expression::Constant(Value::Error(error.into())))
    }

    /// Parses an array constant: commas separate columns, semicolons separate rows.
    fn rows(&mut self) -> Option<Expression> {
        self.rest = self
            .rest
            .strip_prefix('{')
            // Excel rejects array constants in conditional formats, which have no scope.
            .filter(|_| self.scope.is_some())?;
        let mut rows = vec![Vec::new()];
        loop {
            let value = match self.parse_signed()? {
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

    /// Parses a number with an optional fraction and exponent.
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
            let after = digits((end + 1 + sign).min(bytes.len()));
            if after > end + 1 + sign {
                end = after;
            }
        }
        let number: f64 = self.rest.get(..end)?.parse().ok()?;
        self.rest = &self.rest[end..];
        number
            .is_finite()
            .then_some(Expression::Constant(Value::Number(number)))
    }

    /// Parses a quoted text. Doubled quotation marks stand for one.
    fn parse_quoted(&mut self, mark: char) -> Option<String> {
        let mut text = String::new();
        let mut rest = self.rest.strip_prefix(mark)?;
        loop {
            let (part, after) = rest.split_once(mark)?;
            text.push_str(part);
            let Some(more) = after.strip_prefix(mark) else {
                self.rest = after;
                return Some(text);
            };
            text.push(mark);
            rest = more;
        }
    }

    /// Parses the arguments of a function; the opening parenthesis is already consumed. A missing argument is an
    /// empty value.
    fn call(&mut self, name: &str) -> Option<Expression> {
        let name = name.to_ascii_uppercase();
        // Prefixes of functions that came after Excel 2007 (MS-XLSX 2.3.3).
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
                false => self.parse_binary(1)?,
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
