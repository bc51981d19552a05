//! The page at `/` in browsers, and the answers there to shells and proxies.

mod answers;
mod browser;
mod manual;
