import type { State } from "../pddl/state.ts";
import type { TextGame } from "../text_game/text_game.ts";
import { changeOf, type Goal } from "./goal.ts";
import { Room } from "./room.ts";

const states = { heat: "ishot", cool: "iscool", clean: "isclean" } as const;
const appliances = { heat: "microwave", cool: "fridge", clean: "sinkbasin" } as const;
const standIns = { heat: "stoveburner", cool: null, clean: "bathtubbasin" } as const;

/**
 * Commands that win from a state, with knowledge of all of it; empty if the game
 * is won or no plan of the task's kind works. Every command is tried on the way.
 */
export function oracle(game: TextGame, state: State, goal: Goal): string[] {
  if (game.world.won(state)) return [];
  const walk = new Walk(game, state);
  if (goal.kind === "look_at_obj_in_light") light(walk, goal);
  else place(walk, goal);
  return game.world.won(walk.state) ? walk.commands : [];
}

/** Commands played ahead on a copy of the game. */
class Walk {
  readonly commands: string[] = [];
  constructor(readonly game: TextGame, public state: State) {}

  get room(): Room {
    return new Room(this.game, this.state);
  }

  /** Plays a command; false if it is not accepted. */
  play(command: string): boolean {
    if (!this.game.commands(this.state).has(command)) return false;
    this.state = this.game.step(this.state, command).state;
    this.commands.push(command);
    return true;
  }

  goTo(receptacle: string): boolean {
    return this.room.isHere(receptacle) || this.play(`go to ${receptacle}`);
  }

  /** Goes there and opens it. */
  reach(receptacle: string): boolean {
    if (!this.goTo(receptacle)) return false;
    return isOpen(this.room, receptacle) ||
      (this.play(`open ${receptacle}`) && isOpen(this.room, receptacle));
  }

  /** Has a thing in an empty hand. */
  take(thing: string, receptacle: string): boolean {
    return this.reach(receptacle) && this.play(`take ${thing} from ${receptacle}`);
  }

  /** Puts down what is held, here if possible. */
  putAside(held: string): boolean {
    const { room } = this;
    const fits = room.receptacles().filter((r) => !room.is("locked", r) && room.takes(r, held));
    const place = fits.find((r) => room.isHere(r) && isOpen(room, r)) ?? fits.find((r) => isOpen(room, r)) ??
      fits[0];
    return place !== undefined && this.reach(place) && this.play(`move ${held} to ${place}`);
  }
}

function isOpen(room: Room, receptacle: string): boolean {
  return !room.is("openable", receptacle) || room.is("opened", receptacle);
}

/** Has a target in hand: the one held, else one that is changed already, here, or in the open. */
function hold(walk: Walk, goal: Goal, keepIn: string | null): string | null {
  const { room } = walk;
  const held = room.held();
  const targets = room.things(goal.target);
  if (held !== null && targets.includes(held)) return held;
  if (held !== null && !walk.putAside(held)) return null;
  const change = changeOf(goal.kind);
  const changed = (t: string) => change !== null && room.is(states[change], t);
  const choices = targets.flatMap((thing) =>
    room.placesOf(thing)
      .filter((r) => !room.is("locked", r) && !(r === keepIn && (change === null || changed(thing))))
      .map((r) => ({
        thing,
        r,
        cost: (changed(thing) ? 0 : 4) + (room.isHere(r) ? 0 : 2) + (isOpen(room, r) ? 0 : 1),
      }))
  ).sort((a, b) => a.cost - b.cost);
  for (const { thing, r } of choices) if (walk.take(thing, r)) return thing;
  return null;
}

function place(walk: Walk, goal: Goal): void {
  const change = changeOf(goal.kind);
  const needed = goal.kind === "pick_two_obj_and_place" ? 2 : 1;
  const { room } = walk;
  const [destination] = room.receptacles(goal.destination)
    .filter((r) => !room.is("locked", r))
    .map((r) => ({ r, count: room.thingsIn(r, goal.target).length, open: isOpen(room, r) ? 1 : 0 }))
    .sort((a, b) => b.count - a.count || b.open - a.open)
    .map(({ r }) => r);
  if (destination === undefined) return;
  for (let i = 0; i < needed && !walk.game.world.won(walk.state); i++) {
    const thing = hold(walk, goal, destination);
    if (thing === null) return;
    if (change !== null && !walk.room.is(states[change], thing) && !changeState(walk, change, thing)) return;
    if (!walk.reach(destination) || !walk.play(`move ${thing} to ${destination}`)) return;
  }
}

function changeState(walk: Walk, change: "heat" | "cool" | "clean", thing: string): boolean {
  const { room } = walk;
  const usual = room.receptacles(appliances[change]);
  const works = usual.filter((r) => !room.is("broken", r));
  const standIn = standIns[change];
  const others = works.length === 0 && standIn ? room.receptacles(standIn) : works;
  return others.some((r) => walk.goTo(r) && walk.play(`${change} ${thing} with ${r}`));
}

function light(walk: Walk, goal: Goal): void {
  const held = walk.room.held();
  if (held !== null && walk.room.things(goal.destination).includes(held) && !walk.putAside(held)) return;
  if (hold(walk, goal, null) === null) return;
  const { room } = walk;
  const lamps = room.things(goal.destination).flatMap((lamp) =>
    room.placesOf(lamp).map((r) => ({ lamp, r }))
  );
  const lit = lamps.find(({ lamp }) => room.is("istoggled", lamp));
  const choice = lit ?? lamps.find(({ r }) => room.isHere(r)) ?? lamps[0];
  if (choice && walk.goTo(choice.r) && !lit) walk.play(`use ${choice.lamp}`);
}
