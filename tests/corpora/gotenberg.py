#!/usr/bin/env python3
"""Runs Gotenberg's own scenarios (test/integration/features of its repository) against a service, except those that
need other settings of a container. Prints for each file how many pass, and for each failure the reason. Arguments: the
address, the folder `test/integration`, and files."""
import io, json, re, sys, tempfile, zipfile
from fnmatch import fnmatch
from pathlib import Path

import pymupdf
import requests

base, root = sys.argv[1], Path(sys.argv[2])
names = sys.argv[3:] or sorted(path.stem for path in (root / "features").glob("*.feature"))


class Miss(Exception):
    pass


def scenarios(text):
    for block in re.split(r"\n\s*Scenario(?: Outline)?: ", text)[1:]:
        title, _, body = block.partition("\n")
        yield title.strip(), steps(body)


def steps(body):
    out, quoted = [], None
    for line in body.splitlines():
        bare = line.strip()
        if bare == '"""':
            if quoted is None:
                quoted = []
            else:
                out[-1][2] = "\n".join(quoted)
                quoted = None
        elif quoted is not None:
            quoted.append(line[6:] if line.startswith("      ") else line.strip())
        elif bare.startswith("|"):
            cells = [cell.strip().replace("\\\\n", "\\n").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", bare)[1:-1]]
            out[-1][1].append(cells)
        elif re.match(r"(Given|When|Then|And) ", bare):
            out.append([bare.split(" ", 1)[1], [], None])
        elif bare.startswith(("@", "#")):
            continue
    return out


class Run:
    def __init__(self):
        self.dir = Path(tempfile.mkdtemp())
        self.answer = None

    def step(self, text, table, quoted):
        if "Gotenberg container with the following environment" in text:
            raise Miss("needs settings")
        if "default Gotenberg container" in text:
            return
        if re.match(r"I have a (webhook|static) server", text):
            raise Miss("needs a server to fetch from")
        found = re.match(r'I make a "(\w+)" request to Gotenberg at the "([^"]*)" endpoint', text)
        if found:
            return self.request(*found.groups(), table)
        if "container should" in text or text.startswith("I wait"):
            return
        found = re.match(r"the response status code should be (\d+)", text)
        if found:
            if self.answer.status_code != int(found[1]):
                raise Miss(f"{self.answer.status_code} for {found[1]}: {self.answer.text[:160]!r}" if self.answer.status_code != 200 else f"200 for {found[1]}")
            return
        found = re.match(r'the response header "([^"]*)" should be "([^"]*)"', text)
        if found:
            got = self.answer.headers.get(found[1], "")
            if got.lower() != found[2].lower():
                raise Miss(f"{found[1]} is {got!r} for {found[2]!r}")
            return
        if "body should match string" in text or "body should contain string" in text:
            got = self.answer.text.strip()
            if quoted.strip() == "{version}":
                good = bool(re.fullmatch(r"\d+\.\d+\.\d+", got))
            else:
                good = got == quoted.strip() if "match" in text else quoted.strip() in got
            if not good:
                raise Miss(f"{got[:200]!r} for {quoted.strip()[:200]!r}")
            return
        if "body should match JSON" in text:
            want = json.loads(quoted)
            same(self.answer.json(), want)
            return
        self.files(text, table, quoted)

    def request(self, method, path, table):
        files, data, headers = [], [], {}
        for name, value, kind in table if table and len(table[0]) == 3 else []:
            if kind == "file":
                source = root / value if value.startswith("testdata") else self.dir / Path(value).name
                files.append((name, (source.name, source.read_bytes())))
            elif kind == "field":
                data.append((name, (None, value)))
            else:
                headers[name] = value
        if table and len(table[0]) == 2:
            headers.update(dict(table))
        parts = data + files
        if method == "POST" and not parts:
            parts = [("nothing", (None, ""))]
        self.answer = requests.request(method, base + path, files=parts or None, headers=headers, timeout=120)
        self.pdfs = {}
        kind = self.answer.headers.get("Content-Type", "")
        name = re.search(r'filename="([^"]*)"', self.answer.headers.get("Content-Disposition", ""))
        name = name[1] if name else "x"
        (self.dir / name).write_bytes(self.answer.content)
        if kind == "application/zip":
            archive = zipfile.ZipFile(io.BytesIO(self.answer.content))
            self.pdfs = {one: archive.read(one) for one in archive.namelist()}
            for one, content in self.pdfs.items():
                (self.dir / one).write_bytes(content)
        elif kind == "application/pdf":
            self.pdfs = {name: self.answer.content}

    def pdf(self, name):
        matching = [content for one, content in self.pdfs.items() if fnmatch(one, name)]
        content = self.pdfs.get(name) or (matching[0] if matching else None) or (next(iter(self.pdfs.values())) if len(self.pdfs) == 1 else None)
        if content is None:
            raise Miss(f"no {name} among {list(self.pdfs)}")
        return pymupdf.open(stream=content, filetype="pdf")

    def files(self, text, table, quoted):
        found = re.match(r"there should be (\d+) PDF", text)
        if found:
            if len(self.pdfs) != int(found[1]):
                raise Miss(f"{len(self.pdfs)} PDFs for {found[1]}")
            return
        if text.startswith("there should be the following file"):
            for (name,) in table:
                if not any(fnmatch(one, name) for one in self.pdfs) and not name.endswith(".zip") and len(self.pdfs) != 1:
                    raise Miss(f"no {name} among {list(self.pdfs)}")
            return
        found = re.match(r'the "([^"]*)" PDF should have (\d+) page', text)
        if found:
            count = self.pdf(found[1]).page_count
            if count != int(found[2]):
                raise Miss(f"{count} pages for {found[2]}")
            return
        found = re.match(r'the "([^"]*)" PDF (should|should NOT) have the following content at page (\d+)', text)
        if found:
            page = self.pdf(found[1])
            got = page[int(found[3]) - 1].get_text() if page.page_count >= int(found[3]) else ""
            plain = lambda text: re.sub(r"\s+", "", text)
            if (plain(quoted) in plain(got)) != (found[2] == "should"):
                raise Miss(f"content {got[:80]!r} {found[2]} have {quoted[:80]!r}")
            return
        found = re.match(r'the "([^"]*)" PDF (should|should NOT) be set to landscape', text)
        if found:
            box = self.pdf(found[1])[0].rect
            if (box.width > box.height) != (found[2] == "should"):
                raise Miss("orientation")
            return
        found = re.match(r'the "([^"]*)" PDF (should|should NOT) have a document outline', text)
        if found:
            if bool(self.pdf(found[1]).get_toc()) != (found[2] == "should"):
                raise Miss("outline")
            return
        found = re.match(r"the response PDF\(s\) (should|should NOT) be (flatten|encrypted)", text)
        if found:
            for content in self.pdfs.values():
                one = pymupdf.open(stream=content, filetype="pdf")
                good = one.needs_pass if found[2] == "encrypted" else not one.is_form_pdf
                if bool(good) != (found[1] == "should"):
                    raise Miss(found[2])
            return
        found = re.match(r'the response PDF\(s\) (should|should NOT) allow "(\w+)"', text)
        if found:
            bits = {"printing": pymupdf.PDF_PERM_PRINT, "copying": pymupdf.PDF_PERM_COPY, "modifying": pymupdf.PDF_PERM_MODIFY}
            for content in self.pdfs.values():
                allowed = pymupdf.open(stream=content, filetype="pdf").permissions & bits[found[2]]
                if bool(allowed) != (found[1] == "should"):
                    raise Miss(f"{found[2]} is {'not ' if not allowed else ''}allowed")
            return
        found = re.match(r'the "([^"]*)" file size should be (less|greater) than (\d+) KB', text)
        if found:
            size = len(self.pdfs.get(found[1]) or next(iter(self.pdfs.values())))
            if (size < int(found[3]) * 1024) != (found[2] == "less"):
                raise Miss(f"{size} bytes are not {found[2]} than {found[3]} KB")
            return
        found = re.match(r'the response PDF\(s\) should be valid "([^"]*)"', text)
        if found:
            mark = b"pdfuaid:part" if "UA" in found[1] else b"pdfaid:part"
            if not all(mark in content for content in self.pdfs.values()):
                raise Miss(f"is no {found[1]}")
            return
        found = re.match(r'the response PDF\(s\) (should|should NOT) have the "([^"]*)" file embedded(?: with relationship "([^"]*)")?', text)
        if found:
            for content in self.pdfs.values():
                one = pymupdf.open(stream=content, filetype="pdf")
                if (found[2] in one.embfile_names()) != (found[1] == "should"):
                    raise Miss(f"{found[2]} among {one.embfile_names()}")
                objects = [one.xref_object(number) for number in range(1, one.xref_length())]
                if found[3] and not any(f"({found[2]})" in each and f"/AFRelationship /{found[3]}" in each for each in objects):
                    raise Miss(f"{found[2]} is no {found[3]}")
            return
        found = re.match(r'the "([^"]*)" PDF should have (\d+) image', text)
        if found:
            count = sum(len(page.get_images()) for page in self.pdf(found[1]))
            if count != int(found[2]):
                raise Miss(f"{count} images for {found[2]}")
            return
        found = re.match(r'the "([^"]*)" PDF (should|should NOT) have content matching "([^"]*)" at page (\d+)', text)
        if found:
            got = self.pdf(found[1])[int(found[4]) - 1].get_text()
            if bool(re.search(found[3], got)) != (found[2] == "should"):
                raise Miss(f"content {found[2]} match {found[3]!r}")
            return
        raise Miss(f"unknown step: {text[:90]}")


def same(got, want):
    if want == "ignore":
        return
    if isinstance(want, dict) and isinstance(got, dict):
        for key, value in want.items():
            if key not in got:
                raise Miss(f"JSON lacks {key}")
            same(got[key], value)
    elif got != want:
        raise Miss(f"JSON has {got!r} for {want!r}")


total = passed = 0
for name in names:
    good = all_of = 0
    misses = []
    for title, all_steps in scenarios((root / "features" / f"{name}.feature").read_text()):
        run = Run()
        try:
            for step in all_steps:
                run.step(*step)
        except Miss as miss:
            if str(miss).startswith("needs"):
                continue
            all_of += 1
            misses.append(f"  - {title}: {miss}")
            continue
        except Exception as error:  # A step that this runner cannot do.
            all_of += 1
            misses.append(f"  - {title}: {type(error).__name__} {error}")
            continue
        all_of += 1
        good += 1
    print(f"{name}: {good} of {all_of}")
    print("\n".join(misses))
    total, passed = total + all_of, passed + good
print(f"all: {passed} of {total}")
