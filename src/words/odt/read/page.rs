//! Reads master pages (OpenDocument 1.3, part 3, 16.9) with their headers and footers, and derives sections from
//! them. OpenDocument has no sections in the sense of Word: the style of a paragraph states which master page begins
//! before it.

use super::{
    super::NAMESPACES,
    body::Body,
    context::Context,
    layouts::{Master, set_columns},
    styles::Scope,
};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::Story;
use convertd_tree::{Margins, PageSetup, SectionStart};
use std::rc::Rc;

impl<'a> Context<'a> {
    /// Reads the master pages. `scope` selects the automatic styles of headers and footers.
    pub(super) fn read_pages(
        &mut self,
        story: &mut Story<'a>,
        text: &str,
        scope: Scope,
    ) -> Result<()> {
        let before = std::mem::replace(&mut self.styles.scope, scope);
        let mut xml = Reader::new(self.job, text, NAMESPACES);
        xml.root()?;
        while let Some(group) = xml.next_element(1)? {
            if !(group.space == "office" && group.name == "master-styles") {
                continue;
            }
            while let Some(element) = xml.next_element(2)? {
                if element.name == "master-page" {
                    let master = self.master(story, &mut xml, &element)?;
                    let name = element.attribute("name").unwrap_or_default();
                    self.pages.masters.insert(name.into(), master);
                }
            }
        }
        self.styles.scope = before;
        Ok(())
    }

    /// Reads a master page: its page layout, its headers and footers, and the master page that follows it.
    fn master(
        &mut self,
        story: &mut Story<'a>,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
    ) -> Result<Master> {
        let mut master = Master {
            layout: element
                .attribute("page-layout-name")
                .unwrap_or_default()
                .into(),
            next: element.attribute("next-style-name").map(Into::into),
            ..Master::default()
        };
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            if child.attribute("display").as_deref() == Some("false") {
                continue;
            }
            let (margins, kind) = match child.name.split_once('-') {
                None if child.name == "header" => (&mut master.headers, ""),
                None if child.name == "footer" => (&mut master.footers, ""),
                Some(("header", kind)) => (&mut master.headers, kind),
                Some(("footer", kind)) => (&mut master.footers, kind),
                _ => continue,
            };
            // Twice the bytes of the text, and 1000 bytes for each header or footer, because of the nodes of the tree.
            self.pages.size += 2 * xml.clone().text()?.len() as u64 + 1000;
            story.open_margin();
            let mut body = Body::new(self, story, xml.clone());
            body.text(None)?;
            *xml = body.xml;
            let blocks = story.close_margin()?;
            match kind {
                "" => margins.all = blocks,
                "left" => margins.even = Some(blocks),
                "first" => margins.first = Some(blocks),
                _ => {}
            }
        }
        Ok(master)
    }
}

impl Body<'_, '_, '_> {
    /// Begins a section if the paragraph names a master page, or if it is the first paragraph of the document.
    pub(super) fn begin_page(&mut self, name: Option<&str>, number: Option<u32>) -> Result<()> {
        let first = self.context.pages.current.is_none();
        if !first && name.is_none() {
            return Ok(());
        }
        if !first {
            let page = self.page()?;
            self.story.end_section(page)?;
        }
        let pages = &mut self.context.pages;
        pages.begins_on_same_page = false;
        pages.current = Some(name.unwrap_or("Standard").into());
        pages.first_number = number.filter(|number| *number > 0);
        self.page_break = false;
        Ok(())
    }

    /// Sets the columns of the text that follows, which is a section of its own on the same page.
    pub(super) fn set_columns(&mut self, columns: Option<Rc<PageSetup>>) -> Result<()> {
        if self.context.pages.current.is_some() {
            let page = self.page()?;
            let before = self.story.build.ended_sections();
            self.story.end_section(page)?;
            // If the section that ends here has no text, the new section begins in the way in which that section would
            // have begun.
            self.context.pages.begins_on_same_page |= self.story.build.ended_sections() > before;
        }
        self.context.pages.columns = columns;
        Ok(())
    }

    /// Ends the last section.
    pub(super) fn end_document(&mut self) -> Result<()> {
        self.context.pages.current.get_or_insert("Standard".into());
        if let Some(page) = self.page()? {
            self.story.build.set_page(page);
        }
        Ok(())
    }

    /// Page setup of the section that ends here.
    fn page(&mut self) -> Result<Option<PageSetup>> {
        // Each section of the tree has copies of the headers and footers, which the builder does not count. 16 is an
        // estimate of the bytes in the tree per byte of `size`.
        let pages = &self.context.pages;
        self.story.hold(pages.size.saturating_mul(16))?;
        let master = |name: &str| pages.masters.get(name);
        let Some(own) = pages.current.as_deref().and_then(master) else {
            return Ok(self.of_section(None));
        };
        // A master page that names a next master page is used for a single page, so it describes the first page of
        // the section.
        let next = own.next.as_deref().and_then(master);
        let rest = next.unwrap_or(own);
        let Some(layout) = self.context.styles.layouts.get(&rest.layout) else {
            return Ok(self.of_section(None));
        };
        let mut page = PageSetup {
            headers: rest.headers.clone(),
            footers: rest.footers.clone(),
            first_number: pages.first_number,
            ..layout.clone()
        };
        if next.is_some() {
            page.headers.first = Some(own.headers.all.clone());
            page.footers.first = Some(own.footers.all.clone());
        }
        // In the tree, headers and footers can differ on first (or even) pages only together. If only one of them does,
        // the other is empty on first pages, and unchanged on even pages.
        let Margins { first, even, .. } = &page.headers;
        let (first, even) = (
            first.is_some() || page.footers.first.is_some(),
            even.is_some() || page.footers.even.is_some(),
        );
        for margins in [&mut page.headers, &mut page.footers] {
            if first {
                margins.first.get_or_insert_default();
            }
            if even {
                let all = margins.all.clone();
                margins.even.get_or_insert(all);
            }
        }
        Ok(self.of_section(Some(page)))
    }

    /// Adds the properties that do not come from the master page to the page setup of a section: line numbers, columns,
    /// and whether the section continues on the same page.
    fn of_section(&self, page: Option<PageSetup>) -> Option<PageSetup> {
        let pages = &self.context.pages;
        let numbers = self.context.styles.line_numbers;
        if page.is_none()
            && pages.columns.is_none()
            && !pages.begins_on_same_page
            && numbers.is_none()
        {
            return None;
        }
        let mut page = page.unwrap_or_default();
        page.line_numbers = numbers;
        if let Some(columns) = &pages.columns {
            set_columns(&mut page, columns);
        }
        if pages.begins_on_same_page {
            page.begins = SectionStart::SamePage;
            page.first_number = None;
        }
        Some(page)
    }
}
