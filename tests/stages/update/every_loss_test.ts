import { assertAlmostEquals, assertEquals } from "@std/assert";
import golden from "../../../fixtures/cases/losses.json" with { type: "json" };
import { evaluateLoss } from "../../../stages/update/evaluate_loss.ts";
import type { LossOptions } from "../../../stages/update/loss.ts";
import { losses, type LossName } from "../../../stages/update/losses.ts";

const { logp, old, ref, mask, advantages, offPolicy } = golden.inputs;
const rows = { logp, oldLogp: old, refLogp: ref, mask, advantages, offPolicy };

Deno.test("every loss has golden numbers", () => {
  const covered = new Set(golden.cases.map(({ loss }) => loss));
  assertEquals([...covered].sort(), Object.keys(losses).sort());
});

for (const { loss: name, options, value, gradient } of golden.cases) {
  Deno.test(`${name} ${JSON.stringify(options)}: value and gradient are those of PyTorch`, () => {
    const loss = losses[name as LossName](options as LossOptions);
    // Rows 0 and 1 are a pair; the third has no partner.
    const given = loss.comparesRows === true ? { ...rows, advantages: [1, -1, 0] } : rows;
    const counted = loss.comparesRows === true ? [1 / 2, 1 / 2, 0] : undefined;
    const actual = evaluateLoss(loss, given, counted);
    assertAlmostEquals(actual.value, value, 1e-10, `${actual.value} is not ${value}`);
    gradient.forEach((row, i) =>
      row.forEach((g, t) =>
        assertAlmostEquals(actual.dLogp[i][t], g, 1e-10, `row ${i}, token ${t}: ${actual.dLogp[i][t]}, ${g}`)
      )
    );
  });
}
