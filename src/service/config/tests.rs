//! Tests of values as operators write them, and of the resulting configuration.

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
fn each_source_of_a_list_replaces_the_one_before() {
    let path = std::env::temp_dir().join(format!(
        "convertd-{}",
        crate::id::ConversionId::random().unwrap()
    ));
    let file = "cors-origin = https://a\ncors-origin = https://b\nallow-host = a\nCONVERTD_API_KEYS = a,b\n";
    std::fs::write(&path, file).unwrap();
    let variables = |set: &'static [(&str, &str)]| {
        let mut config = Config::new();
        let of_file = ("CONVERTD_CONFIG", path.to_str().unwrap());
        config
            .read_environment(|name| {
                let mut all = set.iter().copied().chain([of_file]);
                all.find(|(known, _)| *known == name)
                    .map(|(_, value)| value.into())
            })
            .unwrap();
        config
    };
    let config = variables(&[]);
    assert_eq!(config.cors_origins, ["https://a", "https://b"]);
    assert!(config.keys.contains("a") && config.keys.contains("b"));
    let set = &[("CONVERTD_CORS_ORIGIN", "*"), ("CONVERTD_API_KEYS", "c,d")];
    let mut config = variables(set);
    assert_eq!(config.cors_origins, ["*"]);
    assert_eq!(config.allow_hosts, ["a"]);
    assert!(config.keys.contains("d") && !config.keys.contains("a"));
    config.empty("cors-origin");
    for origin in ["https://c", "https://d,https://e"] {
        config.set("cors-origin", origin).unwrap();
    }
    assert_eq!(config.cors_origins.len(), 3);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn keys_come_from_the_environment() {
    let mut config = Config::new();
    config
        .read_environment(|name| (name == "CONVERTD_API_KEYS").then(|| "a,b".into()))
        .unwrap();
    assert_eq!(format!("{:?}", config.keys), "2 keys");
}
