import { FileError } from "../errors.ts";
import { isGgufPath } from "./gguf/read_gguf_header.ts";
import { type HubName, hubName } from "./hub_name.ts";

/** A model on this machine. */
export interface LocalModel {
  /** The folder, or GGUF file, to read. */
  readonly path: string;
  /** What a file elsewhere calls the model: `path`, or `org/name@commit` for one of the Hub. */
  readonly name: string;
}

/** Variables that say where the Hub's cache is; the last two are a user's home. */
const VARIABLES = ["HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "HOME", "USERPROFILE"] as const;

/**
 * What a model's `name` stands for: a folder or file if there is one, else, for a
 * name of the Hugging Face Hub (`org/name`, `org/name@revision`), its snapshot in the
 * local cache. Nothing is downloaded. The cache is `$HF_HUB_CACHE`, `$HF_HOME/hub`,
 * `$XDG_CACHE_HOME/huggingface/hub` or `~/.cache/huggingface/hub`, the first that is
 * set (`~` is the home), in the layout of huggingface_hub: `models--org--name/refs/<revision>` names the
 * commit of `models--org--name/snapshots/<commit>/`.
 *
 * @throws {FileError} in one line: where it looked, and how to get the model.
 */
export function localModel(name: string): LocalModel {
  const hub = isGgufPath(name) ? undefined : hubName(name);
  if (hub === undefined || isThere(name)) return { path: name, name };
  const { id, revision = "main" } = hub;
  const model = `${cacheFolder(name)}/models--${id.replace("/", "--")}`;
  const commit = readRef(`${model}/refs/${revision}`) ?? revision;
  const path = `${model}/snapshots/${commit}`;
  if (isThere(path)) return { path, name: `${id}@${commit}` };
  throw new FileError({ path: name, reason: notFound(hub, model) });
}

function notFound({ id, revision }: HubName, model: string): string {
  const looked = isThere(model) ? `${model} has no snapshot of ${revision ?? "main"}` : `looked for ${model}`;
  const wanted = revision === undefined ? "" : ` --revision ${revision}`;
  return `is no folder, and not in the Hugging Face cache (${looked}); get it with: hf download ${id}${wanted}`;
}

function cacheFolder(name: string): string {
  const denied = VARIABLES.filter((variable) =>
    Deno.permissions.querySync({ name: "env", variable }).state !== "granted"
  );
  if (denied.length > 0) {
    const reason = "is no folder, and to look for it in the Hugging Face cache needs " +
      `--allow-env=${VARIABLES.join(",")}`;
    throw new FileError({ path: name, reason });
  }
  const [cache, home, xdg, user, profile] = VARIABLES.map((variable) => Deno.env.get(variable) || undefined);
  const own = user ?? profile ?? ".";
  const folder = cache ?? `${home ?? `${xdg ?? `${own}/.cache`}/huggingface`}/hub`;
  return folder.replace(/^~(?=\/|$)/, own);
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

function readRef(path: string): string | undefined {
  try {
    const commit = Deno.readTextFileSync(path).trim();
    return /^[\w-]+$/.test(commit) ? commit : undefined;
  } catch {
    return undefined;
  }
}
