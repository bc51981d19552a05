//! Extensions of chunks (RFC 9112, section 7.1.1): `;name`, `;name=value` or `;name="quoted"`, after the size of a
//! chunk. They have no meaning here and are dropped, but only after strict parsing: parsers that skip to the end of the
//! line disagree about where it ends (CVE-2025-55315).

use super::head::is_token;

/// State of the parser within an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extension {
    /// After the semicolon.
    Begins,
    Name,
    /// White space after the name.
    NameEnds,
    /// After the equals sign.
    Equals,
    Token,
    Quoted,
    /// After a backslash in quotation marks.
    Escape,
    /// The value is complete.
    ValueEnds,
}

impl Extension {
    /// The state after one more byte. `None` if the byte is not allowed there.
    pub(super) fn after(self, byte: u8) -> Option<Self> {
        let is_blank = matches!(byte, b' ' | b'\t');
        match self {
            Self::Begins | Self::Equals if is_blank => Some(self),
            Self::Name | Self::NameEnds if is_blank => Some(Self::NameEnds),
            Self::Token | Self::ValueEnds if is_blank => Some(Self::ValueEnds),
            Self::Begins | Self::Name if is_token(byte) => Some(Self::Name),
            Self::Equals | Self::Token if is_token(byte) => Some(Self::Token),
            Self::Equals if byte == b'"' => Some(Self::Quoted),
            Self::Name | Self::NameEnds if byte == b'=' => Some(Self::Equals),
            Self::Name | Self::NameEnds | Self::Token | Self::ValueEnds if byte == b';' => {
                Some(Self::Begins)
            }
            Self::Quoted if byte == b'"' => Some(Self::ValueEnds),
            Self::Quoted if byte == b'\\' => Some(Self::Escape),
            Self::Quoted | Self::Escape if is_blank || byte > b' ' && byte != 0x7f => {
                Some(Self::Quoted)
            }
            _ => None,
        }
    }

    /// Returns whether the line may end here.
    pub(super) fn may_end(self) -> bool {
        match self {
            Self::Name | Self::NameEnds | Self::Token | Self::ValueEnds => true,
            Self::Begins | Self::Equals | Self::Quoted | Self::Escape => false,
        }
    }
}
