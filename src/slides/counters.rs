//! Numbers of the items of lists on slides. Writes no labels.

use crate::deck::{Bullet, Paragraph};
use convertd_tree::Numbering;

/// Number of levels of a list on a slide (ECMA-376 part 1, 21.1.2.4.13 to 21.1.2.4.21).
const LEVELS: usize = 9;

/// Number of the last item of each level, with its numbering.
#[derive(Default)]
pub(crate) struct Counters([Option<(Numbering, u32)>; LEVELS]);

impl Counters {
    /// Counts a paragraph, and returns its number if it is numbered. A paragraph with text ends the lists of deeper
    /// levels; if it has no number, it also ends the list of its own level. A paragraph without text changes no list.
    pub(crate) fn count(&mut self, paragraph: &Paragraph) -> Option<u32> {
        if paragraph.is_blank() {
            return None;
        }
        let level = usize::from(paragraph.level).min(LEVELS - 1);
        self.0[level + 1..].fill(None);
        let Bullet::Number(numbering) = &paragraph.bullet else {
            self.0[level] = None;
            return None;
        };
        let number = match self.0[level] {
            Some((known, last)) if known == *numbering => last.saturating_add(1),
            _ => numbering.start,
        };
        self.0[level] = Some((*numbering, number));
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::{ComputedStyle, Run, Words};

    fn paragraph(level: u8, bullet: Bullet, text: &str) -> Paragraph {
        Paragraph {
            level,
            bullet,
            runs: vec![Run {
                text: Words::Text(text.into()),
                look: ComputedStyle::default().into(),
            }],
            ..Paragraph::default()
        }
    }

    #[test]
    fn other_paragraphs_end_a_list_unless_they_are_empty() {
        let numbers = || Bullet::Number(Numbering::default());
        let rows = [
            (0, numbers(), "a", Some(1)),
            (1, numbers(), "b", Some(1)),
            (0, numbers(), " ", None),
            (0, Bullet::None, "", None),
            (0, numbers(), "c", Some(2)),
            (1, numbers(), "d", Some(1)),
            (1, Bullet::Character("•".into()), "e", None),
            (1, numbers(), "f", Some(1)),
            (0, numbers(), "g", Some(3)),
            (0, Bullet::Character("•".into()), "h", None),
            (0, numbers(), "i", Some(1)),
            (0, Bullet::None, "j", None),
            (200, numbers(), "k", Some(1)),
        ];
        let mut counters = Counters::default();
        for (level, bullet, text, expected) in rows {
            assert_eq!(
                counters.count(&paragraph(level, bullet, text)),
                expected,
                "{text}"
            );
        }
    }
}
