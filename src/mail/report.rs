//! Delivery and disposition reports (RFC 3464 and 8098) as a table: the recipients that a mail did not reach, and the
//! reasons. Explains no status codes.

use super::html::escape;
use crate::containers::mime::Head;

/// Maximum number of recipients that are listed.
const MAX: usize = 1_000;

/// Columns of the table: title, and the fields that supply the value; the first field that is present supplies it.
const COLUMNS: [(&str, &[&str]); 4] = [
    ("Recipient", &["final-recipient", "original-recipient"]),
    ("Result", &["action", "disposition"]),
    ("Status", &["status"]),
    (
        "Reason",
        &["diagnostic-code", "failure", "error", "warning"],
    ),
];

/// Renders the recipients of a report as an HTML table. Empty if it has none.
pub(super) fn page(report: &[u8]) -> String {
    let mut rows = Vec::new();
    let mut rest = report;
    // A report consists of groups of fields with an empty line after each. The first group is about the report itself,
    // and has no recipient.
    while !rest.is_empty() && rows.len() < MAX {
        let (head, after) = Head::split(rest);
        if after.len() == rest.len() {
            break;
        }
        rest = after;
        let values = COLUMNS.map(|(_, fields)| {
            let mut values = fields.iter().map(|field| head.text(field));
            let value = values.find(|value| !value.is_empty()).unwrap_or_default();
            // A type precedes the value, as in `rfc822; a@example.org` (RFC 3464, 2.1.2).
            match value.split_once(';') {
                Some((kind, value)) if !kind.contains(' ') => value.trim().to_owned(),
                _ => value,
            }
        });
        if !values[0].is_empty() {
            rows.push(values);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    // Columns without any value are left out.
    let is_used = |column: usize| rows.iter().any(|row| !row[column].is_empty());
    let used: Vec<usize> = (0..COLUMNS.len())
        .filter(|column| is_used(*column))
        .collect();
    let mut page = String::from("<table><thead><tr>");
    for column in &used {
        page.push_str("<th>");
        page.push_str(COLUMNS[*column].0);
        page.push_str("</th>");
    }
    page.push_str("</tr></thead><tbody>");
    for row in &rows {
        page.push_str("<tr>");
        for column in &used {
            page.push_str("<td>");
            escape(&row[*column], &mut page);
            page.push_str("</td>");
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table>");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipients_become_a_table() {
        let report = "Reporting-MTA: dns; mx.example.org\r\nArrival-Date: Thu, 14 Mar 2024 10:00:00 +0100\r\n\r\n\
            Final-Recipient: rfc822; a@x.org\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 no\r\n such user\r\n\r\n\
            Final-Recipient: rfc822; b@x.org\r\nAction: delayed\r\nStatus: 4.4.1\r\n";
        assert_eq!(
            page(report.as_bytes()),
            "<table><thead><tr><th>Recipient</th><th>Result</th><th>Status</th><th>Reason</th></tr></thead><tbody>\
             <tr><td>a@x.org</td><td>failed</td><td>5.1.1</td><td>550 5.1.1 no such user</td></tr>\
             <tr><td>b@x.org</td><td>delayed</td><td>4.4.1</td><td></td></tr></tbody></table>"
        );
        let read = "Final-Recipient: rfc822; a@x\nDisposition: manual-action/MDN-sent-manually; displayed\n";
        assert!(page(read.as_bytes()).contains("<td>a@x</td><td>displayed</td>"));
        assert_eq!(page(b""), "");
        assert_eq!(page(b"\n\n\nx"), "");
    }
}
