// Pictures of the pages of a PDF, on which a person leaves out, turns and moves pages. The choice is the text of the
// fields `pages` and `rotate_pages`, so that both ways lead to the same conversion. Draws no page itself: the service
// does.

import { button, drag, make, step } from "./element.js";
import { through } from "./service.js";
import { number, t } from "./text.js";
import { explained } from "./words.js";
import { unzip } from "./zip.js";

/** Pages that are drawn with one request, and the longer side of their pictures in pixels. */
const AT_ONCE = 60;
const SIDE = 150;
/** Largest file whose pages are drawn before somebody asks for it, in bytes. */
const SMALL = 20e6;
/** Limit on the pages of a list. A longer one is shown as if all pages were chosen. */
const MAX = 2000;

/**
 * Makes an element with pictures of a file's pages. `drawn` keeps the pictures for the next time. `values` are the
 * fields of the conversion, and `onChange` gets them after a change. The element has a function `show` for values that
 * were changed elsewhere.
 */
export function pictures(file, drawn, values, onChange) {
	const list = make("ol", { className: "pages" });
	const state = make("p", { className: "hint" });
	const status = make("p", { className: "unseen", role: "status" });
	const more = make("button", { type: "button", className: "quiet", hidden: true, onclick: () => load() });
	const element = make("details", { className: "group", open: file.size <= SMALL }, make("summary", { textContent: t("pages") }), list, state, more, status);

	const load = async () => {
		[state.textContent, more.hidden] = [t("look.wait"), true];
		try {
			await (drawn.loading ??= draw(file, drawn, values.password).finally(() => (drawn.loading = null)));
			state.textContent = "";
		} catch (error) {
			state.textContent = explained(error, () => null).join(" ").trim();
		}
		show();
	};
	const show = () => {
		more.textContent = t(state.textContent ? "retry" : "pages.more");
		more.hidden = !drawn.hasMore;
		if (drawn.urls.length === 0) return;
		const { of } = anglesOf(values, drawn);
		list.replaceChildren(...tilesOf(values.pages, drawn).map(([page, isKept]) => tile(page, isKept, of.get(page) ?? 0)));
		permit();
	};
	/** Disables what cannot be done: moving beyond an end, and leaving out the last page. */
	const permit = () => {
		const items = [...list.children];
		const kept = items.filter((item) => item.isKept());
		items.forEach((item, at) => {
			item.controls.before.disabled = at === 0;
			item.controls.behind.disabled = at === items.length - 1;
			item.controls.leave.disabled = kept.length === 1 && kept[0] === item;
		});
	};
	const changed = () => {
		permit();
		const items = [...list.children];
		const kept = items.filter((item) => item.isKept()).map((item) => item.page);
		const { pages, rotate, rotate_pages, ...others } = values;
		const chosen = { pages: written(kept, drawn), ...turned(items, anglesOf(values, drawn).rest, drawn) };
		values = { ...others, ...Object.fromEntries(Object.entries(chosen).filter(([, text]) => text)) };
		onChange(values);
	};
	const move = (item, by) => {
		step(item, by, [item.controls.before, item.controls.behind], changed);
		status.textContent = t("join.at", { name: item.title, at: number([...list.children].indexOf(item) + 1), all: number(list.children.length) });
	};

	const tile = (page, isKept, angle) => {
		const isPage = typeof page === "number";
		const name = isPage ? t("pages.page", { n: number(page) }) : t("pages.rest", { pages: page });
		const picture = isPage ? make("img", { src: drawn.urls[page - 1], alt: "", draggable: false }) : make("span", { className: "rest", textContent: "…" });
		const caption = make("b");
		const before = button("←", "", () => move(item, -1));
		const turn = button("↻", "", () => {
			const degrees = (item.angle + 90) % 360;
			for (const other of list.children) if (other.page === page) other.turnTo(degrees);
			changed();
			status.textContent = t("pages.turned", { name, degrees: number(degrees) });
		});
		turn.hidden = !isPage;
		const leave = button("×", "", () => {
			keep(!item.isKept());
			changed();
		});
		const behind = button("→", "", () => move(item, 1));
		for (const [control, key] of [[before, "pages.before"], [turn, "pages.turn"], [leave, "join.leave"], [behind, "pages.behind"]]) control.ariaLabel = control.title = t(key, { name });
		const item = make("li", { draggable: true, title: name }, picture, caption, make("div", {}, before, turn, leave, behind));
		const keep = (isIt) => {
			item.classList.toggle("out", !isIt);
			leave.ariaPressed = String(!isIt);
		};
		const isKeptNow = () => leave.ariaPressed === "false";
		const turnTo = (degrees) => {
			item.angle = degrees;
			picture.style.rotate = `${degrees}deg`;
			caption.textContent = `${isPage ? number(page) : page}${degrees ? ` · ${number(degrees)}°` : ""}`;
		};
		Object.assign(item, { page, turnTo, isKept: isKeptNow, controls: { before, behind, leave } });
		keep(isKept);
		turnTo(angle);
		drag(item, name, () => {}, changed);
		return item;
	};

	element.ontoggle = () => {
		if (element.open && drawn.urls.length === 0) load();
	};
	element.show = (others) => {
		values = others;
		show();
	};
	show();
	return element;
}

/** Draws the next pages of a file. Requests one page more than it draws, to learn whether the file has more. */
async function draw(file, drawn, password) {
	const first = drawn.urls.length + 1;
	const fields = { page: `${first}-${first + AT_ONCE}`, width: SIDE, height: SIDE, fit: "contain", quality: "low", ...(password && { password }) };
	const pictures = await unzip(await through(file, "jpg", file.name, fields));
	drawn.hasMore = pictures.length > AT_ONCE;
	for (const picture of pictures.slice(0, AT_ONCE)) drawn.urls.push(URL.createObjectURL(picture.slice(0, picture.size, "image/jpeg")));
}

/** Pages in a range of a list: numbers of drawn pages, and texts that name others. */
function pagesOf(range, { urls: { length: count }, hasMore }) {
	const [, from, dash, to] = /^\s*(\d*)\s*(-?)\s*(\d*)\s*$/.exec(range) ?? [];
	if (dash === undefined || !(from || to)) return [range.trim()];
	const first = Number(from || 1);
	let last = first;
	if (dash) last = to ? Number(to) : hasMore ? Infinity : count;
	if (first < 1 || first > count || last < 1) return [range.trim()];
	const step = first <= last ? 1 : -1;
	const end = Math.min(last, count);
	const pages = Array.from({ length: Math.abs(end - first) + 1 }, (_, at) => first + step * at);
	return last > count ? [...pages, `${count + 1}-${to}`] : pages;
}

/** The tiles of a list: pages, each with whether it is kept. A page that is left out follows the one before it. */
function tilesOf(text, drawn) {
	const all = `1-${drawn.hasMore ? "" : drawn.urls.length}`;
	let kept = (text || all).split(",").flatMap((range) => pagesOf(range, drawn));
	if (kept.length > MAX) kept = pagesOf(all, drawn);
	const tiles = kept.map((page) => [page, true]);
	for (let page = 1; page <= drawn.urls.length; page += 1) {
		if (kept.includes(page)) continue;
		tiles.splice(tiles.findIndex(([other]) => other === page - 1) + 1, 0, [page, false]);
	}
	if (drawn.hasMore && kept.every((page) => typeof page === "number")) tiles.push([`${drawn.urls.length + 1}-`, false]);
	return tiles;
}

/** The list of kept pages; empty for all in their order. */
function written(pages, drawn) {
	const ranges = [];
	for (const page of pages) {
		const [first, last] = typeof page === "number" ? [page, page] : (/^(\d+)-(\d*)$/.exec(page)?.slice(1) ?? [page, page]);
		const before = ranges.at(-1);
		if (before && Number(before[1]) + 1 === Number(first)) before[1] = last;
		else ranges.push([first, last]);
	}
	const text = ranges.map(rangeText).join(",");
	const all = drawn.hasMore ? "1-" : rangeText([1, drawn.urls.length]);
	return text === all ? "" : text;
}

const rangeText = ([first, last]) => (first === last ? String(first) : `${first}-${last}`);

/** The angles of drawn pages, and the parts of `rotate_pages` that name others. */
function anglesOf({ rotate = "0", rotate_pages: list }, drawn) {
	const angles = { of: new Map(), rest: [] };
	for (const part of (list || "1-").split(",")) {
		const [range, angle = rotate] = part.split(":");
		for (const page of pagesOf(range, drawn)) {
			if (typeof page === "number") angles.of.set(page, Number(angle) || 0);
			else if (angle !== "0") angles.rest.push(`${page}:${angle}`);
		}
	}
	return angles;
}

/** The fields `rotate` and `rotate_pages` for these tiles. */
function turned(items, rest, drawn) {
	const runs = [];
	const pages = new Map(items.filter(({ page }) => typeof page === "number").map(({ page, angle }) => [page, angle]));
	for (let page = 1; page <= drawn.urls.length; page += 1) {
		const angle = pages.get(page);
		const before = runs.at(-1);
		if (!angle) continue;
		if (before?.angle === angle && before.range[1] === page - 1) before.range[1] = page;
		else runs.push({ range: [page, page], angle });
	}
	const isWhole = !drawn.hasMore && runs.length === 1 && runs[0].range[0] === 1 && runs[0].range[1] === drawn.urls.length;
	if (isWhole) return { rotate: String(runs[0].angle), rotate_pages: "" };
	return { rotate: "", rotate_pages: [...runs.map(({ range, angle }) => `${rangeText(range)}:${angle}`), ...rest].join(",") };
}
