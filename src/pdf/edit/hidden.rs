//! Removes invisible text from pages (rendering mode 3, ISO 32000-2, 9.3.6), which is usually the text layer of another
//! OCR program. Visible text begins where the text before it ends, unless an operator moves it to a position of its
//! own. So invisible text stays if visible text follows it without such an operator.
//!
//! Content streams are cut at operators instead of being parsed and rewritten, so that all other bytes stay the same.
//! Some programs put their text layer into a form XObject, so these are searched, too. While the mode is 3, operators
//! that show text are removed. `'` and `"` become `T*`, because they also begin a new line, and the spacing that `"`
//! sets is set by `Tw` and `Tc`. The mode is part of the graphics state, and is therefore restored by `Q`.

use super::{
    operators::{self, LONGEST, Lexer, Token},
    store::{Data, Object, Store},
    value::{Dict, Value},
};
use std::rc::Rc;

/// Limit on the nesting of form XObjects that are searched.
const MAX_LEVELS: usize = 3;
/// Limit on the number of form XObjects that are searched.
const MAX_FORMS: usize = 200;

/// Removes invisible text from a page.
pub(super) fn remove(store: &mut Store<'_>, page: &mut Dict) {
    // A page with unreadable or too long content stays unchanged.
    let Some(content) = operators::of_page(store, page) else {
        return;
    };
    if let Some(seen) = without_hidden(&content) {
        let id = store.add(Object::Stream(Dict::default(), Data::Own(Rc::new(seen))));
        page.set("Contents", id);
    }
    let mut left = MAX_FORMS;
    if let Some(resources) = of_forms(store, page, 0, &mut left) {
        page.set("Resources", resources);
    }
}

/// The resources of a page or form, after invisible text was removed from the forms in it. `None` if no form had any.
fn of_forms(store: &mut Store<'_>, of: &Dict, level: usize, left: &mut usize) -> Option<Dict> {
    if level == MAX_LEVELS {
        return None;
    }
    let mut resources = store.dict(of.get("Resources"))?;
    let mut objects = store.dict(resources.get("XObject"))?;
    let mut is_changed = false;
    let named: Vec<(Box<[u8]>, Value)> = objects
        .entries()
        .map(|(name, value)| (name.into(), value.clone()))
        .collect();
    for (name, value) in named {
        let Value::Ref(id) = value else { continue };
        let Object::Stream(mut dict, _) = (*store.object(id)).clone() else {
            continue;
        };
        if *left == 0 || !store.is_name(dict.get("Subtype"), "Form") {
            continue;
        }
        *left -= 1;
        let decoded = store.stream(id).map(|stream| stream.decoded());
        let Some(Ok(data)) =
            decoded.filter(|data| data.as_ref().is_ok_and(|data| data.len() <= LONGEST))
        else {
            continue;
        };
        let inner = of_forms(store, &dict, level + 1, left);
        let seen = without_hidden(&data);
        if inner.is_none() && seen.is_none() {
            continue;
        }
        if let Some(inner) = inner {
            dict.set("Resources", inner);
        }
        dict.remove("Filter");
        dict.remove("DecodeParms");
        let data = seen.unwrap_or_else(|| data.into_owned());
        let form = store.add(Object::Stream(dict, Data::Own(Rc::new(data))));
        if let Ok(name) = std::str::from_utf8(&name) {
            objects.set(name, form);
            is_changed = true;
        }
    }
    resources.set("XObject", objects);
    is_changed.then_some(resources)
}

/// Content without its invisible text. `None` if all text is visible.
fn without_hidden(content: &[u8]) -> Option<Vec<u8>> {
    let mut mode = 0;
    let mut outer = Vec::new();
    let mut kept = Vec::with_capacity(content.len());
    // End of the part that was copied to `kept` or left out, and number of operators that were left out.
    let (mut copied, mut cuts) = (0, 0);
    // Length of `kept` and the two numbers above after the last operator that moved the text to a position. Also after
    // the last visible text from which earlier text could not be taken out.
    let mut fixed = (0, 0, 0);
    // Start of the next operator's operands.
    let mut operands = 0;
    let mut last = [0..0, 0..0, 0..0];
    let mut lexer = Lexer { content, at: 0 };
    while let Some((token, range)) = lexer.next() {
        match token {
            Token::Operand => {
                last.rotate_left(1);
                last[2] = range;
            }
            Token::Operator => {
                let operator = &content[range.clone()];
                if matches!(
                    operator,
                    b"BT" | b"ET" | b"Td" | b"TD" | b"Tm" | b"T*" | b"'" | b"\""
                ) {
                    fixed = (kept.len(), copied, cuts);
                }
                match operator {
                    b"q" => outer.push(mode),
                    b"Q" => mode = outer.pop().unwrap_or(mode),
                    b"Tr" => {
                        mode = std::str::from_utf8(&content[last[2].clone()])
                            .ok()
                            .and_then(|n| n.parse().ok())
                            .unwrap_or(0)
                    }
                    b"Tj" | b"TJ" | b"'" | b"\"" if mode == 3 => {
                        kept.extend_from_slice(&content[copied..operands]);
                        let [words, letters, _] = last.clone();
                        // `"` sets the spacing of words and letters.
                        if operator == b"\"" && !words.is_empty() && words.start >= operands {
                            for (spacing, sets) in [(words, " Tw"), (letters, " Tc")] {
                                kept.push(b' ');
                                kept.extend_from_slice(&content[spacing]);
                                kept.extend_from_slice(sets.as_bytes());
                            }
                        }
                        // `T*` begins a new line, which these two operators do before they show text.
                        if matches!(operator, b"'" | b"\"") {
                            kept.extend_from_slice(b" T*");
                        }
                        copied = range.end;
                        cuts += 1;
                    }
                    // The text begins where the invisible text before it ends, so that text stays.
                    b"Tj" | b"TJ" if cuts > fixed.2 => {
                        kept.truncate(fixed.0);
                        kept.extend_from_slice(&content[fixed.1..range.end]);
                        copied = range.end;
                        cuts = fixed.2;
                        fixed = (kept.len(), copied, cuts);
                    }
                    b"ID" => lexer.skip_picture(),
                    _ => {}
                }
                operands = lexer.at;
            }
        }
    }
    if cuts == 0 {
        return None;
    }
    kept.extend_from_slice(&content[copied..]);
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_not_shown_is_taken_out() {
        #[track_caller]
        fn check(content: &str, expected: Option<&str>) {
            let found = without_hidden(content.as_bytes());
            let found = found.map(|found| String::from_utf8(found).unwrap());
            assert_eq!(found.as_deref(), expected);
        }
        check("BT /F 1 Tf (a) Tj ET", None);
        check("BT 3 Tr (a) Tj ET /I Do", Some("BT 3 Tr ET /I Do"));
        check(
            "BT 3 Tr [(a\\)Tj) -3 <41>] TJ 0 Tr 1 0 Td (b) Tj ET",
            Some("BT 3 Tr 0 Tr 1 0 Td (b) Tj ET"),
        );
        // Visible text begins where the invisible text before it ends.
        check("BT 3 Tr (a) Tj [(b)] TJ 0 Tr (c) Tj ET", None);
        check(
            "BT 3 Tr (a) Tj T* (b) Tj 0 Tr (c) Tj ET BT 3 Tr (d) Tj ET",
            Some("BT 3 Tr T* (b) Tj 0 Tr (c) Tj ET BT 3 Tr ET"),
        );
        check("3 Tr (a) ' 0 Tr (b) Tj", None);
        check(
            "q 3 Tr BT (a) Tj ET Q BT (b) Tj ET",
            Some("q 3 Tr BT ET Q BT (b) Tj ET"),
        );
        check("3 Tr (a) ' 1 2 (b) \" (c)Tj", Some("3 Tr T* 1 Tw 2 Tc T*"));
        // Bytes that look like text operators, in a picture, a comment and a name.
        check(
            "3 Tr BI /W 1 ID (a) Tj \nEI (b) Tj",
            Some("3 Tr BI /W 1 ID (a) Tj \nEI"),
        );
        check("3 Tr % (a) Tj\n/Tj gs", None);
        check(
            "/T <</A (x)>> BDC 3 Tr (a) Tj EMC",
            Some("/T <</A (x)>> BDC 3 Tr EMC"),
        );
        check("3 Tr (a", None);
    }
}
