// A dialog in which a person puts several files in order, so that they become one PDF. Converts nothing.

import { button, drag, make, step } from "./element.js";
import { t } from "./text.js";
import { zip } from "./zip.js";

/**
 * Asks for the order of `files`. Resolves to an archive of them in numbered folders, which keep the order; its property
 * `parts` lists the paths in it. Resolves to `null` if cancelled.
 */
export function join(files) {
	const list = make("ol", { className: "order" });
	const status = make("p", { className: "unseen", role: "status" });
	const name = make("input", { value: t("join.name"), required: true, maxLength: 100 });
	const go = make("button", { className: "button", textContent: t("join.go") });
	const cancel = make("button", { type: "button", className: "quiet", textContent: t("cancel"), onclick: () => dialog.close() });
	const form = make("form", { className: "fields" }, make("label", { className: "field wide" }, t("join.result"), name), go, cancel);
	const title = make("h2", { id: "join-title", textContent: t("join") });
	const dialog = make("dialog", { className: "picker" }, title, make("p", { className: "hint", textContent: t("join.how") }), list, form, status);
	dialog.setAttribute("aria-labelledby", title.id);

	const number = () => {
		const items = [...list.children];
		items.forEach((item, at) => {
			item.up.disabled = at === 0;
			item.down.disabled = at === items.length - 1;
		});
		go.disabled = items.length < 2;
	};
	const move = (item, by) => {
		step(item, by, [item.up, item.down], number);
		status.textContent = t("join.at", { name: item.file.name, at: [...list.children].indexOf(item) + 1, all: list.children.length });
	};
	const item = (file) => {
		const up = button("↑", "", () => move(element, -1));
		const down = button("↓", "", () => move(element, 1));
		const leave = button("×", "", () => {
			(element.nextSibling ?? element.previousSibling)?.leave.focus();
			element.remove();
			number();
		});
		for (const [control, key] of [[up, "join.up"], [down, "join.down"], [leave, "join.leave"]]) control.ariaLabel = t(key, { name: file.name });
		const element = make("li", { draggable: true }, make("span", { textContent: file.name }), up, down, leave);
		drag(element, file.name, number, () => {});
		return Object.assign(element, { file, up, down, leave });
	};
	list.append(...files.map(item));
	number();
	document.body.append(dialog);
	dialog.showModal();
	return new Promise((resolve, reject) => {
		let chosen = null;
		form.onsubmit = (event) => {
			event.preventDefault();
			chosen = [...list.children].map(({ file }, at) => [`${String(at + 1).padStart(5, "0")}/${file.name}`, file]);
			dialog.close();
		};
		dialog.onclose = () => {
			dialog.remove();
			if (!chosen) return resolve(null);
			const parts = chosen.map(([path]) => path);
			zip(chosen).then((archive) => resolve(Object.assign(new File([archive], `${name.value.trim()}.zip`, { type: archive.type }), { parts })), reject);
		};
	});
}
