//! Joins lists of optional fields, for conversions that take the fields of two steps. Describes no field.

use crate::job::OptionSpec;
use std::collections::HashMap;

/// Optional fields of a pair, in the order in which they are listed.
type List = &'static [&'static OptionSpec];

/// Joined lists, each under the addresses and lengths of the two lists that it was made from. Hundreds of pairs share
/// about thirty joined lists, so each is built and leaked once. The length is part of the key, because two lists may be
/// slices of one static that begin at the same address. The filter of [`joined`](Self::joined) is not part of the key,
/// so all calls on one value must pass the same filter.
#[derive(Default)]
pub(super) struct Lists(HashMap<[(*const &'static OptionSpec, usize); 2], List>);

impl Lists {
    /// Joins two lists: all fields of `one`, and the fields of `other` that `keep` accepts. If both lists have a field
    /// of the same name, the field of `one` is used.
    pub(super) fn joined(
        &mut self,
        one: List,
        other: List,
        keep: impl Fn(&OptionSpec) -> bool,
    ) -> List {
        let join = || {
            let is_new = |spec: &&OptionSpec| one.iter().all(|known| known.name != spec.name);
            let more = other.iter().copied();
            let more = more.filter(|spec| is_new(spec) && keep(spec));
            Vec::leak(one.iter().copied().chain(more).collect()) as List
        };
        let made_of = [one, other].map(|list| (list.as_ptr(), list.len()));
        self.0.entry(made_of).or_insert_with(join)
    }
}
