//! Preset shapes of the standard (ECMA-376 part 1, 20.1.10.55), as data. `presets.py` describes how the data was made.
//! Draws nothing.

use super::definition::{Definition, PathDefinition, Shade};
use miniz_oxide::inflate::decompress_to_vec_zlib;
use std::{collections::HashMap, sync::LazyLock};

/// Compressed definitions, in the text format of [`read`].
static PACKED: &[u8] = include_bytes!("presets.zlib");

/// Definitions by the names of the presets.
static ALL: LazyLock<HashMap<Box<str>, Definition>> = LazyLock::new(|| {
    let text = decompress_to_vec_zlib(PACKED).unwrap_or_default();
    let text = String::from_utf8(text).unwrap_or_default();
    let shapes = text.split('@').filter_map(|shape| {
        let (name, lines) = shape.split_once('\n')?;
        Some((name.into(), read(lines)))
    });
    shapes.collect()
});

/// Returns the definition of a preset.
pub(super) fn get(name: &str) -> Option<&'static Definition> {
    ALL.get(name)
}

/// Returns the names of all presets.
#[cfg(test)]
pub(super) fn names() -> Vec<&'static str> {
    ALL.keys().map(|name| &**name).collect()
}

/// Parses the definition of a preset. Each line is an adjustable value (`a`), a guide (`g`), the text rectangle (`r`),
/// a path (`p`), or a command of the path before it.
fn read(lines: &str) -> Definition {
    let mut own = Definition::default();
    for line in lines.lines() {
        let mut words = line.split(' ');
        let kind = words.next().and_then(|word| word.chars().next());
        let mut next = || words.next().unwrap_or_default();
        match kind {
            // After the first path, `a` is a command: an arc.
            Some('a') if own.paths.is_empty() => {
                own.adjusts
                    .push((next().into(), next().parse().unwrap_or(0.0)));
            }
            Some('g') => {
                let name = next();
                own.guide(name, &mut words);
            }
            Some('r') => own.text = Some(std::array::from_fn(|_| next().into())),
            Some('p') => own.paths.push(PathDefinition {
                width: next().parse().ok(),
                height: next().parse().ok(),
                shade: Shade::of(next()),
                stroked: next() != "false",
                commands: Vec::new(),
            }),
            Some(letter) => {
                if let Some(path) = own.paths.last_mut() {
                    path.commands
                        .push((letter, words.map(Into::into).collect()));
                }
            }
            None => {}
        }
    }
    own
}
