// A record judged: the verdict, the chart, the account that adds up, and every turn with its board.
import { board as askBoard, stream } from "./api.js";
import { Board } from "./board.js";
import { button, cards, download, dropZone, filePicker, h, percent, put, readFile, signed, svgOf } from "./dom.js";

let draft = ""; // what was pasted last, should it have to be mended

export async function show(root, params, remember) {
  const reviewing = new Reviewing(root, remember);
  const record = params.get("record");
  reviewing.quick.checked = params.has("quick");
  if (record) reviewing.review(record, params.get("name") ?? "game", params.get("turn"));
  else reviewing.ask();
  return () => reviewing.stop();
}

class Reviewing {
  constructor(root, remember) {
    Object.assign(this, { root, remember });
    this.board = new Board();
    this.quick = h("input", { type: "checkbox" });
    this.fault = h("p", { class: "fault", role: "alert" });
    dropZone(root, (file) => this.load(file));
    this.keys = (event) => {
      if (!this.answer || event.target.closest("input, textarea, select")) return;
      if (event.key === "ArrowLeft") this.step(this.at - 1);
      if (event.key === "ArrowRight") this.step(this.at + 1);
    };
    document.addEventListener("keydown", this.keys);
  }

  stop() {
    this.control?.abort();
    document.removeEventListener("keydown", this.keys);
  }

  ask() {
    const text = h("textarea", { "aria-label": "Record", spellcheck: "false", placeholder: "or paste the record here", value: draft,
      oninput: () => { draft = text.value; } });
    put(this.root, h("div", { class: "whole" }, h("h1", {}, "How good was my game, how much of it was luck?"),
      h("div", { class: "drop" }, h("p", {}, "Drop a .towers record here, or "), filePicker("choose a file", ".towers,text/plain", (file) => this.load(file))),
      h("p", {}, text),
      h("p", { class: "tools" }, button("Review", () => this.go(text.value, "game"), { class: "main" }),
        h("label", {}, this.quick, " quick: less deep, in seconds")),
      this.fault));
  }

  async load(file) {
    try {
      this.go(await readFile(file), file.name.replace(/\.towers$/, ""));
    } catch (problem) {
      this.fault.textContent = problem.message;
    }
  }

  // What was on the screen is a step back.
  go(record, name) {
    draft = record;
    const address = `#/review?${new URLSearchParams({ record, name, ...(this.quick.checked && { quick: "yes" }) })}`;
    if (address !== location.hash) location.hash = address;
    else this.review(record, name);
  }

  async review(record, name, turn = null) {
    draft = record;
    this.control?.abort();
    const control = (this.control = new AbortController());
    this.answer = null;
    const bar = h("progress", { max: "1", value: 0, "aria-label": "Turns judged" });
    const said = h("p", { class: "busy", role: "status" }, "reading");
    put(this.root, h("div", { class: "whole" }, h("h1", {}, "Reviewing"), bar, said,
      h("p", {}, button("Cancel", () => { control.abort(); this.ask(); })), this.fault));
    this.fault.textContent = "";
    try {
      const answer = await stream("review", { record, name, quick: this.quick.checked }, ({ turns, of }) => {
        bar.value = turns / of;
        said.textContent = `${turns} of ${of} turns judged`;
      }, control.signal);
      Object.assign(this, { answer, record, name });
      this.render();
      this.step(Number(turn) || answer.points[0]?.turn || 1);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.ask();
      this.fault.textContent = problem.message;
    }
  }

  render() {
    const { answer } = this;
    this.details = h("div", { class: "details" });
    this.chart = svgOf(answer.chart);
    this.points = [...this.chart.querySelectorAll(".point")]; // the start, each turn, the end
    this.points.forEach((point, turn) => point.addEventListener("click", () => this.step(turn)));
    const last = answer.sum.length - 1;
    put(this.root,
      h("div", { class: "side" }, this.stepper(), this.board.element, this.details),
      h("div", { class: "panel" },
        h("div", { class: "verdict" }, answer.verdict.map((each) => h("p", {}, each))),
        h("div", { class: "table" }, this.chart),
        answer.points.length > 0 && [h("h2", {}, "Turning points"), h("ol", { class: "points" }, answer.points.map(({ turn, words }) =>
          h("li", {}, button(words, () => this.step(turn), { class: "link" }))))],
        h("h2", {}, "What it adds up to, in cards"),
        h("table", { class: "sum" }, answer.sum.map(({ what, cards: amount }, at) => h("tr", {}, h("td", {}, what),
          h("td", { class: "number" }, at === 0 || at === last ? amount.toFixed(2) : signed(amount))))),
        h("p", { class: "how" }, `Judged ${answer.depth} turns ahead; more cards are worse. Drift is where the estimate changed its own mind.`),
        h("p", { class: "tools" },
          button("Save as a page", () => download(`${answer.record}.html`, answer.page, "text/html")),
          button("Save the record", () => download(`${answer.record}.towers`, this.record)),
          button("Another record", () => { draft = ""; location.hash = "#/review"; })),
        this.fault));
  }

  stepper() {
    const list = h("select", { "aria-label": "Turn", onchange: () => this.step(Number(list.value)) },
      this.answer.turns.map(({ turn, move }) => h("option", { value: turn }, `${turn}. ${move}`)));
    this.list = list;
    return h("p", { class: "row" }, button("‹", () => this.step(this.at - 1), { "aria-label": "The turn before" }), list,
      button("›", () => this.step(this.at + 1), { "aria-label": "The next turn" }));
  }

  async step(turn) {
    const { turns, spells, rules } = this.answer;
    this.at = Math.min(Math.max(turn, 1), turns.length);
    this.remember({ record: this.record, name: this.name, turn: this.at ? String(this.at) : "", quick: this.quick.checked ? "yes" : "" });
    if (!turns.length) return;
    const shown = turns[this.at - 1];
    this.list.value = shown.turn;
    this.points.forEach((point, number) => point.classList.toggle("here", number === this.at));
    put(this.details, this.turn(shown));
    try {
      const { svg } = await askBoard({ position: shown.position, spells, rules });
      if (this.at === shown.turn) this.board.show(svg);
    } catch (problem) {
      this.fault.textContent = problem.message;
    }
  }

  turn(shown) {
    const { spells, rules, within } = this.answer;
    const after = (move) => ({ position: shown.position, move, spells, rules });
    const faults = shown.decisions.filter((each) => !each.fine);
    const lucks = [...shown.rolls, shown.draw].filter(Boolean);
    return [
      h("p", {}, h("b", {}, `Turn ${shown.turn}: `), this.pointing(h("code", { tabindex: "0" }, shown.move), after(shown.move)), " ",
        shown.label && h("span", { class: "label" }, shown.label)),
      h("p", { class: "how" }, `hand ${shown.hand}; ${cards(Number(shown.expected.toFixed(2)))} expected, ${percent(shown.chance)} within ${within}`,
        shown.loss.toFixed(2) > 0 && `; gave away ${shown.loss.toFixed(2)}`),
      faults.map((each) => h("p", { class: "better" }, "Instead of ", h("code", {}, each.played), " better ",
        this.pointing(h("code", { tabindex: "0" }, each.best), after(each.best)), `: ${each.why}`)),
      lucks.length > 0 && h("p", { class: "how" }, `luck: ${lucks.map(({ came, luck }) => `${came} (${signed(luck)})`).join("; ")}`),
    ];
  }

  // A move in a text, shown on the board while it is pointed at.
  pointing(element, question) {
    for (const name of ["pointerenter", "focus"]) element.addEventListener(name, () => this.board.preview(question));
    for (const name of ["pointerleave", "blur"]) element.addEventListener(name, () => this.board.restore());
    return element;
  }
}
