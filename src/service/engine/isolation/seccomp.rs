//! The filter of system calls (seccomp(2)) of a converter child. Calls that are not on the list fail with EPERM.
//!
//! Architectures number calls differently, and have different calls: on 32-bit ARM, `mmap` is `mmap2`, and calls with a
//! time or a position exist twice, for 32 and for 64 bits. A call that is missing from the list is noticed only on an
//! architecture that uses it, so `make machine` boots another architecture's kernel and runs the examples on it.

#[cfg(not(target_arch = "arm"))]
use libc::{SYS_fcntl, SYS_mmap};
#[cfg(target_arch = "arm")]
use libc::{SYS_fcntl64 as SYS_fcntl, SYS_mmap2 as SYS_mmap};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};
use std::collections::BTreeMap;

/// Calls that a codec needs and that give no new rights: they concern open files and sockets, memory, threads and time.
const ALLOWED: &[libc::c_long] = &[
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fstat,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_lseek,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_recvmsg,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_sendmsg,
    libc::SYS_set_robust_list,
    libc::SYS_sigaltstack,
    libc::SYS_write,
    libc::SYS_writev,
    #[cfg(any(target_arch = "x86_64", target_arch = "arm"))]
    libc::SYS_poll,
    #[cfg(not(target_arch = "arm"))]
    libc::SYS_fadvise64,
    #[cfg(not(target_arch = "arm"))]
    libc::SYS_ftruncate,
    #[cfg(target_arch = "arm")]
    libc::SYS_arm_fadvise64_64,
    #[cfg(target_arch = "arm")]
    libc::SYS_fstat64,
    #[cfg(target_arch = "arm")]
    libc::SYS_ftruncate64,
    #[cfg(target_arch = "arm")]
    libc::SYS__llseek,
];

/// The calls of 32-bit systems that have times in 64 bits: `clock_gettime64`, `clock_getres_time64`,
/// `clock_nanosleep_time64`, `ppoll_time64` and `futex_time64`, which `libc` does not name (asm-generic/unistd.h, the
/// same on all architectures).
#[cfg(target_arch = "arm")]
const WITH_64_BIT_TIMES: [i64; 5] = [403, 406, 407, 414, 422];

/// Error of the library's functions.
type Failed = Box<dyn std::error::Error>;

/// Sets the filters for this thread, and for those that it starts. Returns whether they are in force.
pub(super) fn enter() -> bool {
    let apply = || -> Result<(), Failed> {
        // `clone3` has its flags in memory, which a filter cannot read. ENOSYS makes the C library use `clone` instead.
        let no_clone3 = compile(
            BTreeMap::from([(number(libc::SYS_clone3), Vec::new())]),
            SeccompAction::Allow,
            SeccompAction::Errno(libc::ENOSYS as u32),
        )?;
        let allowed = compile(
            allowed()?,
            SeccompAction::Errno(libc::EPERM as u32),
            SeccompAction::Allow,
        )?;
        apply_filter(&no_clone3)?;
        apply_filter(&allowed)?;
        Ok(())
    };
    apply().is_ok()
}

/// Returns whether a call is allowed, perhaps only with certain arguments.
#[cfg(test)]
pub(super) fn knows(call: libc::c_long) -> bool {
    allowed().is_ok_and(|allowed| allowed.contains_key(&number(call)))
}

/// The calls that are allowed, some of them with certain arguments only.
fn allowed() -> Result<BTreeMap<i64, Vec<SeccompRule>>, Failed> {
    let mut allowed: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED
        .iter()
        .map(|&call| (number(call), Vec::new()))
        .collect();
    #[cfg(target_arch = "arm")]
    allowed.extend(WITH_64_BIT_TIMES.map(|call| (call, Vec::new())));
    // `clone3` passes this filter, because the filter `no_clone3` in [`enter`] refuses it with another error.
    allowed.insert(number(libc::SYS_clone3), Vec::new());
    // `clone` may start threads, but no processes.
    let flag = libc::CLONE_THREAD as u64;
    let is_thread = masked(0, SeccompCmpArgLen::Qword, flag, flag)?;
    allowed.insert(number(libc::SYS_clone), vec![is_thread]);
    // Names for threads and for memory areas give no rights.
    let names = only(0, &[libc::PR_SET_NAME, libc::PR_SET_VMA])?;
    allowed.insert(number(libc::SYS_prctl), names);
    // `prlimit64` may read the limits of this process (the new limit is null), but set none.
    let null = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
    let own = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, 0)?;
    let asks = SeccompRule::new(vec![own, null])?;
    allowed.insert(number(libc::SYS_prlimit64), vec![asks]);
    // RLIMIT_DATA counts neither shared memory nor stacks. So a shared mapping must be of a file, and no mapping may
    // grow down like a stack.
    let without = |flags: libc::c_int| masked(3, SeccompCmpArgLen::Dword, flags as u64, 0);
    let counted = vec![
        without(libc::MAP_SHARED | libc::MAP_GROWSDOWN)?,
        without(libc::MAP_ANONYMOUS | libc::MAP_GROWSDOWN)?,
    ];
    allowed.insert(number(SYS_mmap), counted);
    // Signals must not reach other processes of the same user, above all the service. That includes signals that the
    // kernel would send on behalf of this process (F_SETOWN, F_SETSIG).
    let own = only(0, &[libc::pid_t::try_from(std::process::id())?])?;
    allowed.insert(number(libc::SYS_tgkill), own);
    let harmless = [
        libc::F_DUPFD_CLOEXEC,
        libc::F_GETFD,
        libc::F_SETFD,
        libc::F_GETFL,
    ];
    allowed.insert(number(SYS_fcntl), only(1, &harmless)?);
    Ok(allowed)
}

/// Rules that allow a call only if its argument number `index` is one of `values`.
fn only(index: u8, values: &[libc::c_int]) -> Result<Vec<SeccompRule>, Failed> {
    let rule = |&value: &libc::c_int| {
        let equal = SeccompCmpOp::Eq;
        let is = SeccompCondition::new(index, SeccompCmpArgLen::Dword, equal, value as u64)?;
        Ok(SeccompRule::new(vec![is])?)
    };
    values.iter().map(rule).collect()
}

/// A rule that allows a call only if its argument number `index`, after a bitwise AND with `mask`, equals `bits`.
fn masked(index: u8, len: SeccompCmpArgLen, mask: u64, bits: u64) -> Result<SeccompRule, Failed> {
    let has = SeccompCondition::new(index, len, SeccompCmpOp::MaskedEq(mask), bits)?;
    Ok(SeccompRule::new(vec![has])?)
}

/// The number of a call in the library's type, which is wider than the system's on 32-bit systems.
#[allow(clippy::unnecessary_cast)]
const fn number(call: libc::c_long) -> i64 {
    call as i64
}

/// The kernel's number for x86-64 (linux/audit.h).
const AUDIT_ARCH_X86_64: u32 = 62 | 0xC000_0000;
/// The kernel's number for little-endian 32-bit ARM (linux/audit.h).
const AUDIT_ARCH_ARM: u32 = 40 | 0x4000_0000;

/// Compiles the filter program for the kernel: calls that match a rule get `action`, all others `otherwise`.
fn compile(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    action: SeccompAction,
) -> Result<BpfProgram, Failed> {
    if cfg!(not(target_arch = "arm")) {
        let here = std::env::consts::ARCH.try_into()?;
        return Ok(SeccompFilter::new(rules, otherwise, action, here)?.try_into()?);
    }
    // The library does not know 32-bit ARM. Its filters for little-endian architectures differ only in the name of the
    // architecture, which the second instruction compares: the kernel describes a call in the same way everywhere, with
    // arguments of 64 bits.
    let filter = SeccompFilter::new(rules, otherwise, action, TargetArch::x86_64)?;
    let mut program = BpfProgram::try_from(filter)?;
    match program.get_mut(1) {
        Some(compares) if compares.k == AUDIT_ARCH_X86_64 => compares.k = AUDIT_ARCH_ARM,
        _ => return Err("a filter that begins otherwise".into()),
    }
    Ok(program)
}
