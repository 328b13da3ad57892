// Advice on a board that is set up by hand: the cards too, and what of the deck was seen already.
import { facts as getFacts } from "./api.js";
import { Advice } from "./advice.js";
import { button, field, fold, h, put } from "./dom.js";
import { Editor } from "./editor.js";
import { CardPicker, RulesPicker, SpellPicker } from "./pickers.js";

const HAND = 3;
const SAMPLE = "w3,w1t5,td2"; // the hand on the page when it is first opened

const split = (text) => (text ?? "").split(",").filter(Boolean);

export async function show(root, params, remember) {
  const facts = await getFacts();
  const asking = new Asking(root, facts, remember);
  await asking.begin(params);
  return () => asking.advice.stop();
}

class Asking {
  constructor(root, facts, remember) {
    Object.assign(this, { facts, remember });
    this.editor = new Editor(() => this.changed(), () => this.rules);
    this.advice = new Advice(this.editor.board, (move) => ({ ...this.game(), position: this.editor.position, move }));
    this.hand = this.seen = { value: "" }; // until both are there
    const picker = (most, other) => new CardPicker(facts.faces, { most, onchange: () => this.changed(),
      left: (name) => this.copies(name) - split(other().value).filter((each) => each === name).length });
    const [hand, seen] = [picker(HAND, () => this.seen), picker(90, () => this.hand)];
    Object.assign(this, { hand, seen });
    this.fault = h("p", { class: "fault", role: "alert" });
    this.panel = h("div", { class: "panel" });
    put(root, h("div", { class: "side" }, this.editor.element), this.panel);
  }

  copies(name) {
    return this.facts.faces.find((face) => face.name === name).copies;
  }

  game() {
    return { spells: this.spells.value, rules: this.rules.value };
  }

  async begin(params) {
    const { facts } = this;
    const spells = split(params.get("spells"));
    const changed = () => this.changed();
    this.spells = new SpellPicker(facts, { value: spells, onchange: () => this.withBottles() });
    this.rules = new RulesPicker(facts, this.spells, { value: params.get("rules") ?? "", onchange: changed });
    this.within = h("input", { type: "number", min: "1", max: "90", value: params.get("within") ?? "", onchange: changed });
    this.played = h("input", { type: "number", min: "0", max: "90", value: params.get("played") ?? "", placeholder: "as many as seen", onchange: changed });
    this.rolled = h("input", { type: "text", value: params.get("rolled") ?? "", placeholder: "such as wd2=4", spellcheck: "false", onchange: changed });
    this.hand.value = split(params.get("hand") ?? SAMPLE);
    this.seen.value = split(params.get("seen"));
    put(this.panel,
      h("h2", {}, "The hand"), this.hand.element,
      fold("Cards seen already", [h("p", { class: "how" }, "All that were discarded; what is left can still be drawn."), this.seen.element], this.seen.value !== ""),
      fold("Spells: up to three", this.spells.element, spells.length > 0),
      fold("More", [
        field("All I want is a number of cards or fewer", this.within, "empty: as few cards as can be"),
        field("A die card on the table, with its rolls", this.rolled),
        field("Cards in the discard pile", this.played),
        field("Rules", this.rules.element),
      ], ["within", "rolled", "played", "rules"].some((name) => params.get(name))),
      h("p", { class: "tools" }, button("What is best?", () => this.ask(), { class: "main" }),
        button("Usual start", () => this.editor.read(this.spells.value.length ? "start-spells" : "start"))),
      this.fault, this.advice.element);
    const position = params.get("position") ?? (spells.length ? "start-spells" : "start");
    if (!(await this.editor.read(position)) && params.get("position")) {
      const reason = this.editor.fault.textContent; // a link to what is no position still opens the page
      await this.editor.read("start");
      this.editor.text.value = position;
      this.editor.fault.textContent = reason;
    }
    if (params.get("hand")) this.ask();
  }

  // Spells are paid with bottles, so the first one brings them.
  withBottles() {
    const { model } = this.editor;
    if (this.spells.value.length && model && !model.bottles) this.editor.withBottles(true);
    else this.changed();
  }

  // Old advice goes as soon as the question is another.
  changed() {
    if (!this.editor.position) return;
    this.advice.clear();
    this.hand.render();
    this.seen.render();
    this.fault.textContent = "";
    this.remember({ position: this.editor.position, hand: this.hand.value, seen: this.seen.value, spells: this.spells.value.join(","),
      rules: this.rules.value, within: this.within.value, rolled: this.rolled.value.trim(), played: this.played.value });
  }

  ask() {
    const { position } = this.editor;
    const missing = !position ? "the board first" : !this.hand.value ? "the cards of the hand: click them above" : "";
    this.fault.textContent = missing && `Expected ${missing}.`;
    if (missing) return;
    const number = (input) => (input.value === "" ? null : Number(input.value));
    this.advice.ask({ ...this.game(), position, hand: this.hand.value, seen: this.seen.value || null, played: number(this.played),
      rolled: this.rolled.value.trim() || null, within: number(this.within) });
  }
}
