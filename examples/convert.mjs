// Converts a file: uploads it, prints the notes about losses, and downloads the result. Needs only Node 18, or a
// browser's fetch.
//
//     node examples/convert.mjs photo.heic photo.jpg
//     CONVERTD_URL=http://files.example CONVERTD_KEY=… node examples/convert.mjs report.docx report.pdf pdf_a=true

import { readFile, writeFile } from "node:fs/promises";
import { basename, extname } from "node:path";

const service = process.env.CONVERTD_URL ?? "http://127.0.0.1:8080";
const key = process.env.CONVERTD_KEY;

// Sends a request, and returns its response. Throws an error with the message of the service.
async function request(path, options = {}) {
	const headers = key ? { Authorization: `Bearer ${key}` } : {};
	const answer = await fetch(service + path, { ...options, headers });
	if (!answer.ok) {
		const { error } = await answer.json();
		throw new Error(`${answer.status}: ${error}`);
	}
	return answer;
}

async function convert(source, result, options) {
	const form = new FormData();
	form.append("target_format", extname(result).slice(1));
	for (const option of options) {
		const [name, ...value] = option.split("=");
		form.append(name, value.join("="));
	}
	form.append("file", new Blob([await readFile(source)]), basename(source));
	const answer = await request("/api/v1/convert", { method: "POST", body: form });
	const { data } = await answer.json();
	for (const note of data.notes ?? []) {
		console.log("note:", note);
	}
	// The link works once.
	const download = await request(data.download_url);
	await writeFile(result, Buffer.from(await download.arrayBuffer()));
	console.log(`${source} became ${result}: ${data.file_size} bytes in ${data.conversion_time.toFixed(2)} s`);
}

const [source, result, ...options] = process.argv.slice(2);
if (!result) {
	console.error("usage: convert.mjs INPUT OUTPUT [OPTION=VALUE …]");
	process.exit(2);
}
convert(source, result, options).catch((error) => {
	console.error(error.message);
	process.exit(1);
});
