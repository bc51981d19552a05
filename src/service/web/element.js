// Makes elements. Text becomes a text node, and is never parsed as HTML.

/** An element with properties and children. */
export function make(tag, properties = {}, ...children) {
	const element = Object.assign(document.createElement(tag), properties);
	element.append(...children);
	return element;
}

/** A button of the quiet style. `about` becomes part of its accessible name. */
export function button(text, about, onclick) {
	return word(make("button", { type: "button", className: "quiet", onclick }), text, about);
}

/** Changes the label and the accessible name of a button or a link. */
export function word(element, text, about) {
	return Object.assign(element, { textContent: text, ariaLabel: `${text} ${about}` });
}
