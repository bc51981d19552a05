// Making elements. Text only ever becomes text: nothing here reads HTML.

/** An element with properties and children. */
export function make(tag, properties = {}, ...children) {
	const element = Object.assign(document.createElement(tag), properties);
	element.append(...children);
	return element;
}

/** A quiet button. Its name for those who do not see it says what it is about. */
export function button(text, about, onclick) {
	return word(make("button", { type: "button", className: "quiet", onclick }), text, about);
}

/** Gives a button or a link other words. */
export function word(element, text, about) {
	return Object.assign(element, { textContent: text, ariaLabel: `${text} ${about}` });
}
