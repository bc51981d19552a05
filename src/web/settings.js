// What can become what, and the fields of a conversion, drawn from what /formats says of them. Converts nothing.

import { make } from "./element.js";

const STORE = "convertd.settings";

/** What most people want. */
const COMMON = ["jpg", "png", "webp", "pdf", "docx", "xlsx", "csv", "mp3", "wav", "flac", "md", "html"];
/** What a file most likely should become: the first that it is not itself. */
const USUAL = { image: ["jpg", "png"], audio: ["mp3", "wav"], document: ["pdf", "docx"], spreadsheet: ["pdf", "xlsx"], presentation: ["pdf", "md"], mail: ["pdf", "txt"] };

/** Answers of /formats, by name. */
const known = new Map();
/** Names by alias. */
const names = new Map();

export function learn(formats) {
	for (const format of formats) {
		known.set(format.format, format);
		for (const name of [format.format, ...format.aliases]) names.set(name, format.format);
	}
}

export const format = (name) => known.get(names.get(name));

/** What a file seems to be. Only the service knows: it looks at the content. */
export function guess(extension, mediaType) {
	if (names.has(extension)) return names.get(extension);
	const byType = [...known.values()].find((format) => mediaType && format.media_type === mediaType);
	return byType?.format ?? null;
}

/** All that a format can become; of an unknown one, `null`, all that can be written. */
export function targets(from) {
	const all = [...known.values()].filter((format) => format.can_convert_from.length > 0);
	const reachable = known.get(from)?.can_convert_to;
	return reachable ? all.filter((format) => reachable.includes(format.format)) : all;
}

export const isTarget = (from, target) => targets(from).some((format) => format.format === target);

export function suggest(from) {
	const usual = USUAL[known.get(from)?.category] ?? [];
	return usual.find((name) => name !== from && isTarget(from, name)) ?? targets(from)[0]?.format ?? "";
}

export const isCommon = (name) => COMMON.includes(name);
export const byUse = (a, b) => COMMON.indexOf(a.format) - COMMON.indexOf(b.format);

/** The optional fields that a target has for any of some sources; `null` marks one without fixed values. */
export function specs(sources, target) {
	const all = known.get(target)?.options ?? [];
	const takes = (spec) => (from) => !from || !spec.from?.length || spec.from.includes(from);
	const fitting = all.filter((spec) => sources.length === 0 || sources.some(takes(spec)));
	// A field may mean one thing for some sources and another for others; one control will do for both.
	return fitting.filter((spec, at) => fitting.findIndex((other) => other.name === spec.name) === at);
}

/** The form fields of a conversion, but the file. */
export function fields(from, { target, quality, options }) {
	const list = [["target_format", target], ["quality", quality]];
	for (const { name } of specs([from], target)) {
		if (options[name]) list.push([name, options[name]]);
	}
	return list;
}

/** What a quality means for a target, in the service's words. */
export function qualityWords(target) {
	const words = known.get(target)?.quality;
	return words ? `Quality for ${target}: ${words}.` : "";
}

/** Whether the values of a field are passwords, which are kept nowhere. */
function isSecret(name) {
	return [...known.values()].some(({ options }) => options?.some((spec) => spec.name === name && spec.format === "password"));
}

/** Values without passwords. */
export function harmless(options) {
	return Object.fromEntries(Object.entries(options).filter(([name]) => !isSecret(name)));
}

/** Fields with something in place of passwords, to be shown. */
export const masked = (fields) => fields.map(([name, value]) => [name, isSecret(name) ? "PASSWORD" : value]);

/** The target and the quality of the last visit. Nothing else is kept from one to the next: a stamp or a password would be put on the files of another day. */
export function remembered() {
	try {
		const { target = "", quality = "medium" } = JSON.parse(localStorage.getItem(STORE));
		return { target, quality };
	} catch {
		return { target: "", quality: "medium" };
	}
}

export function remember({ target, quality }) {
	try {
		localStorage.setItem(STORE, JSON.stringify({ target, quality }));
	} catch {
		// Then they are forgotten.
	}
}

let count = 0;

/** Draws a control for each optional field. `onChange` is called with all values that are not the default. */
export function draw(place, sources, target, values, onChange) {
	const controls = specs(sources, target).map((spec) => ({ spec, ...control(spec, values[spec.name]) }));
	place.replaceChildren(...controls.map(({ element }) => element));
	place.onchange = () => {
		const chosen = {};
		for (const { spec, input } of controls) {
			if (!input.reportValidity()) return;
			const value = input.type === "checkbox" ? String(input.checked) : input.value.trim();
			const usual = spec.default ?? (input.type === "checkbox" ? "false" : "");
			if (value && value !== usual) chosen[spec.name] = value;
		}
		onChange(chosen);
	};
	return controls.length;
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

/** A control that suits what a field takes; text where nothing else is known of it. */
function control(spec, value) {
	count += 1;
	const id = `option-${count}`;
	let input;
	if (spec.type === "boolean") {
		input = make("input", { type: "checkbox", checked: (value ?? spec.default) === "true" });
	} else {
		if (spec.values?.length) input = make("select", {}, ...(spec.default ? [] : [new Option("as it is", "")]), ...spec.values.map((word) => new Option(word, word)));
		else if (spec.format === "password") input = make("input", { type: "password", autocomplete: "new-password", spellcheck: false });
		else if (spec.type === "integer") input = make("input", { type: "number", min: spec.minimum ?? "", max: spec.maximum ?? "" });
		else input = make("input");
		input.value = value ?? spec.default ?? "";
	}
	input.id = id;
	input.setAttribute("aria-describedby", `${id}-hint`);
	// What most controls accept is plain, and comes last.
	const words = spec.description.replace(["text", "password"].includes(input.type) ? "" : /: [^:]*$/, "");
	const hint = make("p", { id: `${id}-hint`, className: "hint", textContent: `${sentence(words)}.` });
	const element = make("div", { className: `option ${input.type}` }, make("label", { htmlFor: id, textContent: sentence(spec.name.replaceAll("_", " ")) }), input, hint);
	return { element, input };
}
