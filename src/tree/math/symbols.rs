//! The TeX commands for symbols. A symbol with several commands is written with the first command. Parses nothing.

/// The role of a symbol in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SymbolClass {
    /// A letter.
    Letter,
    /// An operator, relation or delimiter.
    Sign,
    /// A large operator. In displayed formulas, its scripts are above and below it, except for
    /// [integrals](is_integral).
    Large,
}

use SymbolClass::{Large, Letter, Sign};

/// The symbol for a command.
pub(super) fn by_name(name: &str) -> Option<(&'static str, SymbolClass)> {
    let found = SYMBOLS.iter().find(|(known, ..)| *known == name)?;
    Some((found.1, found.2))
}

/// The command for a symbol.
pub(super) fn name_of(sign: &str) -> Option<&'static str> {
    SYMBOLS
        .iter()
        .find(|(_, known, _)| *known == sign)
        .map(|(name, ..)| *name)
}

/// Returns whether a symbol is a large operator.
pub fn is_large(sign: &str) -> bool {
    SYMBOLS
        .iter()
        .any(|(_, known, kind)| *known == sign && *kind == Large)
}

/// Returns whether a large operator is an integral. Its limits are beside it even in displayed formulas.
pub fn is_integral(sign: &str) -> bool {
    matches!(sign, "∫" | "∬" | "∭" | "∮")
}

/// Returns whether a symbol is a letter.
pub(super) fn is_letter(sign: &str) -> bool {
    SYMBOLS
        .iter()
        .any(|(_, known, kind)| *known == sign && *kind == Letter)
}

/// The accent for a command, and whether it is over the base.
pub(super) fn accent(name: &str) -> Option<(char, bool)> {
    let found = ACCENTS.iter().find(|(known, ..)| *known == name)?;
    Some((found.1, found.2))
}

/// The spacing character for an accent. The accent may be a combining character.
pub fn spacing_accent(sign: char) -> char {
    match sign {
        '\u{302}' => '^',
        '\u{303}' => '~',
        '\u{304}' | '\u{305}' | '\u{af}' => '\u{203e}',
        '\u{332}' => '_',
        '\u{307}' => '\u{2d9}',
        '\u{308}' => '\u{a8}',
        '\u{301}' => '\u{b4}',
        '\u{300}' => '`',
        '\u{30c}' => '\u{2c7}',
        '\u{306}' => '\u{2d8}',
        '\u{20d7}' => '\u{2192}',
        other => other,
    }
}

/// The command for an accent, which may be a spacing or a combining character.
pub(super) fn accent_name(sign: char, over: bool) -> Option<&'static str> {
    let sign = spacing_accent(sign);
    ACCENTS
        .iter()
        .find(|(_, known, above)| *known == sign && *above == over)
        .map(|(name, ..)| *name)
}

/// The function names, which are set upright.
pub const FUNCTIONS: &[&str] = &[
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim",
    "exp", "gcd", "hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min",
    "Pr", "sec", "sin", "sinh", "sup", "tan", "tanh",
];

/// The functions whose subscripts are below them in displayed formulas.
pub const WITH_LIMITS: &[&str] = &[
    "det", "gcd", "inf", "lim", "liminf", "limsup", "max", "min", "Pr", "sup",
];

/// Command, spacing character, and whether the accent is over its base.
const ACCENTS: &[(&str, char, bool)] = &[
    ("hat", '^', true),
    ("widehat", '^', true),
    ("tilde", '~', true),
    ("widetilde", '~', true),
    ("overline", '\u{203e}', true),
    ("bar", '\u{203e}', true),
    ("underline", '_', false),
    ("vec", '\u{2192}', true),
    ("overrightarrow", '\u{2192}', true),
    ("overleftarrow", '\u{2190}', true),
    ("dot", '\u{2d9}', true),
    ("ddot", '\u{a8}', true),
    ("acute", '\u{b4}', true),
    ("grave", '`', true),
    ("check", '\u{2c7}', true),
    ("breve", '\u{2d8}', true),
    ("overbrace", '\u{23de}', true),
    ("underbrace", '\u{23df}', false),
];

const SYMBOLS: &[(&str, &str, SymbolClass)] = &[
    ("alpha", "α", Letter),
    ("beta", "β", Letter),
    ("gamma", "γ", Letter),
    ("delta", "δ", Letter),
    ("epsilon", "ϵ", Letter),
    ("varepsilon", "ε", Letter),
    ("zeta", "ζ", Letter),
    ("eta", "η", Letter),
    ("theta", "θ", Letter),
    ("vartheta", "ϑ", Letter),
    ("iota", "ι", Letter),
    ("kappa", "κ", Letter),
    ("lambda", "λ", Letter),
    ("mu", "μ", Letter),
    ("nu", "ν", Letter),
    ("xi", "ξ", Letter),
    ("pi", "π", Letter),
    ("varpi", "ϖ", Letter),
    ("rho", "ρ", Letter),
    ("varrho", "ϱ", Letter),
    ("sigma", "σ", Letter),
    ("varsigma", "ς", Letter),
    ("tau", "τ", Letter),
    ("upsilon", "υ", Letter),
    ("phi", "ϕ", Letter),
    ("varphi", "φ", Letter),
    ("chi", "χ", Letter),
    ("psi", "ψ", Letter),
    ("omega", "ω", Letter),
    ("Gamma", "Γ", Letter),
    ("Delta", "Δ", Letter),
    ("Theta", "Θ", Letter),
    ("Lambda", "Λ", Letter),
    ("Xi", "Ξ", Letter),
    ("Pi", "Π", Letter),
    ("Sigma", "Σ", Letter),
    ("Upsilon", "Υ", Letter),
    ("Phi", "Φ", Letter),
    ("Psi", "Ψ", Letter),
    ("Omega", "Ω", Letter),
    ("hbar", "ℏ", Letter),
    ("ell", "ℓ", Letter),
    ("imath", "ı", Letter),
    ("jmath", "ȷ", Letter),
    ("Re", "ℜ", Letter),
    ("Im", "ℑ", Letter),
    ("aleph", "ℵ", Letter),
    ("wp", "℘", Letter),
    ("partial", "∂", Letter),
    ("infty", "∞", Letter),
    ("nabla", "∇", Letter),
    ("emptyset", "∅", Letter),
    ("varnothing", "∅", Letter),
    ("forall", "∀", Sign),
    ("exists", "∃", Sign),
    ("nexists", "∄", Sign),
    ("neg", "¬", Sign),
    ("lnot", "¬", Sign),
    ("angle", "∠", Letter),
    ("degree", "°", Letter),
    ("prime", "′", Sign),
    ("dagger", "†", Sign),
    ("ddagger", "‡", Sign),
    ("top", "⊤", Letter),
    ("bot", "⊥", Letter),
    ("perp", "⊥", Sign),
    ("square", "□", Letter),
    ("pm", "±", Sign),
    ("mp", "∓", Sign),
    ("times", "×", Sign),
    ("div", "÷", Sign),
    ("cdot", "⋅", Sign),
    ("ast", "∗", Sign),
    ("star", "⋆", Sign),
    ("circ", "∘", Sign),
    ("bullet", "∙", Sign),
    ("oplus", "⊕", Sign),
    ("ominus", "⊖", Sign),
    ("otimes", "⊗", Sign),
    ("odot", "⊙", Sign),
    ("wedge", "∧", Sign),
    ("land", "∧", Sign),
    ("vee", "∨", Sign),
    ("lor", "∨", Sign),
    ("cap", "∩", Sign),
    ("cup", "∪", Sign),
    ("setminus", "∖", Sign),
    ("leq", "≤", Sign),
    ("le", "≤", Sign),
    ("geq", "≥", Sign),
    ("ge", "≥", Sign),
    ("neq", "≠", Sign),
    ("ne", "≠", Sign),
    ("ll", "≪", Sign),
    ("gg", "≫", Sign),
    ("approx", "≈", Sign),
    ("equiv", "≡", Sign),
    ("sim", "∼", Sign),
    ("simeq", "≃", Sign),
    ("cong", "≅", Sign),
    ("propto", "∝", Sign),
    ("prec", "≺", Sign),
    ("succ", "≻", Sign),
    ("in", "∈", Sign),
    ("notin", "∉", Sign),
    ("ni", "∋", Sign),
    ("subset", "⊂", Sign),
    ("supset", "⊃", Sign),
    ("subseteq", "⊆", Sign),
    ("supseteq", "⊇", Sign),
    ("mid", "∣", Sign),
    ("parallel", "∥", Sign),
    ("vdash", "⊢", Sign),
    ("models", "⊨", Sign),
    ("to", "→", Sign),
    ("rightarrow", "→", Sign),
    ("leftarrow", "←", Sign),
    ("gets", "←", Sign),
    ("leftrightarrow", "↔", Sign),
    ("Rightarrow", "⇒", Sign),
    ("implies", "⟹", Sign),
    ("Leftarrow", "⇐", Sign),
    ("Leftrightarrow", "⇔", Sign),
    ("iff", "⟺", Sign),
    ("mapsto", "↦", Sign),
    ("uparrow", "↑", Sign),
    ("downarrow", "↓", Sign),
    ("longrightarrow", "⟶", Sign),
    ("longleftarrow", "⟵", Sign),
    ("hookrightarrow", "↪", Sign),
    ("ldots", "…", Letter),
    ("dots", "…", Letter),
    ("cdots", "⋯", Letter),
    ("vdots", "⋮", Letter),
    ("ddots", "⋱", Letter),
    ("colon", ":", Sign),
    ("langle", "⟨", Sign),
    ("rangle", "⟩", Sign),
    ("lfloor", "⌊", Sign),
    ("rfloor", "⌋", Sign),
    ("lceil", "⌈", Sign),
    ("rceil", "⌉", Sign),
    ("|", "‖", Sign),
    ("Vert", "‖", Sign),
    ("vert", "|", Sign),
    ("{", "{", Sign),
    ("lbrace", "{", Sign),
    ("}", "}", Sign),
    ("rbrace", "}", Sign),
    ("lbrack", "[", Sign),
    ("rbrack", "]", Sign),
    ("backslash", "\\", Sign),
    ("%", "%", Letter),
    ("$", "$", Letter),
    ("#", "#", Letter),
    ("&", "&", Letter),
    ("_", "_", Letter),
    ("sum", "∑", Large),
    ("prod", "∏", Large),
    ("coprod", "∐", Large),
    ("int", "∫", Large),
    ("iint", "∬", Large),
    ("iiint", "∭", Large),
    ("oint", "∮", Large),
    ("bigcap", "⋂", Large),
    ("bigcup", "⋃", Large),
    ("bigvee", "⋁", Large),
    ("bigwedge", "⋀", Large),
    ("bigoplus", "⨁", Large),
    ("bigotimes", "⨂", Large),
];
