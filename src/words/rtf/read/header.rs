//! Reads the header (RTF 1.9.1, "Header"): tables of fonts, colours, styles and lists, and the document information.
//! Reads no text.

use super::{definitions::Style, reader::RtfReader, state::Destination};
use crate::{coding::code_page::CodePage, error::Result};
use convertd_office::wordprocessing::{
    self as office, Definition, LevelFormat, List, Resolved, RunProperties, ThemeFonts,
    is_typewriter, role_of_paragraph, role_of_text,
};
use convertd_tree::{Colour, LabelEnd, Length};

impl RtfReader<'_> {
    /// Interprets the collected text when a semicolon ends an entry.
    pub(super) fn header_text(&mut self) -> Result<()> {
        let destination = self.state().destination;
        match destination {
            Destination::Fonts if self.gathered.contains(';') => self.end_font(),
            Destination::Colours => {
                let entries = self.gathered.matches(';').count();
                for _ in 0..entries {
                    // An entry without components is the automatic colour.
                    let colour = self.header.colour.take();
                    if self.colours.len() < 4096 {
                        self.colours.push(colour.map(|[r, g, b]| Colour(r, g, b)));
                    }
                }
                self.gathered.clear();
            }
            Destination::Styles if self.gathered.contains(';') => self.end_style(),
            _ => {}
        }
        Ok(())
    }

    /// Ends an entry of the font table.
    fn end_font(&mut self) {
        let name = std::mem::take(&mut self.gathered);
        let name = name.split(';').next().unwrap_or_default().trim();
        // A font may be defined twice. The first name is used.
        if let Some(font) = self.header.font {
            let face = self.fonts.entry(font).or_default();
            if face.name.is_empty() {
                face.typewriter |= is_typewriter(name);
                face.name = name.into();
            }
        }
    }

    /// Ends an entry of the style sheet. Its properties have been read like the properties of text.
    fn end_style(&mut self) {
        let name = std::mem::take(&mut self.gathered);
        let name = name.split(';').next().unwrap_or_default().trim().to_owned();
        // Character styles contribute only their role.
        let (number, of_text) = self.header.style.take().unwrap_or((0, false));
        if of_text {
            self.styles.texts.insert(number, role_of_text(&name));
        } else {
            let state = self.state().clone();
            let resolved = Resolved {
                role: role_of_paragraph(&name).unwrap_or_default(),
                name: Some(name.into()),
                // The default font of the document is not a property of the style.
                run: RunProperties {
                    latin: self.informative_font(),
                    ..state.run
                },
                paragraph: state.paragraph,
                ..Resolved::default()
            };
            let style = Style {
                resolved: resolved.settle(&ThemeFonts::default()),
                font: state.font,
            };
            self.styles.paragraphs.insert(number, style);
        }
    }

    /// Handles a control word inside a table. Returns false if it does not belong to the table.
    pub(super) fn header_word(&mut self, word: &str, number: Option<i32>) -> bool {
        let value = number.unwrap_or(0);
        match self.state().destination {
            Destination::Fonts => match word {
                // `\f` begins an entry.
                "f" => {
                    self.header.font = number;
                    self.gathered.clear();
                    self.fonts.entry(value).or_default();
                }
                // The family of monospaced fonts.
                "fmodern" => {
                    if let Some(face) = self.header.font.and_then(|font| self.fonts.get_mut(&font))
                    {
                        face.typewriter = true;
                    }
                }
                // The character set also applies to the name of the font.
                "fcharset" => {
                    let page = CodePage::by_charset(value);
                    if let Some(face) = self.header.font.and_then(|font| self.fonts.get_mut(&font))
                    {
                        face.page = page.or(face.page);
                    }
                    self.state().page = page;
                }
                // The code page overrides the character set.
                "cpg" => {
                    let page = CodePage::by_number(value);
                    if let Some(face) = self.header.font.and_then(|font| self.fonts.get_mut(&font))
                    {
                        face.page = page.or(face.page);
                    }
                }
                _ => return false,
            },
            Destination::Colours => {
                // The components of a colour may be in any order.
                let at = match word {
                    "red" => 0,
                    "green" => 1,
                    "blue" => 2,
                    _ => return false,
                };
                self.header.colour.get_or_insert_default()[at] = value.clamp(0, 255) as u8;
            }
            Destination::Styles => match word {
                "s" => self.header.style = Some((value, false)),
                "cs" => self.header.style = Some((value, true)),
                // Table styles and section styles are not used.
                "ts" | "ds" => self.header.style = Some((-1, true)),
                _ => return false,
            },
            Destination::Lists | Destination::ListText => return self.list_word(word, value),
            // `\lfolevel` begins the override of the next level, `\listid` refers to a definition, and `\ls` is the
            // number that paragraphs use.
            Destination::Overrides => {
                let (ls, list) = &mut self.header.list_override;
                match word {
                    // A new override. `in_list` marks the group whose end completes it.
                    "listoverride" => {
                        *ls = 0;
                        *list = List::default();
                        self.header.override_level = 0;
                        self.state().in_list = true;
                    }
                    // Definitions precede overrides in the file.
                    "listid" => {
                        list.definition = self.header.list_ids.get(&value).copied().unwrap_or(0);
                    }
                    "ls" => *ls = value,
                    // Overrides of levels are in the order of the levels.
                    "lfolevel" => {
                        self.header.override_level += 1;
                        self.state().in_list = false;
                    }
                    // Start value of the current level.
                    "levelstartat" => {
                        let level = self.header.override_level.saturating_sub(1);
                        if let Some(start) = list.starts.get_mut(level) {
                            *start = value.try_into().ok();
                        }
                    }
                    _ => return false,
                }
            }
            Destination::Info => match word {
                "title" => self.begin_info("title"),
                "subject" => self.begin_info("subject"),
                "author" => self.begin_info("author"),
                "keywords" => self.begin_info("keywords"),
                "doccomm" | "comment" => self.begin_info("description"),
                "creatim" => self.begin_info("date"),
                // Components of the date of creation.
                "yr" => self.header.date[0] = value,
                "mo" => self.header.date[1] = value,
                "dy" => self.header.date[2] = value,
                "hr" | "min" | "sec" => {}
                _ => return false,
            },
            _ => return false,
        }
        true
    }

    /// Begins an entry of the document information.
    fn begin_info(&mut self, field: &'static str) {
        self.header.info = Some(field);
        self.header.date = [0; 3];
        self.gathered.clear();
    }

    /// Ends an entry of the document information, and stores it.
    pub(super) fn end_info(&mut self) {
        let Some(field) = self.header.info.take() else {
            return;
        };
        let value = std::mem::take(&mut self.gathered);
        let value = value.trim();
        let metadata = &mut self.story.build.metadata;
        let own = Some(value.to_owned()).filter(|value| !value.is_empty());
        match field {
            "title" => metadata.title = own,
            "subject" => metadata.subject = own,
            "author" => {
                office::add_authors(metadata, value);
            }
            "keywords" => {
                office::add_keywords(metadata, value);
            }
            "description" => metadata.description = own,
            // The date is used only if it is valid.
            _ => {
                let [year, month, day] = self.header.date;
                if year > 0 && (1..=12).contains(&month) && (1..=31).contains(&day) {
                    metadata.date = Some(format!("{year:04}-{month:02}-{day:02}"));
                }
            }
        }
    }

    /// Handles a control word of the list table. Returns false for any other word.
    fn list_word(&mut self, word: &str, value: i32) -> bool {
        let header = &mut self.header;
        match word {
            // A new definition. `in_list` marks the group whose end completes it.
            "list" => {
                header.list = Definition::default();
                header.level = 0;
                header.list_id = 0;
                self.state().in_list = true;
            }
            // Levels are in order, from the outermost.
            "listlevel" => {
                header.level += 1;
                self.state().in_list = false;
            }
            "listid" => header.list_id = value,
            // Properties of the current level.
            "levelnfc" | "levelnfcn" | "levelstartat" | "levelnorestart" | "levellegal"
            | "levelfollow" | "li" | "fi" => {
                let Some(level) = header
                    .level
                    .checked_sub(1)
                    .and_then(|at| header.list.levels.get_mut(at))
                else {
                    return true;
                };
                match word {
                    "levelstartat" => level.start = value.try_into().unwrap_or(1),
                    "levelnorestart" if value == 1 => level.restart = Some(0),
                    "levellegal" => level.legal = value == 1,
                    "li" => level.indent = Some(Length::twips(value.into())),
                    "fi" => level.hanging = Some(Length::twips(value.into())),
                    "levelfollow" => level.end = LabelEnd::of_code(value),
                    _ => level.format = LevelFormat::of_code(value.try_into().unwrap_or(0)),
                }
            }
            "leveltext" => {
                self.gathered.clear();
                self.state().destination = Destination::ListText;
            }
            // The positions of the level numbers follow from the pattern itself.
            "levelnumbers" | "listname" => self.state().destination = Destination::Skip,
            _ => return false,
        }
        true
    }

    /// Ends the pattern of a level (`\leveltext`). The pattern begins with its length. Characters 0 to 8 stand for the
    /// numbers of levels, as in DOC.
    pub(super) fn end_level_text(&mut self) {
        let text = std::mem::take(&mut self.gathered);
        let header = &mut self.header;
        let Some(level) = header
            .level
            .checked_sub(1)
            .and_then(|at| header.list.levels.get_mut(at))
        else {
            return;
        };
        let mut pattern = String::new();
        // The first character is the length. A semicolon ends the pattern.
        for c in text.chars().skip(1).take(200) {
            match u32::from(c) {
                at @ 0..=8 => pattern.push_str(&format!("%{}", at + 1)),
                _ if c == ';' && pattern.is_empty() && level.format != LevelFormat::Bullet => {}
                _ => pattern.push(c),
            }
        }
        if let Some(cut) = pattern.strip_suffix(';') {
            pattern = cut.to_owned();
        }
        level.text = pattern.into();
    }

    /// Ends a list definition, and gives it the next number.
    pub(super) fn end_list(&mut self) {
        let number = self.story.lists.definitions.len() as u32 + 1;
        if self.header.level > 0 && number < 100_000 {
            self.story
                .lists
                .definitions
                .insert(number, std::mem::take(&mut self.header.list));
            self.header.list_ids.insert(self.header.list_id, number);
        }
        self.header.level = 0;
    }

    /// Ends a list override, which paragraphs refer to by number (`\ls`).
    pub(super) fn end_override(&mut self) {
        let (ls, list) = std::mem::take(&mut self.header.list_override);
        if let Ok(ls) = u32::try_from(ls)
            && ls > 0
            && self.story.lists.lists.len() < 100_000
        {
            self.story.lists.lists.insert(ls, list);
        }
    }
}
