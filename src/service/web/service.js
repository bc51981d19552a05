// Client of the REST interface, which the page uses like any other client. Uses only the address of the document.

import { t } from "./text.js";

export const root = new URL("api/v1/", document.baseURI);

const KEY = "convertd.key";
/** First pause before a status is asked for, in milliseconds. Each further one is half as long again. */
const FIRST_PAUSE = 120;
const LONGEST_PAUSE = 3000;
/** Number of attempts at a busy service before the page gives up. */
const PATIENCE = 60;

let key = sessionStorage.getItem(KEY);
/** Difference between the service's clock and this one, in milliseconds; positive if the service is ahead. */
let ahead = 0;

/** A failure, with the message of the service. */
export class Failure extends Error {
	constructor(text, status = 0, retryAfter = 1, code = "") {
		super(text);
		this.code = code;
		this.status = status;
		this.retryAfter = retryAfter;
	}
}

export const isLocked = () => key !== null;

/** Sets the API key. It is stored for this tab only. */
export function unlock(text) {
	key = text;
	sessionStorage.setItem(KEY, text);
}

/** The time by the service's clock, in milliseconds. */
export const now = () => Date.now() + ahead;

function setClock(date) {
	const time = Date.parse(date ?? "");
	if (time) ahead = time - Date.now();
}

async function ask(path, init = {}) {
	const headers = new Headers(init.headers);
	if (key !== null) headers.set("X-API-Key", key);
	let answer;
	try {
		answer = await fetch(new URL(path, root), { ...init, headers });
	} catch (error) {
		if (error.name === "AbortError") throw error;
		throw new Failure(t("e.away"));
	}
	setClock(answer.headers.get("Date"));
	return answer;
}

async function failure(answer) {
	const body = await answer.json().catch(() => ({}));
	return worded(body, answer.status, answer.headers.get("Retry-After"));
}

function worded(body, status, retryAfter) {
	const text = body?.error ?? t("e.status", { status });
	return new Failure(text[0].toUpperCase() + text.slice(1), status, Number(retryAfter) || 1, body?.code);
}

export async function formats() {
	const answer = await ask("formats");
	if (!answer.ok) throw await failure(answer);
	return (await answer.json()).data;
}

/** Returns whether the service supports a method at a path, by an OPTIONS request. */
export async function can(method, path) {
	const answer = await ask(path, { method: "OPTIONS" }).catch(() => null);
	return answer?.headers.get("Allow")?.includes(method) ?? false;
}

/** Sends a form. Resolves to the conversion's identifier. `fetch` would report no progress. */
function send(form, onProgress, signal) {
	return new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open("POST", new URL("convert", root));
		request.setRequestHeader("Prefer", "respond-async");
		if (key !== null) request.setRequestHeader("X-API-Key", key);
		request.responseType = "json";
		request.upload.onprogress = (event) => onProgress(event.loaded / event.total);
		request.onload = () => {
			setClock(request.getResponseHeader("Date"));
			const body = request.response;
			if (request.status === 202 || request.status === 200) resolve(body.data.conversion_id);
			else reject(worded(body, request.status, request.getResponseHeader("Retry-After")));
		};
		request.onerror = () => reject(new Failure(t("e.broken")));
		request.onabort = () => reject(signal.reason);
		signal.addEventListener("abort", () => request.abort());
		request.send(form);
	});
}

/** Uploads a file. Waits and repeats while the service is busy. */
export async function upload(file, fields, { onProgress, onBusy, signal }) {
	const form = new FormData();
	// The file comes last, so that the service refuses a wrong field before the file is sent.
	for (const [name, value] of fields) form.append(name, value);
	form.append("file", file, file.name);
	for (let attempt = 0; ; attempt += 1) {
		signal.throwIfAborted();
		try {
			return await send(form, onProgress, signal);
		} catch (error) {
			if (error.status !== 503 || attempt === PATIENCE) throw error;
			onBusy(error);
			await pause(Math.max(error.retryAfter * 1000, Math.min(500 * attempt, 5000)), signal);
		}
	}
}

/** Polls the status of a conversion until it is ready or has failed. Returns its record. */
export async function ready(id, { onProgress, signal }) {
	for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 1.5, LONGEST_PAUSE)) {
		const record = await status(id, signal);
		if (record.status === "ready") return record;
		if (record.status !== "processing") throw new Failure(t("e.gone"), 404);
		onProgress(record.progress?.fraction ?? null);
		await pause(wait, signal);
	}
}

export async function status(id, signal) {
	const answer = await ask(`status/${id}`, { signal });
	if (!answer.ok) throw await failure(answer);
	return (await answer.json()).data;
}

export const address = (id) => new URL(`download/${id}`, root).href;

/** Fetches a result. It works once: the service deletes the file as soon as it has been delivered. */
export async function fetchResult(id) {
	const answer = await ask(`download/${id}`);
	if (!answer.ok) throw await failure(answer);
	return answer.blob();
}

/** Deletes a result, or ends its conversion, if the service supports that. */
export async function remove(id) {
	const answer = await ask(`download/${id}`, { method: "DELETE" });
	return answer.ok;
}

/** Converts a file for a preview. The service keeps nothing. */
export async function through(blob, to, name, fields = {}) {
	const answer = await ask(`convert?${new URLSearchParams({ to, name, ...fields })}`, {
		method: "POST",
		headers: { "Content-Type": "application/octet-stream" },
		body: blob,
	});
	if (!answer.ok) throw await failure(answer);
	return answer.blob();
}

export function pause(milliseconds, signal) {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, milliseconds);
		signal?.addEventListener("abort", () => {
			clearTimeout(timer);
			reject(signal.reason);
		});
	});
}
