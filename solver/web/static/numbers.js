// Many games by a policy: the win rate, the grades and the histogram, live while they are played.
import { facts as getFacts, stream } from "./api.js";
import { button, field, fold, h, put, svgOf } from "./dom.js";
import { RulesPicker, SpellPicker } from "./pickers.js";

const EXACT_FROM = 5000; // games from which hundredths of a percent mean something
const FIELDS = ["policy", "games", "seed", "within", "rules", "spells"];

export async function show(root, params, remember) {
  const running = new Running(root, await getFacts(), params, remember);
  if (params.has("games")) running.run();
  return () => running.stop();
}

class Running {
  constructor(root, facts, params, remember) {
    Object.assign(this, { facts, remember });
    const has = (name, usual) => params.get(name) ?? usual;
    const number = (value, high) => h("input", { type: "number", min: "1", max: String(high), value });
    this.policy = h("input", { type: "text", value: has("policy", "learned"), list: "policies", spellcheck: "false" });
    this.games = number(has("games", "2000"), facts.most_games);
    this.seed = h("input", { type: "number", min: "0", value: has("seed", "1") });
    this.within = number(has("within", String(facts.within)), 90);
    this.lessLuck = h("input", { type: "checkbox", checked: params.has("less_luck") });
    this.spells = new SpellPicker(facts, { value: has("spells", "").split(",").filter(Boolean) });
    this.rules = new RulesPicker(facts, this.spells, { value: has("rules", "") });
    this.go = h("button", { class: "main" }, "Play them");
    this.fault = h("p", { class: "fault", role: "alert" });
    this.result = h("div", { class: "side result" });
    const form = h("form", { class: "panel", onchange: () => this.tell(this.question), onsubmit: (event) => { event.preventDefault(); this.run(); } },
      h("h2", {}, "Many games"),
      field("Policy", this.policy, "learned, greedy, random, expectimax:depth=2, …"),
      h("datalist", { id: "policies" }, facts.policies.map(({ name, about }) => h("option", { value: name }, about))),
      h("div", { class: "row" }, field("Games", this.games), field("Seed", this.seed), field("A win is this many cards or fewer", this.within)),
      h("label", { class: "check" }, this.lessLuck, " take the luck off the mean (slower, narrower interval)"),
      fold("Spells: up to three", this.spells.element, this.spells.value.length > 0), fold("Rules", field("Preset or options", this.rules.element), this.rules.value !== ""),
      h("p", { class: "tools" }, this.go, button("Stop", () => this.stop())), this.fault,
      h("p", { class: "how" }, "The same seed plays the same deals, whoever plays. More games, files and clusters: ", h("code", {}, "towers simulate"), "."));
    put(root, this.result, form);
    put(this.result, h("p", { class: "how" }, "Win rate, grades and a histogram appear here while the games are played."));
  }

  stop() {
    this.control?.abort();
    this.control = null;
  }

  get question() {
    return {
      policy: this.policy.value.trim(), games: Number(this.games.value), seed: Number(this.seed.value), within: Number(this.within.value),
      less_luck: this.lessLuck.checked, spells: this.spells.value, rules: this.rules.value,
    };
  }

  tell(question) {
    this.remember({ ...Object.fromEntries(FIELDS.map((name) => [name, String(question[name])])), less_luck: question.less_luck ? "yes" : "" });
  }

  async run() {
    this.stop();
    const control = (this.control = new AbortController());
    this.fault.textContent = "";
    const { question } = this;
    this.tell(question);
    put(this.result, h("p", { class: "busy" }, "playing"));
    let last = null;
    try {
      const answer = await stream("simulate", question, (news) => { if (this.control === control) this.render((last = news), true); }, control.signal);
      this.render(answer, false);
    } catch (problem) {
      if (this.control && this.control !== control) return; // another run is on
      if (problem.name !== "AbortError") this.fault.textContent = problem.message;
      if (last) this.render(last, false);
      else put(this.result);
    }
  }

  render(numbers, more) {
    const { games, wanted } = numbers;
    const share = (part) => `${(100 * part).toFixed(games < EXACT_FROM ? 1 : 2)} %`;
    const lost = [numbers.lost && `${numbers.lost} lost`, numbers.undecided && `${numbers.undecided} undecided`].filter(Boolean).join(", ");
    const half = numbers.mean_half_width;
    const places = half === null || half === 0 || half >= 0.02 ? 2 : half >= 0.002 ? 3 : 4; // as many as say something
    const mean = numbers.mean.toFixed(places) + (half === null ? "" : ` ± ${half.toFixed(places)}`);
    const quartiles = numbers.quartiles.map((cards) => cards ?? "lost");
    const rows = [
      ["games", `${games.toLocaleString("en")}${games < wanted ? ` of ${wanted.toLocaleString("en")}` : ""}${lost && `; ${lost}`}`],
      [`within ${numbers.within}`, `${share(numbers.win_rate)}  (${share(numbers.win_low)} to ${share(numbers.win_high)})`],
      ["mean cards", `${mean}; a loss counts as ${numbers.loss_cards}`],
      ["median, quartiles", `${quartiles[1]}, ${quartiles[0]} to ${quartiles[2]}`],
    ];
    if (numbers.fewer_games > 1) rows.push(["luck taken off", `${numbers.fewer_games.toFixed(1)} times fewer games for the same interval`]);
    put(this.result,
      more ? h("progress", { max: "1", value: games / wanted, "aria-label": "Games played" }) : "",
      h("table", { class: "facts-table" }, rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)))),
      h("div", { class: "table" }, svgOf(numbers.histogram_svg)),
      h("div", { class: "table" }, h("table", { class: "grades" }, h("thead", {}, h("tr", {}, ["grade", "games", "share", "95 % interval"].map((each) => h("th", {}, each)))),
        h("tbody", {}, numbers.grades.map((grade) => h("tr", {}, h("td", {}, grade.grade), h("td", { class: "number" }, grade.games.toLocaleString("en")),
          h("td", { class: "number" }, share(grade.games / games)), h("td", { class: "number" }, `${share(grade.low)} to ${share(grade.high)}`)))))),
      numbers.stopped && h("p", { class: "fault" }, numbers.stopped),
      h("p", { class: "how" }, `policy ${numbers.policy}, seed ${numbers.seed}, ${numbers.spells.length ? numbers.spells.join(", ") : "solo"}, version ${numbers.version}`));
  }
}
