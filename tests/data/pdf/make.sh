#!/usr/bin/env bash
# Makes the fixtures of tests/pdf with other programs: LibreOffice, cairo (by poppler's pdftocairo), qpdf and Pillow.
set -eu
cd "$(dirname "$0")"
documents=../documents
profile=$(mktemp -d)
soffice --headless -env:UserInstallation="file://$profile" --convert-to pdf --outdir "$profile" $documents/report-office.docx
mv "$profile/report-office.pdf" office.pdf
rm -r "$profile"
pdftocairo -pdf -f 1 -l 1 office.pdf cairo.pdf
qpdf --object-streams=generate --linearize office.pdf packed.pdf
qpdf --allow-weak-crypto --encrypt "" owner 128 --use-aes=n -- office.pdf rc4.pdf
qpdf --encrypt "" owner 256 -- office.pdf aes.pdf
# Another name, as no password is known to the tests that read all files.
qpdf --encrypt user owner 256 -- cairo.pdf locked.pdf.bin
pdftoppm -r 60 -f 1 -l 1 -png -singlefile office.pdf page
python3 -c 'from PIL import Image; Image.open("page.png").convert("L").save("scan.pdf", quality=60, resolution=60)'
rm page.png
# Small ones in which nothing is packed, for the fuzz run.
python3 structure/make.py
