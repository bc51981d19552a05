//! Lists of optional fields that are put together of others. Describes no field.

use crate::job::OptionSpec;
use std::collections::HashMap;

/// Fields of a pair.
type List = &'static [&'static OptionSpec];

/// Lists that were made, by the places and lengths of those that they are made of: hundreds of pairs share some thirty. Some are
/// longer pieces of the same list than others.
#[derive(Default)]
pub(super) struct Lists(HashMap<[(*const &'static OptionSpec, usize); 2], List>);

impl Lists {
    /// The fields of one list, and of those of another that are to be kept. Of a name that both have, the first one counts.
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
