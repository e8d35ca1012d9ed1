/** A mapping as YAML gives it. */
export type Tree = Record<string, unknown>;

/** True for a mapping (no list, no null). */
export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** False for a value of more than `most` parts, and so for one that contains itself. */
export function isSmall(value: unknown, most: number): boolean {
  const left = [value];
  for (let seen = 0; left.length > 0; seen++) {
    if (seen >= most || left.length > most) return false;
    const next = left.pop();
    if (typeof next === "object" && next !== null) left.push(...Object.values(next).slice(0, most + 1));
  }
  return true;
}

/** The value at `path`, or undefined. */
export function valueAt(tree: unknown, path: readonly string[]): unknown {
  let at = tree;
  for (const name of path) {
    if (!(isTree(at) || Array.isArray(at)) || !Object.hasOwn(at, name)) return undefined;
    at = (at as Tree)[name];
  }
  return at;
}

/** A copy with `value` at `path`; whatever is no mapping on the way is replaced by one. */
export function withValueAt(tree: Tree, path: readonly string[], value: unknown): Tree {
  const [name, ...rest] = path;
  const old = Object.hasOwn(tree, name) ? tree[name] : undefined;
  const entry = rest.length === 0 ? value : withValueAt(isTree(old) ? old : {}, rest, value);
  return Object.fromEntries([...Object.entries(tree).filter(([key]) => key !== name), [name, entry]]);
}

/** A copy without the key at `path`. */
export function withoutKeyAt(tree: Tree, path: readonly string[]): Tree {
  const [name, ...rest] = path;
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      if (key !== name) return [[key, value]];
      return rest.length > 0 && isTree(value) ? [[key, withoutKeyAt(value, rest)]] : [];
    }),
  );
}

/** The paths of everything below `value` that is no non-empty mapping. */
export function leafPaths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (!isTree(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, below]) => leafPaths(below, [...path, key]));
}
