// The controls for a conversion's settings, in groups and with labels for people. Knows nothing of files.

import { make } from "./element.js";
import { languages, qualityWords, specs } from "./settings.js";
import { has, language, languageName, number, t } from "./text.js";

/** Groups of settings, in their order on the page. Settings without a group come last. */
const GROUPS = {
	picture: ["max_size", "width", "height", "fit", "crop", "rotate", "background", "dpi", "page", "lossless", "strip", "metadata"],
	sound: ["start", "duration", "bitrate", "sample_rate", "channels"],
	pages: ["pages", "rotate", "rotate_pages", "split", "page_size", "orientation", "margin", "scale", "single_page", "toc", "highlight", "pictures", "pictures_folder", "numbers", "hidden", "notes"],
	scan: ["ocr", "language", "upright", "deskew"],
	tables: ["sheet", "sheets", "values", "delimiter"],
	lock: ["password", "encrypt", "owner_password", "permissions"],
	stamp: ["stamp", "stamp_pages", "watermark", "watermark_pages"],
	about: ["title", "artist", "album", "track", "date", "genre", "info", "pdf_a"],
};
/** Values that mean the same as another of their field; they are not shown. */
const DOUBLE = { ocr: ["true", "false"], pdf_a: ["true"], delimiter: ["comma", "semicolon", "pipe"] };
/** Values that the page offers for fields that take any text. */
const CHOICES = { permissions: ["all", "print", "none"] };
const LIST_OF_PAGES = "[0-9,\\s\\-]*";
const PATTERNS = { page: "\\d+(-\\d*)?|all", pages: LIST_OF_PAGES, rotate_pages: "[0-9,:\\s\\-]*", stamp_pages: LIST_OF_PAGES, watermark_pages: LIST_OF_PAGES, crop: "\\d+x\\d+\\+\\d+\\+\\d+" };
/** Properties of a PDF: members of the JSON that the field `info` takes. */
const INFO = ["Author", "Subject", "Keywords"];
const MEGA = 1e6;

/** Low, medium and high, for targets whose quality is a number. */
const LEVELS = { jpg: [60, 82, 92], webp: [60, 80, 92], avif: [60, 80, 92], jxl: [65, 85, 92] };
const WORDS = ["low", "medium", "high"];

let count = 0;
const fresh = () => `field-${(count += 1)}`;

/** The key of a field's label. It includes the field's default or first value if the field has several meanings. */
function key(kind, spec) {
	const special = `${kind}.${spec.name}.${spec.default ?? spec.values?.[0]}`;
	return has(special) ? special : `${kind}.${spec.name}`;
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

export function label(spec) {
	const own = key("o", spec);
	return has(own) ? t(own) : sentence(spec.name.replaceAll("_", " "));
}

/** The name of a field on the page; `undefined` if there is no such field. */
export function labelOf(sources, target, name) {
	if (name === "quality") return `“${t("quality")}”`;
	const spec = specs(sources, target).find((spec) => spec.name === name);
	return spec && `“${label(spec)}”`;
}

function hint(spec) {
	const own = key("h", spec);
	if (has(own)) return t(own);
	// A field that this page does not know yet.
	return has(key("o", spec)) ? "" : `${sentence(spec.description)}.`;
}

const valueWord = (spec, value) => [`v.${spec.name}.${value}`, `v.${value}`].map((key) => has(key) && t(key)).find(Boolean) || value;

/** Draws the control for the quality: a slider if it is a number, else three words. */
export function drawQuality(place, target, quality, onChange) {
	const id = fresh();
	const levels = LEVELS[target];
	const about = make("label", { htmlFor: id, textContent: t("quality") });
	const words = language === "en" ? qualityWords(target) : "";
	const explained = make("p", { id: `${id}-hint`, className: "hint", textContent: words ? `${sentence(words)}.` : "" });
	let input;
	if (levels) {
		const shown = make("output", { htmlFor: id });
		const at = WORDS.indexOf(quality);
		input = make("input", { type: "range", min: 1, max: 100, value: at < 0 ? quality : levels[at] });
		const show = () => {
			const level = WORDS[levels.indexOf(Number(input.value))];
			shown.textContent = level ? `${number(input.value)} · ${t(level)}` : number(input.value);
			input.ariaValueText = shown.textContent;
			return level ?? input.value;
		};
		input.oninput = show;
		input.onchange = () => onChange(show());
		show();
		about.append(" ", shown);
	} else {
		input = make("select", {}, ...WORDS.map((word) => new Option(t(word), word)));
		// Use the level that is closest to the number.
		input.value = WORDS.includes(quality) ? quality : WORDS[(quality > 70) + (quality > 86)];
		input.onchange = () => onChange(input.value);
	}
	input.id = id;
	input.name = "quality";
	input.setAttribute("aria-describedby", explained.id);
	place.replaceChildren(about, input);
	return explained;
}

/** Draws a control for each optional field. Calls `onChange` with all values that are not the default. */
export function draw(place, sources, target, values, onChange) {
	const all = specs(sources, target);
	const opened = [...place.querySelectorAll("[open] > summary")].map(({ textContent }) => textContent);
	const controls = [];
	const groups = [];
	const put = (name, specs) => {
		if (specs.length === 0) return;
		const own = specs.flatMap((spec) => control(spec, values[spec.name]));
		controls.push(...own);
		const title = t(`g.${name}`);
		const isOpen = groups.length === 0 || opened.includes(title) || specs.some((spec) => values[spec.name]);
		const grid = make("div", { className: "options" }, ...own.map(({ element }) => element));
		groups.push(make("details", { className: "group", open: isOpen }, make("summary", { textContent: title }), grid));
	};
	const left = new Set(all);
	const fits = (name) => (spec) => left.has(spec) && GROUPS[name].includes(spec.name) && (name !== "picture" || !isOfPages(spec));
	for (const name of Object.keys(GROUPS)) {
		const own = all.filter(fits(name)).sort((a, b) => GROUPS[name].indexOf(a.name) - GROUPS[name].indexOf(b.name));
		for (const spec of own) left.delete(spec);
		const isSound = own.length === 1 && own[0].name === "max_size";
		put(isSound ? "size" : name, own);
	}
	put("rare", [...left]);
	place.replaceChildren(...groups);
	place.onchange = () => {
		const chosen = {};
		for (const { name, input, read } of controls) {
			if (!input.reportValidity()) return;
			const value = read();
			if (value) chosen[name] = value;
		}
		onChange(chosen);
	};
	return controls.length;
}

/** Returns whether a field of pictures and of pages means pages here. */
const isOfPages = (spec) => (spec.name === "rotate" && !spec.from?.includes("png") && spec.from?.includes("pdf")) || (spec.name === "fit" && spec.values.length === 1);

/** One or more controls for a field. `read` returns its value, or an empty text for the default. */
function control(spec, value) {
	if (spec.name === "info") return information(value);
	const usual = spec.default ?? "";
	let input;
	let read = () => (input.value.trim() === usual ? "" : input.value.trim());
	const words = CHOICES[spec.name] ?? spec.values?.filter((word) => !DOUBLE[spec.name]?.includes(word));
	if (spec.type === "boolean") {
		input = make("input", { type: "checkbox", checked: (value ?? usual) === "true" });
		read = () => (String(input.checked) === (usual || "false") ? "" : String(input.checked));
	} else if (words?.length) {
		input = make("select", {}, ...(spec.default ? [] : [new Option(t("as-is"), "")]), ...words.map((word) => new Option(valueWord(spec, word), word)));
	} else if (spec.name === "language" && languages.length) {
		input = make("select", {}, new Option(t("language.auto"), ""), ...languageOptions());
	} else if (spec.name === "max_size") {
		input = make("input", { type: "number", min: 0.001, step: "any", inputMode: "decimal" });
		read = () => (input.value ? String(Math.round(input.value * MEGA)) : "");
		value = value && value / MEGA;
	} else if (spec.type === "colour") {
		input = make("input", { type: "color" });
		read = () => (input.value === "#ffffff" ? "" : input.value);
		value = /^#/.test(value) ? value : "#ffffff";
	} else if (spec.format === "password") {
		input = make("input", { type: "password", autocomplete: "new-password", spellcheck: false });
	} else if (spec.type === "integer") {
		input = make("input", { type: "number", min: spec.minimum ?? "", max: spec.maximum ?? "" });
	} else {
		input = make("input", PATTERNS[spec.name] ? { pattern: PATTERNS[spec.name] } : {});
	}
	if (spec.type !== "boolean") input.value = value ?? usual;
	return [{ name: spec.name, input, read, element: labelled(input, label(spec), hint(spec)) }];
}

export function languageOptions() {
	const named = languages.map(({ name, title, code }) => new Option((code && languageName(code)) || title || name, name));
	return named.sort((a, b) => a.text.localeCompare(b.text));
}

function information(value) {
	let known = {};
	try {
		known = JSON.parse(value ?? "{}");
	} catch {
		// The old text is not JSON, so it is replaced.
	}
	const inputs = INFO.map((name) => make("input", { value: known[name] ?? "" }));
	const read = () => {
		const written = INFO.map((name, at) => [name, inputs[at].value.trim()]).filter(([, text]) => text);
		return written.length ? JSON.stringify(Object.fromEntries(written)) : "";
	};
	return inputs.map((input, at) => ({ name: "info", input, read, element: labelled(input, t(`o.info.${INFO[at]}`), "") }));
}

function labelled(input, text, words) {
	input.id = fresh();
	const element = make("div", { className: `option ${input.type}` }, make("label", { htmlFor: input.id, textContent: text }), input);
	if (words) {
		const hint = make("p", { id: `${input.id}-hint`, className: "hint", textContent: words });
		input.setAttribute("aria-describedby", hint.id);
		element.append(hint);
	}
	return element;
}
