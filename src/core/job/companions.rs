//! Files that the client sent together with the input, such as the pictures of an HTML page. Fetches nothing from the
//! network.

/// Files to which an input refers, by their addresses in the input.
pub trait Companions: Sync {
    /// The content of the file with this address. `None` if it was not sent.
    fn read(&self, address: &str) -> Option<Vec<u8>>;
}
