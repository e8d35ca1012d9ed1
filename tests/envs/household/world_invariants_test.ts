import { assert, assertEquals } from "@std/assert";
import { canContain, typeOf } from "../../../envs/household/catalog.ts";
import { loadTask } from "../../../envs/household/load_task.ts";
import { Room } from "../../../envs/household/room.ts";
import { stateFromJson } from "../../../envs/pddl/state_json.ts";
import type { Json } from "../../../envs/env.ts";
import { start, taskAt, walk } from "./_walk.ts";

Deno.test("along random walks: one place for each thing, shut means unseen, hot excludes cool, moves fit", () => {
  for (let index = 0; index < 30; index++) {
    const task = taskAt(index % 3, 100 + index);
    const { game } = loadTask(task);
    const { env, first } = start(task);
    const names = [...game.ids.keys()].filter((name) => / \d+$/.test(name));
    const all = names.filter((name) => new Room(game, game.world.start).placesOf(name).length > 0);
    const movable = all.filter((name) => new Room(game, game.world.start).is("pickupable", name));
    walk(env, first, `world ${index}`, 40, (action, turn) => {
      const saved = (env.snapshot() as { state: Json }).state;
      const room = new Room(game, stateFromJson(saved, game.world.start));
      for (const thing of movable) {
        assertEquals(
          room.placesOf(thing).length + (room.held() === thing ? 1 : 0),
          1,
          `${thing} after ${action}`,
        );
        assert(!(room.is("ishot", thing) && room.is("iscool", thing)));
      }
      for (const receptacle of room.receptacles()) {
        if (room.is("openable", receptacle) && !room.is("opened", receptacle)) {
          for (const thing of all.filter((t) => room.placesOf(t)[0] === receptacle)) {
            assert(!new RegExp(`\\b${thing}\\b`).test(turn.observation), `${thing} after ${action}`);
          }
          assert(
            !turn.admissible!.some((c) => c.endsWith(` from ${receptacle}`) || c === `close ${receptacle}`),
          );
        }
        if (room.isHere(receptacle)) assert(!turn.admissible!.includes(`go to ${receptacle}`));
      }
      const move = /^move (.+) to (.+)$/.exec(action);
      if (move) assert(canContain(typeOf(move[2]), typeOf(move[1])), action);
      for (const name of turn.observation.match(/\b[a-z]+ \d+\b/g) ?? []) assert(names.includes(name), name);
    });
  }
});
