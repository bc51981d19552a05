// One file: its format, its settings, its conversion and its result. Knows nothing of other rows.

import * as service from "./service.js";
import * as settings from "./settings.js";
import { button, make, word } from "./element.js";
import { draw, drawQuality, labelOf } from "./fields.js";
import { kind } from "./kind.js";
import { t } from "./text.js";
import { change, curl, explained, extension, left, limit, named, percent, renamed, size } from "./words.js";

/** Largest result that is fetched for a preview, in bytes. */
const MAX_PREVIEW = 200e6;
/** Time from a change of settings to another conversion, in milliseconds. */
const REST = 600;
/** Status codes from 400 to 499 after which the same request may still succeed. */
const PASSING = [401, 404, 408, 409, 429];

export class Row {
	/** `page` is the state that rows share. `saved` is a row from before a reload, without its file. */
	constructor(page, file, saved) {
		this.page = page;
		this.file = file;
		this.name = (saved ?? file).name;
		this.size = (saved ?? file).size;
		this.from = saved ? saved.from : settings.guess(extension(this.name), file.type);
		/** Settings of this row alone. */
		this.own = saved?.chosen ?? null;
		/** The settings of the current conversion, with their fields. */
		this.chosen = this.own;
		this.used = null;
		/** Fields that the user has added after a failure: a password, or `damaged=keep`. */
		this.remedies = {};
		/** The folder of the file, which an archive of all results has, too. */
		this.folder = (saved ? saved.folder : (file.folder ?? file.webkitRelativePath?.replace(/\/?[^/]*$/, ""))) ?? "";
		/** Pictures of its pages, and whether there are more. */
		this.drawn = { urls: [], hasMore: true };
		this.id = saved?.id ?? null;
		this.state = "waiting";
		this.build();
		if (saved?.id) this.follow();
		else if (saved) this.fail(t("row.closed"));
		else if (!this.isTooLarge()) this.offerToRead();
	}

	// ---- settings

	/**
	 * The settings for this file: its own, or the common ones. A file that cannot become the common target is not
	 * converted if the user chose that target during this visit; otherwise it gets the usual target of its format.
	 */
	wanted() {
		if (this.own) return this.own;
		const common = this.page.common();
		const suggested = settings.suggest(this.from);
		const fits = settings.isTarget(this.from, common.target);
		if (fits ? common.isChosen || common.target === suggested : common.isFirm) return common;
		return { ...common, target: suggested, options: {} };
	}

	fields(chosen = this.wanted()) {
		return settings.fields(this.from, { ...chosen, options: { ...chosen.options, ...this.remedies } });
	}

	/** Returns whether the file is too large, and if so, shows that. */
	isTooLarge() {
		const most = this.page.maxUpload;
		if (this.size <= most) return false;
		this.fail(t("row.large", { size: size(this.size), most: limit(most) }), "", { status: 413 });
		return true;
	}

	/** Returns whether the file cannot become the target that the user has chosen for all files. */
	isUnfit() {
		const { target } = this.wanted();
		return Boolean(target) && !settings.isTarget(this.from, target);
	}

	/** A message that the file cannot become its target. */
	unfit() {
		return t("row.unfit", { format: this.wanted().target });
	}

	isRunning() {
		return ["queued", "uploading", "converting"].includes(this.state);
	}

	isStale() {
		return JSON.stringify(this.fields()) !== JSON.stringify(this.used);
	}

	/** Returns whether "Convert" has something to do here. */
	isDue() {
		return this.file && !this.isRunning() && !this.isUnfit() && (this.state === "waiting" || this.isStale());
	}

	/** Follows the common settings. A new target replaces the row's own one. */
	follows(targetChanged) {
		if (this.isRunning()) return;
		if (targetChanged) this.own = null;
		this.show();
		if (!this.more.hidden) this.drawSettings();
	}

	/** Changes settings of this row alone. A converted file is converted again. */
	choose(part) {
		this.own = { ...this.wanted(), ...part };
		this.show();
		clearTimeout(this.timer);
		if (this.used && this.isDue()) this.timer = setTimeout(() => this.convert(), REST);
	}

	// ---- converting

	async convert() {
		if (this.isRunning() || !this.file || this.isUnfit() || this.isTooLarge()) return;
		clearTimeout(this.timer);
		this.forget();
		this.chosen = this.wanted();
		this.used = this.fields();
		this.abort = new AbortController();
		const { signal } = this.abort;
		let release;
		try {
			this.set("queued", t("row.waits", { size: size(this.size) }));
			release = await this.page.turn(signal);
			this.set("uploading", t("row.uploading"));
			this.id = await service.upload(this.file, this.used, {
				signal,
				onProgress: (part) => this.progress(part, `${t("row.uploading")}, ${percent(part)}`),
				onBusy: () => this.progress(null, t("row.busy")),
			});
			await this.watch(signal);
		} catch (error) {
			this.end(error);
		} finally {
			release?.();
		}
	}

	/** Continues with a conversion that was started before a reload. */
	async follow() {
		this.abort = new AbortController();
		await this.watch(this.abort.signal).catch((error) => this.end(error));
	}

	async watch(signal) {
		this.set("converting", t("row.converting"));
		const onProgress = (part) => this.progress(part, part === null ? t("row.converting.or") : `${t("row.converting")}, ${percent(part)}`);
		this.record = await service.ready(this.id, { signal, onProgress });
		// From now on, use the format that the service has recognised.
		this.from = this.record.original_format;
		this.used = this.chosen && this.fields(this.chosen);
		this.set("done");
		const { file_size: after, target_format: target } = this.record;
		this.page.say(t("row.ready", { name: this.name, what: `${target}, ${size(after)}, ${change(this.size, after)}` }));
	}

	end(error) {
		if (error.name === "AbortError") this.set("cancelled", t("row.cancelled"));
		else {
			// The service names a part of a joined file by its path. The page made up its folder.
			const part = this.file?.parts?.find((path) => error.message.startsWith(`${path}: `)) ?? "";
			if (part) error.message = error.message.slice(part.length + 2);
			const [text, more] = explained(error, this.label);
			this.fail(part ? `${this.worded(part)}: ${text}` : text, more, error);
		}
		this.page.say(`${this.name}: ${this.sentence}`);
	}

	/** Shows a failure. `more` is the service's own message, in English. */
	fail(text, more = "", { status = 0, code = "" } = {}) {
		this.id = null;
		this.code = code;
		this.detail.textContent = more;
		/** Whether a repeat of the same request would fail in the same way. */
		this.isFinal = status >= 400 && status < 500 && !PASSING.includes(status);
		this.set("failed", text);
	}

	/** The name of a field of this conversion on the page. */
	label = (name) => labelOf([this.from], this.wanted().target, name);

	/** A message of the service, with the labels of fields, and without the folders of a joined file. */
	worded(text) {
		return (this.file?.parts ?? []).reduce((text, path) => text.replaceAll(path, path.replace(/^\d+\//, "")), named(text, this.label));
	}

	/** Converts again with a remedy after a failure. */
	again(remedy) {
		Object.assign(this.remedies, remedy);
		this.convert();
	}

	cancel() {
		this.abort.abort();
		this.erase();
	}

	/** Deletes the result from the service, if possible; otherwise it expires. */
	erase() {
		if (this.id && !this.blob && this.page.canDelete) service.remove(this.id).catch(() => {});
		this.id = null;
	}

	/** Releases an earlier result. */
	forget() {
		this.erase();
		for (const url of [this.url, this.shownUrl]) if (url) URL.revokeObjectURL(url);
		this.blob = this.url = this.shownUrl = this.record = null;
		this.detail.textContent = this.code = "";
		this.preview.replaceChildren();
		this.lookButton.ariaExpanded = "false";
	}

	// ---- the result

	/**
	 * The URL of the fetched result. The link works once, so the bytes are fetched once, and all later views and downloads
	 * use the same blob. Until somebody wants to see the result, it stays with the service and survives a reload.
	 */
	async fetched() {
		if (!this.blob) {
			this.blob = await service.fetchResult(this.id);
			this.url = URL.createObjectURL(this.blob.slice(0, this.blob.size, this.record.media_type));
			this.show();
		}
		return this.url;
	}

	/** A click on the link: the browser saves by itself, unless a key has to be sent. */
	async saving(event) {
		if (this.blob) return;
		if (!service.isLocked()) return this.watchDelivery();
		event.preventDefault();
		await this.fetched().then(() => this.link.click(), (error) => this.lose(error.message));
	}

	/** Waits until the result is delivered and the link is dead. A broken transfer keeps the link. */
	async watchDelivery() {
		const { id } = this;
		for (let wait = 500; wait < 60_000; wait *= 2) {
			await service.pause(wait);
			if (this.id !== id || this.blob) return;
			const { status } = await service.status(id).catch(() => ({}));
			if (status && status !== "ready") return this.lose(t("row.saved"));
		}
	}

	/** Shows that the service no longer has the result. */
	lose(text) {
		this.id = null;
		this.set("gone", text);
	}

	async look() {
		if (this.preview.firstChild) {
			this.preview.replaceChildren();
		} else {
			try {
				const url = await this.fetched();
				const { media_type: type, target_format: target } = this.record;
				if (kind(type)) await this.present(this.blob, url, type);
				else await this.presentBy(settings.preview(target));
			} catch (error) {
				this.lose(error.message);
			}
		}
		this.lookButton.ariaExpanded = String(Boolean(this.preview.firstChild));
	}

	async present(blob, url, type) {
		const { compare, shown } = await import("./preview.js");
		this.preview.append(kind(type) === "picture" ? compare(this.before(), url, this.name) : await shown(blob, url, type, this.name));
	}

	/** Shows a result that browsers cannot show, converted to another format, and says so. */
	async presentBy(other) {
		const wait = make("p", { className: "hint", textContent: t("look.wait") });
		this.preview.append(wait);
		try {
			const made = await service.through(this.blob, other, this.link.download);
			const type = settings.format(other).media_type;
			const blob = made.slice(0, made.size, type);
			this.shownUrl = URL.createObjectURL(blob);
			await this.present(blob, this.shownUrl, type);
			wait.textContent = t("look.by", { format: other });
		} catch (error) {
			wait.textContent = explained(error, () => null)[0];
		}
	}

	before() {
		const mediaType = settings.format(this.from)?.media_type;
		if (!this.file || kind(mediaType) !== "picture") return null;
		this.beforeUrl ??= URL.createObjectURL(this.file.slice(0, this.size, mediaType));
		return this.beforeUrl;
	}

	// ---- rendering

	build() {
		const { name } = this;
		this.source = make("span", { className: "sheet" });
		this.target = make("button", { type: "button", className: "sheet target", ariaHasPopup: "dialog", onclick: () => this.pickTarget() });
		this.text = make("p", { className: "state" });
		this.bar = make("progress", { max: 1, ariaLabel: t("row.progress", { name }) });
		this.notes = make("ul", { className: "notes" });
		this.lookButton = button(t("look"), name, () => this.look());
		this.link = make("a", { className: "button", onclick: (event) => this.saving(event) });
		this.retryButton = button(t("retry"), name, () => this.convert());
		this.cancelButton = button(t("cancel"), name, () => this.cancel());
		this.moreButton = button(t("settings"), name, () => this.toggle());
		this.removeButton = button(t("remove"), name, () => this.remove());
		this.actions = make("span", { className: "actions" }, this.lookButton, this.link, this.retryButton, this.cancelButton, this.moreButton, this.removeButton);
		this.detail = make("p", { className: "hint", lang: "en" });
		this.remedy = make("div", { className: "remedy" });
		this.preview = make("div", { className: "look" });
		this.more = make("div", { className: "details", hidden: true });
		this.curl = make("input", { readOnly: true, ariaLabel: t("curl", { name }), onfocus: () => this.curl.select() });
		this.copyButton = button(t("copy"), t("copy.of", { name }), () => this.copy());
		this.shell = make("div", { className: "shell" }, make("span", { textContent: "$", ariaHidden: "true" }), this.curl, this.copyButton);
		const title = make("h3", { textContent: name, title: this.folder ? `${this.folder}/${name}` : name });
		const arrow = make("span", { className: "arrow", textContent: "→", ariaHidden: "true" });
		const pair = make("span", { className: "pair" }, this.source, arrow, this.target);
		const what = make("div", { className: "what" }, title, this.text, this.detail, this.bar);
		this.element = make("li", { className: "card row" }, pair, what, this.actions, this.remedy, this.notes, this.preview, this.more);
		this.lookButton.ariaExpanded = this.moreButton.ariaExpanded = "false";
		this.show();
	}

	set(state, sentence) {
		const focused = document.activeElement;
		const hadFocus = this.actions.contains(focused);
		this.state = state;
		this.progress(null, sentence);
		// Keep the focus within the row.
		if (hadFocus && focused.hidden) [this.link, this.cancelButton, this.removeButton].find((other) => !other.hidden).focus();
		this.page.changed();
	}

	progress(part, sentence) {
		this.part = part;
		this.sentence = sentence;
		this.show();
	}

	show() {
		const { state, record, name } = this;
		const { target } = this.wanted();
		const [isDone, isRunning] = [state === "done", this.isRunning()];
		this.element.dataset.state = state;
		this.source.textContent = this.from ?? (extension(name).slice(0, 5) || "?");
		this.target.textContent = target || "…";
		this.target.ariaLabel = t("row.target", { name, format: target });
		this.target.disabled = isRunning || !this.file;
		this.text.textContent = this.words();
		this.text.classList.toggle("failure", state === "failed" || (state === "waiting" && this.isUnfit()));
		this.bar.hidden = !isRunning;
		if (typeof this.part === "number") this.bar.value = this.part;
		else this.bar.removeAttribute("value");
		this.notes.replaceChildren(...(record?.notes ?? []).map((note) => make("li", { textContent: this.worded(note), lang: "en" })));
		this.notes.hidden = !record?.notes;

		this.link.hidden = !isDone;
		if (isDone) {
			this.link.href = this.url ?? service.address(this.id);
			const isArchive = record.media_type === "application/zip";
			this.link.download = renamed(name, isArchive ? "zip" : record.target_format);
			word(this.link, t("save"), this.link.download);
		} else {
			for (const name of ["href", "download"]) this.link.removeAttribute(name);
		}
		const type = isDone && record.media_type;
		const visible = isDone && record.file_size <= MAX_PREVIEW && (kind(type) ?? (type !== "application/zip" && settings.isTarget(record.target_format, settings.preview(record.target_format)) && "other"));
		this.lookButton.hidden = !visible;
		word(this.lookButton, visible === "sound" ? t("play") : t("look"), name);
		word(this.retryButton, state === "gone" ? t("again") : t("retry"), name);
		this.retryButton.hidden = !this.file || isRunning || isDone || state === "waiting" || (state === "failed" && this.isFinal && !(this.used && this.isStale())) || this.isUnfit();
		this.cancelButton.hidden = !isRunning;
		this.moreButton.hidden = isRunning || !this.file;
		const deletes = isDone && !this.blob && this.page.canDelete;
		this.removeButton.hidden = isRunning;
		word(this.removeButton, deletes ? t("delete") : t("remove"), name);
		if (state !== this.drawnState) this.drawRemedy();
		this.curl.value = curl(new URL("convert", service.root).href, name, settings.masked(this.fields()), service.isLocked());
	}

	/** The state of the row in words. */
	words() {
		if (this.state === "waiting") return this.isUnfit() ? this.unfit() : size(this.size);
		if (this.state !== "done") return this.sentence;
		const { file_size: after, expires_at: end } = this.record;
		let more = t("row.link", { time: left((Date.parse(end) - service.now()) / 1000) });
		if (this.blob) more = t("row.fetched");
		if (this.file && this.isStale()) more = this.isUnfit() ? this.unfit() : t("row.stale");
		return `${size(this.size)} → ${size(after)}, ${change(this.size, after)} · ${more}`;
	}

	/** Updates the remaining time of the link. Called every second. */
	tick() {
		if (this.state !== "done" || this.blob) return;
		this.text.textContent = this.words();
		if (Date.parse(this.record.expires_at) <= service.now()) this.lose(t("row.expired"));
	}

	// ---- its controls

	async pickTarget() {
		const { pick } = await import("./picker.js");
		const name = await pick(settings.targets(this.from), this.wanted().target, t("row.becomes", { name: this.name }));
		if (!name || name === this.wanted().target) return;
		this.choose({ target: name, options: {} });
		this.drawSettings();
	}

	toggle() {
		this.more.hidden = !this.more.hidden;
		this.moreButton.ariaExpanded = String(!this.more.hidden);
		this.drawSettings();
		this.show();
	}

	/** Draws the settings of this file, with pictures of its pages where these can be picked. */
	async drawSettings() {
		const { target, quality, options } = this.wanted();
		const field = make("div", { className: "field" });
		const hint = drawQuality(field, target, quality, (quality) => this.choose({ quality }));
		const place = make("div", { className: "groups" });
		let pages = null;
		const drawFields = (options) =>
			draw(place, [this.from], target, options, (options) => {
				this.choose({ options });
				pages?.show(options);
			});
		drawFields(options);
		this.more.replaceChildren(make("div", {}, field, hint), place, this.shell);
		if (!settings.hasPages(this.from, target)) return;
		const { pictures } = await import("./pages.js");
		pages = pictures(this.file, this.drawn, { ...this.remedies, ...options }, (options) => {
			this.choose({ options });
			drawFields(options);
		});
		place.before(pages);
	}

	/** Draws the remedies after a failure or for a scan. */
	async drawRemedy() {
		this.drawnState = this.state;
		this.remedy.replaceChildren();
		if (!this.file || this.state !== "failed") return;
		const { remedy } = await import("./remedies.js");
		if (this.state === "failed") this.remedy.replaceChildren(...remedy(this));
	}

	async offerToRead() {
		const { reading } = await import("./remedies.js");
		const controls = await reading(this);
		if (this.state === "waiting") this.remedy.replaceChildren(...controls);
	}

	async copy() {
		try {
			await navigator.clipboard.writeText(this.curl.value);
		} catch {
			// Without TLS, browsers offer only this way to the clipboard.
			this.curl.select();
			document.execCommand("copy");
		}
		this.copyButton.textContent = t("copied");
		this.page.say(t("copied"));
	}

	remove() {
		this.abort?.abort();
		this.forget();
		for (const url of [this.beforeUrl, ...this.drawn.urls]) if (url) URL.revokeObjectURL(url);
		this.page.removed(this);
	}

	/** The data that this tab needs to restore the row after a reload. */
	saved() {
		const { name, size, from, id, folder } = this;
		const chosen = this.chosen && { ...this.chosen, options: settings.harmless(this.chosen.options) };
		return { name, size, from, chosen, id, folder };
	}
}
