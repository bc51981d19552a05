// A dialog with the list of formats: a combobox (WAI-ARIA Authoring Practices). Changes no setting.

import { make } from "./element.js";
import { byUse, isCommon } from "./settings.js";
import { t } from "./text.js";

/** Titles of groups by format, from the list for browsers without scripts. */
const groupOf = new Map([...document.querySelectorAll("#target optgroup option")].map((option) => [option.value, option.parentElement.label]));

const [dialog, title, text, list, none] = ["", "-title", "-text", "-list", "-none"].map((part) => document.getElementById(`picker${part}`));

text.ariaLabel = t("search.by");
text.placeholder = t("search.such");
list.ariaLabel = t("formats");

let offered = [];
let current = "";
let settle = null;

/** Asks for one of `formats`. Resolves to its name, or to `null` if cancelled. */
export function pick(formats, chosen, heading) {
	[offered, current] = [formats, chosen];
	title.textContent = heading;
	text.value = "";
	draw();
	dialog.showModal();
	text.focus();
	list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
	return new Promise((resolve) => {
		settle = resolve;
	});
}

function close(name) {
	settle?.(name);
	settle = null;
	dialog.close();
}

/** Returns whether each typed word begins a name, an alias or a word of the description. */
function matches(format, typed) {
	const words = `${[format.format, ...format.aliases]} ${format.description} ${groupOf.get(format.format)}`.toLowerCase().split(/\W+/);
	return typed.every((part) => words.some((word) => word.startsWith(part)));
}

function draw() {
	const typed = text.value.toLowerCase().split(/\W+/).filter(Boolean);
	const found = offered.filter((format) => matches(format, typed));
	// In a short list the common ones need no place of their own.
	const common = found.length > 8 ? found.filter((format) => isCommon(format.format)).sort(byUse) : [];
	const groups = [[t("c.common"), common]];
	for (const name of new Set(groupOf.values())) {
		groups.push([name, found.filter((format) => groupOf.get(format.format) === name && !common.includes(format))]);
	}
	list.replaceChildren(...groups.filter(([, formats]) => formats.length).map(group));
	none.textContent = found.length ? "" : t("search.none");
	const options = all();
	const named = options.find((option) => option.dataset.name === (typed[0] ?? current));
	activate(named ?? options[0]);
}

function group([name, formats]) {
	const heading = make("p", { id: `group-${name}`, role: "presentation", textContent: name });
	const element = make("div", { role: "group" }, heading, ...formats.map(option));
	element.setAttribute("aria-labelledby", heading.id);
	return element;
}

function option({ format, description }) {
	const element = make("div", { role: "option", id: `format-${format}`, ariaSelected: String(format === current) });
	element.dataset.name = format;
	element.append(make("b", { textContent: format }), " ", make("span", { textContent: description }));
	return element;
}

const all = () => [...list.querySelectorAll('[role="option"]')];

function activate(option) {
	list.querySelector(".active")?.classList.remove("active");
	option?.classList.add("active");
	option?.scrollIntoView({ block: "nearest" });
	if (option) text.setAttribute("aria-activedescendant", option.id);
	else text.removeAttribute("aria-activedescendant");
}

text.oninput = draw;
text.onkeydown = (event) => {
	const options = all();
	const at = options.findIndex((option) => option.classList.contains("active"));
	const steps = { ArrowDown: at + 1, ArrowUp: at - 1 };
	if (event.key in steps) {
		activate(options[Math.min(Math.max(steps[event.key], 0), options.length - 1)]);
	} else if (event.key === "Enter") {
		if (options[at]) close(options[at].dataset.name);
	} else {
		return;
	}
	event.preventDefault();
};
list.onclick = (event) => {
	const option = event.target.closest('[role="option"]');
	if (option) close(option.dataset.name);
};
dialog.onclick = (event) => {
	// Not on its content: on the backdrop.
	if (event.target === dialog) close(null);
};
dialog.onclose = () => close(null);
