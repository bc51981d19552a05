//! Texts that form controls show (HTML, 4.10): values, chosen options and ticks are content of a page like its text.

use super::state::{Capture, PageReader};
use crate::{dom::Start, error::Result, syntax::tag::Tag};

/// A `select` element while it is read.
#[derive(Debug, Default)]
pub(super) struct Select {
    options: Vec<Choice>,
    /// Whether the last option is still open.
    open: bool,
    /// Whether the element is shown as a list of several lines, in which no option is chosen by default.
    is_list: bool,
}

#[derive(Debug, Default)]
struct Choice {
    label: String,
    chosen: bool,
    disabled: bool,
}

impl Select {
    pub(super) fn new(start: &Start<'_>) -> Self {
        let size = start
            .get("size")
            .and_then(|size| size.trim().parse::<u32>().ok());
        Self {
            is_list: start.get("multiple").is_some() || size.is_some_and(|size| size > 1),
            ..Self::default()
        }
    }

    /// Begins another option; one that is open ends.
    pub(super) fn start(&mut self, start: &Start<'_>) {
        if start.tag == Tag::Option {
            self.open = true;
            self.options.push(Choice {
                label: String::new(),
                chosen: start.get("selected").is_some(),
                disabled: start.get("disabled").is_some(),
            });
        }
    }

    pub(super) fn end(&mut self, tag: Tag) {
        self.open &= tag != Tag::Option;
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some(option) = self.options.last_mut().filter(|_| self.open) {
            option.label.push_str(text);
        }
    }

    /// The labels of the chosen options, separated by commas. A drop-down list has only one chosen option: the last
    /// that is marked as selected, or else the first that is not disabled.
    fn chosen(&self) -> String {
        let mut chosen = self.options.iter().filter(|option| option.chosen);
        let chosen: Vec<&Choice> = match self.is_list {
            true => chosen.collect(),
            false => {
                let first = || self.options.iter().find(|option| !option.disabled);
                chosen.next_back().or_else(first).into_iter().collect()
            }
        };
        let labels = chosen.iter().map(|option| option.label.trim());
        labels.collect::<Vec<_>>().join(", ")
    }
}

impl PageReader<'_, '_, '_> {
    /// Adds the text that an `input` shows.
    pub(super) fn input(&mut self, start: &Start<'_>) -> Result<()> {
        if self.hidden > 0 || self.look(start).hidden {
            return Ok(());
        }
        let kind = start.get("type").unwrap_or_default().to_ascii_lowercase();
        let (value, ticked) = (start.get("value"), start.get("checked").is_some());
        let shown = match kind.as_str() {
            "checkbox" => {
                // A checkbox at the beginning of a list item makes it an item of a task list.
                if !self.line.begun && self.build.set_task(ticked) {
                    return Ok(());
                }
                if ticked { "☒" } else { "☐" }.to_owned()
            }
            "radio" => if ticked { "(•)" } else { "( )" }.to_owned(),
            "password" => value.unwrap_or_default().chars().map(|_| '•').collect(),
            "hidden" | "file" | "range" | "color" => String::new(),
            "submit" => value.unwrap_or("Submit").to_owned(),
            "reset" => value.unwrap_or("Reset").to_owned(),
            "image" => start.get("alt").unwrap_or_default().to_owned(),
            _ => value.unwrap_or_default().to_owned(),
        };
        self.control(&shown)
    }

    /// Ends the control whose text was collected.
    pub(super) fn end_control(&mut self) -> Result<()> {
        match self.capture.take() {
            Some(Capture::Select(select)) => self.control(&select.chosen()),
            Some(Capture::Textarea(text)) => self.control(&text),
            other => {
                self.capture = other;
                Ok(())
            }
        }
    }

    /// Adds the text of a control, separated from the surrounding text by spaces, because a control is shown as a box.
    fn control(&mut self, shown: &str) -> Result<()> {
        if self.hidden > 0 || shown.trim().is_empty() {
            return Ok(());
        }
        self.line.space = true;
        for (number, line) in shown.trim().lines().enumerate() {
            if number > 0 {
                self.line_break()?;
            }
            self.flow(line)?;
        }
        self.line.space = true;
        Ok(())
    }
}
