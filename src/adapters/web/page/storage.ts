/** What has to outlive a reload: localStorage, or memory where the browser offers none or it is full. */

const memory = new Map<string, string>();

const attempt = <T>(run: () => T, otherwise: T): T => {
  try {
    return run();
  } catch {
    return otherwise;
  }
};

export const readItem = (key: string): string | null =>
  memory.get(key) ?? attempt(() => localStorage.getItem(key), null);

export function writeItem(key: string, text: string): void {
  const stored = attempt(() => {
    localStorage.setItem(key, text);
    return true;
  }, false);
  if (stored) memory.delete(key);
  else memory.set(key, text);
}

export function removeItem(key: string): void {
  memory.delete(key);
  attempt(() => localStorage.removeItem(key), undefined);
}

/** All keys that begin with `prefix`, sorted. */
export const keysOf = (prefix: string): string[] =>
  [...new Set([...memory.keys(), ...attempt(() => Object.keys(localStorage), [])])]
    .filter((key) => key.startsWith(prefix))
    .sort();

/** Calls back when another tab changed something. */
export function onStored(callback: (key: string) => void): void {
  window.addEventListener("storage", (event) => {
    if (event.key !== null) callback(event.key);
  });
}
