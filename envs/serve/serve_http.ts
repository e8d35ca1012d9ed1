import { Effect } from "effect";
import type { EnvironmentShape, Split } from "../env.ts";
import { openEnvSchemas } from "./openenv_schemas.ts";

const splits = ["train", "valid", "test"] as const;

/** Most tasks of one answer: generated splits have no end. */
const mostTasks = 1000;

/** Longest body of a request in bytes. */
const longestBody = 1 << 16;

/**
 * The plain HTTP side of OpenEnv: `/health`, `/metadata`, `/schema` and its task API
 * (`/list_environments`, `/{name}/splits`, `num_tasks`, `task`, `tasks`, `task_range`).
 * Episodes are played over `/ws` only. A split without end has `num_tasks` null.
 */
export async function serveHttp(request: Request, environment: EnvironmentShape): Promise<Response> {
  const { pathname } = new URL(request.url);
  const { name } = environment;
  if (request.method === "GET") {
    switch (pathname) {
      case "/health":
        return Response.json({ status: "healthy" });
      case "/metadata":
        return Response.json({ name, description: `The environment ${name} of Pivot`, version: "0.1.0" });
      case "/schema":
        return Response.json(openEnvSchemas);
      case "/list_environments":
        return Response.json([name]);
      case `/${name}/splits`:
        return Response.json(splits.map((split) => ({
          name: split,
          type: split === "valid" ? "validation" : split,
        })));
    }
  }
  const operation = pathname.startsWith(`/${name}/`) ? pathname.slice(name.length + 2) : "";
  if (request.method === "POST" && /^(num_tasks|task|tasks|task_range)$/.test(operation)) {
    return await taskApi(operation, request, environment);
  }
  return refuse(404, `no ${request.method} ${pathname.slice(0, 80)}; episodes are played over /ws`);
}

async function taskApi(operation: string, request: Request, environment: EnvironmentShape) {
  const body = await bodyOf(request);
  if (body === null) return refuse(422, `the body is no JSON object of at most ${longestBody} bytes`);
  const { split, index, start, stop } = body;
  if (!splits.includes(split as Split)) return refuse(400, "split is none of train, valid and test");
  const size = environment.size(split as Split);
  if (operation === "num_tasks") {
    return Response.json({ num_tasks: Number.isFinite(size) ? size : null });
  }
  const [from, to] = operation === "task"
    ? [index, Number(index) + 1]
    : operation === "tasks"
    ? [0, Math.min(size, mostTasks)]
    : [start ?? 0, stop ?? Math.min(size, Number(start ?? 0) + mostTasks)];
  if (!isPosition(from) || !isPosition(to) || to > size || from > to || to - from > mostTasks) {
    return refuse(400, "Invalid task index");
  }
  const tasks = await Effect.runPromise(Effect.result(Effect.forEach(
    Array.from({ length: to - from }, (_, i) => from + i),
    (at) =>
      Effect.map(environment.task(split as Split, at), ({ id, kind }) => ({ id, kind, split, index: at })),
  )));
  if (tasks._tag === "Failure") return refuse(500, tasks.failure.message);
  if (operation === "task") return Response.json({ task: tasks.success[0] });
  return Response.json({
    tasks: tasks.success,
    ...(operation === "tasks" && { env_name: environment.name }),
  });
}

async function bodyOf(request: Request): Promise<Readonly<Record<string, unknown>> | null> {
  if (Number(request.headers.get("content-length") ?? Infinity) > longestBody) return null;
  try {
    const value = await request.json();
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function refuse(status: number, detail: string): Response {
  return Response.json({ detail }, { status });
}
