import type { Layer } from "effect";
import type { FileError } from "../../stages/errors.ts";
import type { Environment, Json } from "../env.ts";
import type { EnvironmentChoice } from "../environment_choice.ts";
import { questionLayer } from "../question/question_layer.ts";
import { readRows } from "../rows/read_rows.ts";
import { text } from "../rows/row.ts";
import { rowTasks } from "../rows/row_tasks.ts";
import { callRow } from "./call_row.ts";
import { callFormat, callQuestion } from "./format.ts";
import { type GoldJson, goldOf, goldReply } from "./gold_json.ts";
import { verifyFunctionCall } from "./verify_function_call.ts";

/**
 * Requests that tools answer, from data files of xLAM or BFCL. A BFCL file's answers are
 * read from `possible_answer/` beside it; in a file of irrelevant tools nothing is to be called.
 */
export function functionCall(choice: EnvironmentChoice): Layer.Layer<Environment, FileError> {
  const attempts = choice.maxTurns ?? 1;
  const adapter = choice.callFormat;
  return questionLayer({
    name: "function_call",
    format: callFormat(adapter),
    timeoutMs: choice.timeoutMs,
    verify: (reply, gold) => verifyFunctionCall(reply, goldOf(gold), { adapter }),
    unparseable: ["format"],
    solution: (gold) => adapter === "json" ? goldReply(gold as unknown as GoldJson) : null,
    tasks: (warn) =>
      rowTasks({
        name: "function_call",
        files: choice.files,
        badRows: choice.badRows,
        parser: async (path) => {
          const truths = await groundTruths(path, choice.badRows);
          return (row, index) => {
            const { id, query, tools, gold, kind } = callRow(row, index, truths(row.id));
            const question = callQuestion(tools, query);
            return { id, kind, payload: { question, gold: { ...gold }, attempts } };
          };
        },
      }, warn),
  });
}

/** BFCL's answers by id, read as strictly as their questions: a question whose answer was left out is malformed too. */
export async function groundTruths(
  path: string,
  badRows = 0,
): Promise<(id: Json | undefined) => Json | undefined> {
  const file = path.slice(path.lastIndexOf("/") + 1);
  if (/irrelevance/.test(file)) return () => [];
  const answers = `${path.slice(0, path.length - file.length)}possible_answer/${file}`;
  try {
    await Deno.stat(answers);
  } catch {
    return () => undefined;
  }
  const { rows } = await readRows(answers, (row) => [text(row, "id"), row.ground_truth] as const, badRows);
  const byId = new Map<Json | undefined, Json>(rows);
  return (id) => byId.get(id);
}
