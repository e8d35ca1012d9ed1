import { Effect, Stream } from "effect";
import { Environment } from "../../envs/env.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { Policy } from "../../stages/policy/policy.ts";
import { openOrExtend } from "../../stages/sample/open_or_extend.ts";
import { taskStream } from "./task_stream.ts";

/** Tasks whose prompts are looked at. */
const PROMPTS = 4;
/** Share of unknown tokens from which on a policy cannot know what it is asked. */
const MOST = 0.25;

/**
 * A warning if more than a quarter of the tokens of the run's first prompts stand for
 * text that the policy's tokenizer does not know, else undefined. A task that cannot be
 * opened says nothing here; sampling will.
 */
export const unknownTokens = Effect.fnUntraced(function* (config: RunConfig) {
  const { chat } = yield* Policy;
  const { unknownId } = chat;
  if (unknownId === undefined) return undefined;
  const environment = yield* Environment;
  const { format } = environment;
  const tasks = yield* Effect.orElseSucceed(
    taskStream(config).pipe(Stream.take(PROMPTS), Stream.runCollect),
    () => [],
  );
  const prompts = yield* Effect.forEach(tasks, ({ task }) =>
    Effect.gen(function* () {
      const episode = yield* environment.open(task);
      const turn = yield* episode.reset;
      return yield* Effect.try(() => openOrExtend([], task, format.user(turn, 0, ""), chat, format));
    }).pipe(Effect.scoped, Effect.orElseSucceed((): number[] => [])));
  const ids = prompts.flat();
  const share = ids.filter((id) => id === unknownId).length / Math.max(1, ids.length);
  if (share <= MOST) return undefined;
  const percent = Math.round(100 * share);
  return `${percent}% of prompt tokens are unknown; set policy.path to a fitting model`;
});
