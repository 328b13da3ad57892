// A puzzle set up by hand, proved while it is edited, and saved as its file.
import { Refused, post, stream } from "./api.js";
import { button, download, field, fold, h, put, stars } from "./dom.js";
import { Editor } from "./editor.js";
import { RulesPicker, SpellPicker } from "./pickers.js";

const PAUSE = 500; // milliseconds without a change until proving begins
const EMPTY = { title: "", author: "", position: "rr/-/-/-/-/-/rtrt1/t/K/-/-/tr/-/-/-/- 11 -", hand: ["w1", "w1"], draw: [], spells: [], rules: "", goal: "", within: null };

export class PuzzleEditor {
  constructor(root, facts, calls) {
    Object.assign(this, { root, facts, calls });
    this.editor = new Editor(() => this.changed(), () => this.rules, () => this.wait("the position is not as it should be"));
    this.proof = h("div", { class: "proof", "aria-live": "polite" });
    this.save = button("Save .toml", () => this.download(), { class: "main" });
  }

  stop() {
    clearTimeout(this.timer);
    this.control?.abort();
    this.control = null;
  }

  async open(text) {
    const { state, reason } = await this.read(text);
    const line = (value, label, hint = "") => {
      const input = h("input", { type: "text", value: value ?? "", spellcheck: "false", autocomplete: "off", oninput: () => this.changed() });
      this.fields.push(field(label, input, hint));
      return input;
    };
    this.fields = [];
    this.title = line(state.title, "Title");
    this.author = line(state.author, "Author");
    this.hand = line(state.hand.join(","), "Hand", "faces such as w3,w1t5; a die card with the rolls that come: wd2=4,6");
    this.draw = line(state.draw.join(","), "Cards drawn then, top first");
    this.goal = line(state.goal, "Goal", "all home, home 9, bottles 4, nobody imprisoned, keep on 8, joined by and; empty: everybody home");
    this.within = line(state.within, "Cards at the most", "empty: as many as there are");
    this.spells = new SpellPicker(this.facts, { most: this.facts.spells.length, value: state.spells.map((spell) => spell.name ?? spell), onchange: () => this.changed() });
    this.rules = new RulesPicker(this.facts, this.spells, { value: state.rules, onchange: () => this.changed() });
    this.render();
    if (!reason) return this.editor.read(state.position);
    await this.editor.show(state.position);
    put(this.proof, h("p", { class: "fault", role: "alert" }, reason));
  }

  // What a text says; if it is no puzzle (a link may be to a half finished one), the reason, and a puzzle to begin with.
  async read(text) {
    try {
      return { state: text ? await post("puzzle", { puzzle: text }) : EMPTY };
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      return { state: EMPTY, reason: problem.message };
    }
  }

  render() {
    const faces = (input) => h("div", { class: "faces" }, this.facts.faces.map((face) => h("button", { type: "button", class: "take", onclick: () => {
      input.value = [...input.value.split(",").map((name) => name.trim()).filter(Boolean), face.rolls ? `${face.name}=1` : face.name].join(",");
      this.changed();
    } }, face.name)));
    const [title, author, hand, draw, goal, within] = this.fields;
    put(this.root,
      h("div", { class: "side" }, this.editor.element),
      h("div", { class: "panel" },
        h("p", { class: "row" }, button("‹ all puzzles", this.calls.back, { class: "quiet" })),
        this.proof,
        h("p", { class: "tools" }, this.save, button("Try it", () => this.calls.attempt(this.toml()))),
        hand, fold("Add a card to the hand", faces(this.hand)), draw, fold("Add a card to the draw", faces(this.draw)),
        goal, within, h("div", { class: "row" }, title, author),
        fold("Spells", this.spells.element, this.spells.value.length > 0), fold("Rules", field("Preset or options", this.rules.element), Boolean(this.rules.value))));
  }

  // Texts of JSON are texts of TOML too.
  toml() {
    const names = (input) => input.value.split(/,(?![1-6]\b)/).map((name) => name.trim()).filter(Boolean);
    const within = this.within.value.trim();
    const lines = {
      title: this.title.value, author: this.author.value, position: this.editor.position, hand: names(this.hand), draw: names(this.draw),
      spells: this.spells.value, rules: this.rules.value, goal: this.goal.value.trim(),
    };
    const written = Object.entries(lines).filter(([name, value]) => name === "hand" || value.length).map(([name, value]) => `${name} = ${JSON.stringify(value).replaceAll("\x7f", "\\u007f")}`);
    if (within) written.push(`within = ${/^\d+$/.test(within) ? Number(within) : JSON.stringify(within)}`);
    return `${written.join("\n")}\n`;
  }

  download() {
    const name = (this.title.value || "puzzle").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "puzzle";
    download(`${name}.toml`, this.proved ?? this.toml());
  }

  changed() {
    if (!this.editor.position) return;
    if (this.editor.fault.textContent) return this.editor.onfault();
    this.wait("proving");
    this.save.disabled = false;
    this.calls.remember(this.toml());
    this.timer = setTimeout(() => this.verify(), PAUSE);
  }

  // Nothing is proved of what is there now.
  wait(why) {
    this.stop();
    this.proved = null;
    this.save.disabled = true;
    put(this.proof, h("p", { class: "busy" }, why));
  }

  async verify() {
    const control = (this.control = new AbortController());
    const puzzle = this.toml();
    try {
      const report = await stream("puzzle/verify", { puzzle }, ({ what, positions }) => {
        put(this.proof, h("p", { class: "busy" }, `${what}: ${positions.toLocaleString("en")} positions`));
      }, control.signal);
      this.proved = report.proved_toml;
      put(this.proof, this.report(report));
    } catch (problem) {
      if (problem.name !== "AbortError") put(this.proof, h("p", { class: "fault", role: "alert" }, problem.message));
    }
  }

  report(report) {
    if (report.verdict === "refuted") return h("p", { class: "refuted verdict" }, `Not solvable${report.within ? ` in ${report.within}` : " with these cards"}.`);
    if (report.solutions === null) {
      const how = report.cards ? `solvable in ${report.cards}, perhaps in fewer` : "undecided";
      return h("p", { class: "undecided verdict" }, `${how[0].toUpperCase()}${how.slice(1)}: ${report.limit || "the search was broken off"}.`);
    }
    const unique = report.solutions === 1 ? "one solution" : `${report.solutions.toLocaleString("en")} solutions`;
    const duals = report.keys.length === 1 ? [`the key is ${report.keys[0]}`] : [`${report.keys.length} first moves do it`];
    if (report.idle.length) duals.push(`never played: ${report.idle.join(", ")}`);
    return [
      h("p", { class: "proved verdict" }, `Solvable in ${report.cards}, not in fewer: ${unique}; ${duals.join("; ")}.`,
        report.rating && h("span", { class: "stars", role: "img", "aria-label": `${report.rating.stars} of 5 stars` }, ` ${stars(report.rating.stars)}`)),
      report.remarks.length > 0 && h("p", { class: "how" }, report.remarks.join("; ")),
      fold(report.keys.length > 1 ? "First moves, and a solution" : "The solution", [
        report.keys.length > 1 && h("p", {}, report.keys.map((key, at) => `${key} (${report.key_lines[at]})`).slice(0, 12).join(", ")),
        h("ol", {}, report.line.map((move) => h("li", {}, h("code", {}, move))))]),
    ];
  }
}
