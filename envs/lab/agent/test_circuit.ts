import type { Belief } from "./belief.ts";
import { bring, goTo, idle, type PlanStep, reach, search } from "./steps.ts";

/** Connects battery, wires, the target and the light bulb to a loop, and switches it on. */
export function testCircuit(belief: Belief): PlanStep {
  const last = belief.at.has("switch") && !belief.at.has("blue wire") ? "switch" : "blue wire";
  const ring = ["battery", "red wire", belief.goal.target, "black wire", "light bulb", last];
  const unknown = ring.find((part) => !belief.at.has(part));
  if (unknown !== undefined) return search(belief, { workshop: 1 });
  const pairs = ring.map((part, i): [string, string] => [part, ring[(i + 1) % ring.length]]);
  const missing = pairs.filter(([a, b]) => !belief.connected(a, b));
  if (missing.length === 0) return closeLoop(belief, last);
  const wrong = wrongPart(belief, ring, pairs);
  if (wrong !== null) return connect(belief, reach(belief, wrong) ?? `disconnect ${wrong}`);
  // What is connected in another room comes apart when it is carried here.
  const base = belief.roomOf(["battery", "light bulb"].find((part) => !belief.isCarried(part)) ?? "battery")!;
  const [a, b] = missing.find((pair) => pair.every((part) => belief.inScope(part))) ?? missing[0];
  const away = [a, b].find((part) => !belief.isCarried(part) && belief.roomOf(part) !== base);
  const before = away !== undefined
    ? bring(belief, away, base)
    : goTo(belief, base) ?? reach(belief, a) ?? reach(belief, b);
  return connect(belief, before ?? `connect ${a} to ${b}`);
}

/** The loop is laid: the switch may be off. */
function closeLoop(belief: Belief, last: string): PlanStep {
  if (last !== "switch" || belief.on.has(last)) return idle;
  return connect(belief, reach(belief, last) ?? `activate ${last}`);
}

/** One command of the test; the end is the test as a whole. */
function connect({ goal }: Belief, action: string): PlanStep {
  return { action, subgoal: `test ${goal.target}`, kind: "connect" };
}

/** A part of the loop that is connected where it should not be. */
function wrongPart(
  belief: Belief,
  ring: readonly string[],
  pairs: readonly [string, string][],
): string | null {
  for (const wire of belief.wires) {
    const [a, b] = wire.split("|");
    const wanted = pairs.some(([p, q]) => (p === a && q === b) || (p === b && q === a));
    if (!wanted && (ring.includes(a) || ring.includes(b))) return ring.includes(a) ? a : b;
  }
  return null;
}
