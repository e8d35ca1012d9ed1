import type { Line } from "./java_client.ts";

/** Longest answer, in bytes: more is taken for a fault, not kept. */
const longest = 64 * 1024 * 1024;

/** A TCP connection to a port of this machine that carries lines of UTF-8. */
export async function connectLine(port: number): Promise<Line> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.setNoDelay(true);
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(65536);
  let rest = "";

  async function readLine(): Promise<string> {
    const parts = [rest];
    let size = rest.length;
    for (let part = rest; !part.includes("\n");) {
      const read = await connection.read(chunk);
      if (read === null) throw new Error("the connection ended");
      part = decoder.decode(chunk.subarray(0, read), { stream: true });
      parts.push(part);
      if ((size += read) > longest) throw new Error(`an answer of more than ${longest} bytes`);
    }
    const text = parts.join("");
    const end = text.indexOf("\n");
    rest = text.slice(end + 1);
    return text.slice(0, end);
  }

  let answered: Promise<unknown> = Promise.resolve();

  async function exchange(request: string): Promise<string> {
    const bytes = new TextEncoder().encode(request);
    for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
    return await readLine();
  }

  return {
    ask(request) {
      // One at a time: Java's side sends with Nagle's algorithm, so that a second answer
      // would wait 40 ms for this side's delayed acknowledgement of the first one.
      const answer = answered.then(() => exchange(request));
      answered = answer.catch(() => {});
      return answer;
    },
    close() {
      try {
        connection.close();
      } catch {
        // It is closed already.
      }
    },
  };
}
