//! Recognises formats that no converter reads, by their first bytes, so that the error message can name the format. It
//! is called only after every converter has refused the file, and decides only the text and the reason of the error.
//!
//! The signatures come from the formats' own specifications. A file of readable text may match a short signature by
//! chance, so signatures of fewer than five bytes are ignored in text.

use crate::job::Input;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
use crate::{
    containers::{cfb, zip},
    office::flat,
};
use std::io::SeekFrom;

/// A format: offset of the signature, the signature, and the name of such a file with its article.
type UnreadFormat = (usize, &'static [u8], &'static str);

/// A format that two signatures identify together.
type Pair = ((usize, &'static [u8]), (usize, &'static [u8]), &'static str);

/// The name of the file's format with its article, such as `a RAR archive`, if it is recognised. `head` is the
/// beginning of the file; `is_text` says whether it is readable text.
///
/// Pairs are tried before single signatures, because they are more specific: the single `OggS` also matches the files
/// of two pairs. Lookups that read more of the file come last.
pub(super) fn kind(head: &[u8], input: &mut dyn Input, is_text: bool) -> Option<&'static str> {
    let stands = |at: usize, signature: &[u8]| {
        let bytes = head.get(at..).unwrap_or_default();
        bytes.starts_with(signature)
    };
    // In text, a signature of fewer than five letters may match by chance: a text may begin with `MZ`, for example.
    let is_chance = |len: usize| is_text && len < 5;
    let pair = PAIRS.iter().find(|(first, second, _)| {
        let is_there = stands(first.0, first.1) && stands(second.0, second.1);
        is_there && !is_chance(first.1.len() + second.1.len())
    });
    let single = || {
        let is_there = |(at, signature, _): &&UnreadFormat| stands(*at, signature);
        let mut known = KINDS.iter().filter(is_there);
        known.find(|(_, signature, _)| !is_chance(signature.len()))
    };
    let pair = pair.map(|(.., what)| *what);
    pair.or_else(|| single().map(|(.., what)| *what))
        .or_else(|| markup(head))
        .or_else(|| packed(head, input))
        .or_else(|| compound(head, input))
        .or_else(|| disc(input))
}

/// The name of an Office document in a single XML file, by the beginning of the file.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
fn markup(head: &[u8]) -> Option<&'static str> {
    flat::is_package(head).then_some("a document of Office in a single XML file")
}

/// The name of a format that is packed as a ZIP archive, by the names in its directory.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
fn packed(head: &[u8], input: &mut dyn Input) -> Option<&'static str> {
    let mut names = PACKED.iter();
    let found =
        names.find(|(start, _)| zip::holds(head, input, &[&|name| name.starts_with(start)]));
    found.map(|(_, what)| *what)
}

/// The name of a format that is packed as a compound file (MS-CFB), by the names of its streams.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
fn compound(head: &[u8], input: &mut dyn Input) -> Option<&'static str> {
    if !head.starts_with(cfb::SIGNATURE) {
        return None;
    }
    let mut names = COMPOUND.iter();
    let found = names.find(|(name, _)| cfb::mentions(input, name));
    Some(found.map_or(
        "a compound file of an older Windows program",
        |(_, what)| what,
    ))
}

/// Returns whether a file is an encrypted Office file of unknown kind.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
pub(super) fn is_locked(head: &[u8], input: &mut dyn Input) -> bool {
    head.starts_with(cfb::SIGNATURE) && cfb::mentions(input, LOCKED)
}

#[cfg(not(any(feature = "document", feature = "spreadsheet")))]
pub(super) fn is_locked(_: &[u8], _: &mut dyn Input) -> bool {
    false
}

#[cfg(not(any(feature = "document", feature = "spreadsheet")))]
fn markup(_: &[u8]) -> Option<&'static str> {
    None
}

#[cfg(not(any(feature = "document", feature = "spreadsheet")))]
fn packed(_: &[u8], _: &mut dyn Input) -> Option<&'static str> {
    None
}

#[cfg(not(any(feature = "document", feature = "spreadsheet")))]
fn compound(_: &[u8], _: &mut dyn Input) -> Option<&'static str> {
    None
}

/// A disc image (ECMA-119, section 8.4): its volume descriptors begin at sector 16 (of 2048 bytes each), far beyond the
/// bytes in `head`. A descriptor begins with a type byte, which the identifier `CD001` follows.
fn disc(input: &mut dyn Input) -> Option<&'static str> {
    let mut identifier = [0; 5];
    input.seek(SeekFrom::Start(16 * 2048 + 1)).ok()?;
    input.read_exact(&mut identifier).ok()?;
    (&identifier == b"CD001").then_some("an image of a CD or DVD")
}

/// Beginnings of entry names in ZIP archives, and the formats that have them. The last two match any Office Open XML or
/// OpenDocument package, so they come last.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
static PACKED: &[(&str, &str)] = &[
    ("ppt/", "a PowerPoint presentation"),
    ("word/", "an unknown kind of Word document"),
    ("xl/", "an unknown kind of Excel workbook"),
    ("visio/", "a Visio drawing"),
    ("FixedDocSeq.fdseq", "an XPS document"),
    ("FixedDocumentSequence.fdseq", "an XPS document"),
    ("3D/3dmodel.model", "a 3D model for printing (3MF)"),
    (
        "META-INF/container.xml",
        "a book or a package like one (OCF)",
    ),
    ("[Content_Types].xml", "an Office Open XML package"),
    ("META-INF/manifest.xml", "an OpenDocument package"),
];

/// The stream of a compound file that holds an encrypted document (MS-OFFCRYPTO, 2.3.4.4).
#[cfg(any(feature = "document", feature = "spreadsheet"))]
const LOCKED: &str = "EncryptedPackage";

/// Names of streams and storages in compound files, and the formats that have them.
#[cfg(any(feature = "document", feature = "spreadsheet"))]
static COMPOUND: &[(&str, &str)] = &[
    (LOCKED, "an Office document that is locked with a password"),
    ("PP40", "a PowerPoint presentation from before 1997"),
    (
        "HwpSummaryInformation",
        "a Hangul document in its older format (.hwp)",
    ),
    ("VisioDocument", "a Visio drawing from before 2013 (.vsd)"),
    ("__properties_version1.0", "an Outlook message (.msg)"),
    ("Quill", "a Publisher document"),
    ("MatOST", "a Microsoft Works document"),
    ("Props12", "a Microsoft Project plan"),
    ("SwDocContentMgr", "a SolidWorks drawing or model"),
    ("Catalog", "a Windows cache of thumbnails (Thumbs.db)"),
];

/// Formats that two signatures identify together.
static PAIRS: &[Pair] = &[
    ((0, b"RIFF"), (8, b"AVI "), "an AVI video"),
    ((0, b"RIFF"), (8, b"CDR"), "a CorelDRAW drawing"),
    ((0, b"RIFF"), (8, b"ACON"), "an animated Windows cursor"),
    ((0, b"RIFF"), (8, b"sfbk"), "a SoundFont"),
    ((0, b"RIFF"), (8, b"RMID"), "a MIDI song"),
    ((0, b"FORM"), (8, b"ILBM"), "an Amiga picture (ILBM)"),
    ((0, b"FORM"), (8, b"PBM "), "an Amiga picture (PBM)"),
    ((0, b"FORM"), (8, b"8SVX"), "an Amiga sound (8SVX)"),
    ((2, b"-lh"), (6, b"-"), "an LHA archive"),
    (
        (0, b"OggS"),
        (28, b"Speex   "),
        "Speex speech in an Ogg file",
    ),
    (
        (0, b"OggS"),
        (28, b"\x80theora"),
        "an Ogg video whose first track is not sound",
    ),
    (
        (0, b"\x47"),
        (188, b"\x47"),
        "an MPEG transport stream (television)",
    ),
    ((0, b"\x47"), (192, b"\x47"), "an MPEG transport stream"),
    (
        (4, b"\x47"),
        (196, b"\x47"),
        "an MPEG transport stream of a Blu-ray disc",
    ),
    // One row for each version of the format: 1.0, 2.1 and 2.2.
    (
        (34, b"LP"),
        (8, b"\x00\x00\x01\x00"),
        "an embedded OpenType font",
    ),
    (
        (34, b"LP"),
        (8, b"\x01\x00\x02\x00"),
        "an embedded OpenType font",
    ),
    (
        (34, b"LP"),
        (8, b"\x02\x00\x02\x00"),
        "an embedded OpenType font",
    ),
    // A Java class and a universal binary of macOS begin with the same bytes. The next four are the version of a class,
    // 45 or more, or the number of architectures in a binary, which is small.
    (
        (0, b"\xca\xfe\xba\xbe"),
        (4, b"\0\0\0\x02"),
        "a program for macOS",
    ),
    (
        (0, b"\xca\xfe\xba\xbe"),
        (4, b"\0\0\0\x03"),
        "a program for macOS",
    ),
    (
        (0, b"\xca\xfe\xba\xbe"),
        (4, b"\0\0\0\x04"),
        "a program for macOS",
    ),
    ((0, b"\xca\xfe\xba\xbe"), (4, b"\0\0\0"), "a Java class"),
    (
        (0, b"\x04\0\0\0"),
        (16, b"{\"files\""),
        "an archive of an Electron program (.asar)",
    ),
    ((4, b"ftypmjp2"), (0, b"\0\0\0"), "a Motion JPEG 2000 video"),
    (
        (0, b"II\x1a\0\0\0"),
        (6, b"HEAPCCDR"),
        "a raw file of a Canon camera (.crw)",
    ),
    (
        (0, b"\0\0\0\x01"),
        (4, b"Bud1"),
        "a folder view of the macOS Finder (.DS_Store)",
    ),
    (
        (0, b"\0\x01\0\0"),
        (4, b"Standard Jet DB"),
        "an Access database",
    ),
    (
        (0, b"\0\x01\0\0"),
        (4, b"Standard ACE DB"),
        "an Access database",
    ),
];

/// Formats that one signature identifies. If one signature is the beginning of another, the longer one comes first.
static KINDS: &[UnreadFormat] = &[
    // Worksheets of programs for MS-DOS: the head of the first record (type 0, and a length of two or more bytes), and
    // the version of the program, with which the record begins.
    (0, b"\0\0\x02\0\x04\x04", "a Lotus 1-2-3 worksheet"),
    (0, b"\0\0\x02\0\x05\x04", "a Lotus Symphony worksheet"),
    (0, b"\0\0\x02\0\x06\x04", "a Lotus 1-2-3 worksheet"),
    (0, b"\0\0\x1a\0\0\x10\x04\0", "a Lotus 1-2-3 worksheet"),
    (0, b"\0\0\x1a\0\x02\x10\x04\0", "a Lotus 1-2-3 worksheet"),
    (0, b"\0\0\x1a\0\x03\x10\x04\0", "a Lotus 1-2-3 worksheet"),
    (0, b"\0\0\x1a\0\x05\x10\x04\0", "a Lotus 1-2-3 worksheet"),
    (0, b"\0\0\x02\0\x20\x51", "a Quattro Pro worksheet"),
    (0, b"\0\0\x02\0\x21\x51", "a Quattro Pro worksheet"),
    (0, b"\0\0\x02\0\x01\x10", "a Quattro Pro worksheet"),
    (0, b"\0\0\x02\0\x02\x10", "a Quattro Pro worksheet"),
    (
        0,
        b"HWP Document File",
        "a Hangul document in its older format (.hwp)",
    ),
    (0, b"[ver]\r\n\t", "an Ami Pro document"),
    (
        0,
        b"\0\x05\xe1\x03\0\0\x20\xe2",
        "an IBM DisplayWrite document",
    ),
    // Archives and compressed files, and formats that have no group of their own.
    (0, b"RUU CROSS SYSTEM MAP FORMAT", "a PCRaster map"),
    (0, b"L\0R\0F\0\0\0", "a Sony reader's book (.lrf)"),
    (0, b"SNBP000B", "a Shanda book (.snb)"),
    (0, b"\x60\xea", "an ARJ archive"),
    (0, b"\xc7\x71", "a cpio archive"),
    (0, b"BPG\xfb", "a BPG picture"),
    (0, b"DRACO\x01", "a 3D model (Draco)"),
    (0, b"NES\x1a", "a game for the NES"),
    (0, b"book\0\0\0\0mark", "a macOS alias"),
    (
        0,
        b"\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01",
        "an MXF video",
    ),
    (0, b"REGEDIT4", "a part of the Windows registry (.reg)"),
    (
        0,
        b"Windows Registry Editor Version",
        "a part of the Windows registry (.reg)",
    ),
    (
        0,
        b"\xff\xfeW\0i\0n\0d\0o\0w\0s\0 \0R\0e\0g\0i\0s\0t\0r\0y\0",
        "a part of the Windows registry (.reg)",
    ),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"\x04\x22\x4d\x18", "a file compressed with LZ4"),
    (0, b"LZIP\x01", "a file compressed with lzip"),
    (0, b"\x1f\x9d\x90", "a file compressed with compress"),
    (0, b"\x89LZO\0\r\n\x1a\n", "a file compressed with lzop"),
    (0, b"MSCF\0\0\0\0", "a Windows cabinet archive (.cab)"),
    (0, b"!<arch>\ndebian-binary", "a Debian package"),
    (0, b"!<arch>\n", "a library of object files"),
    (0, b"\xed\xab\xee\xdb", "an RPM package"),
    (7, b"**ACE**", "an ACE archive"),
    (0, b"xar!\0", "an installer package for macOS"),
    (0, b"StuffIt (c)", "a StuffIt archive"),
    (0, b"SIT!\0", "a StuffIt archive"),
    (0, b"070701", "a cpio archive"),
    (0, b"070707", "a cpio archive"),
    (0, b"hsqs", "a SquashFS file system"),
    (0, b"MSWIM\0\0\0", "a Windows installation image (.wim)"),
    (0, b"Cr24\x02\0", "an extension for Chrome"),
    (0, b"Cr24\x03\0", "an extension for Chrome"),
    (0, b"PACK\0\0\0", "a Git pack"),
    (0, b"# v2 git bundle", "a Git bundle"),
    // Discs and machines.
    (0, b"conectix", "a disk of a virtual machine"),
    (0, b"vhdxfile", "a disk of a virtual machine"),
    (0, b"KDMV\x01\0", "a disk of a virtual machine"),
    (0, b"QFI\xfb", "a disk of a virtual machine"),
    (64, b"\x7f\x10\xda\xbe", "a disk of a virtual machine"),
    (0, b"LUKS\xba\xbe", "an encrypted disk"),
    // Programs.
    (0, b"\x7fELF", "a program or library for Linux"),
    (0, b"MZ", "a Windows program"),
    (0, b"\xfe\xed\xfa\xce", "a program for macOS"),
    (0, b"\xfe\xed\xfa\xcf", "a program for macOS"),
    (0, b"\xce\xfa\xed\xfe", "a program for macOS"),
    (0, b"\xcf\xfa\xed\xfe", "a program for macOS"),
    (0, b"dex\n03", "a program for Android"),
    (0, b"\0asm\x01\0", "a WebAssembly program"),
    (0, b"BC\xc0\xde", "LLVM bitcode"),
    (0, b"\x1bLua", "a Lua program"),
    (0, b"#!/bin/", "a script"),
    (0, b"#!/usr/", "a script"),
    (0, b"<?php", "a PHP program"),
    (0, b"L\0\0\0\x01\x14\x02\0", "a Windows shortcut"),
    (0, b"regf", "a part of the Windows registry"),
    (
        0,
        b"Windows Registry Editor",
        "an export of the Windows registry",
    ),
    (0, b"ElfFile\0", "a Windows event log"),
    (0, b"MDMP\x93\xa7", "a Windows memory dump"),
    // Databases and measurements.
    (0, b"SQLite format 3\0", "an SQLite database"),
    (0, b"!BDN", "an Outlook data file (.pst)"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 data set"),
    (0, b"CDF\x01", "a NetCDF data set"),
    (0, b"CDF\x02", "a NetCDF data set"),
    (0, b"PAR1", "a Parquet table"),
    (0, b"ARROW1", "an Arrow table"),
    (0, b"Obj\x01", "an Avro table"),
    (0, b"ORC\x0a", "an ORC table"),
    (0, b"\x93NUMPY", "an array of NumPy"),
    (0, b"MATLAB 5.0 MAT-file", "data of MATLAB"),
    (0, b"RDX3\n", "data of R"),
    (0, b"RDX2\n", "data of R"),
    (0, b"$FL2@(#)", "data of SPSS"),
    (0, b"<stata_dta>", "data of Stata"),
    (0, b"SIMPLE  =", "a FITS picture (astronomy)"),
    (128, b"DICM", "a DICOM picture (medicine)"),
    (344, b"n+1\0", "a NIfTI picture (brain scans)"),
    (0, b"LASF\0\0", "a point cloud (LAS)"),
    (0, b"\0\0\x27\x0a\0\0\0\0", "a map of shapes (.shp)"),
    (0, b"\xd4\xc3\xb2\xa1", "recorded network traffic (pcap)"),
    (0, b"\xa1\xb2\xc3\xd4", "recorded network traffic (pcap)"),
    (0, b"\x0a\x0d\x0d\x0a", "recorded network traffic (pcapng)"),
    // Documents.
    (
        30,
        b"mimetypeapplication/vnd.oasis.opendocument.presentation",
        "an OpenDocument presentation",
    ),
    (
        30,
        b"mimetypeapplication/vnd.oasis.opendocument.graphics",
        "an OpenDocument drawing",
    ),
    (
        30,
        b"mimetypeapplication/vnd.oasis.opendocument.formula",
        "an OpenDocument formula",
    ),
    (
        30,
        b"mimetypeapplication/vnd.oasis.opendocument.chart",
        "an OpenDocument chart",
    ),
    (
        30,
        b"mimetypeapplication/vnd.oasis.opendocument.base",
        "an OpenDocument database",
    ),
    (
        30,
        b"mimetypeapplication/vnd.sun.xml.",
        "a document of OpenOffice 1 or StarOffice",
    ),
    (30, b"mimetypeapplication/x-krita", "a Krita picture"),
    (30, b"mimetypeimage/openraster", "an OpenRaster picture"),
    (
        30,
        b"mimetypeapplication/vnd.adobe.indesign",
        "an InDesign document",
    ),
    (
        0,
        b"\x06\x06\xed\xf5\xd8\x1d\x46\xe5",
        "an InDesign document",
    ),
    (2, b"MMXPR", "a QuarkXPress document"),
    (2, b"IIXPR", "a QuarkXPress document"),
    (0, b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d", "a OneNote notebook"),
    (0, b"AT&TFORM", "a part of a DjVu document in several files"),
    (0, b"%!PS-AdobeFont", "a font (PostScript Type 1)"),
    (0, b"%!FontType1", "a font (PostScript Type 1)"),
    (0, b"%!PS-Adobe", "a PostScript document"),
    (0, b"\xc5\xd0\xd3\xc6", "an encapsulated PostScript drawing"),
    (0, b"\xffWPC", "a WordPerfect document"),
    (0, b"\xdb\xa5\x2d\0", "a document of Word 2 for Windows"),
    (0, b"\x9b\xa5\x21\0", "a document of Word 1 for Windows"),
    (
        0,
        b"\xfe\x37\0\x23",
        "a document of Word 5 for the Macintosh",
    ),
    (
        0,
        b"\xfe\x37\0\x1c",
        "a document of Word 4 for the Macintosh",
    ),
    (
        0,
        b"\x31\xbe\0\0",
        "a document of Word for MS-DOS or Windows Write",
    ),
    (0, b"\x32\xbe\0\0", "a document of Windows Write"),
    (0, b"\xeaDRMION\xee", "a Kindle book (KFX)"),
    (0, b"CONT\x02\0", "a Kindle book (KFX)"),
    (0, b"ITOLITLS", "a Microsoft Reader book"),
    (0, b"ITSF\x03\0", "a Windows help file (.chm)"),
    (0, b"\x3f\x5f\x03\0", "a Windows help file (.hlp)"),
    (0, b"\xf7\x02\x01\x83\x92\xc0", "a DVI document of TeX"),
    (0, b"\\documentclass", "a LaTeX document"),
    (0, b"BEGIN:VCARD", "an address (vCard)"),
    (0, b"BEGIN:VCALENDAR", "a calendar (iCalendar)"),
    (0, b"-----BEGIN PGP", "an encrypted or signed message (PGP)"),
    (0, b"-----BEGIN ", "a key or a certificate (PEM)"),
    (0, b"age-encryption.org/", "an encrypted file (age)"),
    (0, b"\x03\xd9\xa2\x9a", "a password database (KeePass)"),
    (0, b"bplist00", "a macOS property list"),
    (
        0,
        b"\0\x05\x16\x07",
        "the metadata of a macOS file, without the file itself (AppleDouble)",
    ),
    (0, b"mozLz40\0", "Firefox data"),
    (0, b"d8:announce", "a torrent"),
    // Fonts and colours.
    (0, b"ttcf\0", "a collection of fonts"),
    (0, b"\x80\x01", "a font (PostScript Type 1)"),
    (0, b"STARTFONT", "a font (BDF)"),
    (0, b"\x01fcp", "a font (PCF)"),
    (36, b"acsp", "a colour profile"),
    // Pictures and models.
    (0, b"gimp xcf ", "a GIMP picture"),
    (0, b"Paint Shop Pro Image File", "a PaintShop Pro picture"),
    (0, b"II\xbc", "a JPEG XR picture"),
    (0, b"FLIF", "a FLIF picture"),
    (0, b"\x01\xda\0", "an SGI picture"),
    (0, b"\x01\xda\x01", "an SGI picture"),
    (0, b"\x59\xa6\x6a\x95", "a Sun picture"),
    (0, b"/* XPM */", "an XPM picture"),
    (0, b"\x97JB2\r\n\x1a\n", "a JBIG2 picture"),
    (0, b"\x8aMNG\r\n\x1a\n", "a MNG animation"),
    (0, b"SDPX", "a DPX picture (film production)"),
    (0, b"XPDS", "a DPX picture (film production)"),
    (0, b"\xabKTX ", "a texture (KTX)"),
    (0, b"VTF\0", "a texture (VTF)"),
    (0, b"FOVb", "a raw file of a Sigma camera"),
    (0, b"\0MRM", "a raw file of a Minolta camera"),
    (0, b"AC10", "an AutoCAD drawing"),
    (0, b"  0\r\nSECTION", "a drawing for CAD (DXF)"),
    (0, b"  0\nSECTION", "a drawing for CAD (DXF)"),
    (0, b"0\nSECTION", "a drawing for CAD (DXF)"),
    (0, b"ISO-10303-21;", "a model for CAD (STEP)"),
    (0, b"BLENDER", "a Blender scene"),
    (0, b"glTF\x02\0", "a 3D model (glTF)"),
    (0, b"Kaydara FBX Binary", "a 3D model (FBX)"),
    (0, b"ply\nformat", "a 3D model (PLY)"),
    (0, b"ply\r\nformat", "a 3D model (PLY)"),
    // Sound and video.
    (
        0,
        b"\x30\x26\xb2\x75\x8e\x66\xcf\x11",
        "Windows Media (.wma, .wmv)",
    ),
    (0, b"FLV\x01", "a Flash video"),
    (0, b"FWS", "a Flash animation"),
    (0, b"CWS", "a Flash animation"),
    (0, b"ZWS", "a Flash animation"),
    (0, b"\0\0\x01\xba", "an MPEG video"),
    (0, b"\0\0\x01\xb3", "an MPEG video"),
    (0, b".RMF", "a RealMedia video"),
    (0, b".ra\xfd", "RealAudio sound"),
    (0, b"DVDVIDEO", "a table of a DVD (.ifo)"),
    (0, b"MThd\0", "a MIDI song"),
    (0, b"Extended Module: ", "a tracker's song (XM)"),
    (0, b"IMPM", "a tracker's song (IT)"),
    (44, b"SCRM", "a tracker's song (S3M)"),
    (0, b"DSD \x1c\0", "DSD sound (DSF)"),
    (0, b"FRM8\0", "DSD sound (DSDIFF)"),
    (0, b"tBaK", "TAK sound"),
    (0, b"TTA1", "True Audio sound"),
    (0, b"OFR ", "OptimFROG sound"),
    (0, b"MPCK", "Musepack sound"),
    (0, b"MP+", "Musepack sound"),
    (0, b"ajkg", "Shorten sound"),
    (0, b"\x7f\xfe\x80\x01", "DTS sound"),
    (0, b"Creative Voice File", "Creative Voice sound"),
    (0, b"riff\x2e\x91\xcf\x11", "Wave64 sound"),
    (0, b"#!SILK_V3", "SILK speech"),
    (0, b"\x02#!SILK_V3", "SILK speech"),
    (
        0,
        b"OggS\0",
        "an Ogg file with neither Vorbis, Opus nor FLAC",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::formats;
    use std::{collections::HashSet, io::Cursor};

    /// Names the format of a file of 600 bytes of binary data with these parts in it.
    fn of(parts: &[(usize, &[u8])]) -> Option<&'static str> {
        let mut file = vec![0xee; 600];
        for (at, bytes) in parts {
            file[*at..at + bytes.len()].copy_from_slice(bytes);
        }
        kind(&file[..512], &mut Cursor::new(file.clone()), false)
    }

    #[test]
    fn every_kind_is_found_and_no_format_that_is_read_is_among_them() {
        let mut whats = HashSet::new();
        for (at, signature, what) in KINDS {
            assert_eq!(of(&[(*at, signature)]), Some(*what), "{signature:?}");
            whats.insert(what);
        }
        for (first, second, what) in PAIRS {
            let found = of(&[*first, *second]).unwrap();
            assert!(
                found == *what || found.starts_with("a program for macOS"),
                "{what}"
            );
            whats.insert(what);
        }
        assert!(whats.len() > 100, "{}", whats.len());
        let signatures = KINDS.iter().map(|(at, signature, _)| (*at, *signature));
        for (at, signature) in signatures {
            let mut file = vec![0xee; 600];
            file[at..at + signature.len()].copy_from_slice(signature);
            let read = formats().find(|format| format.matches(&file));
            assert_eq!(read.map(|format| format.name), None, "{signature:?}");
        }
    }

    #[test]
    fn text_is_not_mistaken_for_another_kind() {
        #[track_caller]
        fn check(text: &[u8], expected: Option<&str>) {
            assert_eq!(kind(text, &mut Cursor::new(text), true), expected);
        }
        check(b"MZ is a code of a country", None);
        check(b"FLIFfed", None);
        check(&b"G".repeat(400), None);
        check(b"#!/bin/sh\necho", Some("a script"));
        check(b"", None);
        check(
            b"<?xml version=\"1.0\"?>\n<pkg:package xmlns:pkg=\"http://schemas.microsoft.com/office/2006/xmlPackage\">",
            Some("a document of Office in a single XML file"),
        );
        check(b"<x/> http://www.example.org", None);
    }

    #[test]
    fn a_disc_image_is_recognised_far_from_its_beginning() {
        let mut image = vec![0; 40_000];
        image[32_769..32_774].copy_from_slice(b"CD001");
        let found = kind(&image[..512], &mut Cursor::new(&image), false);
        assert_eq!(found, Some("an image of a CD or DVD"));
    }
}
