import { Effect } from "effect";
import { encodeSafetensors } from "../../stages/engine/encode_safetensors.ts";
import { formatLlamaConfig } from "../../stages/engine/format_llama_config.ts";
import { mergeLora } from "../../stages/engine/merge_lora.ts";
import { readLlamaFolder } from "../../stages/engine/read_llama_folder.ts";
import { countParameters } from "../../stages/engine/weights.ts";
import { writeFileAtomic } from "../../stages/engine/write_file_atomic.ts";
import { FileError } from "../../stages/errors.ts";
import { folderNames } from "./folder_names.ts";
import { copyPolicyFiles } from "./policy_files.ts";
import { tryFile } from "./try_file.ts";

/** What {@link mergePolicy} wrote. */
export interface MergeReport {
  readonly parameters: number;
  /** Whether there were adapters to merge. */
  readonly merged: boolean;
}

/**
 * Writes the model in `from` (adapters with their base, a model folder or a GGUF file)
 * as a whole Hugging Face folder in float32: W + (alpha/rank)·B·A, the tokenizer and the
 * chat template beside it. `out` must hold no model yet.
 */
export function mergePolicy(from: string, out: string): Effect.Effect<MergeReport, FileError> {
  return Effect.gen(function* () {
    yield* tryFile(out, () => {
      const name = folderNames(out).find((name) => /^(config\.json|adapter_.*|.*\.safetensors)$/.test(name));
      if (name === undefined) return;
      throw new FileError({ path: `${out}/${name}`, reason: "is there already: name another folder" });
    });
    const model = yield* readLlamaFolder(from);
    yield* tryFile(out, () => Deno.mkdirSync(out, { recursive: true }));
    const { config, weights, source } = mergeLora(model);
    yield* tryFile(out, () => copyPolicyFiles(from, out));
    yield* writeFileAtomic(`${out}/model.safetensors`, encodeSafetensors(weights));
    // The folder counts as a model once this file is there.
    const text = new TextEncoder().encode(formatLlamaConfig(config, source));
    yield* writeFileAtomic(`${out}/config.json`, [text]);
    return { parameters: countParameters(weights), merged: model.config.lora !== undefined };
  });
}
