import { assertEquals } from "@std/assert";
import { Effect, Stream } from "effect";
import { amplifyGroup } from "../../../stages/amplify/amplify_group.ts";
import { gigpo } from "../../../stages/amplify/gigpo.ts";
import { stepCredit } from "../../../stages/amplify/step_credit.ts";
import { maskGroup } from "../../../stages/mask/mask_group.ts";
import { scoreGroup } from "../../../stages/score/score_group.ts";
import { trainBatch } from "../../../stages/update/train_batch.ts";
import { diagnosed, stitched } from "../_make_group.ts";

Deno.test("a turn's tokens get the advantage of its turn, with the observation that it answers as anchor", async () => {
  const attempts = [[1, 2], [0, 3]].map(([reward, turns], index) =>
    diagnosed({ index, reward, turns: Array.from({ length: turns }, () => ["go", 2] as const) })
  );
  const amplified = amplifyGroup(maskGroup(scoreGroup(stitched(attempts)), { credit: "none" }));
  const [group] = await Effect.runPromise(
    Stream.make(amplified).pipe(stepCredit({ gamma: 0.5 }), Stream.runCollect),
  );
  const expected = gigpo([
    { anchors: ["", "ok"], rewards: [0, 1] },
    { anchors: ["", "ok", "ok"], rewards: [0, 0, 0] },
  ], { gamma: 0.5 });
  expected.forEach((turns, i) => {
    assertEquals(group.advantages[i], turns.reduce((a, b) => a + b, 0) / turns.length);
    attempts[i].turns.forEach(({ start, end }, k) => {
      const tokens = group.tokenAdvantages![i].slice(start, end);
      assertEquals(tokens, tokens.map(() => turns[k]));
    });
  });
  const { policy } = trainBatch([group]);
  assertEquals(policy.map((row) => row.tokenAdvantages), [...group.tokenAdvantages!]);
});
