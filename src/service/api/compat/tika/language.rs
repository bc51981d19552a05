//! Detects the language of a text, by its script or by the frequent short words that occur in almost every sentence.
//! Recognises 35 languages, and returns nothing if the evidence is weak. Clients choose a dictionary by the result, so
//! the method must work for a paragraph, but need not work for a single word.

/// Ranges of letters, and the language that they belong to. The last row is for Latin letters, which many languages
/// share.
const SCRIPTS: [(&str, char, char); 14] = [
    ("el", '\u{370}', '\u{3ff}'),
    ("he", '\u{590}', '\u{5ff}'),
    ("ar", '\u{600}', '\u{6ff}'),
    ("hi", '\u{900}', '\u{97f}'),
    ("bn", '\u{980}', '\u{9ff}'),
    ("ta", '\u{b80}', '\u{bff}'),
    ("th", '\u{e00}', '\u{e7f}'),
    ("ka", '\u{10a0}', '\u{10ff}'),
    ("hy", '\u{530}', '\u{58f}'),
    ("ko", '\u{ac00}', '\u{d7a3}'),
    ("ja", '\u{3040}', '\u{30ff}'),
    ("zh", '\u{4e00}', '\u{9fff}'),
    ("ru", '\u{400}', '\u{4ff}'),
    ("", 'a', '\u{24f}'),
];

/// The most frequent short words of languages in Latin letters.
const WORDS: [(&str, &str); 18] = [
    (
        "en",
        "the of and to in is that it for was on are with as at be this have from or an not by you which",
    ),
    (
        "de",
        "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus",
    ),
    (
        "fr",
        "le la les de des et un une est dans que qui pour du sur pas au par plus ce avec il se sont ne",
    ),
    (
        "es",
        "el la los las de y en que un una es por con para del se no al lo como más su pero sus este",
    ),
    (
        "it",
        "il la di che e un una per non in del della è sono con gli le da si dei anche come alla nel questo",
    ),
    (
        "pt",
        "o os a as de e que um uma para com não em do da no na é por mais dos das se ao são",
    ),
    (
        "nl",
        "de het een en van in is dat op te zijn met voor niet aan er om ook als bij door naar uit maar wordt",
    ),
    (
        "sv",
        "och att det som en på är av för med den till inte ett om har de jag var kan från eller så men ska",
    ),
    (
        "da",
        "og det at en den til er som på de med han af for ikke der var et har om jeg men fra blev ved",
    ),
    (
        "no",
        "og det at en den til er som på de med av for ikke var et har om jeg men fra ble ved seg også",
    ),
    (
        "fi",
        "ja on ei se että oli hän mutta ovat kun niin joka myös tai sen kuin mukaan ole jos vain sitä voi olla mitä",
    ),
    (
        "pl",
        "i w na z do nie się że jest to o jak po co od za ale tym przez był dla są oraz może tego",
    ),
    (
        "cs",
        "a v se na je že s z do i o k ve pro za by ale si po jako jsou tak jeho být byl",
    ),
    (
        "hu",
        "a az és hogy nem is egy ez van volt meg csak de el már mint ha még vagy ki ezt azt lehet kell után",
    ),
    (
        "ro",
        "și de la în a nu să se pe cu un o este că din mai pentru care sunt fi dar prin al ce sau",
    ),
    (
        "tr",
        "ve bir bu da de için ile çok olarak daha olan ne kadar gibi en her o var ama sonra değil ya mi ben olduğu",
    ),
    (
        "ca",
        "el la els les de i que un una és per amb en del a no es al com més van dels seva aquest ha",
    ),
    (
        "et",
        "ja on ei et see oli ta ka kui mis aga ning oma või seda nii siis tema olid veel mida kes pole välja pärast",
    ),
];

/// Length of the beginning of a text that is examined, in characters.
const MAX: usize = 20_000;

/// Returns the language of a text as a code of ISO 639-1; empty if it is unknown. The script with the most letters
/// decides. Languages with the same script are distinguished by letters that only some of them use, or by words.
pub(super) fn language(text: &str) -> &'static str {
    let mut counts = [0_usize; SCRIPTS.len()];
    for character in text.chars().take(MAX).filter(|c| c.is_alphabetic()) {
        let within = |(_, from, to): &(&str, char, char)| (*from..=*to).contains(&character);
        if let Some(at) = SCRIPTS.iter().position(within) {
            counts[at] += 1;
        } else if character.is_ascii() {
            // The last row of the table is for Latin letters, and begins with `a`. Capital letters of ASCII come before
            // `a`, so they are counted here.
            counts[SCRIPTS.len() - 1] += 1;
        }
    }
    let has = |letters: &str| text.chars().take(MAX).any(|c| letters.contains(c));
    let most = counts.iter().enumerate().max_by_key(|(_, count)| **count);
    let Some((at, 1..)) = most.map(|(at, count)| (at, *count)) else {
        return "";
    };
    // Japanese mixes kana with Chinese characters, which may be the majority. So a text is Japanese if it has more than
    // one kana for ten Chinese characters.
    let kana = counts[SCRIPTS
        .iter()
        .position(|script| script.0 == "ja")
        .unwrap_or(0)];
    match SCRIPTS[at].0 {
        "" => by_words(text),
        "zh" if kana * 10 > counts[at] => "ja",
        "ru" if has("іїєґ") => "uk",
        "ru" if has("ђћџљњ") => "sr",
        "ru" if has("ъ") && !has("ыэё") => "bg",
        "ar" if has("پچژگ") => "fa",
        known => known,
    }
}

/// Returns the language whose frequent words occur most often. These words must occur at least twice in total.
fn by_words(text: &str) -> &'static str {
    let text: String = text.chars().take(MAX).collect();
    let mut counts = [0_usize; WORDS.len()];
    for word in text.split(|c: char| !c.is_alphabetic()) {
        let word = word.to_lowercase();
        if word.is_empty() {
            continue;
        }
        for (count, (_, known)) in counts.iter_mut().zip(WORDS) {
            *count += usize::from(known.split(' ').any(|known| known == word));
        }
    }
    // Related languages share words. The language whose words occur most often is chosen. Of several such languages,
    // the first one in the table is chosen.
    let best = counts
        .iter()
        .enumerate()
        .rev()
        .max_by_key(|(_, count)| **count);
    match best {
        Some((at, 2..)) => WORDS[at].0,
        Some(_) | None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_detected_by_words_or_letters() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(language(text), expected, "{text}");
        }
        check(
            "This is the house that Jack built, and it was not cheap.",
            "en",
        );
        check(
            "Der Brief ist an die Verwaltung gegangen und wird nicht beantwortet.",
            "de",
        );
        check(
            "Le chat est dans la maison et il ne sort pas de son panier.",
            "fr",
        );
        check(
            "Los niños juegan en el parque con la pelota de su hermano.",
            "es",
        );
        check(
            "Il treno per Milano non è in orario e la gente aspetta.",
            "it",
        );
        check("O menino não foi para a escola com os seus amigos.", "pt");
        check(
            "Het huis van de buren is te koop, maar niet voor ons.",
            "nl",
        );
        check(
            "Det är en dag som alla väntar på, och jag ska inte sova.",
            "sv",
        );
        check("Ala nie jest w domu, ale to się zmieni po obiedzie.", "pl");
        check("Кошка спит на диване, и она не хочет выходить.", "ru");
        check("Кіт спить на дивані і не хоче йти.", "uk");
        check("これは日本語の文章です。", "ja");
        check("这是一个中文句子。", "zh");
        check("이것은 한국어 문장입니다.", "ko");
        check("12345 67.8", "");
        check("", "");
        check("xyzzy", "");
    }
}
