import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { assignLanes } from "../../../../../stages/policy/onnx/lanes/_assign_lanes.ts";

const name = fc.nat(9).map((i) => `s${i}`);
const requests = fc.array(
  fc.record({ session: name, parent: name }, { requiredKeys: ["session"] }),
  { maxLength: 20 },
);

Deno.test("a request goes where its session or its parent was, and new ones are dealt evenly", () => {
  fc.assert(fc.property(
    requests,
    fc.dictionary(name, fc.nat(2)).map((lanes) => new Map(Object.entries(lanes))),
    (requests, assigned) => {
      const lanes = assignLanes(requests, assigned, 3);
      const perSession = new Map<string, number>();
      requests.forEach(({ session, parent }, i) => {
        const known = assigned.get(session) ?? (parent === undefined ? undefined : assigned.get(parent));
        if (known !== undefined) assertEquals(lanes[i], known);
        else {
          assertEquals(lanes[i], perSession.get(session) ?? lanes[i]);
          perSession.set(session, lanes[i]);
        }
      });
    },
  ));
  const roots = Array.from({ length: 11 }, (_, i) => ({ session: `${i}` }));
  const counts = [0, 0, 0];
  for (const lane of assignLanes(roots, new Map(), 3)) counts[lane]++;
  assertEquals(counts, [4, 4, 3]);
  const uneven = assignLanes([{ session: "known" }, ...roots], new Map([["known", 1]]), 2);
  assert(uneven.filter((lane) => lane === 1).length === 6);
});
