//! The status codes that this server and its application use. Does not decide when they are sent.

use std::fmt;

/// A status code (RFC 9110, section 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(u16, &'static str);

#[allow(missing_docs)]
impl Status {
    pub const OK: Self = Self(200, "OK");
    pub const ACCEPTED: Self = Self(202, "Accepted");
    pub const NO_CONTENT: Self = Self(204, "No Content");
    pub const PARTIAL_CONTENT: Self = Self(206, "Partial Content");
    pub const NOT_MODIFIED: Self = Self(304, "Not Modified");
    pub const BAD_REQUEST: Self = Self(400, "Bad Request");
    pub const UNAUTHORIZED: Self = Self(401, "Unauthorized");
    pub const FORBIDDEN: Self = Self(403, "Forbidden");
    pub const NOT_FOUND: Self = Self(404, "Not Found");
    pub const METHOD_NOT_ALLOWED: Self = Self(405, "Method Not Allowed");
    pub const REQUEST_TIMEOUT: Self = Self(408, "Request Timeout");
    pub const CONFLICT: Self = Self(409, "Conflict");
    pub const PRECONDITION_FAILED: Self = Self(412, "Precondition Failed");
    pub const PAYLOAD_TOO_LARGE: Self = Self(413, "Content Too Large");
    pub const URI_TOO_LONG: Self = Self(414, "URI Too Long");
    pub const UNSUPPORTED_MEDIA_TYPE: Self = Self(415, "Unsupported Media Type");
    pub const RANGE_NOT_SATISFIABLE: Self = Self(416, "Range Not Satisfiable");
    pub const EXPECTATION_FAILED: Self = Self(417, "Expectation Failed");
    pub const UNPROCESSABLE: Self = Self(422, "Unprocessable Content");
    pub const HEADER_FIELDS_TOO_LARGE: Self = Self(431, "Request Header Fields Too Large");
    pub const INTERNAL_SERVER_ERROR: Self = Self(500, "Internal Server Error");
    pub const NOT_IMPLEMENTED: Self = Self(501, "Not Implemented");
    pub const SERVICE_UNAVAILABLE: Self = Self(503, "Service Unavailable");
    pub const VERSION_NOT_SUPPORTED: Self = Self(505, "HTTP Version Not Supported");
    pub const INSUFFICIENT_STORAGE: Self = Self(507, "Insufficient Storage");

    /// All status codes that the server can send.
    pub const ALL: [Self; 25] = [
        Self::OK,
        Self::ACCEPTED,
        Self::NO_CONTENT,
        Self::PARTIAL_CONTENT,
        Self::NOT_MODIFIED,
        Self::BAD_REQUEST,
        Self::UNAUTHORIZED,
        Self::FORBIDDEN,
        Self::NOT_FOUND,
        Self::METHOD_NOT_ALLOWED,
        Self::REQUEST_TIMEOUT,
        Self::CONFLICT,
        Self::PRECONDITION_FAILED,
        Self::PAYLOAD_TOO_LARGE,
        Self::URI_TOO_LONG,
        Self::UNSUPPORTED_MEDIA_TYPE,
        Self::RANGE_NOT_SATISFIABLE,
        Self::EXPECTATION_FAILED,
        Self::UNPROCESSABLE,
        Self::HEADER_FIELDS_TOO_LARGE,
        Self::INTERNAL_SERVER_ERROR,
        Self::NOT_IMPLEMENTED,
        Self::SERVICE_UNAVAILABLE,
        Self::VERSION_NOT_SUPPORTED,
        Self::INSUFFICIENT_STORAGE,
    ];

    /// The three-digit code.
    pub fn code(self) -> u16 {
        self.0
    }

    /// The reason phrase.
    pub fn reason(self) -> &'static str {
        self.1
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}
