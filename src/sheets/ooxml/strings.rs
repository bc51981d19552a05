//! The shared strings of a workbook, to which cells refer by index. They are the only data whose memory grows with the file,
//! so it is reserved by the size of their part. Keeps no formatting.

/// All shared strings in one buffer.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    /// Prepares for the strings of a part of `len` bytes.
    pub(crate) fn with_capacity(len: u64) -> Self {
        Self {
            text: String::with_capacity(usize::try_from(len).unwrap_or(0)),
            ends: Vec::new(),
        }
    }

    /// The memory for the strings of a part of `len` bytes, at most.
    pub(crate) fn memory(len: u64) -> u64 {
        len.saturating_mul(3)
    }

    /// Appends to the string that is being built.
    pub(crate) fn open(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The string that is being built.
    pub(crate) fn opened(&self) -> &str {
        &self.text[self.ends.last().map_or(0, |end| *end as usize)..]
    }

    /// Replaces the string that is being built.
    pub(crate) fn replace_open(&mut self, text: &str) {
        let start = self.text.len() - self.opened().len();
        self.text.truncate(start);
        self.text.push_str(text);
    }

    /// Completes the string that is being built. False if the buffer has reached its limit.
    pub(crate) fn push(&mut self) -> bool {
        match u32::try_from(self.text.len()) {
            Ok(end) => {
                self.ends.push(end);
                true
            }
            Err(_) => false,
        }
    }

    /// The string with this index.
    pub(crate) fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)? as usize;
        let start = match number.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.text.get(start..end)
    }
}
