#!/bin/sh
# Makes the files in this directory with opj_compress (OpenJPEG 2.5.0) and ImageMagick 6.9: pictures without loss, each beside the PNG
# that it is.
set -eu
cd "$(dirname "$0")"
convert -size 83x61 -seed 7 plasma:tomato-steelblue -depth 8 -define png:color-type=2 -strip colour.png
convert -size 83x61 gradient: -depth 16 -define png:color-type=0 -define png:bit-depth=16 -strip grey16.png
convert colour.png \( -size 83x61 radial-gradient: \) -alpha off -compose CopyOpacity -composite -depth 8 \
    -define png:color-type=6 -strip alpha.png
opj_compress -i colour.png -o colour.jp2 -n 4 >/dev/null
opj_compress -i colour.png -o tiles.j2k -t 32,32 -p RPCL -c '[64,64],[32,32]' -n 3 >/dev/null
opj_compress -i grey16.png -o grey16.jp2 -b 16,16 -n 3 >/dev/null
opj_compress -i alpha.png -o alpha.jp2 -n 3 >/dev/null
