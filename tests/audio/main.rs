//! Sound files, compared with independent decoders: ffmpeg, flac, oggdec, opusdec. Starts no server.

#![cfg(feature = "audio")]
#![allow(clippy::unwrap_used)]

mod aac;
mod ac3;
mod amr;
mod ape;
mod bad;
mod chapters;
mod containers;
mod cuts;
mod fitting;
mod flac;
mod harness;
mod layouts;
mod mpeg;
mod needless;
mod options;
mod pairs;
mod quicktime;
mod tags;
mod waves;
mod wavpack;
