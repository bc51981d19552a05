//! The program's allocator: the system's, which in a converter child also tells the service when nothing is left.
//! Never changes what an allocation returns.
//!
//! A child may use what its job has reserved and no more; the kernel refuses the rest. Rust ends a process whose allocation
//! fails, and a codec in C gives up, so that from outside both look like a damaged file. Here the child says how much it
//! wanted before that happens, and the service can run the job again with more. The hook that the standard library has for
//! this (`std::alloc::set_alloc_error_hook`) is not stable, and would not hear of allocations that are allowed to fail.

// An allocator cannot be written without it (`GlobalAlloc`). Each function passes its arguments on unchanged.
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

/// The system's allocator. The program names it as its global one.
#[derive(Debug, Default)]
pub struct Allocator;

/// The descriptor of the channel to the service, in a child; negative elsewhere.
static CHANNEL: AtomicI32 = AtomicI32::new(-1);

/// From here on failed allocations are reported over `channel`, which stays open as long as the process lives.
pub(crate) fn report_to(channel: i32) {
    CHANNEL.store(channel, Ordering::Relaxed);
}

/// Sends a [`Report::Exhausted`](super::channel::Report::Exhausted). Allocates nothing.
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
    // As the channel sends: the sandbox lets no other call pass. If it fails, there is nothing else to do.
    let _ = sendmsg(
        channel,
        &[IoSlice::new(&text[..len])],
        &mut SendAncillaryBuffer::default(),
        SendFlags::DONTWAIT | SendFlags::NOSIGNAL,
    );
}

fn checked(pointer: *mut u8, wanted: usize) -> *mut u8 {
    if pointer.is_null() {
        report(wanted);
    }
    pointer
}

// SAFETY: everything is done by `System`, with the caller's own arguments.
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
