// The collection, an attempt at a puzzle, and its solution; the editor is next door.
import { facts as getFacts, get, post, stream } from "./api.js";
import { Board } from "./board.js";
import { button, cards, filePicker, h, put, readFile, spellList, stars } from "./dom.js";
import { Menu, cardFace } from "./menu.js";
import { PuzzleEditor } from "./puzzle_editor.js";

const STARS_COME = 3000; // milliseconds until the collection is asked for again while puzzles are still being rated

const goTo = (params) => { location.hash = `#/puzzles?${new URLSearchParams(params)}`; };

export async function show(root, params, remember) {
  const puzzles = new Puzzles(root, remember);
  await puzzles.open(params);
  return () => puzzles.close();
}

class Puzzles {
  constructor(root, remember) {
    Object.assign(this, { root, remember });
    this.fault = h("p", { class: "fault", role: "alert" });
  }

  close() {
    clearTimeout(this.timer);
    this.attempt?.stop();
    this.editor?.stop();
  }

  async open(params) {
    this.collection = await get("puzzles");
    const found = this.collection.find(({ name }) => name === params.get("name"));
    const text = params.get("puzzle") ?? found?.puzzle;
    put(this.root, h("p", { class: "whole busy" }, "reading"));
    if (params.has("edit")) await this.edit(text);
    else if (text) await this.attack(text, found?.name, params.get("moves")?.split(";").filter(Boolean));
    else this.shelf(params.has("name") ? `The collection has no puzzle "${params.get("name")}".` : "");
  }

  // The collection ------------------------------------------------------------------------------------------

  shelf(fault) {
    this.remember({});
    this.fault.textContent = fault;
    this.chosen = new Set();
    this.list = h("ul", { class: "shelf" });
    this.print = h("a", { class: "button", target: "_blank" }, "Print the chosen ones");
    this.most = h("select", { "aria-label": "Which puzzles", onchange: () => this.fill() },
      h("option", { value: "" }, "all puzzles"), h("option", { value: "solo" }, "without spells"), h("option", { value: "spells" }, "with spells"),
      [1, 2, 3, 4, 5].map((number) => h("option", { value: number }, stars(number))));
    put(this.root, h("div", { class: "whole" }, h("h1", {}, "Puzzles"),
      h("p", { class: "tools" }, this.most, button("Make one of my own", () => goTo({ edit: "new" })),
        filePicker("Open .toml", ".toml,text/plain", (file) => this.load(file)), this.print,
        button("all", () => { this.collection.forEach((puzzle) => puzzle.stars && this.chosen.add(puzzle.name)); this.fill(); }, { class: "quiet" }),
        button("none", () => { this.chosen.clear(); this.fill(); }, { class: "quiet" })),
      this.fault, this.list));
    this.fill();
    this.awaitStars();
  }

  fill() {
    const kind = this.most.value;
    const shown = this.collection.filter((puzzle) => !kind || (kind === "solo" ? !puzzle.spells.length
      : kind === "spells" ? puzzle.spells.length : puzzle.stars === Number(kind)));
    put(this.list, shown.map((puzzle) => h("li", {},
      h("input", { type: "checkbox", checked: this.chosen.has(puzzle.name), disabled: !puzzle.stars, "aria-label": `print ${puzzle.title}`, onchange: (event) => {
        this.chosen[event.target.checked ? "add" : "delete"](puzzle.name);
        this.link();
      } }),
      h("div", {}, h("a", { href: `#/puzzles?name=${encodeURIComponent(puzzle.name)}` }, puzzle.title || puzzle.name),
        h("p", {}, h("small", {}, [puzzle.cards && cards(puzzle.cards), ...puzzle.spells].filter(Boolean).join(", ")),
          h("span", { class: "stars", role: "img", "aria-label": puzzle.stars ? `${puzzle.stars} of 5 stars` : puzzle.rated ? "not rated" : "not rated yet" },
            puzzle.stars ? stars(puzzle.stars) : puzzle.rated ? "?" : "…"))))));
    this.link();
  }

  link() {
    const names = [...this.chosen].map((name) => `names=${encodeURIComponent(name)}`).join("&");
    if (names) this.print.setAttribute("href", `api/puzzle/book?${names}`);
    else this.print.removeAttribute("href");
    this.print.classList.toggle("off", !names);
  }

  awaitStars() {
    if (this.collection.every((puzzle) => puzzle.rated)) return;
    this.timer = setTimeout(async () => {
      try {
        this.collection = await get("puzzles");
        if (this.list.isConnected) this.fill();
      } catch { /* the next time */ }
      if (this.list.isConnected) this.awaitStars();
    }, STARS_COME);
  }

  async load(file) {
    try {
      const puzzle = await readFile(file);
      await post("puzzle", { puzzle }); // a refused one is told here
      goTo({ puzzle });
    } catch (problem) {
      this.fault.textContent = problem.message;
    }
  }

  async attack(text, name = null, moves = []) {
    const attempt = new Attempt(this.root, text, {
      remember: (made) => this.remember({ ...(name ? { name } : { puzzle: text }), moves: made.join(";") }),
      back: () => goTo({}),
      edit: () => goTo({ puzzle: text, edit: "yes" }),
      next: name && (() => goTo({ name: this.after(name) })),
    });
    await attempt.play(moves);
    this.close();
    this.attempt = attempt;
    attempt.show();
  }

  after(name) {
    const at = this.collection.findIndex((puzzle) => puzzle.name === name);
    return this.collection[(at + 1) % this.collection.length].name;
  }

  async edit(text) {
    const editor = new PuzzleEditor(this.root, await getFacts(), {
      remember: (puzzle) => this.remember({ puzzle, edit: "yes" }),
      back: () => goTo({}),
      attempt: (puzzle) => goTo({ puzzle }),
    });
    await editor.open(text);
    this.close();
    this.editor = editor;
  }
}

// An attempt ------------------------------------------------------------------------------------------------

class Attempt {
  constructor(root, text, calls) {
    Object.assign(this, { root, text, calls });
    this.board = new Board();
    this.menu = new Menu(this.board, (leaf) => this.act([...this.state.moves, leaf.move]), (move) => this.question(move));
    this.fault = h("p", { class: "fault", role: "alert" });
    this.proof = h("div", { class: "proof", "aria-live": "polite" });
    this.panel = h("div", { class: "panel" });
  }

  question(move) {
    const { position, spells, rules } = this.state;
    return { position, move, spells: spells.map(({ name }) => name), rules };
  }

  show() {
    put(this.root, h("div", { class: "side" }, this.board.element), this.panel);
    this.render();
  }

  stop() {
    this.control?.abort();
    this.control = null;
  }

  async play(moves) {
    this.state = await post("puzzle", { puzzle: this.text, moves });
  }

  async act(moves) {
    if (this.busy) return;
    this.busy = true;
    this.stop();
    try {
      await this.play(moves);
      this.fault.textContent = "";
      put(this.proof);
      this.render();
    } catch (problem) {
      this.fault.textContent = problem.message;
    } finally {
      this.busy = false;
    }
  }

  render() {
    const { state, calls } = this;
    const over = state.solved || state.over;
    calls.remember(state.moves);
    this.board.show(state.svg);
    put(this.panel,
      h("p", { class: "row" }, button("‹ all puzzles", calls.back, { class: "quiet" }), calls.next && button("next ›", calls.next, { class: "quiet" })),
      h("h1", {}, state.title || "A puzzle", state.author && h("small", {}, ` by ${state.author}`)),
      h("p", { class: "task" }, state.task),
      state.solved ? h("p", { class: "said solved", role: "status" }, `Solved with ${cards(state.played)}${state.cards && state.played <= state.cards ? ", the fewest there are" : ""}.`)
        : over && h("p", { class: "fault", role: "status" }, "Nothing is left to play, and the goal is not reached."),
      !over && this.menu.element,
      state.draw.length > 0 && [h("h2", {}, "Then come"), h("div", { class: "cards" }, state.draw.map((name) => h("span", { class: "card small" }, cardFace(name))))],
      h("p", { class: "tools" },
        button("Undo", () => this.act(state.moves.slice(0, -1)), { disabled: !state.moves.length }),
        button("From the beginning", () => this.act([]), { disabled: !state.moves.length }),
        !over && button("Still solvable?", () => this.solve(false)), !over && button("Show me a solution", () => this.solve(true)),
        button("Edit", calls.edit)),
      this.fault, this.proof,
      state.moves.length > 0 && h("ol", { class: "log" }, state.moves.map((move) => h("li", {}, h("code", {}, move)))),
      spellList(state.spells),
      state.rules && h("p", { class: "how" }, `rules: ${state.rules}`));
    if (over) this.board.mark([]);
    else this.menu.show(state.menu);
  }

  async solve(whole) {
    this.stop();
    const control = (this.control = new AbortController());
    const said = h("p", { class: "busy" }, "searching");
    put(this.proof, said, button("Cancel", () => { this.stop(); put(this.proof); }, { class: "quiet" }));
    try {
      const answer = await stream("puzzle/solve", { puzzle: this.text, moves: this.state.moves },
        ({ what, positions }) => { said.textContent = `${what}: ${positions.toLocaleString("en")} positions`; }, control.signal);
      put(this.proof, this.verdict(answer, whole));
    } catch (problem) {
      if (problem.name !== "AbortError") put(this.proof, h("p", { class: "fault" }, problem.message));
    }
  }

  verdict({ verdict, cards: number, line, limit }, whole) {
    if (verdict === "refuted") return h("p", { class: "refuted" }, "No: from here it cannot be solved any more.");
    if (!line.length) return h("p", { class: "undecided" }, `Undecided: ${limit || "the search was broken off"}.`);
    const fewest = verdict === "proved" ? "" : ", perhaps fewer";
    if (!whole) return h("p", { class: "proved" }, `Yes, with ${cards(number)} more${fewest}.`);
    const now = this.state.moves;
    return [h("p", { class: "proved" }, `A solution with ${cards(number)}${fewest}; click a move to see it made:`),
      h("ol", { class: "solution" }, line.map((move, at) => h("li", {},
        button(move, () => this.act([...now, ...line.slice(0, at + 1)]), { class: "link" }))))];
  }
}
