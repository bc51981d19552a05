// Remedies for files that fail: the password of a locked file, the undamaged part of a damaged one, OCR for a scan.
// Converts nothing itself.

import { button, make } from "./element.js";
import { languageOptions } from "./fields.js";
import { format, isTarget, languages, takes } from "./settings.js";
import { t } from "./text.js";

/** Targets that OCR is offered for. */
const READ = ["pdf", "txt", "docx"];
/** Bytes that are examined at the beginning of a file and at its end. */
const MAX = 4e6;
/** Least width of a scanned page in pixels, and range of height divided by width: letter and A4, cropped or not. */
const ACROSS = 1000;
const LENGTHS = [1.2, 1.6];
/** Side of the reduced picture in pixels, and least share of paper in it. Paper is light and almost grey. */
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

/** Controls that start OCR for a scan; empty for other files. */
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

/** Returns whether a PDF has pictures and no font. False if it has object streams, which may hide fonts. */
async function isScan(file) {
	const parts = new Blob([file.slice(0, MAX), file.slice(Math.max(MAX, file.size - MAX))]);
	const text = new TextDecoder("latin1").decode(await parts.arrayBuffer());
	return /\/Subtype\s*\/Image\b/.test(text) && !/\/Font\b|\/ObjStm\b/.test(text);
}

/** Returns whether a picture is shaped like a page and mostly paper. Fails if this browser cannot show it. */
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
