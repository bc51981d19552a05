//! The scans of a JPEG file (T.81, B.2.3): the components of each, the tables that they use, and the location of the
//! data. Each scan keeps its tables, because a later segment may redefine them. Decodes nothing.

use super::{
    fault::Fault,
    huffman::Table,
    scan::{OtherPart, OtherScan, Scan, ScanComponent, Steps},
    structure::{MAX_SCANS, Process, Structure},
};
use std::sync::Arc;

/// Order of the data units in a scan (A.2).
pub(super) struct Order {
    /// Number of MCUs in a row of the scan.
    pub(super) across: usize,
    /// Number of rows of MCUs in the scan.
    pub(super) down: usize,
    /// Number of rows of MCUs of the scan in a row of MCUs of the frame.
    pub(super) rows: usize,
    /// For each part, the number of data units in an MCU, across and down.
    pub(super) units: Vec<(usize, usize)>,
}

impl Order {
    /// Returns the order of the data units in a scan of `components`.
    pub(super) fn of(structure: &Structure, components: &[usize]) -> Self {
        let units = |component: &usize| {
            let component = &structure.components[*component];
            (component.horizontal, component.vertical)
        };
        if let [component] = components {
            // An MCU of a scan that is not interleaved is one data unit.
            let component = &structure.components[*component];
            let (across, down) = structure.mcus_alone(component);
            return Self {
                across,
                down,
                rows: component.vertical,
                units: vec![(1, 1)],
            };
        }
        let (across, down) = structure.mcus();
        Self {
            across,
            down,
            rows: 1,
            units: components.iter().map(units).collect(),
        }
    }
}

impl OtherScan {
    pub(super) fn order(&self, structure: &Structure) -> Order {
        let components: Vec<usize> = self.parts.iter().map(|part| part.component).collect();
        Order::of(structure, &components)
    }

    /// Returns whether a progressive scan adds a bit to coefficients of earlier scans.
    pub(super) fn refines(&self) -> bool {
        self.high > 0
    }

    /// The coefficients of a progressive scan, as a bit mask.
    pub(super) fn band(&self) -> u64 {
        u64::MAX >> (63 - self.last.min(63)) & u64::MAX << self.first.min(63)
    }

    /// Returns whether two scans contain parts of the same coefficients.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let shares = |part: &OtherPart| {
            let mut others = other.parts.iter();
            others.any(|other| other.component == part.component)
        };
        self.band() & other.band() != 0 && self.parts.iter().any(shares)
    }
}

const ODD: Fault = Fault::Broken("a scan header names components or tables that are missing");

impl Structure {
    /// Parses a scan header, and adds its scan, whose data starts at `at`.
    pub(super) fn scan(&mut self, segment: &[u8], at: usize) -> Result<(), Fault> {
        self.scan_count += 1;
        if self.scan_count > MAX_SCANS {
            return Err(Fault::Unsupported("more than a hundred scans"));
        }
        let (&count, rest) = segment.split_first().ok_or(ODD)?;
        let (selectors, rest) = rest.split_at_checked(2 * usize::from(count)).ok_or(ODD)?;
        let selected = self.selected(selectors.as_chunks().0)?;
        if self.process != Process::Huffman || self.progressive {
            let scan = self.other_scan(&selected, rest, at)?;
            self.other_scans.push(scan);
            return Ok(());
        }
        let table = |tables: &[Option<Arc<Table>>; 4], at: usize| {
            tables.get(at).cloned().flatten().ok_or(ODD)
        };
        let parts = selected.iter().map(|&(component, dc, ac)| {
            Ok(ScanComponent {
                component,
                steps: self.steps_of(component)?,
                dc: table(&self.tables.dc, dc)?,
                ac: table(&self.tables.ac, ac)?,
            })
        });
        self.scans.push(Scan {
            parts: parts.collect::<Result<_, Fault>>()?,
            restart: self.tables.restart,
            data: at..at,
        });
        Ok(())
    }

    /// The components that a scan header selects, with the numbers of their DC and AC tables. There is at least one.
    fn selected(&self, selectors: &[[u8; 2]]) -> Result<Vec<(usize, usize, usize)>, Fault> {
        let mut parts: Vec<(usize, usize, usize)> = Vec::new();
        for &[id, tables] in selectors {
            // Some encoders give all components the same ID. So an ID selects the next component with that ID that the
            // scan does not contain yet.
            let is_new = |at: &usize| parts.iter().all(|part| part.0 != *at);
            let mut called = (0..self.components.len()).filter(|&at| self.components[at].id == id);
            let component = called.find(is_new).ok_or(ODD)?;
            parts.push((component, (tables >> 4).into(), (tables & 15).into()));
        }
        if parts.is_empty() {
            return Err(ODD);
        }
        Ok(parts)
    }

    /// The quantisation table of a component.
    fn steps_of(&self, component: usize) -> Result<Steps, Fault> {
        let table = self.components[component].quantisation;
        self.tables.steps[table].clone().ok_or(ODD)
    }

    /// Parses the rest of a scan header for progressive, arithmetic and lossless files (T.81, B.2.3): spectral
    /// selection and successive approximation.
    fn other_scan(
        &self,
        selected: &[(usize, usize, usize)],
        rest: &[u8],
        at: usize,
    ) -> Result<OtherScan, Fault> {
        let &[first, last, approximation, ..] = rest else {
            return Err(Fault::Broken("a scan header is cut short"));
        };
        let is_lossless = self.process == Process::Lossless;
        let is_refined_dc = first == 0 && approximation >> 4 > 0;
        let tables = match (self.process, first) {
            (Process::Lossless, _) => Some(&self.tables.dc),
            (Process::Huffman, 0) => Some(&self.tables.dc).filter(|_| !is_refined_dc),
            (Process::Huffman, _) => Some(&self.tables.ac),
            (Process::Arithmetic, _) => None,
        };
        let parts = selected.iter().map(|&(component, dc, ac)| {
            if dc > 3 || ac > 3 {
                return Err(ODD);
            }
            Ok(OtherPart {
                component,
                dc,
                ac,
                steps: (!is_lossless)
                    .then(|| self.steps_of(component))
                    .transpose()?,
                codes: tables
                    .map(|tables| {
                        let at = if first == 0 || is_lossless { dc } else { ac };
                        tables[at].clone().ok_or(ODD)
                    })
                    .transpose()?,
            })
        });
        let scan = OtherScan {
            parts: parts.collect::<Result<_, Fault>>()?,
            first: first.into(),
            last: last.into(),
            high: (approximation >> 4).into(),
            low: (approximation & 15).into(),
            conditioning: self.tables.conditioning.clone(),
            restart: self.tables.restart,
            data: at..at,
        };
        let is_possible = match (self.process, self.progressive) {
            (Process::Lossless, _) => {
                matches!(scan.first, 1..=7) && scan.low < u32::from(self.precision)
            }
            (_, true) => {
                let is_alone = scan.parts.len() == 1;
                let is_band = scan.first > 0 && scan.first <= scan.last && is_alone;
                let is_dc = scan.first == 0 && scan.last == 0;
                // A refinement scan adds exactly one bit.
                let is_next = !scan.refines() || scan.high == scan.low + 1;
                (is_band || is_dc) && is_next && scan.last < 64 && scan.low <= 13
            }
            (_, false) => true,
        };
        if !is_possible {
            return Err(Fault::Broken("a scan header has invalid values"));
        }
        Ok(scan)
    }

    /// Returns whether a scan contains data of this component.
    pub(super) fn covers(&self, component: usize) -> bool {
        let mut parts = self.scans.iter().flat_map(|scan| &scan.parts);
        let mut others = self.other_scans.iter().flat_map(|scan| &scan.parts);
        parts.any(|part| part.component == component)
            || others.any(|part| part.component == component)
    }
}
