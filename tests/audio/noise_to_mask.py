#!/usr/bin/env python3
"""How far the noise of a lossy codec stands above what the ear masks, in decibels; lower is better.

    noise_to_mask.py original.wav coded.mp3 [coded.opus ...]

Needs ffmpeg and numpy. A simplified form of the noise-to-mask ratio of ITU-R BS.1387: in every frame, the spectrum
of the original makes a masking threshold (Bark bands, spreading of 27 dB down and 10 dB up a Bark, an offset between
6 dB for noise and 24 dB for tones, the absolute threshold of hearing at 92 dB for full scale); the spectrum of the
difference is compared with it. Two numbers: over frames of 2048 samples, and over frames of 256, in which an echo
before an attack has nothing to hide behind. It ranks codecs of one kind; it is no substitute for listening.
"""
import subprocess
import sys

import numpy as np

RATE = 48000


def decode(path):
    raw = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-ac", "2", "-ar", str(RATE), "-f", "f32le", "-"],
        capture_output=True, check=True).stdout
    return np.frombuffer(raw, dtype="<f4").reshape(-1, 2).astype(float)


def power(signal, size):
    hop = size // 2
    count = (len(signal) - size) // hop
    frames = np.stack([signal[i * hop:i * hop + size] for i in range(count)]) * np.hanning(size)
    return np.abs(np.fft.rfft(frames)) ** 2 / (size / 4) ** 2


def noise_to_mask(original, coded, size):
    frequency = np.fft.rfftfreq(size, 1 / RATE)
    bark = 26.81 * np.maximum(frequency, 1) / (1960 + np.maximum(frequency, 1)) - 0.53
    edges = np.arange(0.0, bark[frequency < 18000][-1], 0.5 if size > 1000 else 1.0)
    band = np.digitize(bark, edges) - 1
    bands = [np.where(band == b)[0] for b in range(len(edges))]
    bands = [b[frequency[b] < 18000] for b in bands]
    bands = [b for b in bands if len(b)]
    centre = np.array([bark[b].mean() for b in bands])
    khz = np.array([max(frequency[b].mean(), 50) for b in bands]) / 1000
    hearing = 3.64 * khz ** -0.8 - 6.5 * np.exp(-0.6 * (khz - 3.3) ** 2) + 1e-3 * khz ** 4
    hearing = 10 ** ((hearing - 92) / 10)
    distance = centre[:, None] - centre[None, :]
    spread = 10 ** (np.where(distance >= 0, -10 * distance, 27 * distance) / 10)
    ratios = []
    for channel in range(2):
        s = power(original[:, channel], size)
        n = power((original - coded)[:, channel], size)
        signal = np.stack([s[:, b].sum(1) for b in bands], 1)
        noise = np.stack([n[:, b].sum(1) for b in bands], 1)
        flat = np.stack([np.exp(np.log(s[:, b] + 1e-15).mean(1)) / (s[:, b].mean(1) + 1e-15) for b in bands], 1)
        tonal = np.clip(-10 * np.log10(flat) / 20, 0, 1)
        mask = (signal @ spread.T) * 10 ** (-(6 + 18 * tonal) / 10) + hearing
        loud = signal.sum(1) > 1e-7
        ratios.append((noise / mask)[loud])
    return 10 * np.log10(np.concatenate(ratios).mean())


def align(original, coded):
    """A delay that a decoder has left in would drown everything."""
    size = 1 << 15
    if len(original) < 2 * size or len(coded) < 2 * size:
        return coded
    a, b = original[size:2 * size, 0], coded[size:2 * size, 0]
    lag = np.fft.irfft(np.fft.rfft(b, 2 * size) * np.conj(np.fft.rfft(a, 2 * size)))
    shift = int(np.argmax(lag))
    shift = shift - 2 * size if shift > size else shift
    return np.roll(coded, -shift, axis=0) if abs(shift) < 4096 else coded


def main():
    original = decode(sys.argv[1])
    for path in sys.argv[2:]:
        coded = align(original, decode(path))
        count = min(len(original), len(coded))
        long, short = (noise_to_mask(original[:count], coded[:count], size) for size in (2048, 256))
        print(f"{path}: {long:.1f} dB, in short frames {short:.1f} dB")


main()
