//! Parses TeX formulas. Gives up at the first command that it does not know, because half a formula would be worse than
//! its source text.

mod fences;

use super::{MAX_DEPTH, Math, Style, symbols};

/// Parses a whole formula.
pub(super) fn read(tex: &str) -> Option<Math> {
    let mut reader = TexParser {
        rest: tex,
        depth: 0,
    };
    let parts = reader.parts(End::Input)?;
    Some(Math::row(parts))
}

struct TexParser<'t> {
    rest: &'t str,
    depth: usize,
}

/// End of the current list of nodes.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Input,
    Brace,
    Bracket,
    Right,
    /// `&`, `\\` or `\end`, which is not consumed.
    Cell,
}

impl<'t> TexParser<'t> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        while let Some(comment) = self.rest.strip_prefix('%') {
            self.rest = comment
                .split_once('\n')
                .map_or("", |(_, rest)| rest)
                .trim_start();
        }
        self.rest.chars().next()
    }

    fn skip(&mut self, c: char) -> bool {
        if self.peek() == Some(c) {
            self.rest = &self.rest[c.len_utf8()..];
            return true;
        }
        false
    }

    /// Consumes a command and returns its name, without the backslash.
    fn command(&mut self) -> Option<&'t str> {
        let after = self.rest.strip_prefix('\\')?;
        let letters = after
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(after.len());
        let end = match letters {
            0 => after.chars().next()?.len_utf8(),
            letters => letters,
        };
        self.rest = &after[end..];
        Some(&after[..end])
    }

    fn is_at_command(&mut self, command: &str) -> bool {
        self.peek();
        let Some(after) = self
            .rest
            .strip_prefix('\\')
            .and_then(|rest| rest.strip_prefix(command))
        else {
            return false;
        };
        !(command.chars().all(char::is_alphabetic)
            && after.starts_with(|c: char| c.is_ascii_alphabetic()))
    }

    /// Parses up to an end, which is consumed if it is a brace or a bracket. `None` for text that is not understood.
    fn parts(&mut self, end: End) -> Option<Vec<Math>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut parts: Vec<Math> = Vec::new();
        loop {
            let next = self.peek();
            let ended = match end {
                End::Input => next.is_none(),
                End::Brace => self.skip('}'),
                End::Bracket => self.skip(']'),
                End::Right => self.is_at_command("right"),
                End::Cell => {
                    next == Some('&') || self.is_at_command("\\") || self.is_at_command("end")
                }
            };
            if ended {
                break;
            }
            match next? {
                '^' | '_' | '\'' => self.scripts(&mut parts)?,
                '&' | '}' => return None,
                _ => {
                    let part = self.part()?;
                    parts.extend(part);
                }
            }
        }
        self.depth -= 1;
        Some(parts)
    }

    /// Parses subscripts, superscripts and primes of the last node.
    fn scripts(&mut self, parts: &mut Vec<Math>) -> Option<()> {
        // Scripts are in any order, as in `x_1^2` and `x^2_1`, so a node with one script may get the other script.
        let base = parts.pop().unwrap_or(Math::Row(Vec::new()));
        let (mut below, mut above, mut limits) = match base {
            Math::Scripts {
                base,
                below,
                above,
                limits,
            } => {
                parts.push(*base);
                (below, above, limits)
            }
            base => {
                let function = matches!(&base, Math::Identifier(name) if symbols::WITH_LIMITS.contains(&name.as_str()));
                let under = matches!(
                    &base,
                    Math::Accent {
                        sign: '\u{23de}' | '\u{23df}',
                        ..
                    }
                );
                parts.push(base);
                (None, None, function || under)
            }
        };
        let mut primes = String::new();
        while self.skip('\'') {
            primes.push('′');
        }
        if !primes.is_empty() {
            if above.is_some() {
                return None;
            }
            above = Some(Box::new(Math::Operator(primes)));
        }
        loop {
            let is_above = if self.skip('^') {
                true
            } else if self.skip('_') {
                false
            } else {
                break;
            };
            let script = Box::new(self.argument()?);
            let side = if is_above { &mut above } else { &mut below };
            *side = Some(match side.take() {
                // Primes may be followed by a superscript. Two superscripts are an error in TeX, too.
                Some(first) if is_above && is_primes(&first) => {
                    Box::new(Math::Row(vec![*first, *script]))
                }
                Some(_) => return None,
                None => script,
            });
        }
        let base = Box::new(parts.pop()?);
        if base.is_large_operator() {
            limits = false;
        }
        parts.push(Math::Scripts {
            base,
            below,
            above,
            limits,
        });
        Some(())
    }

    /// Parses the argument of a command or script: a group in braces, or a single node.
    fn argument(&mut self) -> Option<Math> {
        if self.skip('{') {
            return Some(Math::row(self.parts(End::Brace)?));
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let digit = self.peek().filter(char::is_ascii_digit);
        let part = match digit {
            // Without braces, the argument is a single digit and not the whole number.
            Some(digit) => {
                self.rest = &self.rest[1..];
                Math::Number(digit.to_string())
            }
            None => self.part()?.unwrap_or(Math::Row(Vec::new())),
        };
        self.depth -= 1;
        Some(part)
    }

    /// Parses an argument as plain text.
    fn words(&mut self) -> Option<String> {
        if !self.skip('{') {
            return None;
        }
        let mut depth = 0;
        for (at, c) in self.rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => {
                    let words = self.rest[..at]
                        .replace("\\ ", " ")
                        .replace(['{', '}', '$'], "")
                        .replace('~', "\u{a0}");
                    self.rest = &self.rest[at + 1..];
                    return (!words.contains('\\')).then_some(words);
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Parses the next node. The inner `None` means a command that does not change the meaning.
    fn part(&mut self) -> Option<Option<Math>> {
        let c = self.peek()?;
        if c == '\\' {
            return self.command_part();
        }
        if self.skip('{') {
            return Some(Some(Math::Row(self.parts(End::Brace)?)));
        }
        if c.is_ascii_digit() {
            let rest = self.rest;
            let mut end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            // A period is part of a number only if digits follow.
            if let Some(after) = rest[end..].strip_prefix('.') {
                let digits = after
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(after.len());
                end += if digits > 0 { 1 + digits } else { 0 };
            }
            self.rest = &rest[end..];
            return Some(Some(Math::Number(rest[..end].to_owned())));
        }
        self.rest = &self.rest[c.len_utf8()..];
        Some(Some(match c {
            '~' => Math::Space(6),
            '-' => Math::Operator("−".to_owned()),
            '*' => Math::Operator("∗".to_owned()),
            c if c.is_alphabetic() => Math::Identifier(c.to_string()),
            c => Math::Operator(c.to_string()),
        }))
    }

    /// Parses a command after its backslash: a symbol, a function, an accent, a fraction, a root or another command
    /// with arguments.
    fn command_part(&mut self) -> Option<Option<Math>> {
        let name = self.command()?;
        if let Some((sign, kind)) = symbols::by_name(name) {
            let sign = sign.to_owned();
            return Some(Some(match kind {
                symbols::SymbolClass::Letter => Math::Identifier(sign),
                _ => Math::Operator(sign),
            }));
        }
        if symbols::FUNCTIONS.contains(&name) {
            return Some(Some(Math::Identifier(name.to_owned())));
        }
        if let Some((sign, over)) = symbols::accent(name) {
            let content = Box::new(self.argument()?);
            return Some(Some(Math::Accent {
                content,
                sign,
                over,
            }));
        }
        if let Some(style) = alphabet(name) {
            let content = Box::new(self.argument()?);
            return Some(Some(Math::Styled(style, content)));
        }
        Some(match name {
            "frac" | "dfrac" | "tfrac" | "cfrac" | "binom" | "dbinom" | "tbinom" => {
                Some(self.fraction(!name.ends_with("binom"))?)
            }
            "genfrac" => Some(self.general_fraction()?),
            "sqrt" => {
                let degree = if self.skip('[') {
                    Some(Box::new(Math::row(self.parts(End::Bracket)?)))
                } else {
                    None
                };
                let content = Box::new(self.argument()?);
                Some(Math::Root { content, degree })
            }
            "text" | "textrm" | "mbox" | "textnormal" => Some(Math::Text(self.words()?)),
            "operatorname" => Some(Math::Identifier(self.words()?)),
            "left" => Some(self.fenced()?),
            "begin" => Some(self.environment()?),
            "overset" | "stackrel" | "underset" => Some(self.stacked(name == "underset")?),
            "limits" | "nolimits" | "displaystyle" | "textstyle" | "scriptstyle" | "big"
            | "Big" | "bigg" | "Bigg" | "bigl" | "bigr" | "Bigl" | "Bigr" | "biggl" | "biggr"
            | "Biggl" | "Biggr" | "nonumber" | "notag" | "middle" => None,
            "," | "thinspace" => Some(Math::Space(3)),
            ":" | ">" | "medspace" => Some(Math::Space(4)),
            ";" | "thickspace" => Some(Math::Space(5)),
            "!" => Some(Math::Space(-3)),
            " " => Some(Math::Space(6)),
            "quad" => Some(Math::Space(18)),
            "qquad" => Some(Math::Space(36)),
            "bmod" => Some(Math::Operator("mod".to_owned())),
            "pmod" => {
                let content = vec![
                    Math::Operator("mod".to_owned()),
                    Math::Space(6),
                    self.argument()?,
                ];
                Some(Math::Fenced {
                    open: "(".to_owned(),
                    content: Box::new(Math::Row(content)),
                    close: ")".to_owned(),
                })
            }
            "not" => match self.argument()? {
                Math::Operator(sign) => Some(Math::Operator(sign + "\u{338}")),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Parses the two parts of a fraction, or those of a binomial coefficient without a line.
    fn fraction(&mut self, line: bool) -> Option<Math> {
        let above = Box::new(self.argument()?);
        let below = Box::new(self.argument()?);
        let fraction = Math::Fraction { above, below, line };
        Some(if line {
            fraction
        } else {
            Math::Fenced {
                open: "(".to_owned(),
                content: Box::new(fraction),
                close: ")".to_owned(),
            }
        })
    }

    /// Parses the arguments of `genfrac`: brackets, the width of the line, and a style come before the parts.
    fn general_fraction(&mut self) -> Option<Math> {
        let [open, close, line, _style] = [(); 4].map(|()| self.words());
        let (open, close, line) = (open?, close?, line?);
        let above = Box::new(self.argument()?);
        let below = Box::new(self.argument()?);
        let line = !line.trim_start().starts_with('0');
        let fraction = Math::Fraction { above, below, line };
        Some(if open.is_empty() && close.is_empty() {
            fraction
        } else {
            Math::Fenced {
                open,
                content: Box::new(fraction),
                close,
            }
        })
    }

    /// Parses a script, and the base that the script is below or above.
    fn stacked(&mut self, is_below: bool) -> Option<Math> {
        let script = Some(Box::new(self.argument()?));
        let base = Box::new(self.argument()?);
        let (below, above) = match is_below {
            true => (script, None),
            false => (None, script),
        };
        Some(Math::Scripts {
            base,
            below,
            above,
            limits: true,
        })
    }
}

/// The alphabet that a command chooses for its argument.
fn alphabet(name: &str) -> Option<Style> {
    Some(match name {
        "mathrm" => Style::Upright,
        "mathbf" | "boldsymbol" | "bm" => Style::Bold,
        "mathit" => Style::Italic,
        "mathbb" => Style::DoubleStruck,
        "mathcal" | "mathscr" => Style::Script,
        "mathfrak" => Style::Fraktur,
        "mathsf" => Style::SansSerif,
        "mathtt" => Style::Monospace,
        _ => return None,
    })
}

/// Returns whether a node consists of primes only.
fn is_primes(math: &Math) -> bool {
    matches!(math, Math::Operator(sign) if sign.chars().all(|c| c == '′'))
}
