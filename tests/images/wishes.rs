//! The optional fields of pictures, tested through the program: crops, rotations, size limits, qualities by number, and
//! files that are cut off.

use crate::harness::{MAGICK, directory, has, load, magick, pixels, program, psnr, scene};
use image::RgbaImage;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Outcome of a run of the program.
struct Ran {
    /// The result, if there is one.
    result: Option<Vec<u8>>,
    /// The text on standard error: notes, or an error.
    said: String,
}

/// Runs `convertd convert` with these options.
fn run(at: &Path, input: &Path, to: &str, quality: &str, options: &[&str]) -> Ran {
    let output = at.join("result").with_extension(to);
    let _ = fs::remove_file(&output);
    let mut command = Command::new(program());
    command.arg("convert").args([input, &output]);
    command.args(["--quality", quality]);
    for option in options {
        command.args(["--option", option]);
    }
    let ran = command.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.success(), output.exists(), "{said}");
    assert!(ran.status.code().is_some(), "{said}");
    Ran {
        result: fs::read(&output).ok(),
        said,
    }
}

/// The result, which must exist.
#[track_caller]
fn made(at: &Path, input: &Path, to: &str, quality: &str, options: &[&str]) -> Vec<u8> {
    let ran = run(at, input, to, quality, options);
    ran.result
        .unwrap_or_else(|| panic!("{} {options:?}: {}", input.display(), ran.said))
}

#[test]
fn crops_and_rotations_equal_those_of_imagemagick() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("parts");
    let scene = scene(&at, "203x155");
    // A photograph that is stored sideways.
    let tagged = at.join("tagged.jpg").display().to_string();
    magick(&[&scene, "-orient", "right-top", "-quality", "100", &tagged]);
    let palette = at.join("palette.gif").display().to_string();
    magick(&[&scene, "-colors", "200", &palette]);
    let check = |file: &str, options: &[&str], theirs: &[&str], least: f64| {
        let reference = at.join("reference.png").display().to_string();
        let mut arguments = vec![file, "-auto-orient"];
        arguments.extend(theirs);
        arguments.extend(["+repage", "-depth", "8", "-strip"]);
        let reference = format!("png32:{reference}");
        arguments.push(&reference);
        magick(&arguments);
        let ours = pixels(&made(&at, Path::new(file), "png", "low", options));
        let found = psnr(&ours, &load(&at.join("reference.png")).to_rgba8());
        assert!(found >= least, "{file} {options:?}: {found} dB");
    };
    for (file, least) in [
        (&scene, f64::INFINITY),
        (&palette, f64::INFINITY),
        (&tagged, 40.0),
    ] {
        check(file, &["rotate=90"], &["-rotate", "90"], least);
        check(file, &["rotate=270"], &["-rotate", "270"], least);
        check(
            file,
            &["crop=60x40+21+13"],
            &["-crop", "60x40+21+13"],
            least,
        );
        check(
            file,
            &["rotate=180", "crop=50x70+31+9"],
            &["-rotate", "180", "-crop", "50x70+31+9"],
            least,
        );
    }
    // Cropping comes before resizing.
    let ours = made(
        &at,
        Path::new(&scene),
        "png",
        "low",
        &["crop=100x50+0+0", "width=50"],
    );
    assert_eq!(pixels(&ours).dimensions(), (50, 25));
    let ran = run(&at, Path::new(&scene), "png", "low", &["crop=9x9+200+0"]);
    let says = "crop is 9x9+200+0; it must lie within the picture, which has 203 × 155 pixels";
    assert!(ran.said.contains(says), "{}", ran.said);
    for wrong in ["crop=9x9", "crop=0x9+0+0", "rotate=45"] {
        let ran = run(&at, Path::new(&scene), "png", "low", &[wrong]);
        assert!(ran.result.is_none(), "{wrong}");
        assert!(ran.said.contains("must be"), "{wrong}: {}", ran.said);
    }
    fs::remove_dir_all(at).unwrap();
}

#[test]
fn frames_are_rotated_and_cropped() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("frames");
    let file = at.join("moving.gif");
    let path = file.display().to_string();
    magick(&[
        "-size",
        "40x30",
        "-delay",
        "10",
        "gradient:red-blue",
        "gradient:lime-black",
        &path,
    ]);
    let fields = ["rotate=90", "crop=20x30+5+6"];
    let moving = at.join("turned.gif");
    fs::write(&moving, made(&at, &file, "gif", "low", &fields)).unwrap();
    for frame in 0..2 {
        let theirs = at.join("theirs.png");
        magick(&[
            &format!("{path}[{frame}]"),
            "-rotate",
            "90",
            "-crop",
            "20x30+5+6",
            "+repage",
            &format!("png32:{}", theirs.display()),
        ]);
        let ours = at.join("ours.png");
        magick(&[
            &moving.display().to_string(),
            "-coalesce",
            &format!("png32:{}", at.join("ours-%d.png").display()),
        ]);
        fs::rename(at.join(format!("ours-{frame}.png")), &ours).unwrap();
        assert_eq!(load(&ours).to_rgba8(), load(&theirs).to_rgba8(), "{frame}");
    }
    let ran = run(&at, &file, "webp", "low", &["max_size=9999"]);
    assert!(ran.said.contains("animation"), "{}", ran.said);
    fs::remove_dir_all(at).unwrap();
}

#[test]
fn results_are_near_max_size() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("sizes");
    let scene = scene(&at, "120x90");
    let scene = Path::new(&scene);
    let original = load(scene).to_rgba8();
    let targets: &[&str] = &[
        "jpg",
        #[cfg(feature = "libwebp")]
        "webp",
        #[cfg(feature = "avif")]
        "avif",
    ];
    for to in targets {
        let sizes = [40, 75].map(|quality| made(&at, scene, to, &quality.to_string(), &[]).len());
        for limit in sizes {
            let ran = run(&at, scene, to, "low", &[&format!("max_size={limit}")]);
            let found = ran.result.unwrap_or_else(|| panic!("{to}: {}", ran.said));
            assert!(found.len() <= limit, "{to}: {} of {limit}", found.len());
            assert!(
                found.len() * 10 >= limit * 8,
                "{to}: {} of {limit}",
                found.len()
            );
            assert!(ran.said.contains("is the best that fits"), "{}", ran.said);
        }
        let ran = run(&at, scene, to, "low", &["max_size=40"]);
        let least = ran
            .said
            .split("takes ")
            .nth(1)
            .unwrap_or_else(|| panic!("{}", ran.said));
        let least: usize = least.split(' ').next().unwrap().parse().unwrap();
        let ran = run(&at, scene, to, "low", &[&format!("max_size={least}")]);
        let found = ran.result.unwrap_or_else(|| panic!("{to}: {}", ran.said));
        let len = found.len();
        match ran.said.contains("Quality 1 is the best that fits") {
            true => assert_eq!(len, least, "{to}"),
            // A quality in between may be some bytes smaller than the lowest one.
            false => assert!(
                len <= least && len * 10 >= least * 9,
                "{to}: {len} of {least}"
            ),
        }
    }
    // A limit with more room than `high` needs gives more than `high`.
    let found = made(&at, scene, "jpg", "low", &["max_size=10000000"]);
    assert!(
        psnr(&pixels(&found), &original)
            > psnr(&pixels(&made(&at, scene, "jpg", "high", &[])), &original)
    );
    fs::remove_dir_all(at).unwrap();
}

#[test]
fn qualities_follow_the_scale_of_libjpeg() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("qualities");
    let scene = scene(&at, "400x300");
    let scene = Path::new(&scene);
    let original = load(scene).to_rgba8();
    let mut before = (0, 0.0);
    for quality in ["1", "30", "60", "82", "100"] {
        let ours = made(&at, scene, "jpg", quality, &[]);
        let path = at.join("usual.jpg");
        // The same number with the tables of the Independent JPEG Group is not better, and takes more bytes.
        let sampling = if quality == "100" { "1x1" } else { "2x2" };
        let usual = Command::new(MAGICK)
            .arg(scene)
            .args(["-sampling-factor", sampling, "-quality", quality])
            .arg(&path)
            .output()
            .unwrap();
        assert!(usual.status.success());
        let usual = fs::read(&path).unwrap();
        let better = psnr(&pixels(&ours), &original) - psnr(&pixels(&usual), &original);
        let bytes = ours.len() as f64 / usual.len() as f64;
        assert!(
            bytes < 1.0 && better > -0.1,
            "{quality}: {bytes:.3} of the bytes, {better:.2} dB"
        );
        let now = (ours.len(), psnr(&pixels(&ours), &original));
        assert!(
            now.0 > before.0 && now.1 > before.1,
            "{quality}: {now:?}, {before:?}"
        );
        before = now;
    }
    for (level, number) in [("low", "60"), ("medium", "82"), ("high", "92")] {
        let same = made(&at, scene, "jpg", level, &[]) == made(&at, scene, "jpg", number, &[]);
        assert!(same, "{level}");
    }
    // For formats without a scale of qualities, a number selects the nearest level.
    let same = made(&at, scene, "png", "100", &[]) == made(&at, scene, "png", "high", &[]);
    assert!(same);
    for wrong in ["0", "101", "best"] {
        let ran = run(&at, scene, "jpg", wrong, &[]);
        assert!(ran.said.contains("from 1 to 100"), "{}", ran.said);
    }
    fs::remove_dir_all(at).unwrap();
}

/// Number of rows that are as in the original, and number of grey rows.
fn rows_like(found: &RgbaImage, original: &RgbaImage) -> (usize, usize) {
    let far =
        |a: &image::Rgba<u8>, b: &image::Rgba<u8>| (0..3).any(|at| a[at].abs_diff(b[at]) > 40);
    let rows = || found.rows().zip(original.rows());
    let alike = rows().filter(|(found, original)| {
        let wrong = found
            .clone()
            .zip(original.clone())
            .filter(|(a, b)| far(a, b));
        wrong.count() * 50 < original.len()
    });
    let grey = found
        .rows()
        .filter(|row| row.clone().all(|pixel| pixel.0 == [128, 128, 128, 255]));
    (alike.count(), grey.count())
}

#[test]
fn truncated_files_are_kept_on_request() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("cut");
    let scene = scene(&at, "300x240");
    let check = |name: &str, arguments: &[&str]| {
        let file = at.join(name);
        let path = file.display().to_string();
        let mut write = vec![&scene[..]];
        write.extend(arguments);
        write.push(&path);
        magick(&write);
        let reference = at.join("reference.png");
        magick(&[
            &path,
            "-depth",
            "8",
            &format!("png32:{}", reference.display()),
        ]);
        let whole = fs::read(&file).unwrap();
        let original = load(&reference).to_rgba8();
        let ran = run(&at, &file, "png", "low", &["damaged=keep"]);
        assert!(!ran.said.contains("damaged"), "{name}: {}", ran.said);
        assert!(
            psnr(&pixels(&ran.result.unwrap()), &original) > 30.0,
            "{name}"
        );

        fs::write(&file, &whole[..whole.len() * 6 / 10]).unwrap();
        let ran = run(&at, &file, "png", "low", &[]);
        assert!(ran.result.is_none(), "{name}");
        let ran = run(&at, &file, "png", "low", &["damaged=keep"]);
        let found = ran.result.unwrap_or_else(|| panic!("{name}: {}", ran.said));
        assert!(
            ran.said.contains("The file is damaged"),
            "{name}: {}",
            ran.said
        );
        let (alike, grey) = rows_like(&pixels(&found), &original);
        assert!(
            alike >= 60,
            "{name}: {alike} rows of 240 are right, {grey} are grey"
        );
        assert!(
            alike + grey >= 220,
            "{name}: {alike} rows are right, {grey} are grey"
        );
        // A crop to rows that exist gives no note.
        if !name.ends_with("bmp") {
            let ran = run(
                &at,
                &file,
                "png",
                "low",
                &["damaged=keep", "crop=300x40+0+0"],
            );
            assert!(!ran.said.contains("damaged"), "{name}: {}", ran.said);
        }
        fs::write(&file, &whole[..whole.len().min(60)]).unwrap();
        let ran = run(&at, &file, "png", "low", &["damaged=keep"]);
        assert!(ran.result.is_none(), "{name}");
    };
    check("baseline.jpg", &["-quality", "90"]);
    check("rows.png", &[]);
    check(
        "palette.png",
        &["-colors", "200", "-define", "png:color-type=3"],
    );
    check("plain.gif", &[]);
    check("lossy.webp", &["-quality", "90"]);
    check("lossless.webp", &["-define", "webp:lossless=true"]);
    check("upwards.bmp", &["-type", "TrueColor"]);
    check("runs.bmp", &["-colors", "200", "-compress", "RLE"]);
    fs::remove_dir_all(at).unwrap();
}

/// The directory comes before the strips, as in files of some programs. ImageMagick writes it after the strips, where a
/// cut would remove it.
#[test]
fn strips_of_a_truncated_tiff_are_kept() {
    let at = directory("strips");
    let (width, height, rows) = (40u32, 60u32, 10u32);
    let strips = height / rows;
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    let entries: [(u16, u16, u32, u32); 8] = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, 1, 8),
        (259, 3, 1, 1),
        (262, 3, 1, 1),
        (273, 4, strips, 8 + 2 + 8 * 12 + 4),
        (278, 4, 1, rows),
        (279, 4, strips, 8 + 2 + 8 * 12 + 4 + 4 * strips),
    ];
    file.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in entries {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(count.to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    let first = file.len() as u32 + 8 * strips;
    (0..strips).for_each(|strip| file.extend((first + strip * rows * width).to_le_bytes()));
    (0..strips).for_each(|_| file.extend((rows * width).to_le_bytes()));
    (0..height).for_each(|y| file.extend(vec![4 * y as u8; width as usize]));
    let path: PathBuf = at.join("strips.tiff");
    fs::write(&path, &file[..first as usize + 35 * width as usize]).unwrap();
    assert!(run(&at, &path, "png", "low", &[]).result.is_none());
    let ran = run(&at, &path, "png", "low", &["damaged=keep"]);
    assert!(
        ran.said.contains("30 rows of pixels could not be decoded"),
        "{}",
        ran.said
    );
    let found = pixels(&ran.result.unwrap());
    for y in 0..height {
        let expected = if y < 30 { 4 * y as u8 } else { 128 };
        assert_eq!(found.get_pixel(7, y)[0], expected, "{y}");
    }
    fs::remove_dir_all(at).unwrap();
}

#[test]
fn missing_frames_repeat_the_previous_one() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("missing");
    let file = at.join("moving.gif");
    let path = file.display().to_string();
    magick(&[
        "-size",
        "120x90",
        "-delay",
        "10",
        "-seed",
        "3",
        "plasma:red-blue",
        "plasma:lime-black",
        "plasma:yellow-navy",
        &path,
    ]);
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 2000]).unwrap();
    for to in ["gif", "apng"] {
        assert!(run(&at, &file, to, "low", &[]).result.is_none(), "{to}");
        let ran = run(&at, &file, to, "low", &["damaged=keep"]);
        assert!(
            ran.said.contains("one frame could not be decoded"),
            "{to}: {}",
            ran.said
        );
    }
    fs::remove_dir_all(at).unwrap();
}
