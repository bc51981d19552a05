//! Files that lie beside the input of a job. Fetches nothing: there is only what somebody has sent with it.

/// Files that an input may name, by their addresses as they are written in it.
pub trait Beside: Sync {
    /// The content of a file. `None` for what is elsewhere.
    fn read(&self, address: &str) -> Option<Vec<u8>>;
}
