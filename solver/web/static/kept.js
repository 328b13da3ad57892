// What the browser keeps for the next visit; where it keeps nothing (a full or forbidden store), the page works all the same.

export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

// null: nothing is kept any more.
export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch { /* the address still has it */ }
}
