#!/usr/bin/env python3
"""Converts mails to text and compares the words of their bodies with those that Python's email package and extract-msg
find. Prints how many mails are refused, and the fraction of the words that is kept. Arguments: the program, and folders
with mails."""
import email, email.policy, html, re, subprocess, sys, tempfile
from collections import Counter
from pathlib import Path

binary, folders = sys.argv[1], [Path(name) for name in sys.argv[2:]]


def plain(page):
    page = re.sub(r"(?is)<(script|style|title|head)\b.*?</\1>|<!--.*?-->", " ", page)
    return html.unescape(re.sub(r"(?s)<[^>]*>", " ", page))


def bodies(path):
    """The texts of a body according to the reference, as HTML and as plain text: a mail program shows either. Nothing
    if it finds no body."""
    data = path.read_bytes()
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        import extract_msg

        message = extract_msg.openMsg(str(path), strict=False)
        page = message.htmlBody
        return [text for text in (message.body, page and plain(page.decode("utf-8", "replace"))) if text]
    if path.suffix.lower() in (".mbox", ".mbx") or data.startswith(b"From "):
        return []
    message = email.message_from_bytes(data, policy=email.policy.default)
    parts = [message.get_body(preferencelist=(kind,)) for kind in ("html", "plain")]
    texts = [(part.get_content(), part.get_content_subtype()) for part in parts if part is not None]
    return [plain(text) if kind == "html" else text for text, kind in texts]


def words(text):
    return Counter(re.findall(r"\w+", text.lower()))


shares, refused, total, short, unjudged = [], [], 0, [], 0
for folder in folders:
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        total += 1
        with tempfile.TemporaryDirectory() as work:
            out = Path(work) / "out.txt"
            name = path.name if path.suffix.lower() in (".msg", ".eml", ".mbox") else path.name + ".eml"
            source = Path(work) / name[-100:]
            source.write_bytes(path.read_bytes())
            ran = subprocess.run([binary, "convert", "--force", str(source), str(out)], capture_output=True, text=True, timeout=120)
            if not out.exists():
                refused.append((path.name, ran.stderr.strip()[-160:]))
                continue
            ours = words(out.read_text("utf-8", "replace"))
        try:
            judged = [words(text) for text in bodies(path)]
        except Exception:  # The judge cannot read it.
            judged = []
        judged = [theirs for theirs in judged if theirs]
        if not judged:
            unjudged += 1
            continue
        share, theirs = max(
            ((sum((ours & theirs).values()) / sum(theirs.values()), theirs) for theirs in judged), key=lambda one: one[0]
        )
        shares.append(share)
        if share < 0.98:
            short.append((round(share, 3), path.name, list((theirs - ours).items())[:8]))
print(f"{total} files, {len(refused)} refused, {len(shares)} judged, {unjudged} without a judge's body")
print(f"words: {sum(shares) / max(len(shares), 1):.4f} on average, {sum(share >= 0.98 for share in shares)} of {len(shares)} at .98 or more")
for one in refused:
    print("  refused:", *one)
for one in sorted(short):
    print("  short:", *one)
