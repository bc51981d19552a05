// A result before it is saved: two pictures under a slider, or a player. Only shows bytes that the page has already: an address that
// works once must not be given to an element that may load it twice.

import { make } from "./element.js";

const SHOWN = /^image\/(a?png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/;

/** What can be shown of a media type in this browser: "picture", "sound" or nothing. */
export function kind(mediaType = "") {
	if (SHOWN.test(mediaType)) return "picture";
	const isSound = mediaType.startsWith("audio/") && document.createElement("audio").canPlayType(mediaType);
	return isSound ? "sound" : null;
}

/** A player. */
export function player(url, name) {
	return make("audio", { controls: true, src: url, preload: "metadata", ariaLabel: name });
}

/** A picture before and after, one over the other; or the result alone. */
export function compare(before, after, name) {
	const result = make("img", { src: after, alt: `${name}, converted` });
	const canvas = make("div", { className: "canvas" }, result);
	if (before) {
		const original = make("img", { src: before, alt: `${name}, as it was`, className: "before" });
		// The control lies invisibly over the pictures, so that it is dragged on them, and moved by keys.
		const slider = make("input", { type: "range", value: 50, ariaLabel: `How much of ${name} is shown as it was, in percent` });
		const move = () => canvas.style.setProperty("--cut", `${slider.value}%`);
		slider.oninput = move;
		move();
		original.onerror = () => {
			// The browser does not know the format, whatever its name.
			original.remove();
			slider.remove();
		};
		canvas.append(original, slider);
	}
	// Enlarged it scrolls, and keys must reach it.
	const stage = make("div", { className: "stage", tabIndex: 0, role: "group", ariaLabel: `Preview of ${name}` }, canvas);
	const zoom = make("select", {}, new Option("fit", ""), ...[1, 2, 4].map((factor) => new Option(`${factor}00 %`, factor)));
	zoom.onchange = () => {
		canvas.classList.toggle("zoomed", zoom.value);
		// Pixels of the picture to pixels of the screen, whatever its density.
		canvas.style.width = zoom.value && `${(result.naturalWidth * zoom.value) / devicePixelRatio}px`;
		stage.scrollTo((stage.scrollWidth - stage.clientWidth) / 2, (stage.scrollHeight - stage.clientHeight) / 2);
	};
	const controls = make("label", { className: "zoom" }, "Zoom ", zoom);
	return make("div", {}, stage, controls);
}
