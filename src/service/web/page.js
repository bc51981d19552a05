// The page: accepts files, keeps the common settings, starts conversions. A row handles each file.

import * as service from "./service.js";
import * as settings from "./settings.js";
import { draw, drawQuality, label } from "./fields.js";
import { Row } from "./row.js";
import { t, number } from "./text.js";
import { change, limit, size } from "./words.js";

/** Number of files that are under way at once; further ones wait. */
const AT_ONCE = 3;
const MAX_FILES = 1000;
const STORE = "convertd.rows";
/** Categories, in their order on the page. */
const KINDS = ["image", "audio", "document", "spreadsheet", "presentation", "mail", "archive"];
const HIDDEN = /^\.|^(Thumbs\.db|desktop\.ini)$/i;

const $ = (id) => document.getElementById(id);
const [form, input, target, more, status] = ["form", "file", "target", "more", "status"].map($);

const rows = [];
let quality = $("quality").value;
let options = {};
/** Whether the user has chosen a target. Until then, each file gets the usual target of its format. */
let isChosen = Boolean(target.value);
// A browser that restores the field on the next visit would make a suggestion look like a choice.
target.autocomplete = "off";
/** Whether the user chose the target during this visit. If so, files that cannot be converted to it are left out. */
let isFirm = false;

/** Resolves `learned` once the formats are known; files wait for that. */
let hasLearned;
const learned = new Promise((resolve) => (hasLearned = resolve));

// ---- state that the rows share

const waiting = [];
let running = 0;

const shared = {
	canDelete: false,
	maxUpload: Number(document.body.dataset.maxUpload),
	common: () => ({ target: target.value, isChosen, isFirm, quality, options }),
	say,
	changed: () => {
		keep();
		total();
	},
	removed(row) {
		const at = rows.indexOf(row);
		rows.splice(at, 1);
		row.element.remove();
		(rows[at] ?? rows[at - 1])?.removeButton.focus();
		if (rows.length === 0) input.focus();
		say(t("removed", { name: row.name }));
		this.changed();
	},
	/** Resolves once a conversion may start, with the function to call at its end. */
	turn(signal) {
		return new Promise((resolve, reject) => {
			const entry = () => {
				running += 1;
				resolve(() => {
					running -= 1;
					waiting.shift()?.();
				});
			};
			signal.addEventListener("abort", () => {
				const at = waiting.indexOf(entry);
				if (at >= 0) waiting.splice(at, 1);
				reject(signal.reason);
			});
			if (running < AT_ONCE) entry();
			else waiting.push(entry);
		});
	},
};

let spoken = null;

/** Announces a text to screen readers. */
function say(text) {
	if (spoken === null) {
		spoken = [];
		setTimeout(() => {
			status.textContent = spoken.length > 3 ? $("total").textContent : spoken.join(" ");
			spoken = null;
		}, 150);
	}
	spoken.push(text);
}

function complain(text) {
	$("complaint").textContent = text;
	$("complaint").hidden = !text;
}

function keep() {
	const left = rows.filter((row) => row.id || row.isRunning()).map((row) => row.saved());
	try {
		sessionStorage.setItem(STORE, JSON.stringify(left));
	} catch {
		// Without storage, a reload forgets them.
	}
}

function total() {
	$("list").hidden = rows.length === 0;
	document.body.classList.toggle("filled", rows.length > 0);
	const done = rows.filter((row) => row.record);
	const count = t("count", { done: number(done.length), all: number(rows.length) });
	const before = done.reduce((sum, row) => sum + row.size, 0);
	const after = done.reduce((sum, row) => sum + row.record.file_size, 0);
	const sizes = done.length > 1 ? `, ${size(before)} → ${size(after)}, ${change(before, after)}` : "";
	$("total").textContent = `${count}${sizes}`;
	$("join").hidden = joinable().length < 2;
	$("save-all").hidden = rows.filter((row) => row.state === "done").length < 2;
	document.title = rows.some((row) => row.isRunning()) ? `${count} – convertd` : "convertd";
	suggest();
	drawFields();
}

// ---- adding files

function show(row) {
	rows.push(row);
	$("rows").append(row.element);
}

async function add(files) {
	await learned;
	complain("");
	const room = MAX_FILES - rows.length;
	const taken = files.slice(0, room);
	if (files.length > room) complain(t("add.many", { most: number(MAX_FILES), left: number(files.length - room) }));
	for (const file of taken) show(new Row(shared, file));
	if (taken.length === 0) return;
	say(taken.length === 1 ? t("added", { name: taken[0].name }) : t("added.many", { n: number(taken.length) }));
	total();
}

/** All dropped files, including those in dropped folders. */
async function dropped(transfer) {
	// Before the first `await`, because the transfer is empty afterwards.
	const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
	const files = entries.length ? [] : [...transfer.files];
	const visit = async (entry) => {
		if (files.length > MAX_FILES || HIDDEN.test(entry.name)) return;
		if (entry.isFile) {
			const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
			files.push(Object.assign(file, { folder: entry.fullPath.split("/").slice(1, -1).join("/") }));
			return;
		}
		const reader = entry.createReader();
		for (;;) {
			// It returns a hundred entries at a time, and none at the end.
			const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
			if (part.length === 0) return;
			for (const child of part) await visit(child);
		}
	};
	for (const entry of entries) await visit(entry);
	return files;
}

function addChosen() {
	add([...input.files]);
	// So that the same file can be chosen again.
	input.value = "";
}

input.onchange = addChosen;
$("folder").onclick = () => {
	const chooser = Object.assign(document.createElement("input"), { type: "file", webkitdirectory: true });
	chooser.onchange = () => add([...chooser.files].filter((file) => !HIDDEN.test(file.name)));
	chooser.click();
};

let depth = 0;
addEventListener("dragenter", (event) => {
	if (!event.dataTransfer?.types.includes("Files")) return;
	depth += 1;
	document.body.classList.add("dragging");
});
addEventListener("dragleave", () => {
	depth = Math.max(0, depth - 1);
	if (depth === 0) document.body.classList.remove("dragging");
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
	event.preventDefault();
	depth = 0;
	document.body.classList.remove("dragging");
	try {
		await add(await dropped(event.dataTransfer));
	} catch {
		complain(t("add.unread"));
	}
});
addEventListener("paste", (event) => {
	const files = [...event.clipboardData.files];
	if (files.length) event.preventDefault();
	add(files);
});

// ---- settings for all

/** Updates what depends on the common settings. If the target is only suggested, rows keep targets of their own. */
function commonChanged(targetChanged, isSuggested = false) {
	settings.remember({ target: isChosen ? target.value : "", quality });
	if (targetChanged) {
		drawnFor = "";
		const hint = drawQuality($("quality-field"), target.value, quality, (chosen) => {
			quality = chosen;
			commonChanged(false);
		});
		$("quality-words").replaceChildren(hint);
	}
	drawFields();
	badge();
	for (const row of rows) row.follows(targetChanged && !isSuggested);
}

/**
 * Until the user chooses a target, selects the usual target of the files. If files have different usual targets,
 * selects none, and says that each file gets its own. Once options are set for a suggested target, it stays.
 */
function suggest() {
	const usual = [...new Set([...new Set(rows.map((row) => row.from))].map(settings.suggest))];
	target.options[0].textContent = t(usual.length > 1 ? "target.each" : "target.none");
	if (isChosen || Object.keys(options).length) return;
	const suggested = usual.length === 1 ? usual[0] : "";
	if (suggested === target.value) return;
	target.value = suggested;
	commonChanged(true, true);
}

/** Shows how many fields differ from their defaults, so that earlier settings are noticed. */
function badge() {
	const specs = settings.specs(rows.map((row) => row.from), target.value);
	const names = specs.filter((spec) => options[spec.name]).map(label);
	$("changed").textContent = names.length ? t("changed", { names: names.join(", ") }) : "";
	$("changed").hidden = $("reset").hidden = names.length === 0;
}

$("reset").onclick = () => {
	options = {};
	commonChanged(true);
	more.querySelector("summary").focus();
	say(t("reset.said"));
};

let drawnFor = "";

/** Draws the fields of the target for the files in the list, if they have changed. */
function drawFields() {
	const sources = [...new Set(rows.map((row) => row.from))];
	const wanted = [target.value, ...sources].join();
	if (wanted === drawnFor) return;
	drawnFor = wanted;
	badge();
	const place = more.querySelector(".groups");
	// A value takes effect when its field loses the focus.
	if (place.contains(document.activeElement)) document.activeElement.blur();
	more.hidden = !draw(place, sources, target.value, options, (chosen) => {
		options = chosen;
		commonChanged(false);
	});
}

target.onchange = () => {
	isChosen = isFirm = Boolean(target.value);
	commonChanged(true);
	// Without a choice, the usual target is suggested again.
	suggest();
};
$("search").onclick = async () => {
	const reachable = (rows.length ? rows : [{ from: null }]).flatMap(({ from }) => settings.targets(from));
	const { pick } = await import("./picker.js");
	const name = await pick([...new Set(reachable)], target.value, t(rows.length > 1 ? "target.all" : "target"));
	if (name) {
		target.value = name;
		isChosen = isFirm = true;
		commonChanged(true);
	}
};

form.onsubmit = async (event) => {
	event.preventDefault();
	await learned;
	complain("");
	if (rows.length === 0) {
		complain(t("complain.file"));
		input.focus();
	} else if (rows.some((row) => !row.wanted().target)) {
		complain(t("complain.target"));
		target.focus();
	} else {
		const due = rows.filter((row) => row.isDue());
		for (const row of due) row.convert();
		if (due.length > 0) return;
		const unfit = rows.find((row) => row.isUnfit());
		say(unfit ? `${unfit.name}: ${unfit.unfit()}` : t("complain.done"));
	}
};

// ---- all rows at once

$("clear").onclick = () => {
	for (const row of [...rows]) row.remove();
	input.focus();
};

$("save-all").onclick = async () => {
	const files = [];
	for (const row of rows.filter((row) => row.state === "done")) {
		try {
			await row.fetched();
			files.push([row.folder ? `${row.folder}/${row.link.download}` : row.link.download, row.blob]);
		} catch (error) {
			row.lose(error.message);
		}
	}
	if (files.length === 0) return;
	const { zip } = await import("./zip.js");
	const url = URL.createObjectURL(await zip(files));
	Object.assign(document.createElement("a"), { href: url, download: "converted.zip" }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

/** Files of the list that can be joined to one PDF. */
const joinable = () => rows.filter((row) => row.file && row.from !== "zip" && settings.isTarget(row.from, "pdf")).map((row) => row.file);

$("join").onclick = async () => {
	try {
		const { join } = await import("./join.js");
		const archive = await join(joinable());
		if (!archive) return;
		const row = new Row(shared, archive);
		show(row);
		row.choose({ target: "pdf", options: { merge: "true" } });
		row.convert();
	} catch {
		complain(t("add.unread"));
	}
};

// ---- start

async function begin() {
	try {
		const data = await service.formats();
		settings.learn(data);
		const kinds = KINDS.filter((kind) => data.formats.some((format) => format.category === kind)).map((kind) => t(`c.${kind}`));
		$("takes").textContent = t("takes", { kinds: kinds.join(", "), size: limit(shared.maxUpload) });
	} catch (error) {
		if (error.status !== 401) return complain(error.message);
		const known = service.isLocked();
		$("lock-failure").textContent = known ? t("lock.wrong") : "";
		$("lock-failure").hidden = !known;
		$("lock").hidden = false;
		form.hidden = true;
		$("key").focus();
		return;
	}
	$("lock").hidden = true;
	form.hidden = false;
	service.can("DELETE", "download/x").then((can) => (shared.canDelete = can));
	const before = settings.remembered();
	// Keep a target that was chosen while the page was loading.
	if (!target.value && settings.isTarget(null, before.target)) {
		target.value = before.target;
		isChosen = true;
		quality = before.quality;
	}
	commonChanged(true);
	restore();
	hasLearned();
}

/** Restores the rows that this tab has saved before a reload. */
function restore() {
	let left = [];
	try {
		left = JSON.parse(sessionStorage.getItem(STORE)) ?? [];
	} catch {
		// Without readable data there is nothing to restore.
	}
	for (const saved of left) show(new Row(shared, null, saved));
	shared.changed();
}

$("lock").onsubmit = (event) => {
	event.preventDefault();
	service.unlock($("key").value.trim());
	$("key").value = "";
	begin();
};

for (const element of document.querySelectorAll(".js")) element.hidden = false;
input.multiple = true;
// The script checks the form, because no control of the form holds dropped files.
form.noValidate = true;
setInterval(() => rows.forEach((row) => row.tick()), 1000);
begin();
// Files may have been chosen before this script ran. They are in the field, and no event reports them.
if (input.files.length > 0) addChosen();
