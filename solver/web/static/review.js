// A record judged: the verdict, the chart, the account that adds up, and every turn with its board.
import { board as askBoard, stream } from "./api.js";
import { Board } from "./board.js";
import { button, cards, download, filePicker, h, percent, put, readFile, signed, svgOf } from "./dom.js";

export async function show(root, params, remember) {
  const reviewing = new Reviewing(root, remember);
  const record = params.get("record");
  reviewing.quick.checked = params.has("quick");
  if (record) reviewing.review(record, "game", params.get("turn"));
  else reviewing.ask();
  return () => reviewing.stop();
}

class Reviewing {
  constructor(root, remember) {
    Object.assign(this, { root, remember });
    this.board = new Board();
    this.quick = h("input", { type: "checkbox" });
    this.fault = h("p", { class: "fault", role: "alert" });
    root.addEventListener("dragover", (event) => { event.preventDefault(); root.classList.add("dropping"); });
    root.addEventListener("dragleave", () => root.classList.remove("dropping"));
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      root.classList.remove("dropping");
      if (event.dataTransfer.files[0]) this.load(event.dataTransfer.files[0]);
    });
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
    const text = h("textarea", { "aria-label": "Record", spellcheck: "false", placeholder: "or paste the record here" });
    put(this.root, h("div", { class: "whole" }, h("h1", {}, "How good was my game, how much of it was luck?"),
      h("div", { class: "drop" }, h("p", {}, "Drop a .towers record here, or "), filePicker("choose a file", ".towers,text/plain", (file) => this.load(file))),
      h("p", {}, text),
      h("p", { class: "tools" }, button("Review", () => this.review(text.value, "game"), { class: "main" }),
        h("label", {}, this.quick, " quick: less deep, in seconds")),
      this.fault));
  }

  async load(file) {
    try {
      await this.review(await readFile(file), file.name.replace(/\.towers$/, ""));
    } catch (problem) {
      this.fault.textContent = problem.message;
    }
  }

  async review(record, name, turn = null) {
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
      Object.assign(this, { answer, record });
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
        this.chart,
        answer.points.length > 0 && [h("h2", {}, "Turning points"), h("ol", { class: "points" }, answer.points.map(({ turn, words }) =>
          h("li", {}, button(words, () => this.step(turn), { class: "link" }))))],
        h("h2", {}, "What it adds up to, in cards"),
        h("table", { class: "sum" }, answer.sum.map(({ what, cards: amount }, at) => h("tr", {}, h("td", {}, what),
          h("td", { class: "number" }, at === 0 || at === last ? amount.toFixed(2) : signed(amount))))),
        h("p", { class: "how" }, `Judged ${answer.depth} turns ahead; more cards are worse. Drift is where the estimate changed its own mind.`),
        h("p", { class: "tools" },
          button("Save as a page", () => download(`${answer.record}.html`, answer.page, "text/html")),
          button("Save the record", () => download(`${answer.record}.towers`, this.record)),
          button("Another record", () => { this.answer = null; this.remember({}); this.ask(); })),
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
    this.remember({ record: this.record, turn: this.at ? String(this.at) : "", quick: this.quick.checked ? "yes" : "" });
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
