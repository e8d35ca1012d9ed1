/** A mapping as YAML gives it. */
export type Tree = Record<string, unknown>;

/** True for a mapping (no list, no null). */
export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
