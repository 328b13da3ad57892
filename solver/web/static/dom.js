// Elements made and replaced; nothing here knows the game.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Replaces what is in an element. Who goes by keys keeps the focus: on what has the same name again, or at the beginning.
export function put(element, ...children) {
  const active = document.activeElement;
  const held = element.contains(active) && active.matches(":focus-visible") ? active : null;
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (held && !element.contains(document.activeElement)) {
    const name = nameOf(held);
    const able = [...element.querySelectorAll("button:not(:disabled), a[href], input:not(:disabled), select, summary, [tabindex='0']")];
    const again = name && able.find((each) => nameOf(each) === name);
    (again || (held.matches("input, select") ? null : able[0]))?.focus({ preventScroll: true }); // who typed goes on by digits
  }
  return element;
}

const nameOf = (element) => element.dataset.key ?? element.getAttribute("aria-label") ?? element.textContent;

// A picture that the server drew. Its style sheet, if it has one, is left to the page's own.
export function svgOf(text) {
  const parsed = new DOMParser().parseFromString(text.replace(/<style>[^]*?<\/style>/, ""), "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

export function button(text, onclick, props = {}) {
  return h("button", { type: "button", onclick, ...props }, text);
}

export function field(label, control, hint = "") {
  return h("label", { class: "field" }, h("span", {}, label), control, hint && h("small", {}, hint));
}

// The open spells of a game or puzzle, with what each does.
export const spellList = (spells) => spells.length > 0 && fold("Spells", h("ul", { class: "facts" }, spells.map((spell) =>
  h("li", {}, h("b", {}, spell.name), ` (${spell.cost}): ${spell.effect}`))), true);

// A part that can be folded away.
export function fold(title, content, open = false) {
  return h("details", { open }, h("summary", {}, title), content);
}

export function download(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A file that the user picks or drops; larger ones than any game or puzzle are not read.
export async function readFile(file) {
  if (file.size > 500_000) throw new Error(`${file.name} is larger than any game or puzzle`);
  return file.text();
}

export function filePicker(label, accept, onfile) {
  const input = h("input", { type: "file", accept, class: "hidden-input", onchange: () => {
    if (input.files[0]) onfile(input.files[0]);
    input.value = "";
  } });
  return h("label", { class: "button" }, label, input);
}

// A place where files can be dropped.
export function dropZone(element, onfile) {
  element.addEventListener("dragover", (event) => { event.preventDefault(); element.classList.add("dropping"); });
  element.addEventListener("dragleave", () => element.classList.remove("dropping"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    element.classList.remove("dropping");
    if (event.dataTransfer.files[0]) onfile(event.dataTransfer.files[0]);
  });
}

export const cards = (number) => `${number} ${number === 1 ? "card" : "cards"}`;
export const percent = (share) => `${(100 * share).toFixed(share > 0.995 && share < 1 ? 1 : 0)} %`;
export const signed = (number, places = 2) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(places)}`;
export const stars = (number) => "★".repeat(number) + "☆".repeat(5 - number);
