import type { Json } from "../env.ts";
import { RemoteFault, shown } from "./remote_fault.ts";

/** How long and how much to wait for. */
export interface HttpLimits {
  readonly timeoutMs: number;
  /** Longest body in bytes. */
  readonly maxBytes: number;
}

/**
 * One HTTP request with a JSON body and a JSON answer: GET without a body, else POST.
 * Redirections are refused, since they could lead to another host. @throws RemoteFault
 */
export async function httpJson(url: URL, body: Json | undefined, limits: HttpLimits): Promise<unknown> {
  const { pathname } = url;
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(limits.timeoutMs);
    response = await fetch(url, {
      signal,
      redirect: "error",
      ...(body !== undefined && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    text = await readText(response, limits.maxBytes);
  } catch (error) {
    throw faultOf(error, url, limits.timeoutMs);
  }
  const { status } = response;
  if (status === 429 || status >= 500) {
    throw new RemoteFault("refused", `${pathname} answered with status ${status}: ${shown(text)}`);
  }
  if (!response.ok) {
    throw new RemoteFault("failed", `${pathname} answered with status ${status}: ${shown(text)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new RemoteFault("malformed", `${pathname} answered no JSON: ${shown(text)}`);
  }
}

/** The body as text, given up as soon as it is longer than allowed. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new RemoteFault("malformed", `an answer of more than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function faultOf(error: unknown, { host, pathname }: URL, timeoutMs: number): RemoteFault {
  if (error instanceof RemoteFault) return error;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new RemoteFault("late", `${pathname} gave no answer within ${timeoutMs} ms`);
  }
  if (error instanceof Deno.errors.NotCapable) return notAllowed(host);
  return new RemoteFault("refused", `cannot reach ${host}: ${shown((error as Error).message)}`);
}

/** This process has no permission for `host`. */
export function notAllowed(host: string): RemoteFault {
  return new RemoteFault("denied", `no permission to reach ${host}: run with --allow-net=${host}`);
}
