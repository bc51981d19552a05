//! The program's global allocator: the system's, which in a converter child also reports failed allocations to the
//! service. Never changes the result of an allocation.
//!
//! A child may use only the memory that its job has reserved; the kernel refuses the rest. When an allocation fails,
//! Rust aborts the process and a codec in C gives up, and from outside both look like a damaged file. This allocator
//! therefore sends the size of the failed allocation first, so that the service can run the job again with more memory.
//! The standard library's hook for this (`std::alloc::set_alloc_error_hook`) is unstable, and it is not called for
//! fallible allocations such as `Vec::try_reserve`.
//!
//! The trap: code that runs because memory is exhausted must not allocate. The report is formatted in a buffer on the
//! stack.

// `GlobalAlloc` is an unsafe trait, so an allocator needs unsafe code. Each function passes its arguments on unchanged.
#![allow(unsafe_code)]

use rustix::{
    fd::BorrowedFd,
    net::{SendAncillaryBuffer, SendFlags, sendmsg},
};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::{IoSlice, Write},
    sync::atomic::{AtomicI32, Ordering},
};

/// The system's allocator, with reports. `main.rs` declares it as the `#[global_allocator]`.
#[derive(Debug, Default)]
pub struct Allocator;

/// In a child, the file descriptor of the channel to the service; negative in any other process.
static CHANNEL: AtomicI32 = AtomicI32::new(-1);

/// Reports failed allocations over `channel` from now on. The descriptor must stay open as long as the process lives.
pub(crate) fn report_to(channel: i32) {
    CHANNEL.store(channel, Ordering::Relaxed);
}

/// Sends a [`Report::Exhausted`](super::channel::Report::Exhausted) for an allocation of `wanted` bytes. Allocates
/// nothing.
#[cold]
fn report(wanted: usize) {
    let channel = CHANNEL.load(Ordering::Relaxed);
    if channel < 0 {
        return;
    }
    let mut text = [0; 64];
    let mut rest = &mut text[..];
    if write!(rest, "{{\"Exhausted\":{{\"wanted\":{wanted}}}}}").is_err() {
        return;
    }
    let len = 64 - rest.len();
    // SAFETY: the channel is standard input, which a child never closes.
    let channel = unsafe { BorrowedFd::borrow_raw(channel) };
    // `sendmsg`, as in `Channel`, because the sandbox forbids `send`. An error is ignored, because it cannot be
    // reported.
    let _ = sendmsg(
        channel,
        &[IoSlice::new(&text[..len])],
        &mut SendAncillaryBuffer::default(),
        SendFlags::DONTWAIT | SendFlags::NOSIGNAL,
    );
}

/// Returns the pointer, and reports the allocation if it failed.
fn checked(pointer: *mut u8, wanted: usize) -> *mut u8 {
    if pointer.is_null() {
        report(wanted);
    }
    pointer
}

// SAFETY: every call is passed on to `System` with the caller's own arguments.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        checked(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}
