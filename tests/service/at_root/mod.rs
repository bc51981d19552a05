//! What is at `/`: the page, as browsers meet it, and what shells and proxies do.

mod answers;
mod browser;
mod manual;
