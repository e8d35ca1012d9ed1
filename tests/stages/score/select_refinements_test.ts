import { assertAlmostEquals, assertEquals } from "@std/assert";
import { Effect, Stream } from "effect";
import { refinementsApart } from "../../../stages/amplify/refinements_apart.ts";
import { maskGroup } from "../../../stages/mask/mask_group.ts";
import type { Scored } from "../../../stages/record.ts";
import { scoreGroup } from "../../../stages/score/score_group.ts";
import { selectRefinements } from "../../../stages/score/select_refinements.ts";
import type { Stage } from "../../../stages/stage.ts";
import { diagnosed, retry, stitched } from "../_make_group.ts";

/** One success and three failures; the retries of attempts 2 and 3 win, that of 1 does not. */
function group(): Scored {
  const attempts = [1, 0, 0, 0].map((reward, index) => diagnosed({ index, turns: [["go", 2]], reward }));
  const retries = [[1, 0], [2, 1], [3, 1]].map(([of, reward]) =>
    retry(attempts[of], 0, [["take", 2]], reward)
  );
  return scoreGroup(stitched(attempts, retries));
}

function through<A, B>(input: A, stage: Stage<A, B>): Promise<B> {
  return Effect.runPromise(Stream.make(input).pipe(stage, Stream.runCollect)).then(([one]) => one);
}

const names = ({ members }: Scored) => members.map(({ kind, attempt }) => `${kind} ${attempt}`);

Deno.test("released: the first best refinement that improved takes the place of its attempt", async () => {
  const selected = await through(group(), selectRefinements("released"));
  assertEquals(names(selected), ["base 0", "base 1", "base 3", "retry 2"]);
  const failed = { ...group(), members: group().members.filter((m) => m.kind === "base" || m.attempt === 1) };
  assertEquals(names(await through(failed, selectRefinements("released"))), [
    "base 0",
    "base 1",
    "base 2",
    "base 3",
  ]);
});

Deno.test("original: every refinement joins the group", async () => {
  assertEquals((await through(group(), selectRefinements("original"))).members.length, 7);
});

Deno.test("released: a refinement is a group of its own, first attempts are compared without it", async () => {
  const selected = await through(group(), selectRefinements("released"));
  const { advantages } = await through(
    maskGroup(selected, { credit: "none" }),
    refinementsApart({ estimator: "grpo", amplification: "none" }),
  );
  const expected = [2 / 3, -1 / 3, -1 / 3].map((a) => a / (Math.sqrt(1 / 3) + 1e-6));
  [...expected, 1 / (1 + 1e-6)].forEach((a, i) => assertAlmostEquals(advantages[i], a, 1e-12));
});
