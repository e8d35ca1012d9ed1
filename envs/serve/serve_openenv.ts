import { Effect, type Scope } from "effect";
import { isLoopback } from "../../stages/config/loopback.ts";
import { FileError } from "../../stages/errors.ts";
import type { EnvironmentShape } from "../env.ts";
import { serveHttp } from "./serve_http.ts";
import { type ServeContext, ServeSession } from "./serve_session.ts";

/** Where and for how many {@link serveOpenEnv} serves. */
export interface ServeOptions {
  readonly hostname: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Episodes at a time; one more is refused. */
  readonly maxSessions: number;
  /** Seconds without a message after which a session is closed. */
  readonly idleSeconds: number;
}

/** Longest message of a client in UTF-16 code units. */
const longestMessage = 1 << 20;

/** Most messages of a client that wait for an answer; the protocol needs one. */
const mostWaiting = 32;

/** Milliseconds that requests have to finish when the server ends. */
const farewell = 500;

/**
 * Serves an environment over OpenEnv's `/ws`, one connection an episode at a time,
 * until the scope ends. Clients are openenv's `GenericEnvClient` and what builds on it,
 * and our own environment `remote`.
 *
 * @returns where it listens; fails with FileError if the address is taken or not allowed
 */
export function serveOpenEnv(
  environment: EnvironmentShape,
  options: ServeOptions,
): Effect.Effect<{ readonly hostname: string; readonly port: number }, FileError, Scope.Scope> {
  const context: ServeContext = { environment, next: 0 };
  const open = new Set<WebSocket>();
  const { hostname, port } = options;
  const listen = Effect.try({
    try: () =>
      Deno.serve({ hostname, port, onListen: () => {} }, (request) => {
        if (new URL(request.url).pathname !== "/ws") return serveHttp(request, environment);
        if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
          return Response.json({ detail: "/ws speaks WebSocket" }, { status: 426 });
        }
        if (isForeignPage(request)) {
          return Response.json({ detail: "pages of other sites may not play" }, { status: 403 });
        }
        const { socket, response } = Deno.upgradeWebSocket(request);
        attend(socket, context, open, options);
        return response;
      }),
    catch: (error) =>
      new FileError({ path: `${hostname}:${port}`, reason: `cannot listen: ${(error as Error).message}` }),
  });
  return Effect.map(
    Effect.acquireRelease(listen, (server) =>
      Effect.promise(async () => {
        for (const socket of open) socket.close(1001);
        // A request that never comes to its end would keep the server for ever.
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<void>((resolve) => timer = setTimeout(resolve, farewell));
        await Promise.race([server.shutdown(), late]);
        clearTimeout(timer);
      })),
    (server) => ({ hostname: server.addr.hostname, port: server.addr.port }),
  );
}

/** A browser lets every page connect to this machine, but says whose page it is. */
function isForeignPage(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (origin === null) return false;
  return !URL.canParse(origin) || !isLoopback(new URL(origin).hostname);
}

/** Answers one client's messages in their order. */
function attend(
  socket: WebSocket,
  context: ServeContext,
  open: Set<WebSocket>,
  { maxSessions, idleSeconds }: ServeOptions,
): void {
  const session = new ServeSession(context);
  const isFull = open.size >= maxSessions;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const send = (frame: unknown) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  const wait = () => {
    clearTimeout(idle);
    idle = setTimeout(() => socket.close(1000, "idle"), idleSeconds * 1000);
  };
  if (!isFull) open.add(socket);
  socket.onopen = () => {
    if (!isFull) return wait();
    send({
      type: "error",
      data: {
        message: `Server at capacity: ${open.size}/${maxSessions} sessions active`,
        code: "CAPACITY_REACHED",
        active_sessions: open.size,
        max_sessions: maxSessions,
      },
    });
    socket.close(1013);
  };
  socket.onmessage = ({ data }) => {
    if (isFull) return;
    if (typeof data !== "string" || data.length > longestMessage) return socket.close(1009);
    if (waiting === mostWaiting) return socket.close(1008, "too many messages at once");
    clearTimeout(idle);
    waiting++;
    last = last.then(async () => {
      waiting--;
      // Nobody hears the answers after a good-bye.
      if (socket.readyState !== WebSocket.OPEN) return;
      const frame = await session.answer(data);
      if (frame === null) socket.close();
      else send(frame);
      if (socket.readyState === WebSocket.OPEN) wait();
    });
  };
  socket.onclose = () => {
    clearTimeout(idle);
    open.delete(socket);
    last = last.then(() => session.close());
  };
}
