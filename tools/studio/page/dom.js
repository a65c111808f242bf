// Making elements of a page.

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function button(text, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, text);
}

export function choice(label, options, value, onchange) {
  const select = make("select", { onchange: () => onchange(select.value) });
  for (const [key, text] of options) select.append(make("option", { value: key, selected: key === value }, text));
  return make("label", { class: "field" }, make("span", {}, label), select);
}
