#!/bin/sh
# Makes the audio fixtures next to this script. Needs sox, espeak-ng, ffmpeg, lame, flac and wavpack; the results are committed, so
# that the tests need none of them. The files of Monkey's Audio are not made here: they are from the tests of the crate
# ape-decoder (MIT OR Apache-2.0), and were made by its author's program.
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT
quiet="ffmpeg -nostdin -loglevel error -y -bitexact"
tags="-metadata title=Täuschung -metadata artist=Ärtist -metadata album=Album -metadata track=3/12 \
  -metadata date=2024 -metadata genre=Jazz -metadata comment=Ümläut"

# A chord with an attack, 150 ms, both channels different.
sox -R -n -r 44100 -c 2 -b 16 "$tmp/chord.wav" synth 0.15 pluck C4 pluck E4 gain -3
espeak-ng -w "$tmp/speech.wav" "Yes."
sox -R "$tmp/speech.wav" -b 16 speech.wav trim 0 0.3

$quiet -i "$tmp/chord.wav" -map_metadata -1 s16.wav
sox -R "$tmp/chord.wav" -b 8 u8.wav
sox -R "$tmp/chord.wav" -b 24 s24.wav gain -1.3
sox -R s24.wav -b 32 s32.wav gain -1.7
sox -R s24.wav -e float -b 32 f32.wav
sox -R "$tmp/chord.wav" -r 96000 -b 24 rate96.wav gain -2
sox -R -n -r 48000 -c 6 -b 16 surround.wav synth 0.1 sine 300 sine 400 sine 500 sine 60 sine 700 sine 800 gain -6
for codec in pcm_alaw pcm_mulaw adpcm_ms adpcm_ima_wav; do $quiet -i s16.wav -c:a "$codec" "$codec.wav"; done

$quiet -i s16.wav $tags tagged.flac
flac -sf8 -o s24.flac s24.wav
$quiet -i surround.wav surround.flac
$quiet -i s16.wav $tags -b:a 96k lame.mp3
$quiet -i speech.wav -ar 22050 -b:a 32k -write_xing 0 mono.mp3
lame --quiet --freeformat -b 150 s16.wav free.mp3
$quiet -i s16.wav -b:a 96k layer2.mp2
$quiet -i s16.wav $tags vorbis.ogg
$quiet -i surround.wav -af aformat=channel_layouts=5.1 -c:a libvorbis surround.ogg
$quiet -i s16.wav -c:a flac flac.oga
$quiet -i s16.wav $tags -b:a 64k music.opus
$quiet -i surround.wav -af aformat=channel_layouts=5.1 -c:a libopus -b:a 128k -mapping_family 1 surround.opus
$quiet -i s16.wav $tags -b:a 96k aac.m4a
$quiet -channel_layout 5.1 -i surround.wav -c:a aac -b:a 200k surround.m4a
$quiet -i s24.wav -c:a alac alac24.m4a
$quiet -i s16.wav -c:a aac -b:a 96k -movflags frag_keyframe+empty_moov fragments.mp4
$quiet -i s16.wav -c:a aac -b:a 96k adts.aac
$quiet -f lavfi -i "aevalsrc='0.3*sin(440*2*PI*t)*(1+sin(9*t))/2+0.02*random(0)|0.3*sin(550*2*PI*t)+0.02*random(1)|\
0.2*sin(700*2*PI*t)|0.3*sin(60*2*PI*t)|0.1*sin(9000*2*PI*t)+0.05*random(2)|0.1*random(3)-0.05':c=5.1:s=48000:d=0.4" \
    -c:a ac3 -b:a 192k surround.ac3
$quiet -i speech.wav -ar 32000 -ac 1 -c:a ac3 -b:a 48k mono.ac3
$quiet -i s16.wav -c:a eac3 -b:a 64k tone.eac3
$quiet -f lavfi -i testsrc=d=0.2:s=32x32:r=10 -i s16.wav -c:a aac -b:a 96k video.mp4
$quiet -i s24.wav -c:a pcm_s24be big.mov
$quiet -i s16.wav $tags big.aiff
$quiet -i s16.wav -c:a pcm_s16le -f aiff sowt.aifc 2>/dev/null || sox s16.wav -t aifc sowt.aifc
$quiet -i s16.wav sun.au
$quiet -i s16.wav apple.caf
$quiet -i s16.wav -c:a libvorbis vorbis.mka
$quiet -i s16.wav -c:a libopus -b:a 64k opus.webm
cat vorbis.ogg vorbis.ogg > chained.ogg
$quiet -f lavfi -i testsrc=d=0.2:s=32x32:r=10 -i s16.wav -c:v libtheora -c:a libvorbis video.ogv
$quiet -i s16.wav -map_metadata -1 -c:a libmp3lame -b:a 96k mp3.mka
$quiet -i lame.mp3 -vn -c copy tone.mkv
pack="wavpack -q -y"
$pack -h --blocksize=1000 -w Title=Täuschung -w Artist=Ärtist s16.wav -o tagged.wv
$pack -hx6 speech.wav -o mono.wv
$pack -hb4 --blocksize=3000 s24.wav -o lossy.wv
sox s32.wav "$tmp/s32.wav" trim 0 0.04
$pack -x "$tmp/s32.wav" -o s32.wv
sox -R surround.wav -e float -b 32 "$tmp/f32.wav" trim 0 0.02 gain -1.1
$pack --blocksize=400 "$tmp/f32.wav" -o f32.wv
# Not made here, as Debian's ffmpeg has no encoder for it: a second of a chord by libfdk_aac, as HE-AAC of 40 kbit/s
# (he.aac), HE-AAC v2 of 24 kbit/s (hev2.m4a), and mono HE-AAC of 24 kbit/s that says so in its header, with an edit list
# that leaves out the encoder's delay of 5058 samples (he-edit.m4a).
# Nor for these: a voice made of formulas, as AMR of 12.2 kbit/s (speech.amr) and 15.85 kbit/s (speech.awb), and with a pause that
# is described instead of coded, of 5.9 and 8.85 kbit/s (pause.amr, pause.awb).
