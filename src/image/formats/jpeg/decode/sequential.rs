//! Decodes scans of sequential JPEG with Huffman codes (T.81, F.2.2) to coefficients: for samples of 12 bits, and for
//! the comparison of two files. Otherwise, pictures with 8 bits are decoded row by row without storing coefficients:
//! see [`rows`](super::rows).

use super::{bits::Bits, held::Held, scan::Scan, scans::Order, structure::Structure};

/// Decodes a scan. The error is the row of MCUs in which the scan is damaged.
pub(super) fn decode(
    scan: &Scan,
    data: &[u8],
    structure: &Structure,
    all: &mut [Held],
) -> Result<(), usize> {
    let components: Vec<usize> = scan.parts.iter().map(|part| part.component).collect();
    let order = Order::of(structure, &components);
    let mut bits = Bits::starting(data, 0);
    let mut predictions = [0i32; 4];
    let mut since = 0;
    for y in 0..order.down {
        let row = y / order.rows;
        for x in 0..order.across {
            if scan.restart > 0 && since == scan.restart {
                if !bits.restart() {
                    return Err(row);
                }
                (predictions, since) = ([0; 4], 0);
            }
            since += 1;
            for (part, &(h, v)) in scan.parts.iter().zip(&order.units) {
                let held = &mut all[part.component];
                let prediction = &mut predictions[part.component];
                for block_y in y * v..(y + 1) * v {
                    for block_x in x * h..(x + 1) * h {
                        let mut block = held.block(block_y * held.across + block_x);
                        let put = |at, value| block.set(at, value as i16);
                        let difference = bits.block(&part.dc, &part.ac, 64, put).ok_or(row)?;
                        *prediction = prediction.wrapping_add(difference);
                        *held.dc(block_y * held.across + block_x) = *prediction as i16;
                    }
                }
            }
        }
        if bits.overran() {
            return Err(row);
        }
    }
    Ok(())
}
