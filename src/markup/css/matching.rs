//! Selector matching (Selectors 4). Computes no styles.
//!
//! Compounds are matched from right to left, with backtracking over the ancestors and siblings that
//! a combinator reaches. Backtracking can be exponential, and `:has()` visits whole subtrees, so
//! every comparison is counted in [`Matching::steps`], and the caller stops beyond a limit.

use super::selectors::{Combinator, Operator, Selector, Simple};
use crate::dom::{Data, Dom, NodeId};
use std::cell::{Cell, OnceCell};

/// Indexes of an element among its siblings, from 1: from the start and from the end, among all siblings and among
/// siblings of its type. They are counted for all elements together, because `:nth-child()` in a table of ten thousand
/// rows would otherwise walk over all rows for each row.
#[derive(Clone, Copy, Default)]
struct SiblingIndexes {
    places: [u32; 4],
}

/// Elements of a document, with indexes that selectors need.
pub(crate) struct Matching<'d> {
    dom: &'d Dom,
    /// Indexes of all elements, computed when a selector first needs them.
    standings: OnceCell<Vec<SiblingIndexes>>,
    /// Number of steps so far: comparisons, to which the cascade adds the steps of substituting custom properties.
    pub steps: Cell<u64>,
}

impl<'d> Matching<'d> {
    pub(super) fn new(dom: &'d Dom) -> Self {
        Self {
            dom,
            standings: OnceCell::new(),
            steps: Cell::new(0),
        }
    }

    /// Returns whether a selector matches an element.
    pub(super) fn matches(&self, selector: &Selector, element: NodeId) -> bool {
        self.from(selector, 0, element, None)
    }

    /// Returns whether the compounds from index `at` match, beginning with this element. The search
    /// does not go beyond `scope` (for `:has()`).
    fn from(&self, selector: &Selector, at: usize, element: NodeId, scope: Option<NodeId>) -> bool {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > STEPS {
            return false;
        }
        // All compounds are used up: the selector matches.
        let Some((simples, combinator)) = selector.compounds.get(at) else {
            return true;
        };
        if !simples.iter().all(|simple| self.simple(simple, element)) {
            return false;
        }
        if at + 1 == selector.compounds.len() {
            return true;
        }
        // Descendant and child step to the parent, sibling combinators to the element before.
        let step = |from: NodeId| match combinator {
            Combinator::Descendant | Combinator::Child => {
                self.dom.parent(from).filter(|_| Some(from) != scope)
            }
            Combinator::Next | Combinator::Later => self.dom.element_before(from),
        };
        let mut next = step(element);
        while let Some(candidate) = next {
            if self.from(selector, at + 1, candidate, scope) {
                return true;
            }
            // The child and the next-sibling combinator allow a single candidate; the other two combinators allow all
            // further ones.
            if matches!(combinator, Combinator::Child | Combinator::Next)
                || self.steps.get() > STEPS
            {
                return false;
            }
            next = step(candidate);
        }
        false
    }

    /// Returns whether a simple selector matches an element.
    fn simple(&self, simple: &Simple, id: NodeId) -> bool {
        let Some(element) = self.dom.element(id) else {
            return false;
        };
        match simple {
            Simple::Any => true,
            Simple::Type(name) => element.name == *name,
            Simple::Id(name) => element.id == Some(*name),
            Simple::Class(name) => element.classes.contains(name),
            Simple::Attribute {
                name,
                operator,
                value,
                any_case,
            } => element
                .get(name)
                .is_some_and(|own| compare(own, *operator, value, *any_case)),
            Simple::Root => self.dom.parent(id).is_none(),
            // An element with white space is not empty, and one with only comments is, as in browsers (Selectors 3,
            // 6.6.5.6).
            Simple::Empty => self
                .dom
                .children(id)
                .all(|child| match &self.dom.node(child).data {
                    Data::Text(text) => text.is_empty(),
                    _ => false,
                }),
            Simple::Link => {
                matches!(self.dom.tag(id), "a" | "area") && element.get("href").is_some()
            }
            // The state at loading: no script or user changes it.
            Simple::Checked => {
                element.get("checked").is_some() || element.get("selected").is_some()
            }
            Simple::Disabled => element.get("disabled").is_some(),
            Simple::Enabled => {
                matches!(
                    self.dom.tag(id),
                    "button" | "input" | "select" | "textarea" | "option" | "fieldset"
                ) && element.get("disabled").is_none()
            }
            Simple::Nth {
                a,
                b,
                last,
                of_type,
                among,
            } => {
                let place = match among {
                    Some(list) => match self.among(list, id, *last) {
                        Some(place) => place,
                        None => return false,
                    },
                    None => {
                        let index = usize::from(*last) + 2 * usize::from(*of_type);
                        self.standing(id).places[index]
                    }
                };
                // The place matches if it is `a * n + b` for a number n of at least 0.
                let off = place as i32 - b;
                match a {
                    0 => off == 0,
                    a => off % a == 0 && off / a >= 0,
                }
            }
            Simple::Only(of_type) => {
                let places = self.standing(id).places;
                let from = 2 * usize::from(*of_type);
                places[from] == 1 && places[from + 1] == 1
            }
            // Nested selectors are matched from this element. Their comparisons are counted, too.
            Simple::Is(list) => list.iter().any(|one| self.from(one, 0, id, None)),
            Simple::Not(list) => !list.iter().any(|one| self.from(one, 0, id, None)),
            Simple::Has(list) => list
                .iter()
                .any(|(combinator, one)| self.has(*combinator, one, id)),
            // The language is stated by the element itself or by its closest ancestor that states one.
            Simple::Language(tag) => {
                let around = std::iter::successors(Some(id), |id| self.dom.parent(*id));
                let own = around
                    .filter_map(|id| self.dom.attribute(id, "lang"))
                    .next();
                own.is_some_and(|own| compare(own, Operator::Dash, tag, true))
            }
            Simple::Never => false,
        }
    }

    /// Returns whether an element has a descendant or following sibling that matches (`:has()`,
    /// Selectors 4, 4.5). Candidates are tried one by one, each from the subject of the selector.
    fn has(&self, combinator: Combinator, selector: &Selector, id: NodeId) -> bool {
        let siblings =
            std::iter::successors(self.dom.element_after(id), |id| self.dom.element_after(*id));
        match combinator {
            Combinator::Next => siblings
                .take(1)
                .any(|one| self.from(selector, 0, one, None)),
            Combinator::Later => siblings
                .into_iter()
                .any(|one| self.from(selector, 0, one, None)),
            Combinator::Child => self
                .dom
                .children(id)
                .any(|one| self.from(selector, 0, one, Some(id))),
            // Descendants are visited with a list instead of by recursion, in any order.
            Combinator::Descendant => {
                let mut open: Vec<NodeId> = self.dom.children(id).collect();
                while let Some(one) = open.pop() {
                    if self.from(selector, 0, one, Some(id)) {
                        return true;
                    }
                    if self.steps.get() > STEPS {
                        return false;
                    }
                    open.extend(self.dom.children(one));
                }
                false
            }
        }
    }

    /// Index of an element among those of its siblings that match a list, from 1 (`:nth-child(… of …)`, Selectors 4,
    /// 13.3.1). `None` if the element itself does not match the list.
    fn among(&self, list: &[Selector], id: NodeId, last: bool) -> Option<u32> {
        let is_in = |id: NodeId| list.iter().any(|one| self.from(one, 0, id, None));
        if !is_in(id) {
            return None;
        }
        // Counts the matching siblings before (or after) the element.
        let (mut place, mut at) = (1, id);
        let step = |at: NodeId| match last {
            true => self.dom.element_after(at),
            false => self.dom.element_before(at),
        };
        while let Some(next) = step(at) {
            place += u32::from(is_in(next));
            if self.steps.get() > STEPS {
                return None;
            }
            at = next;
        }
        Some(place)
    }

    /// Indexes of an element among its siblings.
    fn standing(&self, id: NodeId) -> SiblingIndexes {
        self.standings.get_or_init(|| standings(self.dom))[id.index()]
    }
}

/// Limit on the steps per document: comparisons, and tokens visited while custom properties are substituted. 20 million
/// comparisons take about half a second.
pub(super) const STEPS: u64 = 20_000_000;

/// Computes the indexes of all elements, once from the first sibling and once from the last.
fn standings(dom: &Dom) -> Vec<SiblingIndexes> {
    let mut standings = vec![SiblingIndexes::default(); dom.len()];
    let mut open = vec![NodeId::DOCUMENT];
    while let Some(parent) = open.pop() {
        let children: Vec<NodeId> = dom
            .children(parent)
            .filter(|child| dom.element(*child).is_some())
            .collect();
        // Two passes over the siblings: forwards for `:nth-child()`, backwards for
        // `:nth-last-child()`.
        for last in [false, true] {
            let mut types = std::collections::HashMap::new();
            let mut number = |place: usize, child: NodeId| {
                let of_type = dom
                    .element(child)
                    .map(|element| types.entry(element.name).or_insert(0_u32));
                let of_type = of_type.map_or(0, |count| {
                    *count += 1;
                    *count
                });
                // Indexes begin with 1: among all siblings, and among those of the same type.
                let places = &mut standings[child.index()].places;
                places[usize::from(last)] = place as u32 + 1;
                places[2 + usize::from(last)] = of_type;
            };
            match last {
                false => children
                    .iter()
                    .enumerate()
                    .for_each(|(place, child)| number(place, *child)),
                true => children
                    .iter()
                    .rev()
                    .enumerate()
                    .for_each(|(place, child)| number(place, *child)),
            }
        }
        open.extend(children);
    }
    standings
}

/// Compares an attribute's value (Selectors 4, 6.1 and 6.2). An empty value matches nothing with
/// the operators for parts.
fn compare(own: &str, operator: Operator, value: &str, any_case: bool) -> bool {
    // Only ASCII letters are compared without case (Selectors 4, 6.3).
    if any_case && operator != Operator::Has {
        return compare(
            &own.to_ascii_lowercase(),
            operator,
            &value.to_ascii_lowercase(),
            false,
        );
    }
    match operator {
        Operator::Has => true,
        Operator::Is => own == value,
        Operator::Word => {
            !value.is_empty() && own.split_ascii_whitespace().any(|word| word == value)
        }
        // `en` matches `en` and `en-GB`.
        Operator::Dash => own
            .strip_prefix(value)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
        Operator::Begins => !value.is_empty() && own.starts_with(value),
        Operator::Ends => !value.is_empty() && own.ends_with(value),
        Operator::Contains => !value.is_empty() && own.contains(value),
    }
}
