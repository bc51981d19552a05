//! Writes a formula as an English sentence, for people who listen to a document. Uses no visual notation.

use super::Math;

/// Limit on the length of a sentence, in bytes. The rest is cut off: nobody listens to more.
const MAX: usize = 4000;

/// The formula in English words. `None` if there is nothing to say.
pub fn spoken(math: &Math) -> Option<String> {
    let mut words = Vec::new();
    say(math, &mut words);
    let mut sentence = words.join(" ");
    if sentence.len() > MAX {
        let end = (0..=MAX).rev().find(|end| sentence.is_char_boundary(*end));
        sentence.truncate(end.unwrap_or(0));
        sentence.push('…');
    }
    (!sentence.is_empty()).then_some(sentence)
}

/// Returns whether a listener recognises the end of the formula without the word "end".
fn is_short(math: &Math) -> bool {
    match math {
        Math::Identifier(_) | Math::Number(_) | Math::Operator(_) => true,
        Math::Styled(_, content) => is_short(content),
        Math::Row(parts) => parts.len() <= 1 && parts.iter().all(is_short),
        _ => false,
    }
}

fn say(math: &Math, words: &mut Vec<String>) {
    let mut word = |text: &str| words.push(text.to_owned());
    match math {
        Math::Row(parts) => parts.iter().for_each(|part| say(part, words)),
        Math::Identifier(text) | Math::Number(text) => word(text),
        Math::Text(text) => word(text.trim()),
        Math::Operator(sign) => word(operator(sign)),
        Math::Space(_) => {}
        Math::Fraction { above, below, line } => {
            // A fraction of short parts can be understood without words for its beginning and its end.
            let is_short = is_short(above) && is_short(below);
            if !is_short {
                word(if *line { "the fraction" } else { "the stack" });
            }
            say(above, words);
            words.push("over".to_owned());
            say(below, words);
            if !is_short {
                words.push("end".to_owned());
            }
        }
        Math::Root { content, degree } => {
            word("the");
            match degree {
                Some(degree) => {
                    say(degree, words);
                    words.push("th root of".to_owned());
                }
                None => words.push("square root of".to_owned()),
            }
            grouped(content, words);
        }
        Math::Scripts {
            base, below, above, ..
        } => {
            say(base, words);
            let is_large = base.is_large_operator();
            if let Some(below) = below {
                words.push(if is_large { "from" } else { "sub" }.to_owned());
                grouped(below, words);
            }
            match above.as_deref() {
                None => {}
                Some(Math::Number(two)) if two == "2" && !is_large => {
                    words.push("squared".to_owned())
                }
                Some(Math::Number(three)) if three == "3" && !is_large => {
                    words.push("cubed".to_owned())
                }
                Some(above @ Math::Operator(_)) => say(above, words),
                Some(above) => {
                    words.push(if is_large { "to" } else { "to the power of" }.to_owned());
                    grouped(above, words);
                }
            }
            if is_large {
                words.push("of".to_owned());
            }
        }
        Math::Accent {
            content,
            sign,
            over,
        } => {
            grouped(content, words);
            let sign = super::symbols::accent_name(*sign, *over);
            words.push(sign.unwrap_or("with an accent").to_owned());
        }
        Math::Fenced {
            open,
            content,
            close,
        } => {
            word(open);
            say(content, words);
            words.push(close.clone());
        }
        Math::Table { rows, .. } => {
            for (at, row) in rows.iter().enumerate() {
                words.push(format!("row {}:", at + 1));
                for (at, cell) in row.iter().enumerate() {
                    if at > 0 {
                        words.push(",".to_owned());
                    }
                    say(cell, words);
                }
                words.push(";".to_owned());
            }
        }
        Math::Styled(_, content) => say(content, words),
    }
}

/// An operator in words, or the sign itself.
fn operator(sign: &str) -> &str {
    match sign {
        "+" => "plus",
        "−" => "minus",
        "±" => "plus or minus",
        "=" => "equals",
        "≠" => "is not equal to",
        "<" => "is less than",
        ">" => "is greater than",
        "≤" => "is at most",
        "≥" => "is at least",
        "≈" => "is about",
        "×" | "⋅" => "times",
        "÷" | "/" => "divided by",
        "∑" => "the sum",
        "∏" => "the product",
        "∫" => "the integral",
        "→" => "to",
        "∈" => "in",
        "′" => "prime",
        sign => sign,
    }
}

/// Appends the formula in words, and the word "end" if its end would not be clear.
fn grouped(math: &Math, words: &mut Vec<String>) {
    say(math, words);
    if !is_short(math) {
        words.push("end".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_spoken_as_sentences() {
        #[track_caller]
        fn check(tex: &str, expected: &str) {
            let math = super::super::parse(tex).expect(tex);
            assert_eq!(spoken(&math).as_deref(), Some(expected), "{tex}");
        }
        check("E=mc^2", "E equals m c squared");
        check(r"\frac{a}{b}", "a over b");
        check(r"\frac{a+1}{b}", "the fraction a plus 1 over b end");
        check(r"\sqrt{x}", "the square root of x");
        check(r"\sum_{i=0}^n i", "the sum from i equals 0 end to n of i");
        check(r"\vec{v}", "v vec");
    }
}
