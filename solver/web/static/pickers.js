// Cards, spells and rules to choose from; each has an element and a value, and says when it changes.
import { board } from "./api.js";
import { button, h, put } from "./dom.js";
import { cardFace } from "./menu.js";

// Some of the deck's cards: click a face to take one more, click a taken one to give it back.
export class CardPicker {
  constructor(faces, { most = 90, onchange = () => {}, left = null } = {}) {
    Object.assign(this, { faces, most, onchange, left });
    this.taken = [];
    this.element = h("div", { class: "picker" });
    this.render();
  }

  get value() { return this.taken.join(","); }

  set value(names) {
    this.taken = names;
    this.render();
  }

  copiesLeft(face) {
    const all = this.left ? this.left(face.name) : face.copies;
    return all - this.taken.filter((name) => name === face.name).length;
  }

  change() {
    this.render();
    this.onchange();
  }

  take(face) {
    if (this.taken.length >= this.most) return;
    this.taken.push(face.name);
    this.change();
  }

  render() {
    const full = this.taken.length >= this.most;
    put(this.element,
      h("div", { class: "taken" }, this.taken.length
        ? this.taken.map((name, at) => h("button", { type: "button", class: "card small", title: "give back",
          "aria-label": `${name}, give back`, onclick: () => { this.taken.splice(at, 1); this.change(); } }, cardFace(name)))
        : h("span", { class: "none" }, "none")),
      full ? h("p", { class: "how" }, "Click a card to give it back.") : h("div", { class: "faces" }, this.faces.map((face) => {
        const left = this.copiesLeft(face);
        return h("button", { type: "button", class: "take", disabled: left <= 0, "data-key": `take ${face.name}`, "aria-label": `${face.name}, ${left} left`,
          onclick: () => this.take(face) }, face.name, h("sub", {}, left));
      })));
  }
}

export class SpellPicker {
  constructor(facts, { most = facts.spells_in_a_game, value = [], onchange = () => {} } = {}) {
    this.most = most;
    this.chosen = new Set(value);
    this.boxes = facts.spells.map((spell) => h("input", { type: "checkbox", value: spell.name, checked: this.chosen.has(spell.name),
      onchange: (event) => {
        this.chosen[event.target.checked ? "add" : "delete"](spell.name);
        this.limit();
        onchange();
      } }));
    this.costs = new Map(facts.spells.map((spell) => [spell.name, h("small", {}, spell.cost)]));
    this.element = h("div", { class: "spells" }, facts.spells.map((spell, at) => h("label", { title: spell.effect },
      this.boxes[at], ` ${spell.name} `, this.costs.get(spell.name))));
    this.limit();
  }

  get value() { return [...this.chosen]; }

  // What they cost under other rules.
  reprice(costs) {
    for (const [name, shown] of this.costs) shown.textContent = costs[name];
  }

  limit() {
    for (const box of this.boxes) box.disabled = !box.checked && this.chosen.size >= this.most;
  }
}

// The rules, by which the spells beside them have their costs.
export class RulesPicker {
  constructor(facts, spells, { value = "", onchange = () => {} } = {}) {
    this.spells = spells;
    this.sound = ""; // the last of them that are rules
    this.text = h("input", { type: "text", value, placeholder: "rulebook", list: "rule-presets", spellcheck: "false",
      "aria-label": "Rules", onchange: () => { this.price(); onchange(); } });
    this.fault = h("small", { class: "fault", role: "alert" });
    this.element = h("div", {}, this.text, this.fault,
      h("datalist", { id: "rule-presets" }, facts.presets.map((name) => h("option", { value: name })), h("option", { value: "refresh=on" })));
    if (value) this.price();
  }

  get value() { return this.text.value.trim(); }

  // The board of a game with spells under these rules: its bottles, and what spells cost.
  start(rules = this.sound) {
    return board({ position: "start-spells", rules });
  }

  async price() {
    const { value } = this;
    try {
      this.spells.reprice((await this.start(value)).costs);
      this.sound = value;
      this.fault.textContent = "";
    } catch (problem) {
      this.fault.textContent = problem.message;
    }
  }
}

export function stepper(label, { low, high, value, onchange }) {
  const shown = h("output", {}, value);
  const step = (by) => {
    const next = Math.min(high, Math.max(low, Number(shown.textContent) + by));
    shown.textContent = next;
    onchange(next);
  };
  return h("span", { class: "stepper" }, h("span", {}, label), button("−", () => step(-1), { "aria-label": `${label}: one less` }),
    shown, button("+", () => step(1), { "aria-label": `${label}: one more` }));
}
