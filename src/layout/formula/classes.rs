//! The classes of atoms, and the space between two of them (*The TeXbook*, chapter 18). Sets nothing.

use convertd_tree::math::{FUNCTIONS, Math, is_large};

/// Class of an atom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Class {
    #[default]
    Ordinary,
    /// A large operator, or the name of a function.
    Operator,
    Binary,
    Relation,
    Open,
    Close,
    Punctuation,
    /// A fraction, or content between delimiters.
    Inner,
    /// Explicit space. [`settle`] looks past it for operands, and [`room`] adds no space beside it.
    Room,
}

use Class::{Binary, Close, Inner, Open, Operator, Ordinary, Punctuation, Relation, Room};

impl Class {
    /// The class of a node. A node with scripts or in another style, and a row of one node, have the class of their
    /// content.
    pub(super) fn of(math: &Math) -> Self {
        match math {
            Math::Operator(sign) => Self::of_sign(sign),
            Math::Identifier(name) if FUNCTIONS.contains(&name.as_str()) => Operator,
            // Names with several letters are functions, even if they are not in the list.
            Math::Identifier(name)
                if name.chars().count() > 1 && name.chars().all(char::is_alphabetic) =>
            {
                Operator
            }
            Math::Fraction { .. } | Math::Fenced { .. } => Inner,
            Math::Scripts { base, .. } => Self::of(base),
            Math::Accent { content, .. } => match Self::of(content) {
                Operator => Operator,
                _ => Ordinary,
            },
            Math::Styled(_, content) => Self::of(content),
            Math::Row(parts) if parts.len() == 1 => Self::of(&parts[0]),
            Math::Space(_) => Room,
            Math::Row(_)
            | Math::Identifier(_)
            | Math::Number(_)
            | Math::Text(_)
            | Math::Root { .. }
            | Math::Table { .. } => Ordinary,
        }
    }

    /// The class of an operator by its first character.
    fn of_sign(sign: &str) -> Self {
        if is_large(sign) {
            return Operator;
        }
        let Some(first) = sign.chars().next() else {
            return Ordinary;
        };
        match first {
            '(' | '[' | '{' | '⟨' | '⌊' | '⌈' => Open,
            ')' | ']' | '}' | '⟩' | '⌋' | '⌉' => Close,
            ',' | ';' => Punctuation,
            '+' | '−' | '-' | '±' | '∓' | '×' | '÷' | '⋅' | '·' | '∗' | '*' | '⋆' | '∘' | '∙'
            | '•' | '⊕' | '⊖' | '⊗' | '⊙' | '∧' | '∨' | '∩' | '∪' | '∖' | '†' | '‡' => {
                Binary
            }
            'm' if sign == "mod" => Binary,
            // Most relations are in the Unicode blocks Arrows, Supplemental Arrows-A and Mathematical Operators.
            '='
            | '<'
            | '>'
            | ':'
            | '≪'
            | '≫'
            | '∈'..='∍'
            | '∝'
            | '∣'
            | '∥'
            | '∷'
            | '∼'..='≎'
            | '≏'..='⊋'
            | '⊢'
            | '⊣'
            | '⊨'
            | '⟂'
            | '←'..='⇿'
            | '⟵'..='⟿'
            | '⪅'..='⪶' => Relation,
            _ => Ordinary,
        }
    }
}

/// Turns binary operators that lack an operand on the left or on the right into ordinary signs, such as the minus sign
/// of a negative number (appendix G, rules 5 and 6).
pub(super) fn settle(classes: &mut [Class]) {
    let mut before = None;
    let all = classes.to_vec();
    for (at, class) in classes.iter_mut().enumerate() {
        if *class == Room {
            continue;
        }
        if *class == Binary {
            // No operand precedes the sign, as in `= −1`.
            let lonely = matches!(
                before,
                None | Some(Binary | Operator | Relation | Open | Punctuation)
            );
            // No operand follows the sign, as in `(n+)`.
            let next = all[at + 1..].iter().find(|next| **next != Room);
            if lonely || matches!(next, None | Some(Relation | Close | Punctuation)) {
                *class = Ordinary;
            }
        }
        before = Some(*class);
    }
}

/// Space between two atoms, in math units of 1/18 em (the table in chapter 18): thin 3, medium 4, thick 5. In scripts,
/// most spaces are 0.
pub(super) fn room(left: Class, right: Class, in_script: bool) -> f32 {
    // The space, and whether it is also added in scripts.
    let (room, in_scripts) = match (left, right) {
        (Room, _) | (_, Room) => (0.0, true),
        (Operator, Operator | Ordinary) | (Ordinary | Close | Inner, Operator) => (3.0, true),
        (Binary, _) | (_, Binary) => (4.0, false),
        (Relation, Relation) => (0.0, false),
        (Relation, Close | Punctuation) | (Open | Punctuation, Relation) => {
            (if left == Punctuation { 3.0 } else { 0.0 }, false)
        }
        (Relation, _) | (_, Relation) => (5.0, false),
        (Punctuation, _) => (3.0, false),
        (Inner, Ordinary | Open | Punctuation | Inner) | (Ordinary | Operator | Close, Inner) => {
            (3.0, false)
        }
        _ => (0.0, false),
    };
    if in_script && !in_scripts { 0.0 } else { room }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atom_classes_depend_on_their_neighbours() {
        #[track_caller]
        fn check(tex: &str, expected: &[Class]) {
            let Some(Math::Row(parts)) = convertd_tree::math::parse(tex) else {
                panic!("{tex}");
            };
            let mut classes: Vec<Class> = parts.iter().map(Class::of).collect();
            settle(&mut classes);
            assert_eq!(classes, expected, "{tex}");
        }
        check("a+b", &[Ordinary, Binary, Ordinary]);
        check("-a", &[Ordinary, Ordinary]);
        check("a=-b", &[Ordinary, Relation, Ordinary, Ordinary]);
        check(r"\sin x", &[Operator, Ordinary]);
        check(r"(a,b)", &[Open, Ordinary, Punctuation, Ordinary, Close]);
        check(
            r"\sum_{i} i\to\infty",
            &[Operator, Ordinary, Relation, Ordinary],
        );
        check(r"x\in A", &[Ordinary, Relation, Ordinary]);
    }
}
