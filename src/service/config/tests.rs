//! Values as operators write them, and the configuration that results.

use super::{
    values::{bytes, is_origin},
    *,
};

#[test]
fn sizes_are_read_as_people_write_them() {
    #[track_caller]
    fn check(text: &str, expected: Option<u64>) {
        assert_eq!(bytes(text), expected, "{text:?}");
    }
    check("0", Some(0));
    check("1048576", Some(1 << 20));
    check("512K", Some(512 << 10));
    check("100m", Some(100 << 20));
    check("2GiB", Some(2 << 30));
    check("", None);
    check("-1", None);
    check("1.5M", None);
    check("99999999999999999999G", None);
    check("17179869184G", None);
}

#[test]
fn origins_are_what_browsers_send() {
    for good in [
        "*",
        "https://app.example",
        "http://[::1]:8080",
        "moz-extension://a-b",
    ] {
        assert!(is_origin(good), "{good}");
    }
    for bad in [
        "",
        "foo",
        "https://",
        "https://a.example/",
        "a.example:80",
        "://x",
    ] {
        assert!(!is_origin(bad), "{bad}");
    }
}

#[test]
fn every_option_is_a_flag_and_a_variable() {
    for option in OPTIONS {
        let derived = format!("CONVERTD_{}", option.flag.to_uppercase().replace('-', "_"));
        assert!(
            option.env == derived || option.env == format!("{derived}_FILE"),
            "{}",
            option.env
        );
    }
}

#[test]
fn a_wrong_value_is_named() {
    let mut config = Config::new();
    let error = config.set("workers", "0").unwrap_err();
    assert_eq!(
        error.message(),
        "--workers is \"0\"; it must be a number from 1 to 4096"
    );
    assert!(!config.set("wrokers", "1").unwrap());
    let environment = |name: &str| (name == "CONVERTD_LISTEN").then(|| OsString::from("nowhere"));
    assert!(
        config
            .read_environment(environment)
            .unwrap_err()
            .message()
            .starts_with("CONVERTD_LISTEN")
    );
}

#[test]
fn keys_come_from_the_environment() {
    let mut config = Config::new();
    config
        .read_environment(|name| (name == "CONVERTD_API_KEYS").then(|| "a,b".into()))
        .unwrap();
    assert_eq!(format!("{:?}", config.keys), "2 keys");
}
