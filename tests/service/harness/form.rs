//! `multipart/form-data` bodies (RFC 7578), part by part. Escapes nothing, so that a test can send any bytes.

/// The boundary of all forms in the tests.
pub(crate) const BOUNDARY: &str = "----boundary-of-the-test";

/// A form to which parts are added. The parts are in the order in which they were added.
#[derive(Clone, Default)]
pub(crate) struct Form(Vec<u8>);

impl Form {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The usual form, in which the target precedes the file.
    pub(crate) fn of(file: &[u8], name: &str, target: &str) -> Self {
        Self::new().field("target_format", target).file(name, file)
    }

    /// Adds a text field.
    pub(crate) fn field(self, name: &str, value: &str) -> Self {
        let head = format!("Content-Disposition: form-data; name=\"{name}\"");
        self.part(&head, value.as_bytes())
    }

    /// Adds the file.
    pub(crate) fn file(self, name: &str, content: &[u8]) -> Self {
        let head = format!(
            "Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream"
        );
        self.part(&head, content)
    }

    /// Adds a part with this head, without a change. `head` does not include the empty line that ends it.
    pub(crate) fn part(mut self, head: &str, content: &[u8]) -> Self {
        let head = format!("--{BOUNDARY}\r\n{head}\r\n\r\n");
        self.0.extend_from_slice(head.as_bytes());
        self.0.extend_from_slice(content);
        self.0.extend_from_slice(b"\r\n");
        self
    }

    /// The whole body, including its closing boundary.
    pub(crate) fn body(mut self) -> Vec<u8> {
        let end = format!("--{BOUNDARY}--\r\n");
        self.0.extend_from_slice(end.as_bytes());
        self.0
    }

    /// The value of the `Content-Type` field for a form.
    pub(crate) fn content_type() -> String {
        format!("multipart/form-data; boundary={BOUNDARY}")
    }
}
