import { connectLine } from "./connect_line.ts";
import { JavaClient } from "./java_client.ts";

/** A Java process that answers calls. */
export interface Gateway {
  readonly client: JavaClient;
  /** Ends the process, whatever state it is in. */
  stop(): Promise<void>;
}

/** How to start a {@link Gateway}. */
export interface GatewayOptions {
  readonly jar: string;
  /** Where the process runs. */
  readonly folder: string;
  /** Largest heap, in MiB. */
  readonly heapMib: number;
}

/**
 * Starts `java -cp <jar> py4j.GatewayServer`, which listens on a free port of
 * 127.0.0.1 and prints it. (The Py4J in the simulator's jar, 0.10.3, is older than
 * Py4J's tokens.) Needs the permission to run `java`.
 *
 * @throws Error if Java cannot be started or ends before it listens.
 */
export async function startGateway({ jar, folder, heapMib }: GatewayOptions): Promise<Gateway> {
  const process = new Deno.Command("java", {
    args: [
      "-Djava.net.preferIPv4Stack=true",
      `-Xmx${heapMib}m`,
      "-XX:+UseSerialGC",
      "-classpath",
      jar,
      "py4j.GatewayServer",
      "--die-on-broken-pipe",
      "0",
    ],
    cwd: folder,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let stopped: Promise<void> | undefined;
  const stop = () => stopped ??= end(process, drained);
  let drained: Promise<void> = Promise.resolve();
  try {
    let text = "";
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`java ended before it listened: ${JSON.stringify(text.slice(0, 80))}`);
      text += value;
    }
    // The simulator prints on every step: unread output would block it.
    drained = (async () => {
      while (!(await reader.read()).done);
    })();
    const port = Number(text.split(/\r?\n/)[0]);
    return { client: new JavaClient(await connectLine(port)), stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function end(child: Deno.ChildProcess, output: Promise<void>): Promise<void> {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await child.status;
    await child.stdin.close().catch(() => {});
    await output.catch(() => {});
    await reader.cancel().catch(() => {});
  }
}
