//! Names of programming languages in `docling-core` (`CodeLanguageLabel`), which besides these defines only `unknown`.

/// Further names that documents use for languages, in lower case, each with docling's name.
const OTHERS: &[(&str, &str)] = &[
    ("cpp", "C++"),
    ("cs", "C#"),
    ("csharp", "C#"),
    ("golang", "Go"),
    ("js", "JavaScript"),
    ("objective-c", "ObjectiveC"),
    ("objc", "ObjectiveC"),
    ("py", "Python"),
    ("rb", "Ruby"),
    ("rs", "Rust"),
    ("sh", "Bash"),
    ("shell", "Bash"),
    ("tex", "Latex"),
    ("ts", "TypeScript"),
    ("vb", "VisualBasic"),
    ("yml", "YAML"),
];

/// Docling's names.
const LANGUAGES: &[&str] = &[
    "Ada",
    "Awk",
    "Bash",
    "bc",
    "C",
    "C#",
    "C++",
    "CMake",
    "COBOL",
    "CSS",
    "Ceylon",
    "Clojure",
    "Crystal",
    "Cuda",
    "Cython",
    "D",
    "Dart",
    "dc",
    "Dockerfile",
    "Elixir",
    "Erlang",
    "FORTRAN",
    "Forth",
    "Go",
    "HTML",
    "Haskell",
    "Haxe",
    "Java",
    "JavaScript",
    "JSON",
    "Julia",
    "Kotlin",
    "Latex",
    "Lisp",
    "Lua",
    "Matlab",
    "MoonScript",
    "Nim",
    "OCaml",
    "ObjectiveC",
    "Octave",
    "PHP",
    "Pascal",
    "Perl",
    "Prolog",
    "Python",
    "Racket",
    "Ruby",
    "Rust",
    "SML",
    "SQL",
    "Scala",
    "Scheme",
    "Swift",
    "Tikz",
    "TypeScript",
    "VisualBasic",
    "XML",
    "YAML",
];

/// Docling's name of a language: `unknown` if docling has no name for it, or if no language is given.
pub(super) fn name_of(language: Option<&str>) -> &'static str {
    let Some(language) = language else {
        return "unknown";
    };
    let own = LANGUAGES
        .iter()
        .find(|name| name.eq_ignore_ascii_case(language));
    let other = || {
        let mut others = OTHERS.iter();
        others.find(|(name, _)| name.eq_ignore_ascii_case(language))
    };
    match own {
        Some(name) => name,
        None => other().map_or("unknown", |(_, name)| name),
    }
}
