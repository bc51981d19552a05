//! Numbers that make a name unique: `a`, `a (2)`, `a (3)`, as file managers write them. Does not look for files
//! itself.

/// The suffix that makes the `number`th of several equal names unique: ` (2)` for the second, empty for the first.
pub fn ending(number: u64) -> String {
    match number {
        0 | 1 => String::new(),
        _ => format!(" ({number})"),
    }
}

/// Tries the numbers from 1 on, and returns the first name that is free. `name` joins a name and its suffix; `is_free`
/// returns whether a name is unused.
pub fn free<N>(mut name: impl FnMut(&str) -> N, mut is_free: impl FnMut(&N) -> bool) -> N {
    let mut number = 1;
    loop {
        let candidate = name(&ending(number));
        if is_free(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_free_number_is_taken() {
        let mut taken = vec!["a.png".to_owned(), "a (3).png".to_owned()];
        for expected in ["a (2).png", "a (4).png"] {
            let name = free(|end| format!("a{end}.png"), |name| !taken.contains(name));
            assert_eq!(name, expected);
            taken.push(name);
        }
    }
}
