import { JavaClient } from "../../../envs/scienceworld/py4j/java_client.ts";
import { Simulator } from "../../../envs/scienceworld/simulator.ts";

/** A request and its answer. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

/** The recorded session. */
export const exchanges: readonly Exchange[] = Deno.readTextFileSync(
  new URL("../../../fixtures/scienceworld/session.jsonl", import.meta.url),
).trim().split("\n").map((line) => JSON.parse(line));

const moves = /^c\no\d+\n(load|step)\n/;

/** Answers by what was loaded and played before, so that an episode may be played again. */
const answers = new Map<string, string>();
{
  let history = "";
  for (const { request, answer } of exchanges) {
    history = after(history, request);
    answers.set(`${history}\u0000${request}`, answer);
  }
}

function after(history: string, request: string): string {
  const move = moves.exec(request);
  return move === null ? history : move[1] === "load" ? request : history + request;
}

/** What a recorded simulator does wrong. */
export interface Flaw {
  /** The answer to this many requests; afterwards none comes, or the connection is gone. */
  readonly answers: number;
  readonly then: "hang" | "die";
}

/** A simulator that says what the recorded one said. */
export function recordedSimulator(flaw?: Flaw, stopped?: () => void): Promise<Simulator> {
  let history = "";
  let asked = 0;
  const line = {
    ask: (request: string) => {
      if (flaw !== undefined && asked++ >= flaw.answers) {
        return flaw.then === "die"
          ? Promise.reject(new Error("the connection ended"))
          : new Promise<string>(() => {});
      }
      history = after(history, request);
      const answer = answers.get(`${history}\u0000${request}`);
      return answer === undefined
        ? Promise.reject(new Error(`not recorded: ${request}`))
        : Promise.resolve(answer);
    },
    close: () => {},
  };
  return Simulator.over({
    client: new JavaClient(line),
    stop: () => {
      stopped?.();
      return Promise.resolve();
    },
  });
}
