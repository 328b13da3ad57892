// Questions to the server. A refusal is an Error with the server's own sentence.

export class Refused extends Error {}

// Whether something was asked before the server was ready for it.
export const early = { was: false };

async function refusal(response) {
  if (response.status === 503) early.was = true;
  let said = "";
  try { said = (await response.json()).error; } catch { /* not ours */ }
  return new Refused(said || `the server answered ${response.status}`);
}

async function ask(path, options) {
  try {
    return await fetch(`api/${path}`, options);
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Refused("the server cannot be reached; is it still running?");
  }
}

export async function get(path) {
  const response = await ask(path, {});
  if (!response.ok) throw await refusal(response);
  return response.json();
}

const posting = (body, signal) => ({
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal,
});

export async function post(path, body) {
  const response = await ask(path, posting(body));
  if (!response.ok) throw await refusal(response);
  return response.json();
}

// Long work: `news` is called with each line that comes before the answer. Aborting the signal ends the work.
export async function stream(path, body, news, signal) {
  const response = await ask(path, posting(body, signal));
  if (!response.ok) throw await refusal(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Refused("the server broke off");
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if ("answer" in message) return message.answer;
      if ("so_far" in message) news(message.so_far);
      else throw new Refused(message.refused ?? message.stopped);
    }
  }
}

const boards = new Map(); // pictures of positions and of what moves lead to

export async function board(question) {
  const key = JSON.stringify(question);
  if (!boards.has(key)) {
    if (boards.size > 300) boards.clear();
    boards.set(key, post("board", question));
    boards.get(key).catch(() => boards.delete(key));
  }
  return boards.get(key);
}

let rulebook;
export const facts = () => (rulebook ??= get("facts"));
