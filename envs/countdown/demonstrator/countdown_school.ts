import { Rng } from "../../../stages/seed.ts";
import type { Curriculum, Lesson, School } from "../../demonstrator.ts";
import type { ExpertDiagnosis, Task } from "../../env.ts";
import { Question } from "../../question/question.ts";
import { countdownFormat } from "../format.ts";
import { operatorsOf } from "../operators_of.ts";
import { type PairOperator, pairOperators } from "../pair_operators.ts";
import { largestPair, pairTasks } from "../pair_tasks.ts";
import { countdownTasks } from "../tasks.ts";
import { type CountdownGold, verifyCountdown } from "../verify_countdown.ts";
import { pairFlaws } from "./pair_flaws.ts";
import { PairStudent } from "./pair_student.ts";

/** Share of failed answers that are also repeated under another advice, which is followed too. */
const FOREIGN_SHARE = 0.5;

/**
 * Countdown's demonstrator over the training tasks of level 0, again from the first one
 * when they end: an answer with errors and a reflection on it; after a failure the
 * answer that the reflection asks for, and one that repairs the failed answer where
 * the first message shows it. Advice is always followed, right or wrong.
 */
export function countdownSchool(): School {
  const golds = pairTasks("train");
  const tasks = countdownTasks(0, 1);
  const question = new Question({
    name: "countdown",
    verify: (reply, gold) => verifyCountdown(reply, gold as unknown as CountdownGold),
    unparseable: [],
    solution: () => null,
  });
  return {
    lessons: (index, curriculum) => {
      const place = index % golds.length;
      return lessonsOf(question, tasks.task("train", place) as Task, golds[place], curriculum, index);
    },
    format: countdownFormat,
    phrases: [
      "Using the numbers",
      ", write an expression that equals",
      "\n" + countdownFormat.user(question.reset(tasks.task("train", 0) as Task), 0, "").split("\n")[1],
      "<answer>",
      "</answer>",
      "Wrong.\nFailure: wrong answer.\nReflect:",
      "Right.\nSuccess.\nReflect:",
      '{"trajectory_summary":"one answer","root_cause_analysis":',
      '"wrong operator","trajectory_outcome":"failure","improvement_suggestion":"try',
      '","retry_from_step":0}',
      'null,"trajectory_outcome":"success","improvement_suggestion":null,"retry_from_step":null}',
      "\nGuidance: try",
    ],
    words: [
      ...Array.from({ length: largestPair.target }, (_, k) => [` ${k + 1}`, String(k + 1)]).flat(),
      ...pairOperators.flatMap((operator) => [operator, ` ${operator}`]),
    ],
  };
}

function lessonsOf(
  question: Question,
  task: Task,
  gold: CountdownGold,
  curriculum: Curriculum,
  index: number,
): readonly Lesson[] {
  const rng = new Rng(`demonstrate/countdown/${curriculum}/${index}`);
  const right = operatorsOf(gold);
  const student = new PairStudent(right, pairFlaws[curriculum], rng);
  const said = student.answer();
  const play = (operator: PairOperator): Lesson => {
    const first = question.reset(task);
    const action = answer(gold, operator);
    const last = question.step(action);
    if (last instanceof Promise) throw new TypeError("the verdict is not at once");
    return {
      task,
      turns: [first, last],
      actions: [action],
      from: 0,
      guidance: "",
      feedback: question.feedback(),
    };
  };
  const base = play(said);
  if (right.includes(said)) return [{ ...base, diagnosis: success }];
  const repaired = student.mend(said, "reflection");
  const other = student.another(repaired);
  return [
    { ...base, diagnosis: failure(advice(gold, repaired)) },
    { ...play(repaired), guidance: advice(gold, repaired) },
    ...(rng.chance(FOREIGN_SHARE) ? [{ ...play(other), guidance: advice(gold, other) }] : []),
    { ...play(student.mend(said, "repair")), shown: base.actions[0] },
  ];
}

const answer = (gold: CountdownGold, operator: PairOperator) =>
  `<answer>${expression(gold, operator)}</answer>`;
const expression = ({ nums: [a, b] }: CountdownGold, operator: PairOperator) => `${a} ${operator} ${b}`;
const advice = (gold: CountdownGold, operator: PairOperator) => `try ${expression(gold, operator)}`;
const success: ExpertDiagnosis = {
  success: true,
  summary: "one answer",
  cause: "",
  pivot: 0,
  suggestion: "",
};
const failure = (suggestion: string): ExpertDiagnosis => ({
  success: false,
  summary: "one answer",
  cause: "wrong operator",
  pivot: 0,
  suggestion,
});
