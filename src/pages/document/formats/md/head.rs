//! The YAML front matter with which many Markdown files begin: title, authors, date and so on.
//!
//! Only the subset of YAML that front matter uses is understood: plain and quoted scalars, block scalars, lists, and
//! one level of nesting. Other lines are skipped, so no front matter causes an error. Complete YAML libraries are
//! either not maintained any more, or larger than all other code for Markdown.

use convertd_tree::Metadata;

/// Splits a text into its front matter, without the `---` lines, and the rest. `None` for a text without front matter.
/// Two thematic breaks at the beginning of a text look the same, so the first line between the `---` lines that is
/// neither blank nor a comment must be a field.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let body = text.strip_prefix("---")?;
    let (first, _) = body.split_once('\n')?;
    if !first.trim().is_empty() {
        return None;
    }
    let start = text.len() - body.len() + first.len() + 1;
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        match line.trim_end() {
            "---" | "..." => {
                let head = &text[start..at];
                return names_a_field(head).then_some((head, &text[at + line.len()..]));
            }
            _ => at += line.len(),
        }
    }
    None
}

fn names_a_field(head: &str) -> bool {
    let mut lines = head.lines().filter(|line| !is_comment(line));
    lines.next().is_some_and(|line| field(line).is_some())
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// The name and value of a line such as `title: A book`.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let plain = |c: char| c.is_alphanumeric() || "-_ .\"'".contains(c);
    let begins = name.starts_with(|c: char| c.is_alphanumeric() || "\"'_".contains(c));
    let separated = value.is_empty() || value.starts_with([' ', '\t']);
    (begins && separated && name.chars().all(plain))
        .then(|| (name.trim_matches(['"', '\'']), value.trim()))
}

/// Reads the fields of front matter into the metadata.
pub(super) fn read(head: &str, metadata: &mut Metadata) {
    let mut lines = head.lines().peekable();
    while let Some(line) = lines.next() {
        if is_comment(line) {
            continue;
        }
        let Some((name, value)) = field(line) else {
            continue;
        };
        let mut nested = Vec::new();
        while let Some(next) = lines.peek() {
            let item = next.starts_with("- ") || *next == "-";
            if !next.starts_with([' ', '\t']) && !item && !next.trim().is_empty() {
                break;
            }
            nested.push(*next);
            lines.next();
        }
        let values = values(value, &nested);
        set(metadata, &name.to_ascii_lowercase(), values);
    }
    metadata.title_block = metadata.title.is_some() || !metadata.authors.is_empty();
}

/// Sets a field of the metadata, under the names that Pandoc and static site generators use.
fn set(metadata: &mut Metadata, name: &str, values: Vec<String>) {
    let mut values: Vec<String> = values
        .into_iter()
        .filter(|value| !value.is_empty())
        .collect();
    let one = |values: &[String]| (!values.is_empty()).then(|| values.join(", "));
    match name {
        "title" => metadata.title = one(&values),
        "subtitle" => metadata.subtitle = one(&values),
        "author" | "authors" => metadata.authors.append(&mut values),
        "date" => metadata.date = one(&values),
        "lang" | "language" => metadata.language = one(&values),
        "subject" => metadata.subject = one(&values),
        "description" | "abstract" | "summary" => metadata.description = one(&values),
        "keywords" | "tags" => {
            let words = values.iter().flat_map(|value| value.split(','));
            let words = words.map(|word| word.trim().to_owned());
            metadata
                .keywords
                .extend(words.filter(|word| !word.is_empty()));
        }
        _ => {}
    }
}

/// Returns the values of a field: a scalar, or the items of a list. `nested` are the lines below the field that are
/// blank, indented or list items.
fn values(value: &str, nested: &[&str]) -> Vec<String> {
    if let Some(block) = value.strip_prefix(['|', '>']) {
        let keeps = value.starts_with('|') && block.trim_matches(['+', '-']).is_empty();
        let lines: Vec<&str> = nested.iter().map(|line| line.trim()).collect();
        return vec![lines.join(if keeps { "\n" } else { " " }).trim().to_owned()];
    }
    if let Some(list) = value.strip_prefix('[') {
        let rest: String = nested.iter().flat_map(|line| [" ", line.trim()]).collect();
        let list = format!("{list}{rest}");
        return split_flow(list.trim().trim_end_matches(']'));
    }
    if !value.is_empty() {
        let more = nested
            .iter()
            .map(|line| line.trim())
            .filter(|line| !line.is_empty());
        let lines: Vec<&str> = std::iter::once(value).chain(more).collect();
        return vec![scalar(&lines.join(" "))];
    }
    // What remains is a block sequence of scalars or of mappings (`- name: Somebody`), or a mapping. Of a mapping, only
    // the fields `name` and `text` are read.
    let mut all = Vec::new();
    for line in nested {
        let line = line.trim();
        let item = line.strip_prefix('-').map(str::trim);
        match (item, field(item.unwrap_or(line))) {
            (_, Some(("name" | "text", value))) => all.push(scalar(value)),
            (_, Some(_)) | (None, None) => {}
            (Some(item), None) => all.push(scalar(item)),
        }
    }
    all
}

/// The items of a flow sequence (`[a, b]`).
fn split_flow(list: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut quote = None;
    for c in list.chars() {
        match c {
            ',' if quote.is_none() => items.push(String::new()),
            _ => {
                if quote == Some(c) {
                    quote = None;
                } else if quote.is_none() && (c == '"' || c == '\'') {
                    quote = Some(c);
                }
                if let Some(last) = items.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    items.iter().map(|item| scalar(item)).collect()
}

/// Value of a YAML scalar: plain, in single quotes, or in double quotes with escapes.
fn scalar(text: &str) -> String {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('\'') {
        let quoted = rest.strip_suffix('\'').unwrap_or(rest);
        return quoted.replace("''", "'");
    }
    let Some(rest) = text.strip_prefix('"') else {
        // A comment begins with a number sign after a space.
        let end = text.find(" #").unwrap_or(text.len());
        return text[..end].trim_end().to_owned();
    };
    let mut value = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some(other) => value.push(other),
                None => {}
            },
            _ => value.push(c),
        }
    }
    value
}

/// Writes `text` as a double-quoted scalar.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_with_field_names_is_a_head() {
        #[track_caller]
        fn check(text: &str, expected: Option<(&str, &str)>) {
            assert_eq!(split(text), expected, "{text:?}");
        }
        check("---\ntitle: A\n---\nb", Some(("title: A\n", "b")));
        check("---\r\ntitle: A\r\n...\r\nb", Some(("title: A\r\n", "b")));
        check("--- \n# note\na_b: 1\n---", Some(("# note\na_b: 1\n", "")));
        check("---\nFoo\n---\nBar\n---\nbaz", None);
        check("---\ntitle: A\n", None);
        check("---\n- a: b\n---\n", None);
        check("----\ntitle: A\n---\n", None);
        check("a\n---\nb: c\n---\n", None);
        check("---", None);
        check("---\n---\nb", None);
    }

    #[test]
    fn fields_are_read_however_they_are_written() {
        let mut metadata = Metadata::default();
        read(
            "title: \"A: \\\"b\\\"\"\nsubtitle: 'it''s'\nauthor:\n- One\n- name: Two\n  mail: x\n\
             date: 2024-01-02 # late\nkeywords: [a, \"b, c\", d]\ndescription: >\n  two\n  lines\nlang: de\nunknown:\n  - x\n\
             ]][[\n",
            &mut metadata,
        );
        assert_eq!(
            metadata,
            Metadata {
                title: Some("A: \"b\"".into()),
                subtitle: Some("it's".into()),
                authors: vec!["One".into(), "Two".into()],
                language: Some("de".into()),
                date: Some("2024-01-02".into()),
                keywords: ["a", "b", "c", "d"].map(Into::into).into(),
                description: Some("two lines".into()),
                title_block: true,
                ..Metadata::default()
            }
        );
    }
}
