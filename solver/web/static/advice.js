// The ranked list of what can be done, as it gets better; each line is drawn on the board when it is pointed at.
import { stream } from "./api.js";
import { button, h, percent, put } from "./dom.js";

export class Advice {
  // `onchoose(choice)`: a line was clicked, if that can be played here. `question(move)`: for a preview.
  constructor(board, question, onchoose = null) {
    Object.assign(this, { board, question, onchoose });
    this.element = h("div", { class: "advice" });
  }

  clear() {
    this.stop();
    put(this.element);
  }

  stop() {
    this.control?.abort();
    this.control = null;
  }

  async ask(question) {
    this.clear();
    const control = (this.control = new AbortController());
    this.aim = question.within;
    put(this.element, h("p", { class: "busy" }, "thinking …"));
    try {
      const answer = await stream("advise", question, (news) => this.render(news, true), control.signal);
      if (this.control === control) this.render(answer, false);
    } catch (problem) {
      if (problem.name !== "AbortError") put(this.element, h("p", { class: "fault", role: "alert" }, problem.message));
    } finally {
      if (this.control === control) this.control = null;
    }
  }

  render(answer, more) {
    const value = (number) => (this.aim ? percent(number) : number.toFixed(2));
    const how = answer.exact ? "exact" : `${answer.depth} ${answer.depth === 1 ? "turn" : "turns"} ahead`;
    this.leave(); // lines that go do not say that the pointer left them
    put(this.element,
      h("p", { class: "how", "aria-live": "polite" }, how, answer.rollouts ? `, ${answer.rollouts} games each of the closest` : "",
        more && [" … ", button("stop", () => { this.stop(); this.render(answer, false); }, { class: "quiet" })]),
      h("table", { class: "ranking" },
        h("thead", {}, h("tr", {}, h("th", {}, "move"), h("th", { class: "number" }, this.aim ? `within ${this.aim}` : "cards"),
          h("th", { class: "number" }, "worse by"), h("th", { class: "number" }, this.aim ? "" : "≤ 30"))),
        h("tbody", {}, answer.moves.slice(0, 12).map((move, at) => this.row(move, at, value)))),
      answer.choices > 12 && h("p", { class: "how" }, `and ${answer.choices - 12} more`));
  }

  // The preview ends, if it is one of these lines.
  leave() {
    if (this.looking) this.board.restore();
    this.looking = false;
  }

  row(move, at, value) {
    const look = () => {
      if (!move.turn) return;
      this.looking = true;
      this.board.preview(this.question(move.turn));
    };
    const leave = () => this.leave();
    const worse = at ? `${this.aim ? "−" : "+"}${value(move.worse)}${move.error ? ` ± ${value(move.error)}` : ""}` : "";
    const name = this.onchoose
      ? button(move.move, () => { leave(); this.onchoose(move); }, { class: "link", onfocus: look, onblur: leave })
      : h("span", { tabindex: "0", onfocus: look, onblur: leave }, move.move);
    return [
      h("tr", { onpointerenter: look, onpointerleave: leave, class: at ? "" : "best" },
        h("td", {}, name, move.close && at > 0 && h("small", {}, " too close to call")),
        h("td", { class: "number" }, value(move.value)), h("td", { class: "number" }, worse),
        h("td", { class: "number" }, this.aim || move.within === null ? "" : percent(move.within))),
      (at < 3 || move.words.length > 0) && h("tr", { class: "why" }, h("td", { colspan: "4" }, `${move.why}.`,
        at < 3 && move.words.length > 0 && h("ul", {}, move.words.map((line) => h("li", {}, line))))),
    ];
  }
}
