import { hash32 } from "../../stages/seed.ts";
import type { EpisodeVerdict, Snapshot, Task, TextEnv, Turn } from "../env.ts";
import { noEpisode } from "../snapshot/no_episode.ts";
import { readSnapshot } from "../snapshot/read_snapshot.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { countedVerdict, judge, verdictOf } from "./judge.ts";
import { oracle } from "./oracle.ts";
import { renderPage } from "./pages/render_page.ts";
import type { PurchaseReward } from "./reward/purchase_reward.ts";
import { act, clickables, indexPage, type Session } from "./session.ts";
import { sessionFromJson, sessionToJson } from "./session_json.ts";
import { type ShopWorld, shopWorld } from "./shop_world.ts";

const snapshotVersion = 1;

interface Visit {
  readonly task: Task;
  readonly world: ShopWorld;
  readonly session: Session;
  readonly turns: number;
  /** Once something was bought. */
  readonly outcome: PurchaseReward | null;
}

/**
 * WebShop: an instruction, a search, and pages on which to click, until something
 * is bought. Actions are `search[words]` and `click[label]`; any other text changes
 * nothing and takes a turn. The reward of the purchase, in [0, 1], comes on the last
 * turn; 1 is success.
 */
export class Shop implements TextEnv {
  readonly #given: Catalogue | null;
  #now: Visit | null = null;
  #turn: Turn | null = null;

  /** `given` is the catalogue of tasks that come from files; generated tasks bring their own. */
  constructor(given: Catalogue | null = null) {
    this.#given = given;
  }

  /** @throws EnvError if the task's shop cannot be made. */
  reset(task: Task): Turn {
    const world = shopWorld(task, this.#given);
    return this.#enter({ task, world, session: indexPage, turns: 0, outcome: null });
  }

  step(action: string): Turn {
    const now = this.#current("step");
    const turn = this.#turn!;
    if (turn.done) return { ...turn, reward: 0 };
    const { catalogue, goal, showAttributes } = now.world;
    const session = act(now.session, action, catalogue, showAttributes);
    const outcome = session.page === "done" ? judge(session, goal, catalogue) : null;
    return this.#enter({ ...now, session, turns: now.turns + 1, outcome });
  }

  snapshot(): Snapshot {
    const { task, session, turns } = this.#current("snapshot");
    const { id, kind, payload } = task;
    return { version: snapshotVersion, task: { id, kind, payload }, turns, session: sessionToJson(session) };
  }

  /** @throws EnvError if the snapshot is of another version or no snapshot of its task. */
  restore(snapshot: Snapshot): Turn {
    const { task, turns, saved, fail } = readSnapshot("shop", snapshotVersion, snapshot);
    const world = shopWorld(task, this.#given);
    let session: Session;
    try {
      session = sessionFromJson(saved.session, world.catalogue);
    } catch (error) {
      throw fail((error as Error).message);
    }
    const outcome = session.page === "done" ? judge(session, world.goal, world.catalogue) : null;
    return this.#enter({ task, world, session, turns, outcome });
  }

  /** What can be done on the page, in WebShop's form. */
  available(): { readonly hasSearchBar: boolean; readonly clickables: readonly string[] } {
    const { world: { catalogue, showAttributes }, session } = this.#current("tell what can be done");
    return {
      hasSearchBar: session.page === "index",
      clickables: clickables(session, catalogue, showAttributes),
    };
  }

  /** 16 hexadecimal digits for shop, goal and the visit's state. */
  fingerprint(): string {
    const { world: { catalogue, goal }, session } = this.#current("fingerprint");
    const text = JSON.stringify([catalogue.id, goal, session]);
    const half = (salt: string) => hash32(salt + text).toString(16).padStart(8, "0");
    return half("a") + half("b");
  }

  oracle(): string[] {
    const { world: { catalogue, goal, maxTurns }, session, turns } = this.#current("oracle");
    const commands = oracle(session, goal, catalogue);
    return turns + commands.length > maxTurns ? [] : commands;
  }

  /** `Success.`, or the first condition that is not met, e.g. `Failure: not red.` */
  feedback(): string {
    return verdictOf(this.#current("feedback").outcome);
  }

  verdict(): EpisodeVerdict {
    return countedVerdict(this.#current("verdict").outcome);
  }

  #enter(now: Visit): Turn {
    const { world, session, turns, outcome } = now;
    const { catalogue, goal, mode, showAttributes, maxTurns } = world;
    const reward = outcome?.reward ?? 0;
    const labels = clickables(session, catalogue, showAttributes).filter((label) => label !== "search");
    const instruction = goal.instruction_text;
    this.#now = now;
    this.#turn = {
      observation: renderPage(session, mode, { catalogue, instruction, showAttributes, reward }),
      admissible: labels.map((label) => `click[${label}]`).sort(),
      reward,
      score: reward,
      done: outcome !== null || turns >= maxTurns,
      won: reward >= 1,
      truncated: outcome === null && turns >= maxTurns,
    };
    return this.#turn;
  }

  #current(operation: string): Visit {
    if (this.#now) return this.#now;
    throw noEpisode("shop", operation);
  }
}
