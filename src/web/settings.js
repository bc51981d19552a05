// What can become what, and what a conversion may be asked for, from what /formats says. Draws nothing, converts nothing.

const STORE = "convertd.settings";

/** What most people want. */
const COMMON = ["jpg", "png", "webp", "pdf", "docx", "xlsx", "csv", "mp3", "wav", "flac", "md", "html"];
/** What a file most likely should become: the first that it is not itself. */
const USUAL = { image: ["jpg", "png"], audio: ["mp3", "wav"], document: ["pdf", "docx"], spreadsheet: ["pdf", "xlsx"], presentation: ["pdf", "md"], mail: ["pdf", "txt"] };

/** Answers of /formats, by name. */
const known = new Map();
/** Names by alias. */
const names = new Map();
/** Languages that scans are read in. */
export let languages = [];

export function learn(data) {
	languages = data.languages ?? [];
	for (const format of data.formats) {
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

/** What shows a format that browsers do not show: a picture, a page or a sound that it can become. */
export function preview(name) {
	const kind = name === "pdf" ? "image" : known.get(name)?.category;
	return { image: "png", presentation: "png", audio: "mp3" }[kind] ?? "html";
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

export const takes = (from, target, name) => specs([from], target).some((spec) => spec.name === name);

/** The form fields of a conversion, but the file. */
export function fields(from, { target, quality, options }) {
	const list = [["target_format", target], ["quality", quality]];
	for (const { name } of specs([from], target)) {
		if (options[name]) list.push([name, options[name]]);
	}
	return list;
}

/** What a quality means for a target, in the service's words. */
export const qualityWords = (target) => known.get(target)?.quality;

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
	let kept = {};
	try {
		kept = JSON.parse(localStorage.getItem(STORE)) ?? {};
	} catch {
		// Then nothing is remembered.
	}
	return { target: kept.target ?? "", quality: /^(low|high|[1-9]\d?|100)$/.test(kept.quality) ? kept.quality : "medium" };
}

export function remember({ target, quality }) {
	try {
		localStorage.setItem(STORE, JSON.stringify({ target, quality }));
	} catch {
		// Then they are forgotten.
	}
}
