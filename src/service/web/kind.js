// Decides how this browser can show a media type. Shows nothing itself.

const SHOWN = /^image\/(a?png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/;
/** Media types of tables, with the separators between their cells. */
export const TABLES = { "text/csv": ",", "text/tab-separated-values": "\t" };
const PAGES = ["text/html", "application/xhtml+xml"];

/** The kind of preview of a media type: "picture", "sound", "pdf", "page", "table", "text" or nothing. */
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
