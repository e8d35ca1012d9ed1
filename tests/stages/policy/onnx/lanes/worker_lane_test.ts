import { assert, assertEquals, assertMatch } from "@std/assert";
import { addLora } from "../../../../../stages/engine/add_lora.ts";
import { isAdapterName } from "../../../../../stages/engine/lora.ts";
import { PolicyError } from "../../../../../stages/errors.ts";
import { WorkerLane } from "../../../../../stages/policy/onnx/lanes/worker_lane.ts";
import { request, tinyConfig, tinyWeights } from "../../_tiny_model.ts";

const options = { config: tinyConfig, weights: tinyWeights, stopIds: new Set([2]) };

/** A worker that answers as `body` says, with `kind` and `reply` at hand. */
const script = (body: string) =>
  new URL(`data:text/javascript,${
    encodeURIComponent(`
      const reply = () => postMessage({ generations: [], counters: { generatedTokens: 0, prefillTokens: 0 } });
      onmessage = ({ data: { kind } }) => { ${body} };
    `)
  }`);

/** What a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(() => undefined, (error) => error);
  assert(error instanceof PolicyError, `${error}`);
  return error.message;
}

Deno.test("a worker that cannot start is a PolicyError that tells why", async () => {
  const broken = new URL("data:text/javascript,throw new Error('no runtime here')");
  assertMatch(await refusal(WorkerLane.create(options, broken)), /decode in a worker: .*no runtime here/);
  const missing = new URL("./no_such_worker.js", import.meta.url);
  assertMatch(await refusal(WorkerLane.create(options, missing)), /^Cannot decode in a worker: .+$/);
  const nonsense = { ...options, weights: new Map() };
  assertMatch(await refusal(WorkerLane.create(nonsense)), /missing/);
});

Deno.test("a worker that dies refuses who waits and whoever asks later, and can be closed", async () => {
  const lane = await WorkerLane.create(
    options,
    script("if (kind === 'open') reply(); else throw new Error('died')"),
  );
  const calls = [lane.generate([request("a", [1])]), lane.generate([request("b", [1])])];
  for (const said of await Promise.all(calls.map(refusal))) assertMatch(said, /died/);
  assertMatch(await refusal(lane.generate([request("c", [1])])), /died/);
  await lane.close();
});

Deno.test("closing takes what dies of it, and what is closed answers nothing", async () => {
  const dying = script("if (kind === 'close') throw new Error('died'); else reply()");
  const lane = await WorkerLane.create(options, dying);
  await lane.close();
  assertMatch(await refusal(lane.generate([request("a", [1])])), /died|closed/);
  const whole = await WorkerLane.create(options);
  assertEquals((await whole.generate([request("a", [1])])).length, 1);
  await whole.close();
  assertMatch(await refusal(whole.generate([request("a", [1])])), /the worker is closed/);
  await whole.close();
});

Deno.test("what adapters freeze is sent once, and what has other numbers is sent again", async () => {
  const { config, weights } = addLora({ config: tinyConfig, weights: tinyWeights }, {
    rank: 2,
    alpha: 4,
    targetModules: [],
  });
  // A worker that answers a sync with the number of tensors that it was sent.
  const counting = new URL(`data:text/javascript,${
    encodeURIComponent(`
      onmessage = ({ data }) => postMessage({
        generations: [],
        counters: { generatedTokens: data.weights?.size ?? 0, prefillTokens: 0 },
      });
    `)
  }`);
  const lane = await WorkerLane.create({ ...options, config, weights }, counting);
  const sent = async (given: typeof weights) => {
    await lane.sync(given, 1);
    return lane.counters.generatedTokens;
  };
  const adapters = [...weights.keys()].filter(isAdapterName).length;
  assertEquals(await sent(weights), adapters);
  const name = "model.norm.weight";
  const norm = weights.get(name)!;
  assertEquals(await sent(new Map([...weights, [name, { ...norm, data: norm.data.slice() }]])), adapters + 1);
  await lane.close();
});
