//! Chooses a substitute family for a font that a document names. Loads no fonts.

use super::Family;

/// The substitute for the first name in a list that suggests a family. Commas, as in CSS, or semicolons separate the
/// names. `None` if no name suggests a family.
pub fn family(names: &str) -> Option<Family> {
    names.split([',', ';']).find_map(|name| {
        let name = name.trim().trim_matches(['"', '\'']).to_lowercase();
        known(&name).or_else(|| guess(&name))
    })
}

fn known(name: &str) -> Option<Family> {
    Some(match name {
        "calibri" | "carlito" | "aptos" | "corbel" | "candara" | "lato" => Family::Calibri,
        "cambria" | "caladea" | "cambria math" => Family::Cambria,
        "arial" | "helvetica" | "helvetica neue" | "arimo" | "verdana" | "tahoma" | "geneva"
        | "segoe ui" | "roboto" | "trebuchet ms" | "-apple-system" | "system-ui" => Family::Sans,
        "times" | "tinos" | "georgia" | "garamond" | "palatino" | "baskerville" | "didot"
        | "bodoni mt" | "century" | "constantia" | "perpetua" | "rockwell" | "utopia"
        | "charter" | "gentium" | "batang" | "simsun" | "mincho" | "antiqua" => Family::Serif,
        "batangche" | "gungsuh" | "gungsuhche" | "fangsong" | "kaiti" => Family::Serif,
        "courier" | "consolas" | "cousine" | "menlo" | "monaco" | "inconsolata" | "terminal"
        | "lucida console" | "fixedsys" => Family::Mono,
        _ => return None,
    })
}

/// Guesses a family by the words in the name: `Source Code Pro`, `Noto Serif`, `PT Sans`, `Liberation Mono`, `Times New
/// Roman`.
fn guess(name: &str) -> Option<Family> {
    const WORDS: [(&str, Family); 31] = [
        // The words are tried in this order, and the first that occurs in the name decides. So `unicode` comes before
        // `code`, and `mono` before `sans`.
        ("unicode", Family::Sans),
        ("mono", Family::Mono),
        ("courier", Family::Mono),
        ("code", Family::Mono),
        ("typewriter", Family::Mono),
        ("sans", Family::Sans),
        ("arial", Family::Sans),
        ("helvetica", Family::Sans),
        ("gothic", Family::Sans),
        ("grotesk", Family::Sans),
        ("franklin", Family::Sans),
        ("futura", Family::Sans),
        ("calibri", Family::Calibri),
        ("aptos", Family::Calibri),
        ("cambria", Family::Cambria),
        ("times", Family::Serif),
        ("serif", Family::Serif),
        ("roman", Family::Serif),
        ("garamond", Family::Serif),
        ("palatino", Family::Serif),
        ("book antiqua", Family::Serif),
        ("bookman", Family::Serif),
        ("schoolbook", Family::Serif),
        ("century", Family::Serif),
        ("libertin", Family::Serif),
        // East Asian names.
        ("mincho", Family::Serif),
        ("明朝", Family::Serif),
        ("ming", Family::Serif),
        ("simsun", Family::Serif),
        ("song", Family::Serif),
        ("batang", Family::Serif),
    ];
    WORDS
        .iter()
        .find(|(word, _)| name.contains(word))
        .map(|(_, family)| *family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fonts_suggest_a_substitute() {
        #[track_caller]
        fn check(names: &str, expected: Option<Family>) {
            assert_eq!(family(names), expected, "{names}");
        }
        check("Times New Roman", Some(Family::Serif));
        check("Calibri Light", Some(Family::Calibri));
        check("Noto Sans Mono", Some(Family::Mono));
        check("\"Frutiger Next\", 'Liberation Serif'", Some(Family::Serif));
        check("Lucida Sans Unicode", Some(Family::Sans));
        check("Zapfino", None);
    }
}
