// A game: dealt or at one's own table, by clicks. All of it is in its record, which the address holds.
import { facts as getFacts, post } from "./api.js";
import { Advice } from "./advice.js";
import { Board } from "./board.js";
import { button, cards, download, dropZone, field, filePicker, fold, h, put, readFile, spellList } from "./dom.js";
import { keep, recall } from "./kept.js";
import { Menu, cardFace, die } from "./menu.js";
import { CardPicker, RulesPicker, SpellPicker } from "./pickers.js";

const KEPT = "towers.game";
const HINTS = "towers.hints";
const ROLLING = 450; // milliseconds that the die is seen to roll

export async function show(root, params, remember) {
  const facts = await getFacts();
  const game = new Game(root, facts, remember);
  const record = params.get("record") ?? recall(KEPT);
  if (record) await game.open(record);
  if (!game.state) {
    const reason = game.fault.textContent;
    await game.setUp();
    game.fault.textContent ||= reason;
  }
  return () => game.advice.stop();
}

class Game {
  constructor(root, facts, remember) {
    Object.assign(this, { root, facts, remember });
    this.board = new Board();
    this.menu = new Menu(this.board, (leaf) => this.choose(leaf), (move) => this.question(move));
    this.advice = new Advice(this.board, (move) => this.question(move), (choice) => this.follow(choice));
    this.panel = h("div", { class: "panel" });
    this.fault = h("p", { class: "fault", role: "alert" });
    this.said = h("p", { class: "said", "aria-live": "polite" });
    this.always = h("input", { type: "checkbox", checked: recall(HINTS) === "yes", onchange: () => {
      keep(HINTS, this.always.checked ? "yes" : "no");
      if (this.always.checked) this.hint();
    } });
    put(root, h("div", { class: "side" }, this.board.element), this.panel);
    dropZone(root, (file) => this.load(file));
  }

  question(move) {
    const { position, spells, rules } = this.state;
    return { position, move, spells: spells.map((spell) => spell.name), rules };
  }

  // Before a game ------------------------------------------------------------------------------------------

  async setUp() {
    this.state = null;
    this.advice.clear();
    const seed = h("input", { type: "text", placeholder: "any", inputmode: "numeric", size: "10" });
    const spells = new SpellPicker(this.facts, { onchange: () => this.preview(spells, rules) });
    const rules = new RulesPicker(this.facts, spells, { onchange: () => this.preview(spells, rules) });
    const own = h("input", { type: "checkbox", onchange: () => {
      hand.element.hidden = !own.checked;
      seed.disabled = own.checked;
    } });
    const hand = new CardPicker(this.facts.faces, { most: 3 });
    hand.element.hidden = true;
    const deal = (event) => {
      event.preventDefault();
      const rest = own.checked ? { physical: true, hand: hand.value } : seed.value.trim() ? { seed: seed.value.trim() } : {};
      this.send("game/new", { spells: spells.value, rules: rules.value, ...rest });
    };
    put(this.panel,
      h("form", { class: "setup", onsubmit: deal }, h("h2", {}, "A new game"),
        h("p", {}, h("button", { class: "main" }, "Deal"), " ",
          filePicker("Load .towers", ".towers,text/plain", (file) => this.load(file))),
        field("Deal number", seed, "the same number deals the same game"),
        h("label", { class: "check" }, own, " the box is on my table: I tell the cards and the die"), hand.element,
        fold("Spells: up to three", spells.element), fold("Rules", field("Preset or options", rules.element))),
      this.fault);
    await this.preview(spells, rules);
  }

  // The old game is a step back.
  giveUp() {
    if (this.busy) return null;
    history.pushState(null, "", location.hash);
    keep(KEPT, null);
    this.remember({});
    return this.setUp();
  }

  async preview(spells, rules) {
    try {
      const { svg } = await post("board", { position: spells.value.length ? "start-spells" : "start", rules: rules.value });
      if (!this.state) this.board.show(svg);
      this.fault.textContent = "";
    } catch (problem) {
      this.fault.textContent = problem.message;
    }
  }

  async load(file) {
    try {
      await this.open(await readFile(file));
    } catch (problem) {
      this.fault.textContent = problem.message;
    }
  }

  // In a game ----------------------------------------------------------------------------------------------

  open(record) {
    return this.send("game", { record });
  }

  act(act) {
    this.advice.clear();
    return this.send("game", { record: this.state.record, act });
  }

  // One question at a time: a second click before the answer would be about a game that is gone.
  async send(path, body) {
    if (this.busy) return;
    this.busy = true;
    try {
      this.state = await post(path, body);
      this.fault.textContent = "";
      keep(KEPT, this.state.record);
      if (!this.root.isConnected) return; // the view was left meanwhile
      this.remember({ record: this.state.record });
      this.render();
    } catch (problem) {
      this.fault.textContent = problem.message;
      if (this.state?.menu.length) this.menu.render(); // a die may lie in its place
    } finally {
      this.busy = false;
    }
  }

  choose(leaf) {
    if (!leaf.roll) this.act({ do: "play", text: leaf.move });
    else if (this.state.physical) this.askRoll(leaf.roll);
    else this.roll(leaf.roll);
  }

  async roll(text) {
    if (this.busy) return;
    this.busy = true; // nothing else is clicked while it rolls
    this.board.mark([]);
    const thrown = h("span", { class: "die rolling", "aria-hidden": "true" }, "⚄");
    put(this.menu.element, h("div", { class: "throw" }, thrown));
    const faces = setInterval(() => { thrown.textContent = "⚀⚁⚂⚃⚄⚅"[Math.floor(Math.random() * 6)]; }, 70);
    await new Promise((done) => setTimeout(done, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : ROLLING));
    clearInterval(faces);
    this.busy = false;
    await this.act({ do: "roll", text });
  }

  askRoll(text) {
    put(this.menu.element, h("div", { class: "throw" }, h("p", {}, `What did ${text} roll?`),
      [1, 2, 3, 4, 5, 6].map((number) => h("button", { type: "button", class: "die", "aria-label": `${number}`,
        onclick: () => this.act({ do: "roll", text, number }) }, die(number))),
      button("not this card", () => this.render(), { class: "quiet" })));
  }

  // A line of the hint was clicked.
  follow(choice) {
    if (choice.turn) this.act({ do: "play", text: choice.turn });
    else this.choose({ roll: choice.move.includes("+extra-roll") ? "extra-roll" : choice.card.split("=")[0] });
  }

  hint() {
    const { position, hand, deck, played, rolled, new_roll, spells, rules } = this.state;
    this.advice.ask({ position, hand: hand.join(","), deck, played, rolled, new_roll, spells: spells.map((spell) => spell.name), rules });
  }

  render() {
    const state = this.state;
    const over = state.grade !== null;
    this.board.show(state.svg);
    const rolled = state.rolled && h("span", { class: "on-table" }, cardFace(state.rolled), state.new_roll && die(state.new_roll));
    put(this.panel,
      h("div", { class: "score" }, h("b", {}, over ? state.grade : `Turn ${state.turn}`),
        h("span", {}, over ? `${state.status} with ${cards(state.played)}` : `${cards(state.played)} played, ${state.pile} in the deck`)),
      this.said, this.fault,
      !over && !state.owed && [h("h2", {}, state.rolled ? ["On the table: ", rolled] : "Your hand"), this.menu.element],
      state.owed > 0 && this.drawPanel(),
      over && h("p", {}, h("a", { class: "button main", href: `#/review?record=${encodeURIComponent(state.record)}` }, "Review this game")),
      h("p", { class: "tools" },
        !over && !state.owed && [button("Hint", () => this.hint()), h("label", {}, this.always, " at every turn")],
        button("Undo", () => this.act({ do: "undo" }), { disabled: !state.turns.length && !state.rolled }),
        button("Save", () => download(`${state.luck.startsWith("deal") ? state.luck.replace(/[ :]/g, "-").slice(0, 40) : "table"}.towers`, state.record)),
        filePicker("Load", ".towers,text/plain", (file) => this.load(file)),
        button("New game", () => this.giveUp())),
      this.advice.element,
      spellList(state.spells),
      fold("Left in the deck", h("p", { class: "deck" }, state.deck.replaceAll(",", "  "))),
      fold(`Turns so far (${state.turns.length})`, h("ol", { class: "log" }, state.turns.map((turn) =>
        h("li", {}, h("code", {}, turn.move), turn.drawn && h("span", {}, ` drew ${turn.drawn}`))))),
      h("p", { class: "how" }, state.luck.replace(/ after .*/, ", after the cards of the record"), state.rules && `; rules: ${state.rules}`));
    this.said.textContent = state.happened.join("; ");
    if (over || state.owed) this.board.mark([]);
    else {
      this.menu.show(state.menu, state.rolled ?? "");
      if (this.always.checked) this.hint();
    }
  }

  drawPanel() {
    const left = (name) => Number(new RegExp(`(?:^|,)${name}(?:\\*(\\d+))?(?:,|$)`).exec(this.state.deck)?.slice(1).map((n) => n ?? 1)[0] ?? 0);
    const picker = new CardPicker(this.facts.faces, { most: this.state.owed, left, onchange: () => {
      if (picker.taken.length === this.state.owed) this.act({ do: "draw", text: picker.value });
    } });
    return h("div", {}, h("h2", {}, `Which ${this.state.owed === 1 ? "card" : cards(this.state.owed)} did you draw?`), picker.element);
  }
}
