//! Documents: compared with specifications and with pandoc's view of the same files, and checked by validators. A test
//! that needs a program says so, and passes if it is missing.

#![allow(clippy::unwrap_used)]
#![cfg(feature = "document")]

mod bad;
mod books;
mod boxes;
mod charts;
mod chunks;
mod code;
mod decor;
mod direction;
mod doc;
mod fidelity;
mod figures;
mod fills;
mod flat;
mod fonts;
mod formulas;
mod frames;
#[path = "../support/hangul.rs"]
mod hangul;
mod harness;
mod hwpx;
mod hyphenation;
mod inlines;
#[allow(dead_code)]
#[path = "../support/iwa.rs"]
mod iwa;
mod iwork;
mod kindle;
mod layout;
mod lists;
mod looks;
mod macintosh;
mod marked;
mod markup;
mod media;
mod notebooks;
mod notes;
mod options;
mod ornaments;
mod pages;
mod pairs;
mod palm;
mod paper;
mod pens;
mod rich;
mod round_trips;
mod ruby;
mod schemas;
mod shown;
mod specification;
mod styled;
mod subtitles;
mod svg;
mod tagged;
mod turned;
mod word;
mod writer;
mod zips;
