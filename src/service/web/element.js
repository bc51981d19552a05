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

/** Moves an item of a list by one place, and keeps the focus on a button that can still be pressed. */
export function step(item, by, [before, behind], onMoved) {
	if (by < 0) item.previousSibling.before(item);
	else item.nextSibling.after(item);
	onMoved();
	const [pressed, other] = by < 0 ? [before, behind] : [behind, before];
	(pressed.disabled ? other : pressed).focus();
}

let dragged = null;

/** Lets a person drag an item to another place in its list. `text` is its name. */
export function drag(item, text, onOver, onEnd) {
	item.ondragstart = (event) => {
		dragged = item;
		event.dataTransfer.setData("text/plain", text);
	};
	item.ondragover = () => {
		if (!dragged || dragged === item || dragged.parentNode !== item.parentNode) return;
		const isBehind = dragged.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_FOLLOWING;
		if (isBehind) item.after(dragged);
		else item.before(dragged);
		onOver();
	};
	item.ondragend = () => {
		dragged = null;
		onEnd();
	};
}
