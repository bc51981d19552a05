//! Converts the script of a formula to TeX. The language descends from eqn: words separated by spaces, braces for
//! groups, and `over` between numerator and denominator. Checks no formula.

use std::iter::{Copied, Peekable};

/// Maximum nesting of groups.
const MAX_DEPTH: usize = 40;

/// Maximum length of a script, in bytes. A longer script is cut.
const MAX: usize = 20_000;

/// Converts a script to TeX.
pub(super) fn tex(script: &str) -> String {
    let script = &script[..script.floor_char_boundary(MAX)];
    let tokens = tokens(script);
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let mut tokens = tokens.iter().copied().peekable();
    let mut all = String::new();
    while tokens.peek().is_some() {
        let piece = row(&mut tokens, 0);
        all.push_str(&piece);
        // Skips a closing brace without an opening brace.
        tokens.next();
    }
    all.trim().to_owned()
}

type Tokens<'t> = Peekable<Copied<std::slice::Iter<'t, &'t str>>>;

/// Splits a script into words, numbers, texts in quotation marks, and single characters.
fn tokens(script: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut chars = script.chars().peekable();
    while let Some(c) = chars.next() {
        let mut token = String::from(c);
        match c {
            c if c.is_whitespace() => continue,
            '"' => {
                // A text keeps its opening quotation mark, which identifies it later.
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    token.push(c);
                }
            }
            c if c.is_ascii_alphabetic() => {
                while let Some(c) = chars.next_if(char::is_ascii_alphabetic) {
                    token.push(c);
                }
            }
            c if c.is_ascii_digit() => {
                while let Some(c) = chars.next_if(|c| c.is_ascii_digit() || *c == '.') {
                    token.push(c);
                }
            }
            _ => {}
        }
        tokens.push(token);
    }
    tokens
}

/// Converts tokens up to a closing brace or the end.
fn row(tokens: &mut Tokens<'_>, depth: usize) -> String {
    let mut done = String::new();
    // Last operand with its superscripts and subscripts. It becomes the numerator if `over` follows.
    let mut last = String::new();
    while let Some(token) = tokens.peek().copied() {
        match token {
            "}" => break,
            "^" | "_" | "SUP" | "SUB" | "sup" | "sub" => {
                tokens.next();
                let sign = if matches!(token, "^" | "SUP" | "sup") {
                    '^'
                } else {
                    '_'
                };
                let script = operand(tokens, depth);
                last.push_str(&format!("{sign}{{{}}}", script.trim()));
            }
            "over" | "OVER" | "atop" | "ATOP" => {
                tokens.next();
                let mut below = operand(tokens, depth);
                while let Some(sign @ ("^" | "_")) = tokens.peek().copied() {
                    tokens.next();
                    below.push_str(&format!("{sign}{{{}}}", operand(tokens, depth).trim()));
                }
                let (above, below) = (last.trim(), below.trim());
                last = match token {
                    "over" | "OVER" => format!("\\frac{{{above}}}{{{below}}}"),
                    // `atop` sets the operands one above the other, without a bar and without the parentheses of
                    // `\binom`.
                    _ => format!("\\begin{{matrix}}{above}\\\\{below}\\end{{matrix}}"),
                };
            }
            _ => {
                done.push_str(&last);
                last = operand(tokens, depth);
            }
        }
    }
    done.push_str(&last);
    done
}

/// Converts one operand: a group, a word with its arguments, a number, a text, or a single character.
fn operand(tokens: &mut Tokens<'_>, depth: usize) -> String {
    // Typefaces are dropped, so the operand is the token after them.
    while tokens
        .next_if(|token| matches!(*token, "rm" | "it" | "bold"))
        .is_some()
    {}
    if tokens.peek() == Some(&"}") {
        return String::new();
    }
    let Some(token) = tokens.next() else {
        return String::new();
    };
    if depth > MAX_DEPTH {
        return String::new();
    }
    let mut next = || {
        let next = operand(tokens, depth + 1);
        format!("{{{}}}", next.trim())
    };
    match token {
        "{" => {
            let inner = row(tokens, depth + 1);
            tokens.next_if(|token| *token == "}");
            inner
        }
        "sqrt" | "SQRT" => format!("\\sqrt{}", next()),
        "root" | "ROOT" => {
            // As in `root 3 of x`.
            let degree = next();
            tokens.next_if(|token| matches!(*token, "of" | "OF"));
            let radicand = operand(tokens, depth + 1);
            let degree = degree.trim_matches(['{', '}']);
            format!("\\sqrt[{degree}]{{{}}}", radicand.trim())
        }
        "bar" | "overline" => format!("\\overline{}", next()),
        "vec" | "hat" | "dot" | "ddot" | "tilde" | "acute" | "grave" | "check" => {
            format!("\\{token}{}", next())
        }
        "under" => format!("\\underline{}", next()),
        "left" | "LEFT" | "right" | "RIGHT" => {
            let side = tokens.next().unwrap_or(".");
            let side = match side {
                "{" | "}" => format!("\\{side}"),
                "lbrace" | "LBRACE" => "\\{".to_owned(),
                "rbrace" | "RBRACE" => "\\}".to_owned(),
                side if side.chars().count() == 1 => side.to_owned(),
                _ => ".".to_owned(),
            };
            format!("\\{}{side} ", token.to_ascii_lowercase())
        }
        "matrix" | "pmatrix" | "bmatrix" | "dmatrix" | "cases" | "pile" | "lpile" | "rpile"
        | "eqalign" => {
            let inner = next();
            let inner = inner
                .strip_prefix('{')
                .and_then(|own| own.strip_suffix('}'));
            let name = match token {
                "dmatrix" => "vmatrix",
                "pile" | "lpile" | "rpile" | "eqalign" => "matrix",
                token => token,
            };
            format!(
                "\\begin{{{name}}}{}\\end{{{name}}}",
                inner.unwrap_or_default()
            )
        }
        "#" => " \\\\ ".to_owned(),
        "&" => " & ".to_owned(),
        "~" => "\\ ".to_owned(),
        "`" => "\\,".to_owned(),
        "%" | "$" => format!("\\{token}"),
        "\\" => String::new(),
        text if text.starts_with('"') => {
            let text: String = text.chars().filter(|c| !"\\{}$\"".contains(*c)).collect();
            format!("\\text{{{text}}}")
        }
        word if word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic()) => command(word),
        sign => sign.to_owned(),
    }
}

/// Words that are commands of TeX with the same name.
const SAME_IN_TEX: &[&str] = &[
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "pi",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
    "sum",
    "prod",
    "int",
    "oint",
    "lim",
    "sin",
    "cos",
    "tan",
    "cot",
    "sec",
    "log",
    "ln",
    "exp",
    "max",
    "min",
    "det",
    "times",
    "div",
    "pm",
    "mp",
    "cdot",
    "circ",
    "bullet",
    "approx",
    "equiv",
    "sim",
    "simeq",
    "cong",
    "propto",
    "subset",
    "supset",
    "subseteq",
    "supseteq",
    "in",
    "notin",
    "cup",
    "cap",
    "forall",
    "exists",
    "partial",
    "nabla",
    "infty",
    "prime",
    "therefore",
    "because",
    "angle",
    "perp",
    "parallel",
    "cdots",
    "ldots",
    "vdots",
    "ddots",
    "leftarrow",
    "rightarrow",
    "uparrow",
    "downarrow",
    "leftrightarrow",
    "hbar",
    "ell",
    "emptyset",
    "land",
    "lor",
    "oplus",
    "ominus",
    "otimes",
    "odot",
    "wedge",
    "vee",
    "aleph",
    "Re",
    "Im",
    "wp",
    "deg",
];
/// Other words in lower case, each with its command of TeX.
const OTHERS_IN_TEX: &[(&str, &str)] = &[
    ("inf", "\\infty"),
    ("le", "\\le"),
    ("leq", "\\le"),
    ("ge", "\\ge"),
    ("geq", "\\ge"),
    ("ne", "\\ne"),
    ("neq", "\\ne"),
    ("plusminus", "\\pm"),
    ("minusplus", "\\mp"),
    ("dint", "\\iint"),
    ("tint", "\\iiint"),
    ("inter", "\\bigcap"),
    ("union", "\\bigcup"),
    ("larrow", "\\leftarrow"),
    ("rarrow", "\\rightarrow"),
    ("lrarrow", "\\leftrightarrow"),
    ("lbrace", "\\{"),
    ("rbrace", "\\}"),
    ("langle", "\\langle"),
    ("rangle", "\\rangle"),
    ("dotsaxis", "\\cdots"),
    ("dotslow", "\\ldots"),
    ("laplace", "\\mathcal{L}"),
];

/// Converts a word to a command of TeX. The letters of an unknown word are variables.
fn command(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    if SAME_IN_TEX.contains(&word) {
        return format!("\\{word} ");
    }
    if let Some((_, command)) = OTHERS_IN_TEX.iter().find(|(name, _)| *name == lower) {
        return format!("{command} ");
    }
    match SAME_IN_TEX.contains(&&*lower) {
        // A Greek letter whose name has capitals is a capital letter, unless TeX has no command for it. Any other name
        // means the same in capitals.
        true if matches!(
            &*lower,
            "gamma"
                | "delta"
                | "theta"
                | "lambda"
                | "xi"
                | "pi"
                | "sigma"
                | "upsilon"
                | "phi"
                | "psi"
                | "omega"
        ) =>
        {
            let mut capital = lower;
            capital[..1].make_ascii_uppercase();
            format!("\\{capital} ")
        }
        true => format!("\\{lower} "),
        false => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(script: &str, expected: &str) {
        assert_eq!(tex(script), expected, "{script}");
    }

    #[test]
    fn scripts_become_tex() {
        check("{a} over {b}", "\\frac{a}{b}");
        check("x ^2 over y _{1}", "\\frac{x^{2}}{y_{1}}");
        check("sqrt {3466}", "\\sqrt{3466}");
        check("root 3 of x", "\\sqrt[3]{x}");
        check("sum _{34} ^{12} n", "\\sum _{34}^{12}n");
        check("ALPHA TIMES OMEGA", "\\alpha \\times \\Omega");
        check("LEFT ( a RIGHT )", "\\left( a\\right)");
        check(
            "pmatrix {a & b # c & d}",
            "\\begin{pmatrix}a & b \\\\ c & d\\end{pmatrix}",
        );
        check("1 over rm b", "\\frac{1}{b}");
        check("{x ^ rm} y", "x^{}y");
        check("a atop b", "\\begin{matrix}a\\\\b\\end{matrix}");
        check("\"words\" ~ x", "\\text{words}\\ x");
        check("", "");
    }

    #[test]
    fn damaged_scripts_give_bounded_output() {
        for script in [
            "{", "}", "over", "a over", "sqrt", "^", "} } x {", "root", "LEFT",
        ] {
            tex(script);
        }
        let deep = format!("{}x{}", "{".repeat(9000), "}".repeat(9000));
        assert!(tex(&deep).len() < 9000);
        assert!(tex(&"sqrt ".repeat(9000)).len() < 90_000);
    }
}
