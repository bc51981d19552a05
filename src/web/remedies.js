// What helps a file on: the password of a locked one, what is left of a damaged one, the text of a scan. Converts nothing itself.

import { button, make } from "./element.js";
import { languageOptions } from "./fields.js";
import { format, isTarget, languages, takes } from "./settings.js";
import { t } from "./text.js";

/** A scan becomes one of these, read. */
const READ = ["pdf", "txt", "docx"];
/** Bytes of a file that are looked at, at its beginning and at its end. */
const MOST = 4e6;
/** A page has so many pixels across, and is so many times as long as wide: from letter to A4, with its margins cut or not. */
const ACROSS = 1000;
const LENGTHS = [1.2, 1.6];
/** Pixels that are looked at, across and down, and the part of them that is paper: at least so light, and as good as grey. */
const GRID = 64;
const PAPER = 0.7;
const [LIGHT, GREY] = [200, 24];

/** Controls after a failure, if one of its options helps. */
export function remedy(row) {
	const helps = (name, ...codes) => codes.includes(row.code) && takes(row.from, row.wanted().target, name);
	if (helps("password", "password_missing", "password_wrong")) {
		const input = make("input", { type: "password", required: true, autocomplete: "off", spellcheck: false });
		const label = make("label", {}, t("o.password"), " ", input);
		const form = make("form", { className: "ask" }, label, make("button", { className: "quiet", textContent: t("lock.open") }));
		form.onsubmit = (event) => {
			event.preventDefault();
			row.again({ password: input.value });
		};
		return [form];
	}
	const isTried = row.fields().some(([name]) => name === "damaged");
	return helps("damaged", "damaged", "unreadable") && !isTried ? [button(t("keep"), row.name, () => row.again({ damaged: "keep" }))] : [];
}

/** Controls to have the text of a scan read; none for other files. */
export async function reading(row) {
	const looks = { pdf: isScan, image: isPage }[row.from === "pdf" ? "pdf" : format(row.from)?.category];
	if (!languages.length || !looks || !(await looks(row.file).catch(() => false))) return [];
	const select = make("select", {}, new Option(t("language.auto"), ""), ...languageOptions());
	const read = (target) => {
		row.choose({ target, options: { ...(target === "pdf" && { ocr: "auto" }), ...(select.value && { language: select.value }) } });
		mark();
	};
	const buttons = READ.filter((name) => isTarget(row.from, name)).map((name) => {
		const one = button(name === "pdf" ? t("scan.pdf") : name, row.name, () => read(name));
		one.dataset.name = name;
		return one;
	});
	const mark = () => {
		for (const one of buttons) one.ariaPressed = String(row.own?.target === one.dataset.name);
	};
	mark();
	select.onchange = () => row.own && read(row.own.target);
	return [make("span", { textContent: t("scan") }), ...buttons, make("label", {}, t("o.language"), " ", select)];
}

/** Whether a PDF has pictures and no font. One whose objects are packed keeps that to itself. */
async function isScan(file) {
	const parts = new Blob([file.slice(0, MOST), file.slice(Math.max(MOST, file.size - MOST))]);
	const text = new TextDecoder("latin1").decode(await parts.arrayBuffer());
	return /\/Subtype\s*\/Image\b/.test(text) && !/\/Font\b|\/ObjStm\b/.test(text);
}

/** Whether a picture is shaped like a page and mostly paper. Fails for one that this browser does not show. */
async function isPage(file) {
	const picture = await createImageBitmap(file);
	const [short, long] = [picture.width, picture.height].sort((a, b) => a - b);
	if (short < ACROSS || long / short < LENGTHS[0] || long / short > LENGTHS[1]) return false;
	const context = new OffscreenCanvas(GRID, GRID).getContext("2d");
	context.drawImage(picture, 0, 0, GRID, GRID);
	const { data } = context.getImageData(0, 0, GRID, GRID);
	let paper = 0;
	for (let at = 0; at < data.length; at += 4) {
		const colours = data.subarray(at, at + 3);
		const least = Math.min(...colours);
		if (least >= LIGHT && Math.max(...colours) - least <= GREY) paper += 1;
	}
	return paper >= PAPER * GRID * GRID;
}
