import { assertAlmostEquals, assertEquals } from "@std/assert";
import { raft } from "../../../stages/amplify/raft.ts";
import { reinforcePlusPlus } from "../../../stages/amplify/reinforce_plus_plus.ts";
import { whiten } from "../../../stages/amplify/whiten.ts";
import { maskDivergent } from "../../../stages/update/mask_divergent.ts";

const rows = {
  logp: [[0, -3, -3], [0, -3, -3], [0, -1, -9], [0, -1.05, -1]],
  oldLogp: [[0, -1, -1], [0, -1, -1], [0, -1, -1], [0, -1, -1]],
  mask: [[0, 1, 1], [0, 1, 1], [0, 1, 0], [0, 1, 1]],
  advantages: [-1, 1, -1, [0, -1, -1]],
};

Deno.test("failures that the policy has left behind are masked whole; successes and close rows are not", () => {
  const masks = (limit: number) => maskDivergent(rows, limit).mask.map((mask) => Array.from(mask));
  assertEquals(masks(1), [[0, 0, 0], ...rows.mask.slice(1)]);
  assertEquals(masks(0.01), [[0, 0, 0], rows.mask[1], rows.mask[2], [0, 0, 0]]);
  assertEquals(masks(3), rows.mask);
  assertEquals(maskDivergent(rows, undefined), rows);
});

Deno.test("whitening by rows equals token returns whitened over all tokens", () => {
  const mask = [[0, 1, 1, 1], [0, 1, 0, 0], [0, 1, 1, 0]];
  const rewards = [[0, 0, 0, 1], [0, 0.5, 0, 0], [0, 0, -1, 0]];
  const expected = reinforcePlusPlus({ rewards, mask });
  whiten([1, 0.5, -1], [3, 1, 2]).forEach((a, i) =>
    mask[i].forEach((m, t) => m && assertAlmostEquals(a, expected[i][t], 1e-12))
  );
  assertEquals(whiten([1, 1, 7], [2, 3, 0]), [0, 0, 0]);
});

Deno.test("raft keeps the accepted or the best of them, equals sharing its weight", () => {
  assertEquals(raft([1, 0, 1, 2], { threshold: 1 }), [1, 0, 1, 1]);
  assertEquals(raft([1, 0, 1], { accept: "best" }), [0.5, 0, 0.5]);
  assertEquals(raft([1, 0, 2], { accept: "best" }), [0, 0, 1]);
  assertEquals(raft([0, 0.5], { accept: "best" }), [0, 0]);
});
