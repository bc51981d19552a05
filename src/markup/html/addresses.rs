//! Addresses of files: their parts, and relative addresses resolved against a base (RFC 3986, 5.2). Fetches nothing.

/// An address without query, fragment, and leading `./`.
pub fn plain_address(address: &str) -> &str {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    address.trim_start_matches("./")
}

/// Resolves a relative address in a file at `base`, which is a path or an address with its scheme (RFC 3986, 5.2). A
/// fragment or query alone, and an address with a scheme of its own, are returned unchanged. An address that begins
/// with a slash is returned unchanged if `base` is a path.
pub fn joined(base: &str, address: &str) -> String {
    let first = address.split('/').next().unwrap_or_default();
    let is_whole = address.starts_with(['#', '?']) || first.contains(':');
    let base = base.split(['?', '#']).next().unwrap_or_default();
    let (root, path) = base.split_at(root_len(base));
    let folder = path.rsplit_once('/').map(|(folder, _)| folder);
    let (folder, address) = match (folder, address.strip_prefix('/')) {
        _ if is_whole => return address.to_owned(),
        (_, Some(_)) | (None, None) if root.is_empty() => return address.to_owned(),
        // Another host with the same scheme.
        (_, Some(rest)) if rest.starts_with('/') => {
            let scheme = root.split('/').next().unwrap_or_default();
            return format!("{scheme}{address}");
        }
        (_, Some(rest)) => ("", rest),
        (folder, None) => (folder.unwrap_or_default(), address),
    };
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in address.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            // Nothing is above the root of a host.
            ".." if !root.is_empty() => {}
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}

/// Length of the scheme and the host in front of a path, such as `https://host`. Zero for a path alone.
pub(super) fn root_len(address: &str) -> usize {
    match address.split_once("://") {
        Some((scheme, rest)) if !scheme.contains('/') => {
            scheme.len() + 3 + rest.find('/').unwrap_or(rest.len())
        }
        _ => 0,
    }
}
