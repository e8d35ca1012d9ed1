import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ggufConfig } from "../../../../stages/engine/gguf/gguf_config.ts";
import { parseLlamaConfig } from "../../../../stages/engine/parse_llama_config.ts";
import { FileError } from "../../../../stages/errors.ts";

const entry = (name: string, ...shape: number[]) => ({ name, shape, type: 0, offset: 0 });

/** What conversion to GGUF writes for the tiny checkpoint `name`. */
function header(name: string) {
  const { model_type: family, ...c } = JSON.parse(
    Deno.readTextFileSync(`fixtures/models/${name}/config.json`),
  );
  const metadata = new Map<string, unknown>([
    ["general.architecture", family],
    [`${family}.block_count`, c.num_hidden_layers],
    [`${family}.context_length`, c.max_position_embeddings],
    [`${family}.embedding_length`, c.hidden_size],
    [`${family}.feed_forward_length`, c.intermediate_size],
    [`${family}.attention.head_count`, c.num_attention_heads],
    [`${family}.attention.head_count_kv`, c.num_key_value_heads],
    [`${family}.attention.layer_norm_rms_epsilon`, c.rms_norm_eps],
    [`${family}.rope.freq_base`, c.rope_theta ?? c.rope_parameters.rope_theta],
    [`${family}.rope.dimension_count`, c.head_dim ?? c.hidden_size / c.num_attention_heads],
  ]);
  const entries = [entry("token_embd.weight", c.vocab_size, c.hidden_size)];
  if (!c.tie_word_embeddings) entries.push(entry("output.weight", c.vocab_size, c.hidden_size));
  return { metadata, entries, start: 0, config: parseLlamaConfig({ model_type: family, ...c }, name) };
}

for (const name of ["smollm2", "qwen2", "qwen3", "phi3"]) {
  Deno.test(`${name}: metadata and config.json state one architecture`, () => {
    const { config, ...rest } = header(name);
    assertEquals(parseLlamaConfig(ggufConfig(rest, "m.gguf"), "m.gguf"), config);
  });
}

Deno.test("what the metadata cannot state is refused with its key", () => {
  const refused = (change: (h: ReturnType<typeof header>) => void) => {
    const h = header("smollm2");
    change(h);
    const read = () => parseLlamaConfig(ggufConfig(h, "m.gguf"), "m.gguf");
    return assertThrows(read, FileError).message;
  };
  assertMatch(
    refused((h) => h.metadata.set("general.architecture", "mamba")),
    /^m\.gguf: general\.architecture is "mamba", expected one of llama, qwen2,/,
  );
  assertMatch(
    refused((h) => h.entries.push(entry("rope_freqs.weight", 2))),
    /rope_freqs\.weight is there: put the file as model\.gguf beside/,
  );
  assertMatch(refused((h) => h.metadata.set("llama.rope.scaling.type", "yarn")), /scaling\.type is yarn/);
  assertMatch(refused((h) => h.entries.shift()), /token_embd\.weight is missing/);
  assertMatch(refused((h) => h.metadata.delete("llama.block_count")), /num_hidden_layers is missing/);
});
