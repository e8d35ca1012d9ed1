import type { ConfigFault } from "./consistency_faults.ts";
import { isLoopback } from "./loopback.ts";
import type { RunConfig } from "./run_config.ts";

const schemes = { openenv: ["ws:", "wss:", "http:", "https:"], agentgym: ["http:", "https:"] } as const;

/** What is wrong between `task.environment` and section `remote`. */
export function remoteFaults(
  { task, remote, data }: RunConfig,
  faulty: ReadonlySet<string>,
): readonly ConfigFault[] {
  if (faulty.has("task.environment") || task.environment !== "remote") return [];
  const faults: ConfigFault[] = [];
  const add = (path: string, message: string) => {
    if (!faulty.has(path)) faults.push({ path, message });
  };
  if (remote.url === null) add("remote.url", "task.environment remote needs the address of a server");
  else {
    const fault = addressFault(remote.url, remote.hosts, schemes[remote.protocol]);
    if (fault !== undefined) add("remote.url", fault);
  }
  const splits = ["train", "valid", "test"] as const;
  for (const split of splits) {
    const [from, end] = remote[split] ?? [0, 1];
    if (from >= end) add(`remote.${split}`, `the end must be above the start, got [${from}, ${end}]`);
  }
  if (
    remote.protocol === "agentgym" && splits.every((split) => remote[split] === null && data[split] === null)
  ) {
    add("remote.train", "AgentGym's tasks are numbered: give the range of at least one split");
  }
  return faults;
}

/** Why this address may not be used, or undefined. */
export function addressFault(
  address: string,
  hosts: readonly string[],
  allowed: readonly string[],
): string | undefined {
  if (!URL.canParse(address)) return `is no address, got ${JSON.stringify(address.slice(0, 60))}`;
  const { protocol, hostname, username } = new URL(address);
  if (!allowed.includes(protocol)) {
    return `must begin with ${allowed.map((scheme) => scheme + "//").join(" or ")}, got ${protocol}//`;
  }
  if (username !== "") return "must not hold a user name";
  if (!isLoopback(hostname) && !hosts.includes(hostname)) {
    return `${hostname} is not this machine; name it in remote.hosts to allow it`;
  }
}
