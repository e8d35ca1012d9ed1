import type { GenerateRequest } from "../../policy.ts";

/**
 * The lane of each request: where its session's cache is, else where its parent's is
 * (it starts from that), else where fewest requests of this call are. It follows from
 * the requests and from what was assigned before, so that a run can be repeated.
 */
export function assignLanes(
  requests: readonly Pick<GenerateRequest, "session" | "parent">[],
  assigned: ReadonlyMap<string, number>,
  lanes: number,
): number[] {
  const here = new Map<string, number>();
  const found = requests.map(({ session, parent }) =>
    assigned.get(session) ?? (parent === undefined ? undefined : assigned.get(parent))
  );
  const load = Array.from({ length: lanes }, (_, lane) => found.filter((at) => at === lane).length);
  return requests.map(({ session }, i) => {
    // A session that is named twice is one lane's to refuse.
    const known = found[i] ?? here.get(session);
    if (known !== undefined) return known;
    const least = load.indexOf(Math.min(...load));
    load[least]++;
    here.set(session, least);
    return least;
  });
}
