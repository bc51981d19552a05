#!/bin/sh
# Makes the pictures in this directory anew, and what independent decoders see in them. Needs avifenc and avifdec (libavif),
# ImageMagick, and vips with libheif.
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

picture() { # file, size
    convert -size "$2" -seed 5 plasma:tomato-steelblue -blur 0x2 -fill white -draw "rectangle 5,7 20,12" \
        -fill navy -draw "circle 40,30 46,34" -depth 8 "png24:$1"
}
picture "$work/small.png" 61x47
picture "$work/large.png" 200x136
convert "$work/small.png" -alpha set -channel A -fx "(i+12)/(w+12)" "png32:$work/clear.png"
convert "$work/large.png" -alpha set -channel A -fx "(j+12)/(h+12)" "png32:$work/large-clear.png"
convert "$work/small.png" -colorspace Gray -depth 8 "$work/grey.png"

make() { # name, source, arguments of avifenc
    name=$1 source=$2
    shift 2
    avifenc --min 8 --max 16 --minalpha 0 --maxalpha 8 -s 6 -j 1 "$@" "$work/$source.png" "$name.avif" >/dev/null
    avifdec -d 8 "$name.avif" "$name.png" >/dev/null
}
turn() { # name, arguments of avifenc
    name=$1
    shift
    make "$name" small -y 444 "$@"
    # avifdec does not turn pictures; libheif does.
    vips copy "$name.avif" "$name.png[strip]"
}

turn irot1 --irot 1
turn irot2 --irot 2
turn irot3 --irot 3
turn imir0 --imir 0
turn imir1 --imir 1
turn irot1-imir0 --irot 1 --imir 0
turn irot1-imir1 --irot 1 --imir 1
turn irot3-imir0 --irot 3 --imir 0
make plain420 small -y 420
make limited420 small -y 420 -r limited
make plain422 small -y 422
make plain444 small -y 444
make grey400 grey -y 400
make ten420 small -y 420 -d 10
make ten422 small -y 422 -d 10
make twelve444 small -y 444 -d 12
make grey-ten grey -y 400 -d 10
make bt709 small -y 420 --cicp 1/13/1
make identity small -y 444 --cicp 1/13/0
make alpha clear -y 444
make premultiplied clear -y 444 --premultiply
make ten-alpha clear -y 444 -d 10
make grid large -y 420 --grid 2x2
make grid-alpha large-clear -y 444 --grid 2x2
make p3-nclx small -y 444 --cicp 12/13/6
make pq small -y 444 -d 10 --cicp 9/16/9
make hlg small -y 444 -d 10 --cicp 9/18/9
# The same with a profile of Display P3, in a file that P3_ICC names.
if [ -n "$P3_ICC" ]; then
    make p3-icc small -y 444 --icc "$P3_ICC"
fi
# A sequence with transparency, and its frames as libavif reads them: by Pillow, from version 11.3.
python3 - <<'PYTHON'
from PIL import Image

frames = []
for at in range(4):
    frame = Image.new("RGBA", (61, 47), (0, 0, 0, 0))
    frame.paste((240 - 50 * at, 60 * at, 80, 255), (4 + 8 * at, 6, 30 + 8 * at, 24))
    frame.paste((30, 120, 60 * at, 130), (4 + 8 * at, 24, 30 + 8 * at, 40))
    frames.append(frame)
delays = [100, 200, 100, 350]
frames[0].save("moving.avif", save_all=True, append_images=frames[1:], duration=delays, quality=90, subsampling="4:4:4")
read, shown = Image.open("moving.avif"), []
for at in range(read.n_frames):
    read.seek(at)
    shown.append(read.convert("RGBA").copy())
sheet = Image.new("RGBA", (61, 47 * len(shown)))
for at, frame in enumerate(shown):
    sheet.paste(frame, (0, 47 * at))
sheet.save("moving.png")
PYTHON
