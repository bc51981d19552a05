//! Counts what a conversion cannot keep, and reports it at the end: "2 text boxes were moved …" instead of the same sentence
//! twice. A loss is never an error.

use crate::job::Notes;

/// A kind of loss or change.
#[derive(Debug, PartialEq, Eq)]
pub struct Loss {
    /// The sentence for a single occurrence.
    pub one: &'static str,
    /// The sentence for several occurrences; `{}` is replaced by their number.
    pub many: &'static str,
}

/// How often each kind of loss occurred.
#[derive(Debug, Default)]
pub struct Losses(Vec<(&'static Loss, usize)>);

impl Losses {
    /// Counts one occurrence.
    pub fn add(&mut self, loss: &'static Loss) {
        self.add_many(loss, 1);
    }

    /// Counts `count` occurrences.
    pub fn add_many(&mut self, loss: &'static Loss, count: usize) {
        match self.0.iter_mut().find(|(known, _)| *known == loss) {
            Some((_, before)) => *before += count,
            None if count > 0 => self.0.push((loss, count)),
            None => {}
        }
    }

    /// Adds these counts to `others`.
    pub fn merge_into(self, others: &mut Self) {
        for (loss, count) in self.0 {
            others.add_many(loss, count);
        }
    }

    /// Adds a note for each kind, in the order in which they first occurred.
    pub fn tell(self, notes: &mut Notes) {
        for (loss, count) in self.0 {
            if count == 1 {
                notes.add(loss.one);
            } else {
                notes.add(loss.many.replace("{}", &count.to_string()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_loss_is_told_once_with_its_number() {
        const BOX: Loss = Loss {
            one: "A text box was moved.",
            many: "{} text boxes were moved.",
        };
        const DEEP: Loss = Loss {
            one: "Too deep.",
            many: "Too deep.",
        };
        static BOXES: Loss = BOX;
        static DEEPS: Loss = DEEP;
        let mut losses = Losses::default();
        losses.add(&BOXES);
        losses.add(&DEEPS);
        losses.add_many(&BOXES, 2);
        losses.add_many(&DEEPS, 0);
        let mut notes = Notes::default();
        losses.tell(&mut notes);
        assert_eq!(notes.0, ["3 text boxes were moved.", "Too deep."]);
    }
}
