//! Names of the files and folders that operating systems and storages leave among those of people. Looks at names only.

/// Names in lower case: of Synology, QNAP, Windows, macOS and ext file systems.
const OF_SYSTEMS: [&[u8]; 20] = [
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

/// Whether a file or a folder with this name belongs to a system. Case does not matter, as on most of these systems.
pub fn is_of_system(name: &[u8]) -> bool {
    OF_SYSTEMS.iter().any(|own| own.eq_ignore_ascii_case(name))
}
