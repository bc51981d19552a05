//! Names of the files and folders that operating systems and storage devices put among the files of their users. Looks
//! at names only.

/// Names of the files and folders that Synology, QNAP, Windows, macOS and the ext file systems create, in lower case.
const SYSTEM_FILES: [&[u8]; 20] = [
    b".ds_store",
    b"@eadir",
    b"@recently-snapshot",
    b"@recycle",
    b"@tmp",
    b"#recycle",
    b"#snapshot",
    b"$recycle.bin",
    b"__macosx",
    b"desktop.ini",
    b"ehthumbs.db",
    b"ehthumbs_vista.db",
    b"icon\r",
    b"lost+found",
    b"msdownld.tmp",
    b"network trash folder",
    b"recycler",
    b"system volume information",
    b"temporary items",
    b"thumbs.db",
];

/// Returns whether an operating system or a storage device creates files or folders with this name. Ignores case, as
/// most of these systems do.
pub fn is_of_system(name: &[u8]) -> bool {
    SYSTEM_FILES
        .iter()
        .any(|own| own.eq_ignore_ascii_case(name))
}
