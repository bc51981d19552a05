//! Passwords and permissions of a PDF in Gotenberg's fields. Encrypts nothing.

use super::super::fields::Fields;

/// Encryption of a PDF.
pub(in crate::api::compat::gotenberg) struct Lock {
    pub(super) user: String,
    pub(super) owner: String,
    /// Permissions of readers, if they are limited.
    pub(super) permissions: Option<String>,
}

/// Reads the fields for encryption and permissions.
pub(super) fn lock(fields: &mut Fields<'_>) -> Option<Lock> {
    /// Gotenberg's permission fields, with the words of the engine's option.
    const ALLOWED: [(&str, &str); 6] = [
        ("allowPrinting", "print"),
        ("allowCopying", "copy"),
        ("allowModifying", "edit"),
        ("allowAnnotating", "comment"),
        ("allowFillingForms", "fill"),
        ("allowAssembling", "assemble"),
    ];
    let allowed = ALLOWED.map(|(name, word)| (word, fields.flag(name, true)));
    let [user, owner] = ["userPassword", "ownerPassword"].map(|name| fields.text(name));
    if user.is_none() && owner.is_none() {
        return None;
    }
    let [user, owner] = [user, owner].map(|password| password.map(str::to_owned));
    Some(Lock::of(user, owner, &|word| {
        allowed.iter().any(|(known, may)| *known == word && *may)
    }))
}

impl Lock {
    /// Makes the lock. `may` returns whether readers have the permission with this word in the option `permissions`.
    pub(in crate::api::compat::gotenberg) fn of(
        user: Option<String>,
        owner: Option<String>,
        may: &dyn Fn(&str) -> bool,
    ) -> Self {
        const WORDS: [&str; 6] = ["print", "copy", "edit", "comment", "fill", "assemble"];
        let allowed: Vec<&str> = WORDS.into_iter().filter(|word| may(word)).collect();
        let permissions = match allowed.len() {
            len if len == WORDS.len() => None,
            0 => Some("none".to_owned()),
            _ => Some(allowed.join(",")),
        };
        Self {
            user: user.unwrap_or_default(),
            owner: owner.unwrap_or_default(),
            permissions,
        }
    }
}
