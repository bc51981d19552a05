//! Document structure of the texts of a page: tables, rows, cells and links. Draws nothing.

use super::{super::cell::Owner, Drawing, Tables, anchor};
use crate::shown::book::Link;
use convertd_layout::{
    item::Area,
    structure::{NodeId, Role},
};

impl Drawing<'_, '_, '_> {
    /// Creates the structure element of a cell's text, and its link. `size` is the number of rows and columns of the
    /// cell.
    pub(super) fn owner(
        &mut self,
        row: u32,
        column: u32,
        size: (u32, u32),
        area: Area,
        tables: &mut Tables,
    ) -> Owner {
        let structure = self.layout.structure;
        let table = *tables
            .table
            .get_or_insert_with(|| structure.add(NodeId::DOCUMENT, Role::Table));
        let around = tables.rows.entry(row);
        let around = *around.or_insert_with(|| structure.add(table, Role::TableRow));
        let count = |cells: u32| u16::try_from(cells).unwrap_or(u16::MAX);
        let node = structure.add(
            around,
            Role::DataCell {
                rows: count(size.0),
                columns: count(size.1),
            },
        );
        let mut links = self.printed.links(row, column);
        let Some((link, target)) = links.find_map(|link| Some((link, self.target(link)?))) else {
            return Owner { node, link: None };
        };
        let node = structure.add(node, Role::Link);
        let number = self.layout.links.add(&target, &link.title, node);
        self.links.push((area, number));
        // The whole cell is the area of the link, so the text itself gets no link.
        Owner { node, link: None }
    }

    /// Target of a link: a URL, or the anchor of a sheet. `None` for a sheet that is not printed.
    fn target(&self, link: &Link) -> Option<String> {
        let Some(place) = link.target.strip_prefix('#') else {
            return Some(link.target.to_string());
        };
        let sheet = match place.rsplit_once('!') {
            Some((sheet, _)) => sheet.trim_matches('\'').replace("''", "'"),
            None => self.printed.grid.sheet.name().to_owned(),
        };
        let mut grids = self.book.grids.iter();
        let known = grids.any(|grid| grid.sheet.name().to_lowercase() == sheet.to_lowercase());
        known.then(|| format!("#{}", anchor(&sheet)))
    }
}
