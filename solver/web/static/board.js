// The board: the server draws it; here it is shown, played on, and a position is kept as the notation writes it.
import { h, put, svgOf } from "./dom.js";
import { board as ask } from "./api.js";
import { keep, recall } from "./kept.js";

// The position as objects, for the editor: {spaces: [{ground, towers: [{kind, wizards}]}], keep, home, bottles}
export function parse(text) {
  const [boardText, home = "0", bottles = "-"] = text.trim().split(/\s+/);
  let keep = 0;
  const spaces = boardText.split("/").map((space, number) => {
    if (space.includes("K")) keep = number;
    const ground = /^\d+/.exec(space);
    const towers = [...space.toLowerCase().matchAll(/([rt])(\d*)/g)];
    return {
      ground: ground ? Number(ground[0]) : 0,
      towers: towers.map(([, kind, wizards]) => ({ kind, wizards: Number(wizards || 0) })),
    };
  });
  const [full, empty] = bottles === "-" ? [] : bottles.split("/").map(Number);
  return { spaces, keep, home: Number(home), bottles: bottles === "-" ? null : { full, empty } };
}

export function print({ spaces, keep, home, bottles }) {
  const texts = spaces.map((space, number) => {
    const towers = space.towers.map(({ kind, wizards }) => kind + (wizards || "")).join("");
    return (space.ground || "") + towers + (keep === number ? "K" : "") || "-";
  });
  return `${texts.join("/")} ${home} ${bottles ? `${bottles.full}/${bottles.empty}` : "-"}`;
}

// `W5`, `T7.2` -> where it is; other labels have no place.
export function pieceOf(label) {
  const match = /(?:^|\s)([WT])(\d+)(?:\.(\d+))?$/.exec(label);
  return match && { kind: match[1], space: Number(match[2]), height: Number(match[3] ?? 0) };
}

const COVERED = "towers.peek";
const NEAR = 18; // pixels that a finger may miss a piece by

export class Board {
  constructor(onpick = () => {}) {
    this.onpick = onpick;
    this.prepare = () => {}; // of a picture before it is shown
    this.picture = h("div", { class: "picture" });
    this.peek = h("input", { type: "checkbox", checked: recall(COVERED) !== "no", onchange: () => this.cover() });
    this.element = h("div", { class: "board" }, this.picture,
      h("label", { class: "peek" }, this.peek, " covered wizards"));
    this.picture.addEventListener("click", (event) => this.clicked(event));
    this.marks = [];
    this.cover();
  }

  cover() {
    keep(COVERED, this.peek.checked ? "yes" : "no");
    this.picture.classList.toggle("hide-covered", !this.peek.checked);
  }

  show(svg) {
    this.svg = svg;
    this.showing = 0;
    this.draw(svg);
  }

  draw(svg) {
    this.put(svg);
    for (const [label] of this.marks) this.elementsOf(label).forEach((each) => each.classList.add("legal"));
  }

  put(text) {
    const svg = svgOf(text);
    this.prepare(svg);
    put(this.picture, svg);
  }

  // What a position or a move leads to, for as long as it is pointed at.
  async preview(question) {
    const number = (this.showing = (this.showing ?? 0) + 1);
    try {
      const { svg } = await ask(question);
      if (number !== this.showing) return;
      this.put(svg);
      this.picture.classList.add("preview");
    } catch { /* it is only a preview */ }
  }

  restore() {
    this.showing = (this.showing ?? 0) + 1;
    if (!this.picture.classList.contains("preview")) return;
    this.picture.classList.remove("preview");
    this.draw(this.svg);
  }

  // Pieces that can be clicked: [label, value] pairs; of several with one place the first counts.
  mark(marks) {
    this.marks = marks;
    this.picture.querySelectorAll(".legal").forEach((each) => each.classList.remove("legal"));
    for (const [label] of marks) this.elementsOf(label).forEach((each) => each.classList.add("legal"));
  }

  elementsOf(label) {
    const piece = pieceOf(label);
    if (!piece) return [];
    const space = `g.space[data-space="${piece.space}"]`;
    const selector = piece.kind === "W" ? `${space} .wizard.visible` : `${space} .tower[data-height="${piece.height}"]`;
    return [...this.picture.querySelectorAll(selector)];
  }

  clicked(event) {
    const element = event.target.closest?.(".legal") ?? this.nearest(event.clientX, event.clientY);
    if (!element) return;
    const found = this.marks.find(([label]) => this.elementsOf(label).includes(element));
    if (found) this.onpick(found[1]);
  }

  // The piece beside a click that hit none; on a phone a wizard is smaller than a finger.
  nearest(x, y) {
    const far = (element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));
    };
    const [first] = [...this.picture.querySelectorAll(".legal")].map((each) => [far(each), each]).sort(([one], [other]) => one - other);
    return first && first[0] <= NEAR ? first[1] : null;
  }
}
