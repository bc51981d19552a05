// The sentences of the page in the language of the browser. Each language is a file, and only one is fetched.

const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "pl", "ja", "zh", "ko"];
const short = (tag) => tag.split("-")[0].toLowerCase();
const tag = navigator.languages.find((tag) => LANGUAGES.includes(short(tag))) ?? "en";

export const language = short(tag);

const answer = await fetch(new URL(`web/${language}.json`, document.baseURI)).catch(() => null);
const sentences = answer?.ok ? await answer.json() : {};

export const has = (key) => key in sentences;

/** A sentence, with values for its {places}. */
export function t(key, values = {}) {
	return (sentences[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export const number = (value, style) => new Intl.NumberFormat(tag, style).format(value);

/** Name of a language by its code of ISO 639-1. */
export const languageName = (code) => new Intl.DisplayNames(tag, { type: "language" }).of(code);

document.documentElement.lang = language;
document.documentElement.dir = has("dir") ? t("dir") : "ltr";
if (answer?.ok) {
	for (const element of document.querySelectorAll("[data-t]")) {
		element[element.matches("optgroup") ? "label" : "textContent"] = t(element.dataset.t);
	}
}
