// Finding one's turn: card, piece, spell, target, as the server lists them; by buttons, digits, or on the board.
import { button, h, put } from "./dom.js";
import { pieceOf } from "./board.js";

export class Menu {
  // `onchoose` is told of a leaf: {move} or {roll}. `question` makes the question for a preview of a move.
  constructor(board, onchoose, question) {
    this.board = board;
    this.onchoose = onchoose;
    this.question = question;
    this.element = h("div", { class: "menu" });
    this.path = [];
    board.onpick = (entry) => this.pick(entry);
  }

  show(entries, title = "") {
    this.entries = entries;
    this.title = title;
    this.path = [];
    this.render();
    if (this.byKeys) this.focus();
    this.byKeys = false;
  }

  focus() {
    this.element.querySelector("button:not(.back)")?.focus({ preventScroll: true });
  }

  get current() {
    return this.path.length ? this.path.at(-1).entries : this.entries;
  }

  pick(entry) {
    this.byKeys = this.element.querySelector(":focus-visible") !== null;
    if (entry.entries) {
      this.path.push(entry);
      this.render();
      if (this.byKeys) this.focus();
    } else this.onchoose(entry);
  }

  back() {
    this.path.pop();
    this.render();
  }

  render() {
    const entries = this.current ?? [];
    const cards = this.path.length === 0 && entries.every((entry) => !pieceOf(entry.label));
    const crumbs = [this.title, ...this.path.map((entry) => entry.label)].filter(Boolean).join(" ");
    put(this.element,
      this.path.length > 0 && h("div", { class: "crumbs" }, button("‹ back", () => this.back(), { class: "quiet back" }), h("b", {}, crumbs)),
      !this.path.length && this.title && h("div", { class: "crumbs" }, h("b", {}, this.title)),
      h("div", { class: cards ? "hand" : "choices" }, entries.map((entry) => this.button(entry, cards))));
    this.board.mark(entries.filter((entry) => pieceOf(entry.label)).map((entry) => [entry.label, entry]));
  }

  button(entry, isCard) {
    const move = leafOf(entry)?.move;
    const look = () => move && this.board.preview(this.question(move));
    const leave = () => { isHere = false; this.board.restore(); };
    let isHere = false;
    // A line that comes to lie under a pointer at rest is not pointed at.
    const moved = ({ movementX, movementY }) => {
      if (isHere || !(movementX || movementY)) return;
      isHere = true;
      look();
    };
    return h("button", {
      type: "button", class: isCard ? "card" : "choice", onclick: () => { leave(); this.pick(entry); },
      onpointermove: moved, onfocus: look, onpointerleave: leave, onblur: leave,
    }, isCard ? cardFace(entry.label) : h("b", {}, entry.label), entry.note && h("small", {}, entry.note));
  }
}

// The turn that an entry comes to if nothing more is cast, or whichever is first.
function leafOf(entry) {
  if (!entry.entries) return entry;
  if (!pieceOf(entry.label) && entry.entries.length > 1 && !entry.label.startsWith("+")) return null;
  return leafOf(entry.entries.find((each) => each.label === "no spell") ?? entry.entries[0]);
}

// `w1t5` as a card: a hat with its number, a tower with its number, dice.
export function cardFace(name) {
  const [face, rolls] = name.split("=");
  const parts = [];
  for (const [, kind, die, number] of face.matchAll(/(wt|w|t)(d?)(\d)/g)) {
    const signs = kind === "wt" ? ["w", "t"] : [kind];
    signs.forEach((sign) => parts.push(h("span", { class: `side ${sign}` },
      h("i", { "aria-hidden": "true" }, sign === "w" ? "▲" : "▬"), die ? "⚄" : number)));
    if (die && number > 1) parts.push(h("span", { class: "times" }, `×${number}`));
  }
  return [h("span", { class: "face", "aria-hidden": "true" }, parts), h("span", { class: "name" }, face),
    rolls && h("span", { class: "rolls" }, rolls.split(",").map(die))];
}

export const die = (number) => h("span", { class: "die", role: "img", "aria-label": `rolled ${number}` }, "⚀⚁⚂⚃⚄⚅"[number - 1]);
