// How sizes, times and commands are worded. Touches no document.

const UNITS = ["bytes", "KB", "MB", "GB"];

/** Three digits, in units of 1,000. */
export function size(bytes) {
	let unit = 0;
	let value = bytes;
	while (value >= 999.5 && unit < UNITS.length - 1) {
		value /= 1000;
		unit += 1;
	}
	const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
	return `${value.toFixed(digits)}\xa0${bytes === 1 ? "byte" : UNITS[unit]}`;
}

/** How much a size has changed, such as "−63%". */
export function change(before, after) {
	if (!before) return "";
	const percent = Math.round((after / before - 1) * 100);
	if (percent === 0) return "same size";
	if (percent > 900) return `${Math.round(after / before)} times the size`;
	return `${percent < 0 ? "−" : "+"}${Math.abs(percent)}%`;
}

/** What is left: minutes, or seconds in the last five. */
export function left(seconds) {
	if (seconds >= 300) return `${Math.floor(seconds / 60)} min`;
	const whole = Math.max(0, Math.floor(seconds));
	return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
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

/** A word of a POSIX shell. */
function quoted(text) {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same conversion by curl, in one line. */
export function curl(address, name, fields, locked) {
	const query = new URLSearchParams();
	for (const [field, value] of fields) query.append(field === "target_format" ? "to" : field, value);
	const target = query.get("to") ?? "";
	query.append("name", name);
	const parts = ["curl"];
	// To curl brackets and braces are several files, and a name of a dash or a dot is its standard input.
	if (/[[\]{}]/.test(name)) parts.push("-g");
	if (locked) parts.push("-H 'X-API-Key: KEY'");
	const plain = (path) => quoted(/^[-.]/.test(path) ? `./${path}` : path);
	parts.push(`-T ${plain(name)} ${quoted(`${address}?${query}`)} -o ${plain(renamed(name, target))}`);
	return parts.join(" ");
}
