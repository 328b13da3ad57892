// Which view is shown, what the address says, and whether the server is ready.
import { early, get } from "./api.js";
import { h, put } from "./dom.js";
import { keep, recall } from "./kept.js";

const VIEWS = { play: "./play.js", advise: "./advise.js", review: "./review.js", puzzles: "./puzzles.js", numbers: "./numbers.js" };
const THEME = "towers.theme";

const main = document.getElementById("main");
const status = document.getElementById("status");
let leave = () => {};
let shown = null;
let visits = 0;

// `#/advise?position=...`
function address() {
  const [, name = "", query = ""] = /^#\/([a-z]*)\??(.*)$/.exec(location.hash) ?? [];
  return { name: Object.hasOwn(VIEWS, name) ? name : "play", params: new URLSearchParams(query) };
}

// The address says what is on the screen, so that a link shows the same; it is no new page to go back to.
// A view that was left meanwhile has no say in it.
function remember(root, name, params) {
  if (!root.isConnected) return;
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value)).toString();
  shown = `#/${name}${query ? `?${query}` : ""}`;
  history.replaceState(null, "", shown);
}

async function show() {
  if (location.hash === shown) return;
  const { name, params } = address();
  const visit = ++visits;
  shown = location.hash;
  early.was = false;
  leave();
  leave = () => {};
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${name[0].toUpperCase()}${name.slice(1)} · Wandering Towers`;
  try {
    const view = await import(VIEWS[name]);
    if (visit !== visits) return; // meanwhile another view was asked for
    const root = h("div", { class: `view ${name}` });
    put(main, root);
    const left = (await view.show(root, params, (values) => remember(root, name, values))) ?? (() => {});
    if (visit === visits) leave = left;
    else left();
  } catch (problem) {
    if (visit === visits) put(main, h("p", { class: "fault", role: "alert" }, problem.message));
  }
}

async function watch() {
  for (;;) {
    let wait = 700;
    try {
      const { ready, doing } = await get("status");
      if (ready && early.was) {
        shown = null; // what was opened before the server was ready is opened again
        show();
      }
      status.textContent = ready ? "" : doing;
      document.documentElement.dataset.ready = ready ? "yes" : "no";
      if (ready) wait = 15_000;
    } catch (problem) {
      status.textContent = problem.message;
      document.documentElement.dataset.ready = "no";
    }
    await new Promise((done) => setTimeout(done, wait));
  }
}

function theme(name) {
  if (name) document.documentElement.dataset.theme = name;
  keep(THEME, name);
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address is the view's
  main.focus();
});
document.getElementById("theme").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  theme(now === "dark" ? "light" : "dark");
});
theme(recall(THEME) ?? "");

// A digit chooses that line of the list, wherever nothing is being typed.
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!/^[1-9]$/.test(event.key)) return;
  document.querySelectorAll(".menu .choice, .menu .card, .menu button.die")[Number(event.key) - 1]?.click();
});

addEventListener("hashchange", show);
watch();
show();
