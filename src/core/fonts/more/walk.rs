//! Finds font files in directories and their subdirectories. Opens no file, and follows no link to a directory, so
//! there are no cycles.

use std::{
    collections::VecDeque,
    fs,
    path::{Path, PathBuf},
};

/// Limit on the files that are found.
pub(super) const MAX_FILES: usize = 4000;
/// Limit on the directory entries that are read.
const MAX_ENTRIES: usize = 40_000;
/// Limit on the nesting of directories.
const MAX_DEPTH: usize = 8;

const EXTENSIONS: [&str; 4] = ["ttf", "otf", "ttc", "otc"];

/// Finds the files with the extension of a font, at most [`MAX_FILES`]: first those in the first of `directories`, then
/// those in the second, and so on. The files of each are sorted by path.
pub(super) fn files(directories: &[PathBuf]) -> Vec<PathBuf> {
    let (mut files, mut entries) = (Vec::new(), 0);
    for directory in directories {
        let start = files.len();
        let mut waiting = VecDeque::from([(directory.clone(), 0)]);
        while let Some((directory, depth)) = waiting.pop_front() {
            let Ok(listed) = fs::read_dir(directory) else {
                continue;
            };
            for entry in listed.flatten() {
                entries += 1;
                if entries > MAX_ENTRIES {
                    break;
                }
                let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_directory && depth < MAX_DEPTH {
                    waiting.push_back((entry.path(), depth + 1));
                } else if !is_directory && is_called_a_font(&entry.path()) {
                    files.push(entry.path());
                }
            }
        }
        files[start..].sort();
    }
    files.truncate(MAX_FILES);
    files
}

fn is_called_a_font(path: &Path) -> bool {
    let extension = path.extension().map(|text| text.to_ascii_lowercase());
    extension.is_some_and(|text| EXTENSIONS.iter().any(|known| text == *known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_are_found_in_subdirectories_and_cycles_end() {
        let root = std::env::temp_dir().join(format!("convertd-walk-{}", std::process::id()));
        let deep = root.join("b/c");
        fs::create_dir_all(&deep).unwrap();
        std::os::unix::fs::symlink(&root, deep.join("again")).unwrap();
        for name in ["z.TTF", "a.otf", "b/c/x.ttc", "b/readme.txt"] {
            fs::write(root.join(name), b"").unwrap();
        }
        let found = files(&[root.join("nowhere"), root.clone()]);
        let names: Vec<_> = found
            .iter()
            .map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap())
            .collect();
        assert_eq!(names, ["a.otf", "b/c/x.ttc", "z.TTF"]);
        fs::remove_dir_all(root).unwrap();
    }
}
