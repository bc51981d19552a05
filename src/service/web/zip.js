// Makes and reads ZIP archives of stored files (APPNOTE.TXT 6.3, section 4.3). Compresses nothing.

const CRC = Uint32Array.from({ length: 256 }, (_, code) => {
	for (let bit = 0; bit < 8; bit += 1) code = code & 1 ? 0xedb88320 ^ (code >>> 1) : code >>> 1;
	return code;
});
const LOCAL_HEADER = 0x04034b50;
const UTF8 = 0x800;
const VERSION = 20;

async function checksum(blob) {
	let crc = -1;
	for (const reader = blob.stream().getReader(); ; ) {
		const { done, value } = await reader.read();
		if (done) return ~crc >>> 0;
		for (const byte of value) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
	}
}

/** The files of an archive that the service made: its entries are stored, one after another. */
export async function unzip(archive) {
	const view = new DataView(await archive.arrayBuffer());
	const files = [];
	for (let at = 0; at + 30 <= view.byteLength && view.getUint32(at, true) === LOCAL_HEADER; ) {
		const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
		const end = start + view.getUint32(at + 18, true);
		files.push(archive.slice(start, end));
		at = end;
	}
	return files;
}

/** Little-endian numbers of two or four bytes, from [length, value, length, value …]. */
function bytes(...parts) {
	const all = [];
	for (let at = 0; at < parts.length; at += 2) {
		for (let byte = 0; byte < parts[at]; byte += 1) all.push((parts[at + 1] >>> (8 * byte)) & 255);
	}
	return new Uint8Array(all);
}

/** Makes an archive of entries `[path, blob]`, of at most 4 GB. A path that occurs twice gets a number. */
export async function zip(entries) {
	const now = new Date();
	const time = (now.getHours() << 11) | (now.getMinutes() << 5) | (now.getSeconds() >> 1);
	const date = ((now.getFullYear() - 1980) << 9) | ((now.getMonth() + 1) << 5) | now.getDate();
	const [taken, data, directory] = [new Set(), [], []];
	let at = 0;
	for (const [path, blob] of entries) {
		let free = path;
		for (let count = 2; taken.has(free); count += 1) free = path.replace(/(\.[^./]*)?$/, ` (${count})$1`);
		taken.add(free);
		const name = new TextEncoder().encode(free);
		const { size } = blob;
		const about = bytes(2, VERSION, 2, UTF8, 2, 0, 2, time, 2, date, 4, await checksum(blob), 4, size, 4, size, 2, name.length, 2, 0);
		data.push(bytes(4, LOCAL_HEADER), about, name, blob);
		directory.push(bytes(4, 0x02014b50, 2, VERSION), about, bytes(2, 0, 2, 0, 2, 0, 4, 0, 4, at), name);
		at += 4 + about.length + name.length + size;
	}
	const length = new Blob(directory).size;
	const end = bytes(4, 0x06054b50, 4, 0, 2, taken.size, 2, taken.size, 4, length, 4, at, 2, 0);
	return new Blob([...data, ...directory, end], { type: "application/zip" });
}
