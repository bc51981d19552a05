//! Decodes text in Windows code pages, which MAPI properties state by number. Text without a known code page is
//! passed to the guess of [`header::in_charset`].

use crate::containers::mime::in_charset;

/// Number of the code page for UTF-8.
pub(super) const UTF_8: u64 = 65001;

/// Number of the code page for western Europe, Windows-1252.
pub(super) const WESTERN: u64 = 1252;

/// Decodes text in a Windows code page. The numbers become the labels that [`in_charset`] knows.
pub(super) fn in_codepage(codepage: u64, bytes: Vec<u8>) -> String {
    let name = match codepage {
        // Without a stated code page (0), and for US-ASCII (20127), the charset is guessed.
        0 => String::new(),
        UTF_8 => "utf-8".to_owned(),
        65000 => "utf-7".to_owned(),
        1200 => "utf-16le".to_owned(),
        20127 => String::new(),
        20866 => "koi8-r".to_owned(),
        28591..=28606 => format!("iso-8859-{}", codepage - 28590),
        50220..=50222 => "iso-2022-jp".to_owned(),
        51932 => "euc-jp".to_owned(),
        51949 => "euc-kr".to_owned(),
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        54936 => "gb18030".to_owned(),
        page => format!("windows-{page}"),
    };
    in_charset(&name, bytes)
}
