//! Tables on several pages: rows move down, and headers and footers are repeated (CSS Tables 3, 5). Sets no cells.

use super::super::fragment::{Child, Fragment, FragmentContent, Role, TableRole};
use super::{Breaker, MAX_PAGES, Repeated, TOLERANCE, breaks::chunk};
use convertd_markup::css::style::Break;
use std::rc::Rc;

impl<'h> Breaker<'h> {
    /// Divides a table into pages, and repeats its header and footer so that each page has them. A header or footer
    /// higher than a quarter of the page is not repeated.
    pub(super) fn table(&mut self, fragment: &mut Fragment, y: f32, repeated: Repeated) -> f32 {
        let part = |wanted: &TableRole| {
            fragment.children.iter().find(|child| matches!(child.fragment.role(), Some(Role::Table(role)) if role == wanted)).cloned()
        };
        // The header and footer are copied before the rows move.
        let (head, foot) = (part(&TableRole::Head), part(&TableRole::Foot));
        let page = self.page(y);
        let (start, end) = self.bounds(page);
        // Repeating a large header would leave little space for rows.
        let repeats = |child: &Option<Child>| {
            child
                .as_ref()
                .map_or(0.0, |child| child.fragment.height)
                .min(end - start)
                <= (end - start) / 4.0
        };
        let head = head.filter(|_| repeats(&part(&TableRole::Head)));
        let foot = foot.filter(|_| repeats(&part(&TableRole::Foot)));
        let height = |part: &Option<Child>| part.as_ref().map_or(0.0, |part| part.fragment.height);
        // On each page, space is reserved for the header and the footer.
        let inner = Repeated {
            head: repeated.head + height(&head),
            foot: repeated.foot + height(&foot),
            tail: 0.0,
        };
        let is = |child: &Child, role: TableRole| matches!(child.fragment.role(), Some(Role::Table(own)) if *own == role);
        let (mut shift, mut before) = (0.0_f32, None);
        let mut last_body = y;
        // The header stays on one page with the first row.
        for at in 0..fragment.children.len() {
            let chunk = match is(&fragment.children[at], TableRole::Head) {
                true => {
                    let own = fragment.children[at].fragment.height;
                    let next = fragment
                        .children
                        .get(at + 1)
                        .map_or(0.0, |next| chunk(&next.fragment, 0));
                    own + next
                }
                false => chunk(&fragment.children[at].fragment, 0),
            };
            let child = &mut fragment.children[at];
            let own = match is(child, TableRole::Head) || is(child, TableRole::Foot) {
                true => repeated,
                false => inner,
            };
            let wanted = y + child.y + shift;
            let top = self.moved(wanted, child, before, chunk, own);
            shift = top - (y + child.y);
            child.y = top - y;
            // The end of the table follows from its rows, and not from its header and footer.
            let body = !is(child, TableRole::Head) && !is(child, TableRole::Foot);
            shift += self.within(&mut child.fragment, top, own);
            if body {
                last_body = top + child.fragment.height;
            }
            before = Some((top + child.fragment.height, Break::Auto));
        }
        fragment.height += shift;
        // Adds a header on every page but the first, and a footer on every page but the last.
        let first = self.page(y + head.as_ref().map_or(0.0, |head| head.y));
        let last = self.page(last_body - TOLERANCE);
        for page in first..=last.min(first + MAX_PAGES) {
            let (start, end) = self.bounds(page);
            if let Some(head) = head.as_ref().filter(|_| page > first) {
                again(fragment, start + repeated.head - y, head);
            }
            if let Some(foot) = foot.as_ref().filter(|_| page < last) {
                let height = foot.fragment.height;
                again(fragment, end - repeated.foot - height - y, foot);
            }
        }
        shift
    }
}

/// Adds a copy of a header or footer. The copy has no static positions, because they belong to the original.
fn again(fragment: &mut Fragment, y: f32, part: &Child) {
    let mut copy = Fragment::new(
        FragmentContent::Repeated,
        part.fragment.width,
        part.fragment.height,
    );
    copy.add(0.0, 0.0, part.fragment.clone());
    copy.pending.clear();
    fragment.children.push(Child {
        x: part.x,
        y,
        fragment: Rc::new(copy),
    });
}
