/**
 * Servers on this machine for tests of the clients: one that plays a recorded
 * exchange, one that does what a test says.
 *
 * @module
 */
import { Schema } from "effect";
import { RemoteConfig } from "../../../stages/config/remote_config.ts";

/** A server's address, closed at the end of a `using` block. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves plain requests by `answer` and WebSockets by `attend`. */
export function localServer(
  answer: (request: Request) => Response | Promise<Response>,
  attend: (socket: WebSocket) => void = (socket) => socket.close(),
): LocalServer {
  const sockets: WebSocket[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    if (request.headers.get("upgrade") !== "websocket") return answer(request);
    const { socket, response } = Deno.upgradeWebSocket(request);
    sockets.push(socket);
    attend(socket);
    return response;
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      sockets.filter((one) => one.readyState === WebSocket.OPEN).forEach((one) => one.close());
      await server.shutdown();
    },
  };
}

/** A server of nothing but WebSockets. */
export function socketServer(attend: (socket: WebSocket) => void): LocalServer {
  return localServer(() => new Response(null, { status: 404 }), attend);
}

/** The configuration of a client. */
export function remoteConfig(settings: Partial<RemoteConfig>): RemoteConfig {
  return Schema.decodeUnknownSync(RemoteConfig)(settings);
}

/** Where a server of the fixture's game has its texts. */
export const guessing = {
  action_field: "message",
  text_field: "text",
  admissible_field: "admissible",
  score_field: "score",
  feedback_field: "verdict.feedback",
} as const;

/** A recorded exchange of frames. */
export interface Exchange {
  readonly name: string;
  readonly exchange: readonly { readonly sent: string | null; readonly received: string | null }[];
}

/** What the Python server published and said. */
export const recorded: { readonly schema: unknown; readonly sessions: readonly Exchange[] } = JSON.parse(
  Deno.readTextFileSync(new URL("../../../fixtures/remote/openenv_exchanges.json", import.meta.url)),
);

/** The frames of one recorded session. */
export function exchangeOf(name: string): Exchange["exchange"] {
  return recorded.sessions.find((session) => session.name === name)!.exchange;
}
