//! Counts content that is lost in a conversion, and reports it at the end: "2 text boxes were moved …" instead of the
//! same sentence twice. A loss is never an error.

use crate::job::{Notes, Tag};

/// A kind of loss or change.
#[derive(Debug, PartialEq, Eq)]
pub struct Loss {
    /// The sentence for a single occurrence.
    pub one: &'static str,
    /// The sentence for several occurrences; `{}` is replaced by their number.
    pub many: &'static str,
}

/// Number of losses of each kind.
#[derive(Debug, Default)]
pub struct Losses(Vec<Counted>);

#[derive(Debug)]
struct Counted {
    loss: &'static Loss,
    count: usize,
    /// Tag, if code reacts to the loss.
    tag: Option<Tag>,
}

impl Losses {
    /// Counts one occurrence.
    pub fn add(&mut self, loss: &'static Loss) {
        self.add_many(loss, 1);
    }

    /// Counts `count` occurrences.
    pub fn add_many(&mut self, loss: &'static Loss, count: usize) {
        self.count(loss, count, None);
    }

    /// Counts `count` occurrences of a loss that code reacts to.
    pub fn add_tagged(&mut self, loss: &'static Loss, count: usize, tag: Tag) {
        self.count(loss, count, Some(tag));
    }

    fn count(&mut self, loss: &'static Loss, count: usize, tag: Option<Tag>) {
        match self.0.iter_mut().find(|known| known.loss == loss) {
            Some(known) => known.count += count,
            None if count > 0 => self.0.push(Counted { loss, count, tag }),
            None => {}
        }
    }

    /// Adds these counts to `others`.
    pub fn merge_into(self, others: &mut Self) {
        for Counted { loss, count, tag } in self.0 {
            others.count(loss, count, tag);
        }
    }

    /// Adds a note for each kind, in the order in which they first occurred.
    pub fn add_notes(self, notes: &mut Notes) {
        for Counted { loss, count, tag } in self.0 {
            let remark = match count {
                1 => loss.one.to_owned(),
                count => loss.many.replace("{}", &count.to_string()),
            };
            match tag {
                None => notes.add(remark),
                Some(tag) => notes.add_tagged(tag, remark),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_losses_are_reported_once_with_a_count() {
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
        losses.add_notes(&mut notes);
        assert_eq!(notes.0, ["3 text boxes were moved.", "Too deep."]);
    }
}
