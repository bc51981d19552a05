//! Shared strings of a workbook, which cells refer to by index. When rows are streamed, only the memory of these
//! strings grows with the file, so it is reserved by the size of their part. Keeps no fonts.

/// Shared strings in one buffer, which saves an allocation for each.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    /// Texts of all strings.
    text: String,
    /// End of each completed string in `text`, in bytes.
    ends: Vec<u32>,
}

impl Strings {
    /// Creates an empty list, with room for the strings of a part of `len` bytes.
    pub(crate) fn with_capacity(len: u64) -> Self {
        Self {
            text: String::with_capacity(usize::try_from(len).unwrap_or(0)),
            ends: Vec::new(),
        }
    }

    /// Upper bound of the memory for the strings of a part of `len` bytes.
    pub(crate) fn memory(len: u64) -> u64 {
        len.saturating_mul(3)
    }

    /// Appends to the open string, which follows the last completed one.
    pub(crate) fn open(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Open string.
    pub(crate) fn opened(&self) -> &str {
        &self.text[self.ends.last().map_or(0, |end| *end as usize)..]
    }

    /// Replaces the open string.
    pub(crate) fn replace_open(&mut self, text: &str) {
        let start = self.text.len() - self.opened().len();
        self.text.truncate(start);
        self.text.push_str(text);
    }

    /// Completes the open string. Returns false if the buffer has reached its limit of 4 GiB.
    pub(crate) fn push(&mut self) -> bool {
        match u32::try_from(self.text.len()) {
            Ok(end) => {
                self.ends.push(end);
                true
            }
            Err(_) => false,
        }
    }

    /// String with this index.
    pub(crate) fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)? as usize;
        let start = match number.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.text.get(start..end)
    }
}
