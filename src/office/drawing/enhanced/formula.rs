//! Formulas of enhanced paths (OASIS OpenDocument 1.3, part 3, 19.171): parses and computes them. Draws nothing.

use super::{Enhanced, MAX_FORMULAS};
use std::{cell::RefCell, collections::HashMap};

/// Max. depth of nested expressions and references.
const MAX_DEPTH: usize = 64;
/// Max. number of commands of an outline. An enhanced path may exceed it, because the limit is checked before each
/// command of the file, which may have any number of operands.
pub(super) const MAX_STEPS: usize = 100_000;

/// Values of names and formulas of a shape.
pub(super) struct Values<'e> {
    pub(super) enhanced: &'e Enhanced,
    /// Left, top, right and bottom of the coordinate system.
    pub(super) sides: [f64; 4],
    /// Width and height of the shape, in hundredths of a millimetre.
    pub(super) size: (f64, f64),
    /// Results of formulas by their names. The result of a formula that is being computed is 0.
    pub(super) known: RefCell<HashMap<&'e str, f64>>,
}

impl Values<'_> {
    /// Returns the value of a word in a path: a number, or an operand.
    pub(super) fn word(&self, word: &str) -> f64 {
        word.parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
            .unwrap_or_else(|| self.operand(word, 0))
    }

    /// Returns the value of an operand: an adjustable value (`$0`), a formula (`?name`) or a name. Unknown operands are
    /// 0.
    pub(super) fn operand(&self, word: &str, depth: usize) -> f64 {
        if let Some(number) = word.strip_prefix('$') {
            let number = number.parse::<usize>().ok();
            let value = number.and_then(|number| self.enhanced.modifiers.get(number));
            return value.copied().unwrap_or(0.0);
        }
        if let Some(name) = word.strip_prefix('?') {
            return self.formula(name, depth);
        }
        let [left, top, right, bottom] = self.sides;
        match word {
            "left" => left,
            "top" => top,
            "right" => right,
            "bottom" => bottom,
            "width" => right - left,
            "height" => bottom - top,
            "logwidth" => self.size.0,
            "logheight" => self.size.1,
            "pi" => std::f64::consts::PI,
            "hasstroke" | "hasfill" => 1.0,
            _ => 0.0,
        }
    }

    /// Returns the value of a formula. Computes it only at the first call, and counts the formula as 0 meanwhile, which
    /// ends cycles. Unknown formulas, and those nested deeper than [`MAX_DEPTH`], are 0.
    fn formula(&self, name: &str, depth: usize) -> f64 {
        let formulas = self.enhanced.formulas.iter().take(MAX_FORMULAS);
        let mut formulas = formulas.filter(|(known, _)| &**known == name);
        let Some((name, formula)) = formulas.next().filter(|_| depth < MAX_DEPTH) else {
            return 0.0;
        };
        if let Some(known) = self.known.borrow().get(&**name) {
            return *known;
        }
        self.known.borrow_mut().insert(name, 0.0);
        let mut parser = Parser {
            rest: formula,
            values: self,
            depth: depth + 1,
        };
        let value = parser.sum();
        let value = if value.is_finite() { value } else { 0.0 };
        self.known.borrow_mut().insert(name, value);
        value
    }
}

/// Formula that is being computed: a sum of products of factors.
struct Parser<'p, 'e> {
    /// Part of the formula that is not parsed yet.
    rest: &'p str,
    values: &'p Values<'e>,
    /// Depth of nested expressions and references.
    depth: usize,
}

impl Parser<'_, '_> {
    /// If this character comes next, skips it and the white space before it. Returns whether it came next.
    fn takes(&mut self, character: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(character);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Parses terms that are added or subtracted.
    fn sum(&mut self) -> f64 {
        let mut value = self.product();
        loop {
            if self.takes('+') {
                value += self.product();
            } else if self.takes('-') {
                value -= self.product();
            } else {
                return value;
            }
        }
    }

    /// Parses factors that are multiplied or divided.
    fn product(&mut self) -> f64 {
        let mut value = self.factor();
        loop {
            if self.takes('*') {
                value *= self.factor();
            } else if self.takes('/') {
                value /= self.factor();
            } else {
                return value;
            }
        }
    }

    /// Parses an operand with any number of minus signs.
    fn factor(&mut self) -> f64 {
        let mut sign = 1.0;
        while self.takes('-') {
            sign = -sign;
        }
        sign * self.primary()
    }

    /// Parses the smallest unit of an expression: an expression in parentheses, a number, an operand or a function
    /// call.
    fn primary(&mut self) -> f64 {
        if self.depth > MAX_DEPTH {
            self.rest = "";
            return 0.0;
        }
        if self.takes('(') {
            self.depth += 1;
            let value = self.sum();
            self.depth -= 1;
            self.takes(')');
            return value;
        }
        self.rest = self.rest.trim_start();
        let end = self.rest.char_indices().find(|(at, c)| {
            let begins = *at == 0 && matches!(c, '$' | '?');
            !(begins || c.is_alphanumeric() || matches!(c, '.' | '_'))
        });
        let (word, rest) = self
            .rest
            .split_at(end.map_or(self.rest.len(), |(at, _)| at));
        self.rest = rest;
        if word.is_empty() {
            // A syntax error ends the formula.
            self.rest = "";
            return 0.0;
        }
        if self.rest.starts_with('(') {
            return self.call(word);
        }
        word.parse()
            .unwrap_or_else(|_| self.values.operand(word, self.depth))
    }

    /// Calls a function with up to three arguments. Missing arguments and unknown functions are 0.
    fn call(&mut self, name: &str) -> f64 {
        self.takes('(');
        self.depth += 1;
        let mut values = [0.0; 3];
        for value in &mut values {
            *value = self.sum();
            if !self.takes(',') {
                break;
            }
        }
        self.takes(')');
        self.depth -= 1;
        let [x, y, z] = values;
        match name {
            "abs" => x.abs(),
            "sqrt" => x.max(0.0).sqrt(),
            "sin" => x.sin(),
            "cos" => x.cos(),
            "tan" => x.tan(),
            "atan" => x.atan(),
            "atan2" => x.atan2(y),
            "min" => x.min(y),
            "max" => x.max(y),
            "if" if x > 0.0 => y,
            "if" => z,
            _ => 0.0,
        }
    }
}
