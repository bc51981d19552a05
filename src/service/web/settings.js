// Targets of formats and options of conversions, from the answers of /formats. Draws nothing, converts nothing.

const STORE = "convertd.settings";

/** The most frequent targets. */
const COMMON = ["jpg", "png", "webp", "pdf", "docx", "xlsx", "csv", "mp3", "wav", "flac", "md", "html"];
/** Suggested targets by format or category; the first that is not the file's own format is used. */
const USUAL = { image: ["jpg", "png"], audio: ["mp3", "wav"], document: ["pdf", "docx"], spreadsheet: ["pdf", "xlsx"], presentation: ["pdf", "md"], mail: ["pdf", "txt"], archive: ["pdf"], yaml: ["json"], toml: ["json"] };

/** Answers of /formats, by name. */
const known = new Map();
/** Names by alias. */
const names = new Map();
/** Languages for OCR. */
export let languages = [];

export function learn(data) {
	languages = data.languages ?? [];
	for (const format of data.formats) {
		known.set(format.format, format);
		for (const name of [format.format, ...format.aliases]) names.set(name, format.format);
	}
}

export const format = (name) => known.get(names.get(name));

/** Guesses the format of a file. Only the service knows it for certain, by the content. */
export function guess(extension, mediaType) {
	if (names.has(extension)) return names.get(extension);
	const byType = [...known.values()].find((format) => mediaType && format.media_type === mediaType);
	return byType?.format ?? null;
}

/** All targets of a format. For an unknown format (`null`), all formats that can be written. */
export function targets(from) {
	const all = [...known.values()].filter((format) => format.can_convert_from.length > 0);
	const reachable = known.get(from)?.can_convert_to;
	return reachable ? all.filter((format) => reachable.includes(format.format)) : all;
}

export const isTarget = (from, target) => targets(from).some((format) => format.format === target);

export function suggest(from) {
	const usual = USUAL[from] ?? USUAL[known.get(from)?.category] ?? [];
	return usual.find((name) => name !== from && isTarget(from, name)) ?? targets(from)[0]?.format ?? "";
}

/** The target that previews a format which browsers cannot show. */
export function preview(name) {
	const kind = name === "pdf" ? "image" : known.get(name)?.category;
	return { image: "png", presentation: "png", audio: "mp3" }[kind] ?? "html";
}

export const isCommon = (name) => COMMON.includes(name);
export const byUse = (a, b) => COMMON.indexOf(a.format) - COMMON.indexOf(b.format);

/** The optional fields of a target for any of these sources. `null` is an unknown source, which may take any field. */
export function specs(sources, target) {
	const all = known.get(target)?.options ?? [];
	const takes = (spec) => (from) => !from || !spec.from?.length || spec.from.includes(from);
	const fitting = all.filter((spec) => sources.length === 0 || sources.some(takes(spec)));
	// A field may differ between sources. One control suffices for all.
	return fitting.filter((spec, at) => fitting.findIndex((other) => other.name === spec.name) === at);
}

export const takes = (from, target, name) => specs([from], target).some((spec) => spec.name === name);

/** Returns whether the pages of a file can be picked, and drawn before that. */
export const hasPages = (from, target) => from === "pdf" && takes(from, target, "rotate_pages") && takes(from, "jpg", "page");

/** The form fields of a conversion, without the file. */
export function fields(from, { target, quality, options }) {
	const list = [["target_format", target], ["quality", quality]];
	for (const { name } of specs([from], target)) {
		if (options[name]) list.push([name, options[name]]);
	}
	return list;
}

/** The service's description of the qualities of a target. */
export const qualityWords = (target) => known.get(target)?.quality;

/** Returns whether the values of a field are passwords, which are never stored. */
function isSecret(name) {
	return [...known.values()].some(({ options }) => options?.some((spec) => spec.name === name && spec.format === "password"));
}

/** Values without passwords. */
export function harmless(options) {
	return Object.fromEntries(Object.entries(options).filter(([name]) => !isSecret(name)));
}

/** Fields with a placeholder for passwords, for display. */
export const masked = (fields) => fields.map(([name, value]) => [name, isSecret(name) ? "PASSWORD" : value]);

/** Target and quality of the last visit. Nothing else is stored: a stamp or a password would affect unrelated files. */
export function remembered() {
	let kept = {};
	try {
		kept = JSON.parse(localStorage.getItem(STORE)) ?? {};
	} catch {
		// Without storage, nothing is remembered.
	}
	return { target: kept.target ?? "", quality: /^(low|high|[1-9]\d?|100)$/.test(kept.quality) ? kept.quality : "medium" };
}

export function remember({ target, quality }) {
	try {
		localStorage.setItem(STORE, JSON.stringify({ target, quality }));
	} catch {
		// Without storage, they are forgotten.
	}
}
