// The page in a real browser. Started by browser.rs: node page.mjs OPEN LOCKED PREFIXED DATA, three addresses of
// services (the second wants the key "key", the third is below /convert) and the directory of the test files. Exits
// with 0 if all steps succeed.
//
// The name of a step says what it checks. Steps call axe-core on each state of the page, to check its accessibility.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Node looks for the packages in the working directory, not in the directory of this file.
const require = createRequire(join(process.cwd(), "package.json"));
const { chromium } = require("playwright-core");
const axe = await readFile(require.resolve("axe-core"), "utf8");

const [open, locked, prefixed, data] = process.argv.slice(2);
const picture = join(data, "avif/alpha.png");
const photo = join(data, "heic/grid.heic");
const sound = join(data, "audio/speech.wav");
const paper = join(data, "pdf/office.pdf");
const text = { name: "Grüße & 你好 (1).md", mimeType: "text/markdown", buffer: Buffer.from("# Title\n\nSome *text*.\n") };
const broken = { name: "broken.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture at all".repeat(50)) };

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** Opens the page in a fresh profile. A request to another address, or an error in the page, fails the step. */
async function visit(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => {
    // The browser logs each answer of 400 or 401 as an error. Some steps expect such answers, but none expects a
    // blocked script or style.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) wrong.push(message.text());
  });
  const origin = new URL(address).origin;
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith(`blob:${origin}`)) wrong.push(`asks for ${request.url()}`);
  });
  page.leave = async () => {
    assert.deepEqual(wrong, []);
    await context.close();
  };
  await page.goto(address);
  // The script first awaits the texts of the page, for which the event "load" does not wait. Its last statements set
  // `multiple` on the input, so that attribute shows that the script is done.
  const hasScript = options.javaScriptEnabled !== false && (await page.locator("#file").count()) > 0;
  if (hasScript) await page.locator("#file[multiple]").waitFor({ state: "attached" });
  return page;
}

async function accessible(page, state) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  assert.deepEqual(found, [], `axe-core: ${state}`);
}

const row = (page, name) => page.locator(".row", { hasText: name });
const convert = (page) => page.getByRole("button", { name: "Convert" }).click();
const quality = (page) => page.locator("#quality-field input, #quality-field select");
/** Opens a group of the settings for all. */
const group = (page, name) => page.locator("#more .group summary", { hasText: name }).click();
const states = (page, state, count) => page.locator(`.row[data-state="${state}"]`).nth(count - 1).waitFor();

/** The names in a ZIP archive. Fails if a checksum is wrong. */
async function unpacked(zip) {
  const path = join(tmpdir(), `convertd-${process.pid}.zip`);
  await writeFile(path, zip);
  const program = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print('\\n'.join(z.namelist()))";
  return execFileSync("python3", ["-c", program, path], { encoding: "utf8" }).trim().split("\n");
}

/** Clicks a link that saves a file. Returns the name and the bytes of the file. */
async function save(page, link) {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return [download.suggestedFilename(), await readFile(await download.path())];
}

const begins = (bytes, magic, at = 0) => assert.equal(bytes.subarray(at, at + magic.length).toString("latin1"), magic);

const steps = {
  async "several files, each to what it can become"() {
    const page = await visit(open);
    await accessible(page, "empty");
    await page.setInputFiles("input[type=file]", [picture, sound, photo]);
    await page.setInputFiles("input[type=file]", text);
    await page.selectOption("[name=target_format]", "webp");
    await quality(page).fill("60");
    assert.match(await page.locator("#quality-field output").innerText(), /^60 · low$/);
    await accessible(page, "files are waiting");
    await convert(page);
    // Sound cannot become a picture: the file is left out, and its row says so.
    await states(page, "done", 3);
    await accessible(page, "done");
    assert.match(await row(page, "speech.wav").locator(".state").innerText(), /cannot become webp/);
    assert.equal(await page.locator("a[download]").count(), 3);
    const [name, webp] = await save(page, row(page, "alpha.png").locator("a[download]"));
    assert.equal(name, "alpha.webp");
    begins(webp, "WEBP", 8);
    const [title, drawn] = await save(page, row(page, "Grüße").locator("a[download]"));
    assert.equal(title, "Grüße & 你好 (1).webp");
    begins(drawn, "WEBP", 8);
    // A link works once, and the page shows that it has been used.
    await states(page, "gone", 2);
    assert.match(await row(page, "alpha.png").locator(".state").innerText(), /Saved/);
    await accessible(page, "saved");
    await page.leave();
  },

  async "looking at results keeps them to be saved"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", [picture, sound]);
    await convert(page);
    await states(page, "done", 2);
    await page.getByRole("button", { name: "Preview alpha.png" }).click();
    await page.getByRole("button", { name: "Play speech.wav" }).click();
    const slider = page.getByRole("slider");
    await slider.focus();
    await slider.press("ArrowRight");
    assert.equal(await slider.inputValue(), "51");
    await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
    await page.waitForFunction(() => document.querySelector("audio").readyState > 0);
    await accessible(page, "previews");
    for (let time = 0; time < 2; time += 1) {
      const [, jpg] = await save(page, row(page, "alpha.png").locator("a[download]"));
      begins(jpg, "\xff\xd8\xff");
    }
    await page.leave();
  },

  async "all results come as one archive"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", [picture, sound]);
    await convert(page);
    await states(page, "done", 2);
    const [name, zip] = await save(page, page.getByRole("button", { name: "Download all" }));
    assert.equal(name, "converted.zip");
    assert.deepEqual(await unpacked(zip), ["alpha.jpg", "speech.mp3"]);
    // The page has fetched the results, so each of them can still be saved by itself.
    const [, jpg] = await save(page, row(page, "alpha.png").locator("a[download]"));
    begins(jpg, "\xff\xd8\xff");
    await page.leave();
  },

  async "a changed setting converts again, and settings are remembered"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", picture);
    await page.selectOption("[name=target_format]", "png");
    await convert(page);
    await states(page, "done", 1);
    await page.getByRole("button", { name: "Settings" }).click();
    await row(page, "alpha.png").getByLabel("Width (pixels)").fill("7");
    await row(page, "alpha.png").getByLabel("Width (pixels)").press("Tab");
    await accessible(page, "settings of a file");
    assert.match(await row(page, "alpha.png").getByLabel("The same with curl").inputValue(), /^curl -T alpha\.png '.*\/api\/v1\/convert\?to=png&.*width=7.*' -o alpha\.png$/);
    await row(page, "alpha.png").getByText("settings have changed").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.querySelector(".row").dataset.state === "done" && !document.querySelector(".state").textContent.includes("changed"));
    const [, png] = await save(page, page.locator("a[download]"));
    assert.equal(png.readUInt32BE(16), 7);
    await page.reload();
    await page.waitForFunction(() => document.querySelector("[name=target_format]").value === "png");
    await page.leave();
  },

  async "no password is shown or kept"() {
    const page = await visit(open);
    await page.selectOption("[name=target_format]", "pdf");
    await page.setInputFiles("input[type=file]", paper);
    await page.getByText("More settings").click();
    await group(page, "Passwords");
    const field = page.locator("#more").getByLabel("New password to open it");
    assert.equal(await field.getAttribute("type"), "password");
    await field.fill("open-sesame");
    await field.press("Tab");
    await accessible(page, "a password");
    await convert(page);
    await states(page, "done", 1);
    await page.getByRole("button", { name: "Settings office.pdf" }).click();
    assert.match(await page.getByLabel("The same with curl").inputValue(), /encrypt=PASSWORD/);
    const kept = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    assert.equal((await kept()).includes("open-sesame"), false);
    await page.reload();
    await states(page, "done", 1);
    assert.equal((await kept()).includes("open-sesame"), false);
    // Settings that an earlier version has stored, but that are not stored any more, are removed.
    await page.evaluate(() => localStorage.setItem("convertd.settings", JSON.stringify({ target: "pdf", quality: "high", options: { stamp: "draft" } })));
    await page.reload();
    await page.waitForFunction(() => document.querySelector("[name=quality]").value === "high");
    assert.equal((await kept()).includes("draft"), false);
    await page.leave();
  },

  async "the common fields are those of the files that are there"() {
    const page = await visit(open);
    const more = page.locator("#more");
    await page.selectOption("[name=target_format]", "png");
    await more.locator("> summary").click();
    await more.getByLabel("Pixels per inch").waitFor();
    await page.setInputFiles("input[type=file]", picture);
    await more.getByLabel("Pixels per inch").waitFor({ state: "detached" });
    await more.getByLabel("Width (pixels)").fill("9");
    await page.setInputFiles("input[type=file]", { name: "letter.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n") });
    await more.getByLabel("Pixels per inch").waitFor();
    assert.equal(await more.getByLabel("Width (pixels)").inputValue(), "9");
    await page.getByRole("button", { name: "Remove letter.pdf" }).click();
    await more.getByLabel("Pixels per inch").waitFor({ state: "detached" });
    assert.equal(await more.getByLabel("Width (pixels)").inputValue(), "9");
    await page.leave();
  },

  async "what is not as usual is said, and can be taken back"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", picture);
    await page.selectOption("[name=target_format]", "png");
    await page.getByText("More settings").click();
    const more = page.locator("#more");
    assert.equal(await more.locator(".badge").isVisible(), false);
    await more.getByLabel("Width (pixels)").fill("9");
    await more.getByLabel("Width (pixels)").press("Tab");
    assert.equal(await more.locator(".badge").innerText(), "Changed: Width (pixels)");
    await accessible(page, "a badge");
    await more.getByRole("button", { name: "Reset" }).click();
    assert.equal(await more.locator(".badge").isVisible(), false);
    assert.equal(await more.getByLabel("Width (pixels)").inputValue(), "");
    await page.leave();
  },

  async "each file has its own suggestion until somebody chooses"() {
    const page = await visit(open);
    const table = { name: "table.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") };
    const shown = () => page.locator("#target").evaluate((select) => select.selectedOptions[0].textContent);
    const becomes = (name) => page.getByRole("button", { name: `New format of ${name}` }).innerText();
    await page.setInputFiles("input[type=file]", picture);
    await page.locator("#more").waitFor();
    assert.equal(await shown(), "jpg");
    await page.setInputFiles("input[type=file]", sound);
    await page.setInputFiles("input[type=file]", table);
    await states(page, "waiting", 3);
    assert.deepEqual([await becomes("alpha.png"), await becomes("speech.wav"), await becomes("table.csv")], ["jpg", "mp3", "pdf"]);
    // Files with different suggestions: the common field shows none of them, and no options.
    assert.equal(await shown(), "The usual one for each");
    assert.equal(await page.locator("#more").isVisible(), false);
    await accessible(page, "files of different kinds");
    await page.selectOption("[name=target_format]", "pdf");
    assert.deepEqual([await becomes("alpha.png"), await becomes("table.csv")], ["pdf", "pdf"]);
    // The choice can be taken back.
    await page.selectOption("[name=target_format]", "");
    assert.deepEqual([await becomes("alpha.png"), await becomes("table.csv")], ["jpg", "pdf"]);
    await convert(page);
    await states(page, "done", 3);
    assert.deepEqual([await becomes("alpha.png"), await becomes("speech.wav"), await becomes("table.csv")], ["jpg", "mp3", "pdf"]);
    // An earlier result does not hide that its file cannot become the new target.
    await page.selectOption("[name=target_format]", "pptx");
    assert.match(await row(page, "speech.wav").innerText(), /cannot become pptx/);
    await page.selectOption("[name=target_format]", "");
    // The suggestion is for the present files, and does not come back as a choice on the next visit.
    await page.getByRole("button", { name: "Remove all" }).click();
    await page.setInputFiles("input[type=file]", table);
    await row(page, "table.csv").waitFor();
    assert.equal(await shown(), "pdf");
    await page.goto(`${open}manual`);
    await page.goBack();
    await page.locator("#file[multiple]").waitFor({ state: "attached" });
    await page.setInputFiles("input[type=file]", picture);
    await row(page, "alpha.png").waitFor();
    assert.deepEqual([await shown(), await becomes("alpha.png")], ["jpg", "jpg"]);
    // Without a choice, the field shows the suggestion again.
    await page.selectOption("[name=target_format]", "webp");
    await page.selectOption("[name=target_format]", "");
    assert.equal(await shown(), "jpg");
    // Slides are also among the targets.
    await page.selectOption("[name=target_format]", "pptx");
    await page.leave();
  },

  async "the quality is a number where it counts, and so many megabytes are a limit"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", photo);
    await page.selectOption("[name=target_format]", "jpg");
    await quality(page).fill("35");
    assert.equal(await page.locator("#quality-field output").innerText(), "35");
    await page.getByText("More settings").click();
    await page.locator("#more").getByLabel("At most (MB)").fill("0.02");
    await page.keyboard.press("Tab");
    assert.equal(await page.locator("#more .badge").innerText(), "Changed: At most (MB)");
    await convert(page);
    await states(page, "done", 1);
    await page.getByRole("button", { name: "Settings grid.heic" }).click();
    assert.match(await page.getByLabel("The same with curl").inputValue(), /to=jpg&quality=35&max_size=20000&/);
    const [, jpg] = await save(page, page.locator("a[download]"));
    assert.ok(jpg.length <= 20_000, `${jpg.length} bytes`);
    await page.reload();
    await page.waitForFunction(() => document.querySelector("#quality-field output")?.textContent === "35");
    // For a target whose quality is not a number, the nearest level is selected.
    await page.selectOption("[name=target_format]", "gif");
    assert.equal(await quality(page).inputValue(), "low");
    await page.leave();
  },

  async "settings are those that fit, in groups"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", paper);
    await page.selectOption("[name=target_format]", "pdf");
    await page.getByText("More settings").click();
    const groups = () => page.locator("#more .group summary").allInnerTexts();
    assert.deepEqual(await groups(), ["Pages and paper", "Text in scans and pictures", "Passwords", "Stamp and watermark", "Title and archive", "Rarely needed"]);
    // No label is the name of a form field.
    for (const name of await groups()) if (name !== "Pages and paper") await group(page, name);
    const labels = await page.locator("#more .option label").allInnerTexts();
    assert.deepEqual(labels.filter((label) => /_|^(Pdf|Ocr|Info|Dpi|Toc)/.test(label)), []);
    await page.locator("#more").getByLabel("Author").fill("Ada");
    await page.keyboard.press("Tab");
    await accessible(page, "all groups");
    await page.selectOption("[name=target_format]", "txt");
    assert.ok(!(await groups()).includes("Stamp and watermark"));
    await page.leave();
  },

  async "files are joined in an order that is chosen"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", [paper, picture, sound]);
    await page.setInputFiles("input[type=file]", text);
    await page.getByRole("button", { name: "Join into one PDF" }).click();
    const names = () => page.locator(".order li span").allInnerTexts();
    // The browser fetches the script of the dialog only now.
    await page.locator(".order li").first().waitFor();
    // The sound is left out, because it has no pages.
    assert.deepEqual(await names(), ["office.pdf", "alpha.png", "Grüße & 你好 (1).md"]);
    await accessible(page, "files in an order");
    await page.getByRole("button", { name: "Move alpha.png up" }).focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await names(), ["alpha.png", "office.pdf", "Grüße & 你好 (1).md"]);
    // The focus follows the file. Its first button is disabled now, so the focus moves to the next one.
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Move alpha.png down");
    await page.locator(".order li", { hasText: "Grüße" }).dragTo(page.locator(".order li").first());
    assert.deepEqual(await names(), ["Grüße & 你好 (1).md", "alpha.png", "office.pdf"]);
    await page.getByRole("button", { name: "Leave out office.pdf" }).click();
    await page.getByLabel("Name of the result").fill("all");
    await page.getByRole("button", { name: "Join", exact: true }).click();
    await states(page, "done", 1);
    const [name, pdf] = await save(page, row(page, "all.zip").locator("a[download]"));
    assert.equal(name, "all.pdf");
    begins(pdf, "%PDF");
    // If one of the joined files is locked, the page shows the name of that file, and asks for its password.
    await page.setInputFiles("input[type=file]", join(data, "locked/locked.docx"));
    await page.getByRole("button", { name: "Join into one PDF" }).click();
    await page.getByRole("button", { name: "Join", exact: true }).click();
    const joined = row(page, "joined.zip");
    await joined.locator(".state", { hasText: "locked.docx: This file is locked." }).waitFor();
    await joined.getByLabel("Password of the file").fill("secret é");
    await page.keyboard.press("Enter");
    await states(page, "done", 1);
    await page.leave();
  },

  async "pages of a pdf are left out, turned and moved"() {
    // The file has more pages than the page draws at once.
    const lines = Array.from({ length: 4000 }, (_, at) => `line ${at}`).join("\n");
    const made = await fetch(new URL("api/v1/convert?to=pdf&name=long.txt", open), { method: "POST", body: lines });
    const long = { name: "long.pdf", mimeType: "application/pdf", buffer: Buffer.from(await made.arrayBuffer()) };
    const page = await visit(open, { viewport: { width: 390, height: 800 } });
    await page.setInputFiles("input[type=file]", [paper]);
    await page.setInputFiles("input[type=file]", long);
    await page.selectOption("[name=target_format]", "pdf");
    await page.getByRole("button", { name: "Settings office.pdf" }).click();
    const office = row(page, "office.pdf");
    const curl = (one) => one.getByLabel("The same with curl").inputValue();
    const press = async (name) => {
      await page.getByRole("button", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
    };
    await office.locator(".pages img").nth(1).waitFor();
    await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
    await press("Turn page 2");
    await press("Move page 2 forward");
    // The focus follows the page of the file, to a button that is still enabled.
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Move page 2 back");
    assert.match(await curl(office), /&pages=2%2C1&rotate_pages=2%3A90&/);
    await press("Leave out page 1");
    assert.equal(await page.getByRole("button", { name: "Leave out page 1" }).getAttribute("aria-pressed"), "true");
    // At least one page must be kept.
    assert.equal(await page.getByRole("button", { name: "Leave out page 2" }).isDisabled(), true);
    assert.match(await curl(office), /&pages=2&rotate_pages=2%3A90&/);
    await accessible(page, "pictures of pages");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    // The text fields and the pictures of the pages change the same settings.
    await office.getByLabel("Pages to keep").fill("1-");
    await page.keyboard.press("Tab");
    assert.equal(await page.getByRole("button", { name: "Leave out page 1" }).getAttribute("aria-pressed"), "false");
    await press("Turn page 1");
    assert.match(await curl(office), /&rotate=90&name/);
    await page.getByRole("button", { name: "Settings office.pdf" }).click();

    await page.getByRole("button", { name: "Settings long.pdf" }).click();
    const other = row(page, "long.pdf");
    await other.locator(".pages img").nth(59).waitFor();
    assert.equal(await other.locator(".pages li").count(), 61);
    await press("Leave out page 3");
    // Pages that are not drawn yet stay in the result.
    assert.match(await curl(other), /&pages=1-2%2C4-&/);
    await other.locator(".pages li").nth(1).dragTo(other.locator(".pages li").nth(0));
    assert.match(await curl(other), /&pages=2%2C1%2C4-&/);
    await other.getByRole("button", { name: "Show more pages" }).click();
    await other.locator(".pages img").nth(60).waitFor();
    assert.equal(await other.getByRole("button", { name: "Show more pages" }).count(), 0);
    assert.match(await curl(other), /&pages=2%2C1%2C4-&/);
    await convert(page);
    await states(page, "done", 2);
    await page.leave();
  },

  async "sentences of the service name fields as the page does"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", paper);
    await page.selectOption("[name=target_format]", "png");
    await convert(page);
    await states(page, "done", 1);
    assert.match(await page.locator(".notes").innerText(), /“Page” chooses another/);
    await page.selectOption("[name=target_format]", "pdf");
    await page.getByText("More settings").click();
    await page.locator("#more").getByLabel("Pages to keep").fill("77");
    await page.keyboard.press("Tab");
    await convert(page);
    await states(page, "failed", 1);
    assert.match(await page.locator(".state").innerText(), /^“Pages to keep” lists page 77/);
    await page.leave();
  },

  async "the password is asked for where a file needs it"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", join(data, "locked/locked.docx"));
    await convert(page);
    await states(page, "failed", 1);
    assert.equal(await page.locator(".state").innerText(), "This file is locked. Its password opens it.");
    await accessible(page, "a password is asked for");
    const field = row(page, "locked.docx").getByLabel("Password of the file");
    await field.fill("wrong");
    await field.press("Enter");
    await page.locator(".state", { hasText: "The password does not open this file." }).waitFor();
    await field.fill("secret é");
    await field.press("Enter");
    await states(page, "done", 1);
    const [name, pdf] = await save(page, page.locator("a[download]"));
    assert.equal(name, "locked.pdf");
    begins(pdf, "%PDF");
    assert.equal(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]).includes("secret")), false);
    await page.leave();
  },

  async "what is left of a damaged file"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", join(data, "bad/image/truncated.jpg"));
    await page.selectOption("[name=target_format]", "png");
    await convert(page);
    await states(page, "failed", 1);
    await accessible(page, "a damaged file");
    await page.getByRole("button", { name: "Convert the undamaged part" }).click();
    await states(page, "done", 1);
    assert.match(await page.locator(".notes").innerText(), /damaged/);
    await page.leave();
  },

  async "a scan is offered to be read"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", [join(data, "pdf/scan.pdf"), paper]);
    await row(page, "scan.pdf").getByText("This looks like a scan").waitFor();
    assert.equal(await row(page, "office.pdf").getByText("This looks like a scan").count(), 0);
    await accessible(page, "a scan");
    const languages = await row(page, "scan.pdf").getByLabel("Language of the text").locator("option").allInnerTexts();
    assert.ok(languages.includes("English"), languages.join());
    await row(page, "scan.pdf").getByLabel("Language of the text").selectOption("eng");
    await row(page, "scan.pdf").getByRole("button", { name: "PDF to search" }).click();
    await page.getByRole("button", { name: "Settings scan.pdf" }).click();
    assert.match(await page.getByLabel("The same with curl").inputValue(), /to=pdf&quality=medium&ocr=auto&language=eng&/);
    // A picture that looks like a scanned page gets the same offer; a photograph of the same size does not.
    const drawn = (colour) =>
      page.evaluate(async (colour) => {
        const canvas = new OffscreenCanvas(1240, 1754);
        const context = canvas.getContext("2d");
        context.fillStyle = colour;
        context.fillRect(0, 0, 1240, 1754);
        context.fillStyle = "black";
        for (let line = 100; line < 1700; line += 60) context.fillRect(100, line, 1000, 12);
        return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
      }, colour);
    for (const [name, colour] of [["sky.png", "#6699ff"], ["page.png", "#f4f2f0"]]) {
      await page.setInputFiles("input[type=file]", { name, mimeType: "image/png", buffer: Buffer.from(await drawn(colour)) });
    }
    await row(page, "page.png").getByRole("button", { name: "docx page.png" }).click();
    assert.equal(await page.getByRole("button", { name: "New format of page.png" }).innerText(), "docx");
    assert.equal(await row(page, "sky.png").getByText("This looks like a scan").count(), 0);
    await page.leave();
  },

  async "what browsers do not show is shown as something else"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", [picture, paper]);
    await page.selectOption("[name=target_format]", "tiff");
    await convert(page);
    await states(page, "done", 2);
    await page.getByRole("button", { name: "Preview alpha.png" }).click();
    await row(page, "alpha.png").getByText("what it looks like as png").waitFor();
    await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
    await accessible(page, "a preview by way of png");
    await page.selectOption("[name=target_format]", "docx");
    await convert(page);
    await states(page, "done", 2);
    await page.getByRole("button", { name: "Preview office.pdf" }).click();
    await row(page, "office.pdf").getByText("what it looks like as html").waitFor();
    assert.ok((await page.frameLocator(".paper").locator("body").innerText()).length > 50);
    // The preview does not use up the link: the result can still be saved in its own format.
    const [name, docx] = await save(page, row(page, "office.pdf").locator("a[download]"));
    assert.equal(name, "office.docx");
    begins(docx, "PK");
    await page.leave();
  },

  async "an archive of all results keeps folders"() {
    const page = await visit(open);
    const bytes = [...(await readFile(picture))];
    await page.evaluate((bytes) => {
      const entry = (path) => ({
        isFile: true,
        name: path.split("/").at(-1),
        fullPath: `/${path}`,
        file: (done) => done(new File([new Uint8Array(bytes)], path.split("/").at(-1), { type: "image/png" })),
      });
      const items = ["trip/day 1/a.png", "trip/day 2/a.png", "b.png", "b.png"].map((path) => ({ webkitGetAsEntry: () => entry(path) }));
      const event = new Event("drop", { bubbles: true, cancelable: true });
      document.body.dispatchEvent(Object.assign(event, { dataTransfer: { items, files: [], types: ["Files"] } }));
    }, bytes);
    await states(page, "waiting", 4);
    await convert(page);
    await states(page, "done", 4);
    const [, zip] = await save(page, page.getByRole("button", { name: "Download all" }));
    assert.deepEqual(await unpacked(zip), ["trip/day 1/a.jpg", "trip/day 2/a.jpg", "b.jpg", "b (2).jpg"]);
    await page.leave();
  },

  async "in the language that the browser asks for"() {
    const rows = { "de-AT": "Umwandeln", fr: "Convertir", "es-MX": "Convertir", "pt-BR": "Converter", it: "Converti", pl: "Konwertuj", ja: "変換", "zh-CN": "转换", ko: "변환", sv: "Convert" };
    for (const [locale, words] of Object.entries(rows)) {
      const page = await visit(open, { locale, viewport: { width: 390, height: 800 } });
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.reload();
      await page.locator("#takes", { hasText: "100" }).waitFor();
      assert.equal(await page.locator("#convert").innerText(), words);
      const language = locale === "sv" ? "en" : locale.slice(0, 2);
      assert.deepEqual(asked.map((url) => /(\w+)\.json$/.exec(url)?.[1]).filter(Boolean), [language]);
      assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), [language, "ltr"]);
      await page.setInputFiles("input[type=file]", [picture, paper]);
      await page.selectOption("[name=target_format]", "pdf");
      await page.locator("#more > summary").click();
      await page.locator("#more .group").first().waitFor();
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, locale);
      if (["de-AT", "ja"].includes(locale)) await accessible(page, locale);
      await page.leave();
    }
    const page = await visit(open, { locale: "de-AT" });
    await page.setInputFiles("input[type=file]", broken);
    await page.selectOption("[name=target_format]", "png");
    await page.locator("#convert").click();
    await states(page, "failed", 1);
    assert.equal(await page.locator(".state").innerText(), "Diese Art von Datei wird hier nicht gelesen.");
    // A reason that only the service knows is shown in the service's own words, and marked as English.
    assert.match(await page.locator('.row [lang="en"]').first().innerText(), /no supported format/);
    await page.leave();
  },

  async "what goes in is said at the start"() {
    for (const javaScriptEnabled of [true, false]) {
      const page = await visit(open, { javaScriptEnabled });
      await page.getByText("Pictures, Sound, Documents, Sheets, Slides, Mail, Archives: up to 100 MB per file.").waitFor();
      await page.getByRole("link", { name: "All formats" }).click();
      await page.getByRole("heading", { name: "Formats", exact: true }).first().waitFor();
      await page.leave();
    }
  },

  async "pasted and dropped"() {
    const page = await visit(open);
    const bytes = [...(await readFile(picture))];
    await page.evaluate((bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], "image.png", { type: "image/png" }));
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, bytes);
    await states(page, "waiting", 2);
    await convert(page);
    await states(page, "done", 2);
    assert.equal(await page.locator("a[download]").first().getAttribute("download"), "image.jpg");
    await page.leave();
  },

  async "a file that is none"() {
    const page = await visit(open);
    await convert(page);
    assert.equal(await page.getByRole("alert").innerText(), "Choose a file first.");
    await page.setInputFiles("input[type=file]", broken);
    await page.selectOption("[name=target_format]", "png");
    await convert(page);
    await states(page, "failed", 1);
    assert.match(await page.locator(".state").innerText(), /no supported format/);
    assert.equal(await page.locator("a[download]").count(), 0);
    // A retry is not offered, because it would fail in the same way.
    assert.equal(await page.getByRole("button", { name: "Retry broken.jpg" }).isVisible(), false);
    await accessible(page, "failed");
    await page.getByRole("button", { name: "Remove broken.jpg" }).click();
    // The focus moves to the file input, where the user can continue.
    assert.equal(await page.evaluate(() => document.activeElement.id), "file");
    await page.leave();
  },

  async "a cancelled upload"() {
    const page = await visit(open);
    const network = await page.context().newCDPSession(page);
    await network.send("Network.enable");
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
    await network.send("Network.emulateNetworkConditions", slow);
    await page.setInputFiles("input[type=file]", { name: "large.bmp", mimeType: "image/bmp", buffer: Buffer.alloc(4_000_000, 7) });
    await page.selectOption("[name=target_format]", "png");
    await convert(page);
    await states(page, "uploading", 1);
    await accessible(page, "uploading");
    await page.getByRole("button", { name: "Cancel large.bmp" }).click();
    await states(page, "cancelled", 1);
    await accessible(page, "cancelled");
    assert.equal(await page.getByRole("button", { name: "Retry large.bmp" }).isVisible(), true);
    await page.leave();
  },

  async "a reload in the middle"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", picture);
    await page.selectOption("[name=target_format]", "avif");
    await quality(page).fill("92");
    await page.getByText("More settings").click();
    await page.getByLabel("Width (pixels)").fill("500");
    await page.getByLabel("Width (pixels)").press("Tab");
    await accessible(page, "settings for all");
    await convert(page);
    await states(page, "converting", 1);
    await accessible(page, "converting");
    await page.reload();
    await states(page, "done", 1);
    const [name, avif] = await save(page, page.locator("a[download]"));
    assert.equal(name, "alpha.avif");
    begins(avif, "ftyp", 4);
    await page.leave();
  },

  async "by keys alone"() {
    const page = await visit(open);
    await page.setInputFiles("input[type=file]", picture);
    const target = page.getByRole("button", { name: "New format of alpha.png" });
    await target.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Search" }).pressSequentially("truevision");
    await accessible(page, "list of formats");
    await page.keyboard.press("Enter");
    assert.equal(await target.innerText(), "tga");
    assert.equal(await target.evaluate((element) => element === document.activeElement), true);
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    assert.equal(await target.innerText(), "tga");
    await page.leave();
  },

  async "a file is chosen before the script runs"() {
    const page = await visit(open);
    let go;
    const isChosen = new Promise((resolve) => (go = resolve));
    await page.route("**/web/en.json", (route) => isChosen.then(() => route.continue()));
    await page.reload();
    await page.setInputFiles("input[type=file]", picture);
    go();
    await row(page, "alpha.png").waitFor();
    assert.equal(await page.locator(".row").count(), 1);
    await page.leave();
  },

  async "narrow and dark"() {
    for (const [width, colorScheme] of [[390, "dark"], [320, "light"]]) {
      const page = await visit(open, { viewport: { width, height: 800 }, colorScheme, reducedMotion: "reduce" });
      const fits = async () => assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      await fits();
      await page.setInputFiles("input[type=file]", picture);
      await page.setInputFiles("input[type=file]", { ...broken, name: `${"a-very-long-name".repeat(8)}.jpg` });
      await page.selectOption("[name=target_format]", "webp");
      await convert(page);
      await states(page, "done", 1);
      await states(page, "failed", 1);
      await page.getByRole("button", { name: "Preview" }).click();
      await page.getByRole("button", { name: "Settings alpha.png" }).click();
      await fits();
      await accessible(page, `${width} pixels, ${colorScheme}`);
      const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const level = Math.max(...paper.match(/\d+/g).map(Number));
      assert.equal(level < 64, colorScheme === "dark");
      await page.leave();
    }
  },

  async "without JavaScript"() {
    for (const address of [open, prefixed]) {
      const page = await visit(address, { javaScriptEnabled: false });
      await page.setInputFiles("input[type=file]", picture);
      await page.selectOption("[name=target_format]", "webp");
      await convert(page);
      const [name, webp] = await save(page, page.locator("a[download]"));
      assert.equal(name, "alpha.webp");
      begins(webp, "WEBP", 8);
      await page.goBack();
      await page.setInputFiles("input[type=file]", broken);
      await page.selectOption("[name=target_format]", "png");
      await convert(page);
      assert.match(await page.locator(".failure").innerText(), /no supported format/);
      await page.getByRole("link", { name: "Another file" }).click();
      assert.equal(page.url(), new URL(`${new URL(address).pathname.replace(/\/?$/, "/")}`, address).href);
      await page.leave();
    }
  },

  async "behind a key"() {
    const page = await visit(locked);
    const key = page.getByLabel("API key");
    await key.fill("wrong");
    await page.getByRole("button", { name: "Unlock" }).click();
    await page.getByText("This key is wrong.").waitFor();
    await accessible(page, "locked");
    await key.fill("key");
    await page.getByRole("button", { name: "Unlock" }).click();
    await page.setInputFiles("input[type=file]", picture);
    await page.selectOption("[name=target_format]", "webp");
    await convert(page);
    await states(page, "done", 1);
    const [name, webp] = await save(page, page.locator("a[download]"));
    assert.equal(name, "alpha.webp");
    begins(webp, "WEBP", 8);
    assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('"key"')), false);
    assert.equal((await page.context().cookies()).length, 0);
    await page.leave();
  },

  async "the manual"() {
    const page = await visit(locked);
    await page.getByRole("link", { name: "manual" }).click();
    await page.getByRole("heading", { name: "Manual" }).waitFor();
    await accessible(page, "contents of the manual");
    await page.getByRole("main").getByRole("link", { name: "Limits" }).click();
    await page.getByRole("heading", { name: "Limits" }).waitFor();
    await accessible(page, "a chapter");
    await page.setViewportSize({ width: 320, height: 700 });
    await accessible(page, "a chapter on a telephone");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320));
    await page.getByRole("link", { name: "convertd" }).click();
    await page.getByRole("button", { name: "Unlock" }).waitFor();
    await page.leave();
  },

  async "below another path"() {
    const manual = await visit(`${prefixed}/manual/limits`);
    await manual.getByRole("link", { name: "Security" }).click();
    await manual.getByRole("heading", { name: "What is promised" }).waitFor();
    assert.equal(new URL(manual.url()).pathname, "/convert/manual/security");
    await manual.leave();

    const page = await visit(prefixed);
    await page.setInputFiles("input[type=file]", picture);
    await page.selectOption("[name=target_format]", "gif");
    await convert(page);
    await states(page, "done", 1);
    const link = page.locator("a[download]");
    assert.match(await link.getAttribute("href"), /\/convert\/api\/v1\/download\//);
    const [, gif] = await save(page, link);
    begins(gif, "GIF8");
    await page.leave();
  },
};

let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  if (process.env.STEP && !name.includes(process.env.STEP)) continue;
  const started = performance.now();
  try {
    await step();
    console.log(`ok      ${name} (${Math.round(performance.now() - started)} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack}`);
    // A screenshot shows the state of the page at the failure.
    const page = browser.contexts().at(-1)?.pages()[0];
    const path = join(tmpdir(), `convertd-page-${failed}.png`);
    await page?.screenshot({ path, fullPage: true }).then(() => console.log(`        see ${path}`), () => {});
  }
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
process.exitCode = failed ? 1 : 0;
