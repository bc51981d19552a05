//! The strings of a workbook that cells share by number. They are the only thing whose memory depends on the size of a file, and
//! they are reserved for by the size of their part.

/// All shared strings, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    /// Strings from a part of `len` bytes.
    pub(crate) fn with_capacity(len: u64) -> Self {
        Self {
            text: String::with_capacity(usize::try_from(len).unwrap_or(0)),
            ends: Vec::new(),
        }
    }

    /// Bytes that the strings of a part of `len` bytes need at most.
    pub(crate) fn memory(len: u64) -> u64 {
        len.saturating_mul(3)
    }

    /// Appends to the string that is being built.
    pub(crate) fn open(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// What has been appended since the last string was ended.
    pub(crate) fn opened(&self) -> &str {
        &self.text[self.ends.last().map_or(0, |end| *end as usize)..]
    }

    /// Replaces what has been appended since the last string was ended.
    pub(crate) fn replace_open(&mut self, text: &str) {
        let start = self.text.len() - self.opened().len();
        self.text.truncate(start);
        self.text.push_str(text);
    }

    /// Ends the string that is being built. `false` if there is no room for more.
    pub(crate) fn push(&mut self) -> bool {
        match u32::try_from(self.text.len()) {
            Ok(end) => {
                self.ends.push(end);
                true
            }
            Err(_) => false,
        }
    }

    /// The string with this number.
    pub(crate) fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)? as usize;
        let start = match number.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.text.get(start..end)
    }
}
