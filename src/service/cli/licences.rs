//! `convertd licences`: prints the components of the program and their licences. `make licences` writes the texts from
//! cargo's data. The texts are those of a build with the default features, so they also cover every build with fewer
//! features.

use super::Outcome;
use crate::error::{Error, Kind, Result};
use lexopt::{Arg, Parser};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// Limit on an unpacked text, in bytes. The texts are part of the program, so the limit guards only against mistakes.
const MAX_LEN: usize = 1 << 20;

/// The packages and the fonts.
static PACKAGES: &[u8] = include_bytes!("licences.txt.zlib");

/// Licence of the C library, if it is linked statically.
#[cfg(all(target_env = "gnu", target_feature = "crt-static"))]
static GLIBC: &[u8] = include_bytes!("licences-glibc.txt.zlib");

/// The licence of the encoder LAME.
#[cfg(feature = "lame")]
static LAME: &[u8] = include_bytes!("licences-lame.txt.zlib");

pub(super) fn run(parser: &mut Parser) -> Outcome {
    match parser.next()? {
        None => super::say(&text()?),
        Some(argument @ (Arg::Short('h') | Arg::Long("help"))) => {
            super::help::about("licences", &argument)
        }
        Some(argument) => Err(argument.unexpected().into()),
    }
}

/// The list of components with their licences, unpacked from the program.
fn text() -> Result<String> {
    let mut text = format!(
        "convertd {} is licensed under MIT or Apache-2.0, at your option. This software is based in part on the work of the\n\
         Independent JPEG Group. The list below names all components that are linked into it or embedded, each under the\n\
         licence that was chosen if there was a choice. The texts of the licences follow, each once, with the components\n\
         that it applies to.\n\n",
        env!("CARGO_PKG_VERSION")
    );
    text.push_str(&unpack(PACKAGES)?);
    #[cfg(all(target_env = "gnu", target_feature = "crt-static"))]
    {
        text.push_str(
            "\nThe GNU C library is linked statically. To link the program with another version of that library, use the\n\
             archive with the source of convertd and of all packages (make dist). The file LICENSES in the source of the GNU C\n\
             library has the notices of its parts. GCC's runtime is linked under the GCC Runtime Library Exception.\n\n",
        );
        text.push_str(&unpack(GLIBC)?);
    }
    #[cfg(all(target_env = "musl", target_feature = "crt-static"))]
    text.push_str(
        "\nmusl is linked statically, under the MIT licence: Copyright © 2005-2020 Rich Felker, et al.\n",
    );
    #[cfg(feature = "lame")]
    {
        text.push_str(
            "\nThis build has the feature lame. LAME is under the LGPL: if you pass the program on, also pass on what is needed to\n\
             link it with another version of LAME; the archive of make dist is enough.\n\n",
        );
        text.push_str(&unpack(LAME)?);
    }
    Ok(text)
}

/// Decompresses a text that is part of the program.
fn unpack(packed: &[u8]) -> Result<String> {
    let damaged = || Error::new(Kind::Internal, "the licences in this program are damaged");
    let bytes = decompress_to_vec_zlib_with_limit(packed, MAX_LEN)
        .map_err(|err| damaged().caused_by(err.to_string()))?;
    String::from_utf8(bytes).map_err(|err| damaged().caused_by(err))
}
