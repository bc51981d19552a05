//! Parser of structure trees. Stops at cycles, and at a depth of [`MAX_DEPTH`]. If this loses much content, the check
//! in `sanity` rejects the tree.

use super::{Element, Kid, Role, Structure, attributes::Attributes};
use crate::{error::Result, job::Job, read::text::strings};
use hayro::hayro_syntax::{
    Pdf,
    object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, String as PdfString},
};
use std::collections::{HashMap, HashSet};

/// Limit on the number of elements and marked contents of a file.
const MAX: usize = 500_000;
/// Limit on the depth of the tree. The specification sets none.
const MAX_DEPTH: usize = 60;
/// Limit on the number of entries in the role map that lead from a producer's own type to a standard type.
const MAX_ROLES: usize = 16;

/// Limit on the length of an alternative text, in bytes.
const LONGEST: usize = 4000;

/// Number of elements and marked contents between checks for cancellation.
const PER_CHECK: usize = 1024;

/// Reads the structure tree. `None` if the file is not tagged.
///
/// Errors: the job was cancelled.
pub(crate) fn read(job: &Job<'_>, pdf: &Pdf) -> Result<Option<Structure>> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let Some(root) = catalog.and_then(|catalog| catalog.get::<Dict<'_>>("StructTreeRoot")) else {
        return Ok(None);
    };
    let pages = pdf.pages();
    // Marked content refers to its page by an indirect reference, so pages are looked up by object identifier.
    let ids = (0..).zip(pages.iter());
    let ids = ids.filter_map(|(at, page)| Some((page.raw().obj_id()?, at)));
    let mut reader = StructureParser {
        job,
        pdf,
        pages: ids.collect(),
        roles: root.get::<Dict<'_>>("RoleMap"),
        seen: HashSet::new(),
        visited: 0,
        is_apart: false,
        in_field: false,
        structure: Structure {
            elements: Vec::new(),
            texts: vec![HashMap::new(); pages.len()],
            fields: vec![HashSet::new(); pages.len()],
            count: 0,
        },
    };
    let all = reader.push(&root, Role::Group);
    reader.kids(all, &root, None, 0)?;
    Ok(Some(reader.structure))
}

/// State of the parser.
struct StructureParser<'a> {
    job: &'a Job<'a>,
    pdf: &'a Pdf,
    /// Indexes of pages by object identifier.
    pages: HashMap<ObjectIdentifier, usize>,
    /// Role map of the file.
    roles: Option<Dict<'a>>,
    /// References that were followed, in order to detect cycles.
    seen: HashSet<ObjectIdentifier>,
    /// Number of elements and marks so far.
    visited: usize,
    /// Whether the next marked content begins a new text.
    is_apart: bool,
    /// Whether the current element is in a form field. Chromium tags the frame of a menu as `NonStruct`.
    in_field: bool,
    structure: Structure,
}

impl<'a> StructureParser<'a> {
    /// Adds an element. Returns its number.
    fn push(&mut self, element: &Dict<'_>, role: Role) -> u32 {
        // If an element has no alternative text, or a too long one, its replacement text (`ActualText`) is used
        // instead.
        let alternative = ["Alt", "ActualText"]
            .iter()
            .filter_map(|key| element.get::<PdfString<'_>>(key))
            .find(|text| text.len() <= LONGEST)
            .map(|text| strings::decode(&text).trim().into());
        self.structure.elements.push(Element {
            role,
            kids: Vec::new(),
            alternative,
            attributes: Attributes::of(element),
        });
        self.structure.elements.len() as u32 - 1
    }

    /// The role of an element, by its structure type and the role map. An element without a known type is a group.
    fn role(&self, element: &Dict<'_>) -> Role {
        let Some(name) = element.get::<Name<'_>>("S") else {
            return Role::Group;
        };
        let mut name = name.as_str().to_owned();
        // The role map leads from a producer's own type to a standard type, possibly in several steps (14.8.6).
        for _ in 0..MAX_ROLES {
            if let Some(role) = Role::named(&name) {
                return role;
            }
            let roles = self.roles.as_ref();
            let Some(next) = roles.and_then(|roles| roles.get::<Name<'_>>(&name)) else {
                break;
            };
            name = next.as_str().to_owned();
        }
        Role::Group
    }

    /// Adds the children of a dictionary to the element `to`. `to` is the element of the dictionary, or the enclosing
    /// element if the dictionary is inline.
    fn kids(
        &mut self,
        to: u32,
        element: &Dict<'a>,
        page: Option<usize>,
        depth: usize,
    ) -> Result<()> {
        let page = self.page(element).or(page);
        let Some(kids) = element.get_raw::<Object<'_>>("K") else {
            return Ok(());
        };
        match self.resolved(kids) {
            Some(Object::Array(kids)) => self.all(to, &kids, page, depth),
            Some(kid) => self.kid(to, kid, page, depth),
            None => Ok(()),
        }
    }

    /// Adds the children of an array.
    fn all(&mut self, to: u32, kids: &Array<'a>, page: Option<usize>, depth: usize) -> Result<()> {
        for kid in kids.raw_iter() {
            if let Some(kid) = self.resolved(kid) {
                self.kid(to, kid, page, depth)?;
            }
        }
        Ok(())
    }

    /// Index of the page that an element refers to.
    fn page(&self, element: &Dict<'_>) -> Option<usize> {
        let id: ObjectIdentifier = element.get_ref("Pg")?.into();
        self.pages.get(&id).copied()
    }

    /// Resolves a reference. `None` for a reference that was followed before.
    fn resolved(&mut self, object: MaybeRef<Object<'a>>) -> Option<Object<'a>> {
        // Direct objects cannot form cycles, so only references are recorded.
        match object {
            MaybeRef::NotRef(object) => Some(object),
            MaybeRef::Ref(to) => {
                let id: ObjectIdentifier = to.into();
                self.seen.insert(id).then_some(())?;
                self.pdf.xref().get::<Object<'a>>(id)
            }
        }
    }

    /// Adds a child, which is an element or marked content. Marked content is an integer or a dictionary (14.7.5.2).
    fn kid(&mut self, to: u32, kid: Object<'a>, page: Option<usize>, depth: usize) -> Result<()> {
        self.visited += 1;
        if self.visited.is_multiple_of(PER_CHECK) {
            self.job.check()?;
        }
        if self.visited > MAX || depth > MAX_DEPTH {
            return Ok(());
        }
        let kid = match kid {
            // An integer is a marked-content identifier on the current page (14.7.5.2).
            Object::Number(number) => {
                self.text(to, page, number.as_f64());
                return Ok(());
            }
            Object::Dict(kid) => kid,
            _ => return Ok(()),
        };
        if let Some(number) = kid.get::<i32>("MCID") {
            // Form XObjects number their marked content separately, so these numbers are skipped.
            if !kid.contains_key("Stm") {
                let page = self.page(&kid).or(page);
                self.text(to, page, f64::from(number));
            }
            return Ok(());
        }
        // Object references, such as those to annotations, have no structure type (`S`) and no text, and are skipped.
        if !kid.contains_key("S") {
            return Ok(());
        }
        let mut role = self.role(&kid);
        if role == Role::Skipped {
            return Ok(());
        }
        if Attributes::of(&kid).sign().is_some() {
            role = Role::Field;
        }
        let around = self.structure.elements[to as usize].role;
        // The content of an inline element, or of a group among lines of text, becomes content of its enclosing
        // element.
        let inner = match role {
            Role::Inline => to,
            Role::Group if around.holds_lines() => to,
            _ => {
                let inner = self.push(&kid, role);
                self.structure.elements[to as usize]
                    .kids
                    .push(Kid::Element(inner));
                inner
            }
        };
        // The content of a form field is a text of its own, separate from the paragraph around the field.
        let is_field = kid
            .get::<Name<'_>>("S")
            .is_some_and(|name| &*name == b"Form");
        self.is_apart |= is_field;
        let in_field = self.in_field;
        let is_frame = (kid.get::<Name<'_>>("S")).is_some_and(|name| &*name == b"NonStruct");
        self.in_field |= is_field || is_frame;
        self.kids(inner, &kid, page, depth + 1)?;
        self.in_field = in_field;
        self.is_apart |= is_field;
        Ok(())
    }

    /// Adds marked content to an element. Consecutive marked content forms one text.
    fn text(&mut self, to: u32, page: Option<usize>, mark: f64) {
        let Some(page) = page.filter(|_| mark >= 0.0) else {
            return;
        };
        let structure = &mut self.structure;
        let kids = &mut structure.elements[to as usize].kids;
        // Adjoining content continues the last text. After an element, or at the edge of a form field, a new text
        // begins.
        let is_apart = std::mem::take(&mut self.is_apart);
        let text = match kids.last() {
            Some(Kid::Text(text)) if !is_apart => *text,
            _ => {
                let text = structure.count;
                structure.count += 1;
                kids.push(Kid::Text(text));
                text
            }
        };
        let mark = mark as u32;
        structure.texts[page].entry(mark).or_insert(text);
        if self.in_field {
            structure.fields[page].insert(mark);
        }
    }
}
