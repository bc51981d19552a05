//! Elements of number styles (part 3, 16.29) for parts of a format code.

/// Element of a unit of a date or time. The number of letters selects the short or the long form.
pub(super) fn field(letter: char, count: usize, places: Option<usize>) -> String {
    let long = if count > 1 {
        " number:style=\"long\""
    } else {
        ""
    };
    match letter {
        'y' => {
            let long = if count > 2 {
                " number:style=\"long\""
            } else {
                ""
            };
            format!("<number:year{long}/>")
        }
        'm' if count > 2 => {
            let long = if count > 3 {
                " number:style=\"long\""
            } else {
                ""
            };
            format!("<number:month number:textual=\"true\"{long}/>")
        }
        'm' => format!("<number:month{long}/>"),
        'd' if count > 2 => {
            let long = if count > 3 {
                " number:style=\"long\""
            } else {
                ""
            };
            format!("<number:day-of-week{long}/>")
        }
        'd' => format!("<number:day{long}/>"),
        'h' => format!("<number:hours{long}/>"),
        'n' => format!("<number:minutes{long}/>"),
        _ => {
            let places = places.map(|places| format!(" number:decimal-places=\"{places}\""));
            format!("<number:seconds{long}{}/>", places.unwrap_or_default())
        }
    }
}

/// Element of a number, a fraction or a number in scientific notation, from its placeholders.
pub(super) fn number(digits: &str) -> String {
    if let Some((numerator, denominator)) = digits.split_once('/') {
        // [`Section::fractions`] has removed the integer part, for which the element has an attribute.
        let least = |text: &str| {
            text.chars()
                .filter(|c| matches!(c, '0' | '?' | '#'))
                .count()
                .max(1)
        };
        return format!(
            "<number:fraction number:min-integer-digits=\"0\" number:min-numerator-digits=\"{}\" number:min-denominator-digits=\"{}\"/>",
            least(numerator),
            least(denominator)
        );
    }
    let (mantissa, exponent) = match digits.split_once('E') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let trimmed = mantissa.trim_end_matches(',');
    let thousands = mantissa.len() - trimmed.len();
    let (whole, fraction) = trimmed.split_once('.').unwrap_or((trimmed, ""));
    let zeros = |text: &str| text.chars().filter(|c| *c == '0').count();
    let grouping = if whole.contains(',') {
        " number:grouping=\"true\""
    } else {
        ""
    };
    let factor = match thousands {
        0 => String::new(),
        count => format!(" number:display-factor=\"1{}\"", "000".repeat(count.min(6))),
    };
    let common = format!(
        "number:decimal-places=\"{}\" number:min-decimal-places=\"{}\" number:min-integer-digits=\"{}\"{grouping}",
        fraction
            .chars()
            .filter(|c| matches!(c, '0' | '#' | '?'))
            .count(),
        zeros(fraction),
        zeros(whole),
    );
    match exponent {
        Some(exponent) => format!(
            "<number:scientific-number {common} number:min-exponent-digits=\"{}\"/>",
            zeros(exponent).max(1)
        ),
        None => format!("<number:number {common}{factor}/>"),
    }
}
