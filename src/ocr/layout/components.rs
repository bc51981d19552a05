//! Connected components of ink, stored as runs: eight bytes per run instead of four bytes per pixel. Does not decide
//! what a component is.
//!
//! Two runs of neighbouring rows belong together if they touch, also by a corner (8-connected). Runs are numbered row
//! by row, and numbers of connected runs are joined by a union–find; a second pass numbers the components without gaps.

use super::{area::Area, bits::Bits};
use convertd_core::{
    error::Result,
    job::{Job, Lease},
};
use std::sync::Mutex;

/// A run of ink in one row: the columns from `start` up to, and without, `end`.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) start: u16,
    pub(super) end: u16,
    /// Index of the component.
    pub(super) component: u32,
}

/// A component: ink that is connected.
#[derive(Clone, Copy)]
pub(super) struct Component {
    pub(super) area: Area,
    /// Pixels of ink.
    pub(super) ink: u32,
}

/// All components of a picture.
pub(super) struct Components<'a> {
    pub(super) list: Vec<Component>,
    runs: Vec<Run>,
    /// Index in `runs` of the first run of each row, and, as the last entry, the number of runs.
    rows: Vec<u32>,
    /// Reservation of the memory. The lock is never taken; it only allows threads to share the picture.
    _lease: Mutex<Lease<'a>>,
}

/// Largest number of runs in a picture. A picture with more runs is noise.
const MAX_RUNS: usize = 12_000_000;

impl<'a> Components<'a> {
    /// Finds the components of a bitmap. Returns `None` if it has more than [`MAX_RUNS`] runs, which is noise.
    pub(super) fn find(job: &Job<'a>, bits: &Bits<'_>) -> Result<Option<Self>> {
        let lease = job.empty_lease();
        let mut runs: Vec<Run> = Vec::new();
        let mut rows = Vec::with_capacity(bits.height + 1);
        let mut parents: Vec<u32> = Vec::new();
        let mut above = 0..0;
        for y in 0..bits.height {
            if y % 64 == 0 {
                job.check()?;
                if runs.len() > MAX_RUNS {
                    return Ok(None);
                }
                // A vector grows by doubling. Meanwhile the old and the new one exist, so half of the capacity is
                // added.
                let bytes = runs.capacity() * 12 + parents.capacity() * 6 + rows.capacity() * 4;
                lease.set(bytes as u64)?;
            }
            let begin = runs.len();
            rows.push(begin as u32);
            let mut touching = above.start;
            for (start, end) in bits.runs(y) {
                while touching < above.end && usize::from(runs[touching].end) < start {
                    touching += 1;
                }
                let mut component = u32::MAX;
                let mut other = touching;
                while other < above.end && usize::from(runs[other].start) <= end {
                    let root = root(&mut parents, runs[other].component);
                    if component == u32::MAX {
                        component = root;
                    } else if component != root {
                        let (low, high) = (component.min(root), component.max(root));
                        parents[high as usize] = low;
                        component = low;
                    }
                    other += 1;
                }
                if component == u32::MAX {
                    component = parents.len() as u32;
                    parents.push(component);
                }
                runs.push(Run {
                    start: start as u16,
                    end: end as u16,
                    component,
                });
            }
            above = begin..runs.len();
        }
        rows.push(runs.len() as u32);
        let list = number(&mut runs, &rows, &mut parents);
        drop(parents);
        runs.shrink_to_fit();
        lease.set_exactly(
            (runs.len() * 8 + list.len() * size_of::<Component>() + rows.len() * 4) as u64,
        )?;
        Ok(Some(Self {
            list,
            runs,
            rows,
            _lease: Mutex::new(lease),
        }))
    }

    /// Runs of a row, from left to right.
    pub(super) fn row(&self, y: i32) -> &[Run] {
        match usize::try_from(y) {
            Ok(y) if y + 1 < self.rows.len() => {
                &self.runs[self.rows[y] as usize..self.rows[y + 1] as usize]
            }
            _ => &[],
        }
    }

    /// Runs of a row that meet the columns from `left` to before `right`.
    pub(super) fn row_between(&self, y: i32, left: i32, right: i32) -> &[Run] {
        let row = self.row(y);
        let from = row.partition_point(|run| i32::from(run.end) <= left);
        let to = row.partition_point(|run| i32::from(run.start) < right);
        &row[from..to.max(from)]
    }
}

/// Gives the components their final numbers, and measures them.
fn number(runs: &mut [Run], rows: &[u32], parents: &mut [u32]) -> Vec<Component> {
    let mut list: Vec<Component> = Vec::new();
    // A root has a smaller number than all entries that are joined to it, so it gets its final number before those.
    for at in 0..parents.len() {
        let parent = parents[at];
        if parent == at as u32 {
            parents[at] = list.len() as u32;
            list.push(Component {
                area: Area {
                    left: i32::MAX,
                    top: i32::MAX,
                    right: 0,
                    bottom: 0,
                },
                ink: 0,
            });
        } else {
            parents[at] = parents[parent as usize];
        }
    }
    for (y, ends) in rows.windows(2).enumerate() {
        for run in &mut runs[ends[0] as usize..ends[1] as usize] {
            run.component = parents[run.component as usize];
            let component = &mut list[run.component as usize];
            component.area = component.area.with(&Area {
                left: i32::from(run.start),
                top: y as i32,
                right: i32::from(run.end),
                bottom: y as i32 + 1,
            });
            component.ink += u32::from(run.end - run.start);
        }
    }
    list
}

/// Finds the root of an entry in the union–find, and shortens the path to the root.
pub(super) fn root(parents: &mut [u32], mut at: u32) -> u32 {
    while parents[at as usize] != at {
        let next = parents[parents[at as usize] as usize];
        parents[at as usize] = next;
        at = next;
    }
    at
}
