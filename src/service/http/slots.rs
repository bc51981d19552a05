//! A table of values with small numbers as keys. A number is reused only after its value has been removed.

/// Values under small numbers (keys). The key of a value stays the same until it is removed.
#[derive(Debug)]
pub(super) struct Slots<T> {
    values: Vec<Option<T>>,
    /// Keys without a value. The last one freed is the first to be reused, so the table stays dense.
    free: Vec<usize>,
}

impl<T> Slots<T> {
    pub(super) fn new() -> Self {
        Self {
            values: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() - self.free.len()
    }

    pub(super) fn insert(&mut self, value: T) -> usize {
        if let Some(key) = self.free.pop() {
            self.values[key] = Some(value);
            key
        } else {
            self.values.push(Some(value));
            self.values.len() - 1
        }
    }

    pub(super) fn get(&self, key: usize) -> Option<&T> {
        self.values.get(key)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, key: usize) -> Option<&mut T> {
        self.values.get_mut(key)?.as_mut()
    }

    pub(super) fn remove(&mut self, key: usize) -> Option<T> {
        let value = self.values.get_mut(key)?.take()?;
        self.free.push(key);
        Some(value)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.values
            .iter()
            .enumerate()
            .filter_map(|(key, value)| Some((key, value.as_ref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_reused_only_after_its_value_was_removed() {
        let mut slots = Slots::new();
        let (a, b) = (slots.insert('a'), slots.insert('b'));
        assert_eq!(
            (slots.remove(a), slots.remove(a), slots.len()),
            (Some('a'), None, 1)
        );
        assert_eq!(slots.insert('c'), a);
        assert_eq!(slots.iter().collect::<Vec<_>>(), [(a, &'c'), (b, &'b')]);
        assert_eq!(slots.get_mut(9), None);
    }
}
