import { Effect } from "effect";
import type { School } from "../../envs/demonstrator.ts";
import { learningRate } from "../../stages/engine/learning_rate.ts";
import type { Chat } from "../../stages/policy/chat.ts";
import { lessonRow, type SupervisedRow } from "./lesson_row.ts";
import type { Phase, Recipe } from "./recipe.ts";
import { supervisedBatches } from "./supervised_batches.ts";
import { trainSupervised } from "./train_supervised.ts";

/** What a phase is taught with. */
export interface TeachOptions {
  readonly school: School;
  readonly chat: Chat;
  readonly instruction: string;
  readonly note: (text: string) => void;
}

/** Trains the engine's model through one phase of a recipe. */
export const teach = Effect.fn("teach")(function* (phase: Phase, recipe: Recipe, options: TeachOptions) {
  const { school, chat, instruction, note } = options;
  const rows: SupervisedRow[] = [];
  for (let index = phase.firstTask; index < phase.firstTask + phase.tasks; index++) {
    for (const lesson of school.lessons(index, phase.curriculum)) {
      rows.push(lessonRow(lesson, chat, school.format, { reportWeight: recipe.reportWeight, instruction }));
    }
  }
  const tokens = rows.reduce((sum, row) => sum + row.ids.length, 0);
  note(`${phase.curriculum}: ${rows.length} rows, ${tokens} tokens, ${phase.epochs} epoch(s)`);
  const totalSteps = Math.ceil(rows.length / recipe.batch) * phase.epochs;
  const schedule = {
    kind: "cosine",
    lr: phase.lr,
    warmupSteps: Math.min(50, Math.ceil(totalSteps / 10)),
    totalSteps,
    finalFraction: 0.05,
  } as const;
  let step = 0;
  for (let epoch = 0; epoch < phase.epochs; epoch++) {
    const seed = `${recipe.seed}/${phase.curriculum}/${epoch}`;
    let sum = 0;
    const batches = supervisedBatches(rows, recipe.batch, seed);
    for (const batch of batches) {
      const { loss } = yield* trainSupervised(batch, {
        lr: learningRate(schedule, ++step),
        beta1: 0.9,
        beta2: 0.98,
        eps: 1e-8,
        weightDecay: 0.01,
        clipNorm: 1,
      });
      sum += loss;
      if (step % 200 === 0) note(`  step ${step}/${schedule.totalSteps}, loss ${loss.toFixed(3)}`);
    }
    note(`  epoch ${epoch + 1}: mean loss ${(sum / batches.length).toFixed(4)}`);
  }
});
