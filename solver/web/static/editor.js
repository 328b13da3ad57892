// A board that is set up by clicking and dragging, with its notation beside it, each in step with the other.
import { post } from "./api.js";
import { Board, parse, print } from "./board.js";
import { field, h, put } from "./dom.js";
import { stepper } from "./pickers.js";

const TOOLS = [["W", "wizard", "▲"], ["r", "raven tower", "◆"], ["t", "plain tower", "▬"], ["K", "keep", "♜"], ["-", "take away", "✕"]];
const FAR = 6; // pixels; a press that moves further is a drag
const MOST = { wizards: 12, bottles: 6 };

export class Editor {
  // `rules()`: the picker of the rules that say with how many bottles one begins. `onfault`: a text was refused.
  constructor(onchange, rules, onfault = () => {}) {
    Object.assign(this, { onchange, rules, onfault });
    this.tool = "W";
    this.board = new Board();
    this.text = h("input", { type: "text", class: "position", spellcheck: "false", "aria-label": "Position",
      onchange: () => this.read(this.text.value) });
    this.fault = h("p", { class: "fault", role: "alert" });
    this.palette = h("div", { class: "palette", role: "group", "aria-label": "What a click puts on the board" });
    this.counts = h("div", { class: "counts" });
    this.element = h("div", {}, this.palette, this.board.element, this.counts, field("Position", this.text), this.fault);
    this.board.picture.addEventListener("pointerdown", (event) => this.press(event));
    this.board.prepare = (svg) => this.reachable(svg);
    this.board.picture.addEventListener("keydown", (event) => this.key(event));
    this.board.picture.classList.add("editing");
  }

  // Texts that the rules forbid stay in the field with the reason; the board stays as it was.
  async read(text) {
    if (!(await this.show(text))) return false;
    this.onchange(this.position);
    return true;
  }

  // The same, but nobody is told.
  async show(text) {
    const number = (this.reading = (this.reading ?? 0) + 1);
    try {
      const { position, svg } = await post("board", { position: text, rules: this.rules().sound });
      if (number !== this.reading) return false; // a later text is on its way
      this.model = parse(position);
      this.position = position;
      this.text.value = position;
      this.fault.textContent = "";
      this.board.show(svg);
      this.render();
      return true;
    } catch (problem) {
      if (number !== this.reading) return false;
      this.fault.textContent = problem.message;
      if (this.position) {
        this.model = parse(this.position);
        this.render();
      }
      this.onfault();
      return false;
    }
  }

  // Every space can be reached by keys; Enter does there what a click would.
  reachable(svg) {
    for (const space of svg.querySelectorAll(".space")) {
      Object.entries({ tabindex: "0", role: "button", "aria-label": `space ${space.dataset.space}` })
        .forEach(([name, value]) => space.setAttribute(name, value));
    }
  }

  key(event) {
    const space = event.target.closest(".space");
    if (!space || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const number = Number(space.dataset.space);
    this.add(this.tool, { space: number, ...this.top(number) });
  }

  // What is uppermost in a space.
  top(number) {
    const { towers, ground } = this.model.spaces[number];
    const height = towers.length;
    if (height ? towers.at(-1).wizards : ground) return { kind: "wizard", height };
    return height ? { kind: "tower", height } : { kind: "ground", height: 0 };
  }

  render() {
    put(this.palette, TOOLS.map(([tool, name, sign]) => h("button", { type: "button", "aria-pressed": String(tool === this.tool),
      onclick: () => { this.tool = tool; this.render(); }, onpointerdown: (event) => this.press(event, tool) },
    h("span", { "aria-hidden": "true" }, sign), ` ${name}`)));
    const { home, bottles } = this.model;
    const changed = (change) => (value) => { change(value); this.write(); };
    put(this.counts,
      stepper("home", { low: 0, high: MOST.wizards - this.onBoard(), value: home, onchange: changed((n) => { this.model.home = n; }) }),
      h("label", {}, h("input", { type: "checkbox", "aria-label": "bottles", checked: bottles !== null, onchange: (event) => this.withBottles(event.target.checked) }), " bottles"),
      bottles && stepper("full", { low: 0, high: MOST.bottles - bottles.empty, value: bottles.full,
        onchange: changed((n) => { bottles.full = n; }) }),
      bottles && stepper("empty", { low: 0, high: MOST.bottles - bottles.full, value: bottles.empty,
        onchange: changed((n) => { bottles.empty = n; }) }));
  }

  // As many as a game begins with, or none.
  async withBottles(some) {
    this.model.bottles = some ? parse((await this.rules().start()).position).bottles : null;
    await this.write();
  }

  onBoard() {
    return this.model.spaces.reduce((sum, space) => sum + space.ground + space.towers.reduce((all, tower) => all + tower.wizards, 0), 0);
  }

  write() {
    return this.read(print(this.model));
  }

  // Clicks and drags ---------------------------------------------------------------------------------------

  // Where a press is: the space, and the height of the piece in it (0: the ground).
  place(x, y) {
    const element = document.elementFromPoint(x, y);
    if (!element || !this.board.picture.contains(element)) return null;
    const space = element.closest("[data-space]");
    if (!space) return null;
    const kind = element.classList.contains("tower") ? "tower" : element.classList.contains("wizard") ? "wizard"
      : element.closest(".keep") ? "keep" : "ground";
    return { space: Number(space.dataset.space), kind, height: Number(element.dataset.height ?? 0) };
  }

  press(event, tool = null) {
    if (event.button || !event.isPrimary) return; // a second finger is none of it
    const from = tool ? null : this.place(event.clientX, event.clientY);
    if (!tool && !from) return;
    const begin = [event.clientX, event.clientY];
    let ghost = null;
    const move = (next) => {
      if (!next.isPrimary) return;
      if (!ghost && Math.hypot(next.clientX - begin[0], next.clientY - begin[1]) > FAR && (tool || from.kind !== "ground")) {
        ghost = h("div", { class: "ghost" }, tool ? TOOLS.find(([name]) => name === tool)[2] : { tower: "▬", wizard: "▲", keep: "♜" }[from.kind]);
        document.body.append(ghost);
      }
      if (ghost) Object.assign(ghost.style, { left: `${next.clientX}px`, top: `${next.clientY}px` });
    };
    const end = (last) => {
      if (!last.isPrimary) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      ghost?.remove();
      if (last.type === "pointercancel") return;
      const to = this.place(last.clientX, last.clientY);
      if (ghost && to) {
        if (tool) this.add(tool, to);
        else this.drag(from, to.space);
      } else if (!ghost && from) this.add(this.tool, from);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  add(tool, { space: number, kind, height }) {
    const space = this.model.spaces[number];
    if (tool === "-") this.remove(space, number, kind, height);
    else if (tool === "K") this.model.keep = number;
    else if (tool === "W") this.changeWizards(space, kind === "tower" || kind === "wizard" ? height : space.towers.length, 1);
    else space.towers.push({ kind: tool, wizards: 0 });
    this.write();
  }

  changeWizards(space, height, by) {
    if (height) space.towers[height - 1].wizards = Math.max(0, space.towers[height - 1].wizards + by);
    else space.ground = Math.max(0, space.ground + by);
  }

  remove(space, number, kind, height) {
    if (kind === "wizard") this.changeWizards(space, height, -1);
    else if (kind === "tower") space.towers.splice(height - 1, 1);
  }

  // A tower takes along what stands on it; a wizard goes to the visible surface.
  drag(from, target) {
    if (from.space === target) return;
    const [source, goal] = [this.model.spaces[from.space], this.model.spaces[target]];
    if (from.kind === "keep") this.model.keep = target;
    else if (from.kind === "wizard") {
      this.changeWizards(source, from.height, -1);
      this.changeWizards(goal, goal.towers.length, 1);
    } else if (from.kind === "tower") {
      goal.towers.push(...source.towers.splice(from.height - 1));
      if (this.model.keep === from.space) this.model.keep = target;
    }
    this.write();
  }
}
