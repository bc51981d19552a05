//! The filter of system calls (seccomp(2)) of a converter child. Calls that are not on the list fail with EPERM.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};
use std::collections::BTreeMap;

/// Calls that a codec needs, and that give no new rights: on open files and sockets, memory, threads and time.
const ALLOWED: &[libc::c_long] = &[
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fadvise64,
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
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
];

pub(super) fn enter() -> bool {
    let apply = || -> Result<(), Box<dyn std::error::Error>> {
        // `clone3` has its flags in memory, which a filter cannot read. ENOSYS makes the C library use `clone` instead.
        let no_clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
        let no_clone3 = compile(
            no_clone3,
            SeccompAction::Allow,
            SeccompAction::Errno(libc::ENOSYS as u32),
        )?;
        let mut allowed: BTreeMap<i64, Vec<SeccompRule>> =
            ALLOWED.iter().map(|&call| (call, Vec::new())).collect();
        allowed.insert(libc::SYS_clone3, Vec::new());
        // `clone` may start threads, but no processes.
        let flag = libc::CLONE_THREAD as u64;
        let thread = SeccompCondition::new(
            0,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::MaskedEq(flag),
            flag,
        )?;
        allowed.insert(libc::SYS_clone, vec![SeccompRule::new(vec![thread])?]);
        // Rules that allow a call only if its argument number `index` is one of `values`.
        let only = |index, values: &[libc::c_int]| {
            let rule = |&value: &libc::c_int| {
                let equal = SeccompCmpOp::Eq;
                let is =
                    SeccompCondition::new(index, SeccompCmpArgLen::Dword, equal, value as u64)?;
                SeccompRule::new(vec![is])
            };
            values.iter().map(rule).collect::<Result<Vec<_>, _>>()
        };
        // Names for threads and for memory areas give no rights.
        allowed.insert(
            libc::SYS_prctl,
            only(0, &[libc::PR_SET_NAME, libc::PR_SET_VMA])?,
        );
        // `prlimit64` may read the limits of this process (the new limit is null), but set none. Below, `tgkill` may signal
        // only this process, because other processes of the same user, above all the service, must be out of reach; `fcntl`
        // must not have the kernel send a signal either (F_SETOWN, F_SETSIG).
        let null = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
        let own = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, 0)?;
        let asks = SeccompRule::new(vec![own, null])?;
        allowed.insert(libc::SYS_prlimit64, vec![asks]);
        // RLIMIT_DATA counts neither shared memory nor stacks. So shared mappings must be of a file, and none may grow
        // down like a stack.
        let without = |flags: libc::c_int| {
            let none = SeccompCmpOp::MaskedEq(flags as u64);
            let condition = SeccompCondition::new(3, SeccompCmpArgLen::Dword, none, 0)?;
            SeccompRule::new(vec![condition])
        };
        let counted = [
            without(libc::MAP_SHARED | libc::MAP_GROWSDOWN)?,
            without(libc::MAP_ANONYMOUS | libc::MAP_GROWSDOWN)?,
        ];
        allowed.insert(libc::SYS_mmap, counted.into());
        allowed.insert(
            libc::SYS_tgkill,
            only(0, &[libc::pid_t::try_from(std::process::id())?])?,
        );
        let harmless = [
            libc::F_DUPFD_CLOEXEC,
            libc::F_GETFD,
            libc::F_SETFD,
            libc::F_GETFL,
        ];
        allowed.insert(libc::SYS_fcntl, only(1, &harmless)?);
        let allowed = compile(
            allowed,
            SeccompAction::Errno(libc::EPERM as u32),
            SeccompAction::Allow,
        )?;
        apply_filter(&no_clone3)?;
        apply_filter(&allowed)?;
        Ok(())
    };
    apply().is_ok()
}

fn compile(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    action: SeccompAction,
) -> Result<BpfProgram, Box<dyn std::error::Error>> {
    let filter = SeccompFilter::new(rules, otherwise, action, std::env::consts::ARCH.try_into()?)?;
    Ok(filter.try_into()?)
}
