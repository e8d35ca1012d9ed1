/**
 * A whole comparison in processes of its own: what it leaves, and that it takes up
 * where it was killed.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";

const yaml = (folder: string) => `
folder: ${folder}/results
tokens: 500
eval_tokens: 300
seeds: [1]
search: { rates: [3.0e-4, 6.0e-4], seeds: [101], tokens: 200 }
base:
  task: { eval_tasks: 1 }
  rollout: { n: 4, batch_size: 2 }
  engine: { threads: 1 }
  log: { attempts_every: 0 }
  policy: { path: fixtures/policies/household }
entries:
  r3l:
  grpo: { algorithm: { name: grpo } }
`;

function compare(folder: string, ...more: readonly string[]): Deno.ChildProcess {
  const allow = ["--allow-read", "--allow-write", "--allow-ffi", "--allow-env"];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...allow, "pipelines/verbs/compare.ts", `${folder}/compare.yaml`, ...more],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function finish(child: Deno.ChildProcess, expected = 0): Promise<string> {
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assertEquals(code, expected, text);
  return text;
}

/** result.json of every finished run, by path, with the time it was written. */
function finished(folder: string): ReadonlyMap<string, { readonly text: string; readonly at: number }> {
  const found = new Map<string, { readonly text: string; readonly at: number }>();
  const visit = (path: string) => {
    for (const { name, isDirectory } of entriesOf(path)) {
      if (isDirectory) visit(`${path}/${name}`);
      if (name !== "result.json") continue;
      const at = Number(Deno.statSync(`${path}/${name}`).mtime);
      found.set(`${path}/${name}`, { text: Deno.readTextFileSync(`${path}/${name}`), at });
    }
  };
  visit(`${folder}/results`);
  return found;
}

function entriesOf(path: string): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(path)];
  } catch {
    return [];
  }
}

Deno.test("a comparison", async (t) => {
  const folder = Deno.makeTempDirSync();
  Deno.writeTextFileSync(`${folder}/compare.yaml`, yaml(folder));
  try {
    await t.step("killed and started again, it keeps what has finished and completes the rest", async () => {
      const child = compare(folder);
      let ended = false;
      const output = child.output().then((output) => {
        ended = true;
        return output;
      });
      while (!ended && finished(folder).size < 3) await new Promise((resolve) => setTimeout(resolve, 20));
      if (!ended) child.kill("SIGKILL");
      assertEquals((await output).signal, "SIGKILL", "it ended by itself");
      const before = finished(folder);
      assert(before.size < 6, `${before.size} runs had finished`);
      const text = await finish(compare(folder));
      const after = finished(folder);
      assertEquals(after.size, 4 + 2);
      for (const [path, run] of before) assertEquals(after.get(path), run);
      // Only the runs that had not finished are told.
      assertEquals(text.match(/^\d+\/6 /gm)?.length, 6 - before.size);
      assertEquals(text.split("\n").filter((line) => line.length > 80 && !line.includes(folder)), []);
    });

    await t.step("finished, it trains nothing and writes the same results", async () => {
      const results = () =>
        ["json", "md", "html"].map((kind) => Deno.readTextFileSync(`${folder}/results/compare.${kind}`));
      const before = results();
      const text = await finish(compare(folder));
      assert(!/^\d+\/6 /m.test(text), text);
      assertEquals(results(), before);
    });

    await t.step("another configuration is refused by its keys, before anything runs", async () => {
      const before = finished(folder);
      const text = await finish(compare(folder, "base.rollout.max_tokens=9"), 2);
      assertStringIncludes(text, "was run with another configuration");
      assertStringIncludes(text, "rollout.max_tokens: is 16 there and 9 now");
      assertEquals(finished(folder), before);
    });

    await t.step("a result is refused that is not of its folder's configuration or of its run", async () => {
      const [path, { text }] = [...finished(folder)].find(([path]) => path.includes("/grpo/"))!;
      const config = path.replace("result.json", "config.yaml");
      const yaml = Deno.readTextFileSync(config);
      const refused = async (change: () => void) => {
        change();
        const said = await finish(compare(folder), 1);
        Deno.writeTextFileSync(config, yaml);
        Deno.writeTextFileSync(path, text);
        return said.replaceAll(/\s+/g, " ");
      };
      const other = () => Deno.writeTextFileSync(path, text.replace('"grpo"', '"r3l"'));
      assertStringIncludes(await refused(other), 'is of another run: entry is "r3l", not grpo');
      const edited = () => Deno.writeTextFileSync(config, yaml + "\n");
      assertStringIncludes(await refused(edited), "was not made with the config.yaml beside it");
      assertStringIncludes(await refused(() => Deno.removeSync(config)), "has no config.yaml beside it");
    });

    await t.step("one more seed adds its runs to those that are there", async () => {
      const before = finished(folder);
      const text = await finish(compare(folder, "seeds=[1,2]"));
      assertEquals(text.match(/^\d+\/8 /gm)?.length, 2);
      for (const [path, run] of before) assertEquals(finished(folder).get(path), run);
    });

    await t.step("it writes means, intervals, times and the cost of the search", () => {
      const { starts: [{ entries }] } = JSON.parse(Deno.readTextFileSync(`${folder}/results/compare.json`));
      assertEquals(entries.map(({ entry }: { entry: string }) => entry), ["r3l", "grpo"]);
      for (const { runs, success, search, split, tokens } of entries) {
        assertEquals([runs.length, success.n, search.tried.length], [2, 2, 2]);
        assert(success.half !== null && search.tokens >= 400 && search.seconds > 0);
        assert(split.sample > 0 && split.update > 0 && tokens >= 500);
        for (const { curve } of runs) assert(curve.length >= 2);
      }
      assert(entries[0].split.diagnose > 0 && entries[1].split.diagnose === 0);
      const page = Deno.readTextFileSync(`${folder}/results/compare.html`);
      assertEquals(page.match(/<svg/g)?.length, 3);
      assert(!/(src|href)=|@import|<script/.test(page), "the page loads or runs something");
      assertStringIncludes(Deno.readTextFileSync(`${folder}/results/compare.md`), "| r3l |");
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
