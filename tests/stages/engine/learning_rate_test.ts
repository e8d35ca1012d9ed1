import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { learningRate, type LearningRateSchedule } from "../../../stages/engine/learning_rate.ts";

const base = { lr: 2, warmupSteps: 0, totalSteps: 5, finalFraction: 0 };

Deno.test("each schedule at each step", () => {
  const rates = (schedule: LearningRateSchedule) =>
    [1, 2, 3, 4, 5, 6].map((step) => learningRate(schedule, step));
  assertEquals(rates({ ...base, kind: "constant", finalFraction: 0.5 }), [2, 2, 2, 2, 2, 2]);
  assertEquals(rates({ ...base, kind: "linear" }), [2, 1.5, 1, 0.5, 0, 0]);
  assertEquals(rates({ ...base, kind: "linear", finalFraction: 0.5 }), [2, 1.75, 1.5, 1.25, 1, 1]);
  assertEquals(rates({ ...base, kind: "linear", warmupSteps: 3 }), [2 / 3, 4 / 3, 2, 1, 0, 0]);
  const cosine = rates({ ...base, kind: "cosine", finalFraction: 0.1 });
  // (1 + cos πx)/2 at x = 0, ¼, ½, ¾, 1.
  const half = Math.SQRT1_2 / 2;
  [1, 0.5 + half, 0.5, 0.5 - half, 0, 0].forEach((c, i) =>
    assertAlmostEquals(cosine[i], 0.2 + 1.8 * c, 1e-12)
  );
});

Deno.test("warm-up rises, decay falls, and all stay between 0 and the peak", () => {
  const schedules = fc.record({
    kind: fc.constantFrom("constant", "linear", "cosine"),
    lr: fc.double({ min: 1e-6, max: 1, noNaN: true }),
    warmupSteps: fc.integer({ min: 0, max: 20 }),
    totalSteps: fc.integer({ min: 1, max: 60 }),
    finalFraction: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(fc.property(schedules, (s) => {
    const schedule = s as LearningRateSchedule;
    for (let step = 1; step < 70; step++) {
      const [now, next] = [learningRate(schedule, step), learningRate(schedule, step + 1)];
      assert(now >= 0 && now <= s.lr * (1 + 1e-12));
      if (step + 1 <= s.warmupSteps) assert(next > now);
      else if (step >= s.warmupSteps && step > 1) assert(next <= now + 1e-15);
    }
  }));
  assertThrows(() => learningRate({ ...base, kind: "linear" }, 0), RangeError, "step 0");
});
