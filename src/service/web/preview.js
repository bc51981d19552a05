// Previews of results: two pictures under a slider, a player, or a document. Shows only bytes that the page has
// already: a link that works once must not be given to an element that may load it twice.

import { make } from "./element.js";
import { TABLES, kind } from "./kind.js";
import { t } from "./text.js";
import { percent } from "./words.js";

/** Limits on a preview: bytes of a text, and rows of a table. */
const MAX_TEXT = 200_000;
const MAX_ROWS = 200;

/** Makes the preview of a result that is not a picture. */
export async function shown(blob, url, mediaType, name) {
	const label = t("look.after", { name });
	switch (kind(mediaType)) {
		case "pdf":
			return make("iframe", { src: url, title: label, className: "paper" });
		case "page":
			return page(await blob.text(), label);
		case "table":
			return table(await beginning(blob), TABLES[mediaType.split(";")[0]], label);
		case "text":
			return scrolled(make("pre", { textContent: await beginning(blob) }), label);
		default:
			return make("audio", { controls: true, src: url, preload: "metadata", ariaLabel: label });
	}
}

async function beginning(blob) {
	const text = await blob.slice(0, MAX_TEXT).text();
	return blob.size > MAX_TEXT ? `${text.slice(0, text.lastIndexOf("\n") + 1)}…` : text;
}

/** Wraps content in an element that scrolls and can have the focus, so that it can be scrolled by keys. */
function scrolled(content, label) {
	return make("div", { className: "read", tabIndex: 0, role: "group", ariaLabel: label }, content);
}

/**
 * A page in a frame without scripts. The Content-Security-Policy of this page applies there, too. It forbids inline
 * styles and `data:` URLs, so both are set through the DOM.
 */
function page(html, label) {
	// Rename styles before parsing: the policy would report each of them, even in a page that is never shown.
	const inert = html.replace(/<(\/?)style\b/gi, "<$1xmp").replace(/(<[^<>]*\s)style=/gi, "$1data-style=");
	const parsed = new DOMParser().parseFromString(inert, "text/html");
	const styles = [...parsed.querySelectorAll("xmp")].map((style) => style.textContent);
	const pictures = [...parsed.querySelectorAll("img")].map((picture) => picture.getAttribute("src") ?? "");
	for (const gone of parsed.querySelectorAll("script, xmp, link, meta, base, iframe, object, embed")) gone.remove();
	for (const picture of parsed.querySelectorAll("img")) picture.removeAttribute("src");
	const frame = make("iframe", { title: label, className: "paper" });
	frame.setAttribute("sandbox", "allow-same-origin");
	frame.srcdoc = parsed.documentElement.outerHTML;
	frame.onload = () => {
		const inner = frame.contentDocument;
		inner.adoptedStyleSheets = styles.map((text) => {
			const sheet = new frame.contentWindow.CSSStyleSheet();
			sheet.replaceSync(text);
			return sheet;
		});
		for (const one of inner.querySelectorAll("[data-style]")) one.style.cssText = one.dataset.style;
		inner.querySelectorAll("img").forEach((picture, at) => {
			const blob = fromData(pictures[at]);
			if (blob) picture.src = URL.createObjectURL(blob);
		});
	};
	return frame;
}

/** The content of a `data:` URL in base64, as a blob. */
function fromData(address) {
	const found = /^data:([\w.+/-]+);base64,(.*)$/s.exec(address);
	if (!found) return null;
	try {
		return new Blob([Uint8Array.from(atob(found[2]), (char) => char.charCodeAt(0))], { type: found[1] });
	} catch {
		return null;
	}
}

function table(text, delimiter, label) {
	const rows = cells(text, delimiter).map((row, at) => make("tr", {}, ...row.map((cell) => make(at ? "td" : "th", { textContent: cell }))));
	return scrolled(make("table", {}, ...rows), label);
}

/** Parses the first rows of a table into cells (RFC 4180). */
function cells(text, delimiter) {
	const rows = [[]];
	let at = 0;
	while (at < text.length && rows.length <= MAX_ROWS) {
		let cell = "";
		if (text[at] === '"') {
			for (at += 1; at < text.length; at += 1) {
				if (text[at] !== '"') cell += text[at];
				else if (text[at + 1] === '"') cell += text[(at += 1)];
				else break;
			}
			at += 1;
		} else {
			const end = text.slice(at).search(delimiter === "\t" ? /[\t\r\n]/ : /[,\r\n]/);
			cell = end < 0 ? text.slice(at) : text.slice(at, at + end);
			at += cell.length;
		}
		rows.at(-1).push(cell);
		if (text[at] !== delimiter) {
			if (text[at] === "\r") at += 1;
			if (at < text.length - 1) rows.push([]);
		}
		at += 1;
	}
	return rows.slice(0, MAX_ROWS);
}

/** Makes the preview of a picture: original and result on top of each other under a slider, or the result alone. */
export function compare(before, after, name) {
	const result = make("img", { src: after, alt: t("look.after", { name }) });
	const canvas = make("div", { className: "canvas", dir: "ltr" }, result);
	canvas.dataset.words = t("look.sides");
	if (before) {
		const original = make("img", { src: before, alt: t("look.before", { name }), className: "before" });
		// The slider lies invisibly over the pictures, so that it can be dragged there and moved by keys.
		const slider = make("input", { type: "range", value: 50, ariaLabel: t("look.part", { name }) });
		const move = () => canvas.style.setProperty("--cut", `${slider.value}%`);
		slider.oninput = move;
		move();
		original.onerror = () => {
			// The browser cannot show the original.
			original.remove();
			slider.remove();
		};
		canvas.append(original, slider);
	}
	// An enlarged picture scrolls, so it must be able to have the focus.
	const stage = make("div", { className: "stage", tabIndex: 0, role: "group", ariaLabel: t("look.at", { name }) }, canvas);
	const zoom = make("select", {}, new Option(t("zoom.fit"), ""), ...[1, 2, 4].map((factor) => new Option(percent(factor), factor)));
	zoom.onchange = () => {
		canvas.classList.toggle("zoomed", zoom.value);
		// One pixel of the picture is `zoom` pixels of the screen, regardless of its density.
		canvas.style.width = zoom.value && `${(result.naturalWidth * zoom.value) / devicePixelRatio}px`;
		stage.scrollTo((stage.scrollWidth - stage.clientWidth) / 2, (stage.scrollHeight - stage.clientHeight) / 2);
	};
	const controls = make("label", { className: "zoom" }, `${t("zoom")} `, zoom);
	return make("div", {}, stage, controls);
}
