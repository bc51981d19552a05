// What this browser shows of a media type. Shows nothing.

const SHOWN = /^image\/(a?png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/;
/** Media types of tables, and what is between their cells. */
export const TABLES = { "text/csv": ",", "text/tab-separated-values": "\t" };
const PAGES = ["text/html", "application/xhtml+xml"];

/** What can be shown of a media type in this browser: "picture", "sound", "pdf", "page", "table", "text" or nothing. */
export function kind(mediaType = "") {
	const [type] = mediaType.split(";");
	if (SHOWN.test(type)) return "picture";
	if (type === "application/pdf") return navigator.pdfViewerEnabled ? "pdf" : null;
	if (PAGES.includes(type)) return "page";
	if (type in TABLES) return "table";
	if (type.startsWith("text/") || type === "application/json") return "text";
	const isSound = type.startsWith("audio/") && document.createElement("audio").canPlayType(type);
	return isSound ? "sound" : null;
}
