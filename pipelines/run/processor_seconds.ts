import process from "node:process";

/**
 * Seconds that processors have worked for this process, over all its threads. Unlike
 * the time that passes, they hardly change when other programs share the machine.
 */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
