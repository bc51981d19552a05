// One file: what it is, what it becomes, how far that is, and what came of it. Knows nothing of other rows.

import * as service from "./service.js";
import * as settings from "./settings.js";
import { button, make, word } from "./element.js";
import { pick } from "./picker.js";
import { compare, kind, shown } from "./preview.js";
import { change, curl, extension, left, renamed, size } from "./words.js";

/** A result of up to so many bytes is fetched into memory to be shown. */
const MAX_PREVIEW = 200e6;
/** A change of settings converts again once it has lasted so long, in milliseconds. */
const REST = 600;

export class Row {
	/** `page` is what rows share. `saved` is what an earlier page of this tab has left of a row, which has no file. */
	constructor(page, file, saved) {
		this.page = page;
		this.file = file;
		this.name = (saved ?? file).name;
		this.size = (saved ?? file).size;
		this.from = saved ? saved.from : settings.guess(extension(this.name), file.type);
		/** Settings of this row alone. */
		this.own = saved?.chosen ?? null;
		/** The settings that it was converted with, and their fields. */
		this.chosen = this.own;
		this.used = null;
		this.id = saved?.id ?? null;
		this.state = "waiting";
		this.build();
		if (saved?.id) this.follow();
		else if (saved) this.fail("The page was closed before this file had arrived. Add it again.");
		else this.isTooLarge();
	}

	// ---- what it is to become

	/** The settings for this file: its own, or the common ones as far as they fit. */
	wanted() {
		if (this.own) return this.own;
		const common = this.page.common();
		const suggested = settings.suggest(this.from);
		const fits = settings.isTarget(this.from, common.target);
		if (fits && (common.isChosen || common.target === suggested)) return common;
		return { ...common, target: suggested, options: {} };
	}

	fields(chosen = this.wanted()) {
		return settings.fields(this.from, chosen);
	}

	/** Whether it is too large, which is then said. */
	isTooLarge() {
		const most = this.page.maxUpload;
		if (this.size <= most) return false;
		this.fail(`The file has ${size(this.size)}; this service takes files of up to ${size(most)}.`);
		return true;
	}

	isRunning() {
		return ["queued", "uploading", "converting"].includes(this.state);
	}

	isStale() {
		return JSON.stringify(this.fields()) !== JSON.stringify(this.used);
	}

	/** Whether "Convert" has something to do here. */
	isDue() {
		return this.file && !this.isRunning() && (this.state === "waiting" || this.isStale());
	}

	/** The common settings have changed. A new target is one for all. */
	follows(targetChanged) {
		if (this.isRunning()) return;
		if (targetChanged) this.own = null;
		this.show();
		if (!this.more.hidden) this.drawSettings();
	}

	/** Settings of this row alone. What is converted already is converted again. */
	choose(part) {
		this.own = { ...this.wanted(), ...part };
		this.show();
		clearTimeout(this.timer);
		if (this.used && this.isDue()) this.timer = setTimeout(() => this.convert(), REST);
	}

	// ---- converting

	async convert() {
		if (this.isRunning() || !this.file || this.isTooLarge()) return;
		clearTimeout(this.timer);
		this.forget();
		this.chosen = this.wanted();
		this.used = this.fields();
		this.abort = new AbortController();
		const { signal } = this.abort;
		let release;
		try {
			this.set("queued", `${size(this.size)}, waits for its turn`);
			release = await this.page.turn(signal);
			this.set("uploading", "Uploading");
			this.id = await service.upload(this.file, this.used, {
				signal,
				onProgress: (part) => this.progress(part, `Uploading, ${Math.round(part * 100)} %`),
				onBusy: () => this.progress(null, "The service is busy; this is tried again"),
			});
			await this.watch(signal);
		} catch (error) {
			this.end(error);
		} finally {
			release?.();
		}
	}

	/** Goes on with a conversion that an earlier page has started. */
	async follow() {
		this.abort = new AbortController();
		await this.watch(this.abort.signal).catch((error) => this.end(error));
	}

	async watch(signal) {
		this.set("converting", "Converting");
		const onProgress = (part) => this.progress(part, part === null ? "Converting, or waiting for its turn" : `Converting, ${Math.round(part * 100)} %`);
		this.record = await service.ready(this.id, { signal, onProgress });
		// What it is by its content counts from here on.
		this.from = this.record.original_format;
		this.used = this.chosen && this.fields(this.chosen);
		this.set("done");
		const { file_size: after, target_format: target } = this.record;
		this.page.say(`${this.name} is ready: ${target}, ${size(after)}, ${change(this.size, after)}.`);
	}

	end(error) {
		if (error.name === "AbortError") this.set("cancelled", "Cancelled");
		else this.fail(error.message);
		this.page.say(`${this.name}: ${this.sentence}`);
	}

	fail(text) {
		this.id = null;
		this.set("failed", text);
	}

	cancel() {
		this.abort.abort();
		this.erase();
	}

	/** Deletes what the service has of it, if it can; otherwise that expires. */
	erase() {
		if (this.id && !this.blob && this.page.canDelete) service.remove(this.id).catch(() => {});
		this.id = null;
	}

	/** Lets an earlier result go. */
	forget() {
		this.erase();
		if (this.url) URL.revokeObjectURL(this.url);
		this.blob = this.url = this.record = null;
		this.preview.replaceChildren();
		this.lookButton.ariaExpanded = "false";
	}

	// ---- the result

	/**
	 * The bytes of the result. The link works once, so they are fetched once, and whatever shows or saves the result uses the same
	 * blob from then on. Until somebody wants to see it, it stays with the service and survives a reload.
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

	/** Once the file has been delivered, the link is of no use. A broken transfer leaves it. */
	async watchDelivery() {
		const { id } = this;
		for (let wait = 500; wait < 60_000; wait *= 2) {
			await service.pause(wait);
			if (this.id !== id || this.blob) return;
			const { status } = await service.status(id).catch(() => ({}));
			if (status && status !== "ready") return this.lose("Saved. The service has deleted its copy.");
		}
	}

	/** The result is no longer with the service. */
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
				const { media_type: type } = this.record;
				const isPicture = kind(type) === "picture";
				this.preview.append(isPicture ? compare(this.before(), url, this.name) : await shown(this.blob, url, type, this.name));
			} catch (error) {
				this.lose(error.message);
			}
		}
		this.lookButton.ariaExpanded = String(Boolean(this.preview.firstChild));
	}

	before() {
		const mediaType = settings.format(this.from)?.media_type;
		if (!this.file || kind(mediaType) !== "picture") return null;
		this.beforeUrl ??= URL.createObjectURL(this.file.slice(0, this.size, mediaType));
		return this.beforeUrl;
	}

	// ---- what is seen of it

	build() {
		const { name } = this;
		this.source = make("span", { className: "sheet" });
		this.target = make("button", { type: "button", className: "sheet target", ariaHasPopup: "dialog", onclick: () => this.pickTarget() });
		this.text = make("p", { className: "state" });
		this.bar = make("progress", { max: 1, ariaLabel: `Progress of ${name}` });
		this.notes = make("ul", { className: "notes" });
		this.lookButton = button("Preview", name, () => this.look());
		this.link = make("a", { className: "button", onclick: (event) => this.saving(event) });
		this.retryButton = button("Retry", name, () => this.convert());
		this.cancelButton = button("Cancel", name, () => this.cancel());
		this.moreButton = button("Settings", name, () => this.toggle());
		this.removeButton = button("Remove", name, () => this.remove());
		this.actions = make("span", { className: "actions" }, this.lookButton, this.link, this.retryButton, this.cancelButton, this.moreButton, this.removeButton);
		this.preview = make("div", { className: "look" });
		this.more = make("div", { className: "details", hidden: true });
		this.curl = make("input", { readOnly: true, ariaLabel: `The same with curl: ${name}`, onfocus: () => this.curl.select() });
		this.copyButton = button("Copy", `the command for ${name}`, () => this.copy());
		this.shell = make("div", { className: "shell" }, make("span", { textContent: "$", ariaHidden: "true" }), this.curl, this.copyButton);
		const title = make("h3", { textContent: name, title: this.file?.webkitRelativePath || name });
		const arrow = make("span", { className: "arrow", textContent: "→", ariaHidden: "true" });
		const pair = make("span", { className: "pair" }, this.source, arrow, this.target);
		const what = make("div", { className: "what" }, title, this.text, this.bar);
		this.element = make("li", { className: "card row" }, pair, what, this.actions, this.notes, this.preview, this.more, this.shell);
		this.lookButton.ariaExpanded = this.moreButton.ariaExpanded = "false";
		this.show();
	}

	set(state, sentence) {
		const focused = document.activeElement;
		const hadFocus = this.actions.contains(focused);
		this.state = state;
		this.progress(null, sentence);
		// The focus stays with the row.
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
		this.target.ariaLabel = `New format of ${name}: ${target || "none chosen"}`;
		this.target.disabled = isRunning || !this.file;
		this.text.textContent = this.words();
		this.text.classList.toggle("failure", state === "failed");
		this.bar.hidden = !isRunning;
		if (typeof this.part === "number") this.bar.value = this.part;
		else this.bar.removeAttribute("value");
		this.notes.replaceChildren(...(record?.notes ?? []).map((note) => make("li", { textContent: note })));
		this.notes.hidden = !record?.notes;

		this.link.hidden = !isDone;
		if (isDone) {
			this.link.href = this.url ?? service.address(this.id);
			const isArchive = record.media_type === "application/zip";
			this.link.download = renamed(name, isArchive ? "zip" : record.target_format);
			word(this.link, "Save", this.link.download);
		} else {
			for (const name of ["href", "download"]) this.link.removeAttribute(name);
		}
		const visible = isDone && record.file_size <= MAX_PREVIEW && kind(record.media_type);
		this.lookButton.hidden = !visible;
		word(this.lookButton, visible === "sound" ? "Play" : "Preview", name);
		word(this.retryButton, state === "gone" ? "Again" : "Retry", name);
		this.retryButton.hidden = !this.file || isRunning || isDone || state === "waiting";
		this.cancelButton.hidden = !isRunning;
		this.moreButton.hidden = isRunning || !this.file;
		const deletes = isDone && !this.blob && this.page.canDelete;
		this.removeButton.hidden = isRunning;
		word(this.removeButton, deletes ? "Delete now" : "Remove", name);
		this.shell.hidden = this.more.hidden && !isDone && state !== "gone";
		this.curl.value = curl(new URL("convert", service.root).href, name, settings.masked(this.fields()), service.isLocked());
	}

	/** Its state in words. */
	words() {
		if (this.state === "waiting") return size(this.size);
		if (this.state !== "done") return this.sentence;
		const { file_size: after, expires_at: end } = this.record;
		let more = `link works once, for ${left((Date.parse(end) - service.now()) / 1000)}`;
		if (this.blob) more = "fetched into this page";
		if (this.file && this.isStale()) more = "settings have changed since";
		return `${size(this.size)} → ${size(after)}, ${change(this.size, after)} · ${more}`;
	}

	/** Called every second: what is left of the link's time. */
	tick() {
		if (this.state !== "done" || this.blob) return;
		this.text.textContent = this.words();
		if (Date.parse(this.record.expires_at) <= service.now()) this.lose("The link has expired, and the service has deleted its copy.");
	}

	// ---- its controls

	async pickTarget() {
		const name = await pick(settings.targets(this.from), this.wanted().target, `${this.name} becomes`);
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

	drawSettings() {
		const { target, quality, options } = this.wanted();
		const select = make("select", {}, ...["low", "medium", "high"].map((word) => new Option(word, word)));
		select.value = quality;
		select.onchange = () => this.choose({ quality: select.value });
		const hint = make("p", { className: "hint", textContent: settings.qualityWords(target) });
		const place = make("div", { className: "options" });
		settings.draw(place, [this.from], target, options, (chosen) => this.choose({ options: chosen }));
		this.more.replaceChildren(make("div", { className: "field" }, make("label", { textContent: "Quality" }, select), hint), place);
	}

	async copy() {
		try {
			await navigator.clipboard.writeText(this.curl.value);
		} catch {
			// Without TLS there is no clipboard but this.
			this.curl.select();
			document.execCommand("copy");
		}
		this.copyButton.textContent = "Copied";
		this.page.say("Copied.");
	}

	remove() {
		this.abort?.abort();
		this.forget();
		if (this.beforeUrl) URL.revokeObjectURL(this.beforeUrl);
		this.page.removed(this);
	}

	/** What a later page of this tab needs to go on with it. */
	saved() {
		const { name, size, from, id } = this;
		const chosen = this.chosen && { ...this.chosen, options: settings.harmless(this.chosen.options) };
		return { name, size, from, chosen, id };
	}
}
