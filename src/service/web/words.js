// Formats sizes, times, failures and commands. Does not use the DOM.

import { has, language, number, t } from "./text.js";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"];
/** Error codes that the page explains by itself. */
const SAID = ["password_missing", "password_wrong", "encrypted", "damaged"];

/** A size with three significant digits, in units of powers of 1,000. */
export function size(bytes) {
	let unit = 0;
	let value = bytes;
	while (value >= 999.5 && unit < UNITS.length - 1) {
		value /= 1000;
		unit += 1;
	}
	return number(value, { style: "unit", unit: UNITS[unit], unitDisplay: unit ? "short" : "long", maximumSignificantDigits: 3 });
}

/** A size limit. A whole number of mebibytes is shown as that number of megabytes, which is slightly less. */
export const limit = (bytes) => size(bytes % 2 ** 20 ? bytes : (bytes / 2 ** 20) * 1e6);

export const percent = (part, style) => number(part, { style: "percent", ...style });

/** How much a size has changed, such as "-63%". */
export function change(before, after) {
	if (!before) return "";
	const part = after / before - 1;
	if (Math.abs(part) < 0.005) return t("size.same");
	if (part > 9) return t("size.times", { n: number(Math.round(part + 1)) });
	return percent(part, { signDisplay: "always" });
}

/** Remaining time: in minutes, or in seconds for the last five minutes. */
export function left(seconds) {
	if (seconds >= 300) return number(Math.floor(seconds / 60), { style: "unit", unit: "minute" });
	const whole = Math.max(0, Math.floor(seconds));
	return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A message of the service, with the labels of the page for fields. */
export const named = (text, label) => text.replace(/the field ([a-z_]+)/g, (all, name) => label(name) ?? all);

/** A failure in two parts: the page's explanation, and the service's message if it says more. */
export function explained({ message, code, status }, label) {
	const words = named(message, label).replace(/^[a-z_]+(?= )/i, (name) => label(name.toLowerCase()) ?? name);
	const told = has(`e.${code}`) && (language !== "en" || SAID.includes(code)) ? t(`e.${code}`) : "";
	if (!status || (language === "en" && !told)) return [words, ""];
	return [told || t("e.other"), SAID.includes(code) ? "" : words];
}

export function extension(name) {
	const dot = name.lastIndexOf(".");
	return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

/** The name that the service gives to a result. */
export function renamed(name, target) {
	const dot = name.lastIndexOf(".");
	return `${dot > 0 ? name.slice(0, dot) : name}.${target}`;
}

/** Quotes a text for a POSIX shell. */
function quoted(text) {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A curl command for the same conversion, in one line. */
export function curl(address, name, fields, locked) {
	const query = new URLSearchParams();
	for (const [field, value] of fields) query.append(field === "target_format" ? "to" : field, value);
	const target = query.get("to") ?? "";
	query.append("name", name);
	const parts = ["curl"];
	// curl expands brackets and braces, and takes the names `-` and `.` for its standard input.
	if (/[[\]{}]/.test(name)) parts.push("-g");
	if (locked) parts.push("-H 'X-API-Key: KEY'");
	const plain = (path) => quoted(/^[-.]/.test(path) ? `./${path}` : path);
	parts.push(`-T ${plain(name)} ${quoted(`${address}?${query}`)} -o ${plain(renamed(name, target))}`);
	return parts.join(" ");
}
