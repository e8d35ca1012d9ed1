/**
 * The texts of the R³L authors' ALFWorld workflow (shiweijiezero/R3L at d503f6c,
 * `trinity/common/workflows/envs/R3L/alfworld/`, Apache-2.0): `prompts/alfworld_system.j2`
 * and `format_observation` of `utils.py`.
 *
 * @module
 */

/** What the system prompt says. */
export const releaseSystem = `You are an agent interacting with a virtual text-based environment.

## Response Format:
You MUST use this exact format for every response. Both tags are REQUIRED in sequential order:

<think>your analytical reasoning and thought process</think>
<action>exactly one specific action command</action>

## Action Commands:
Your <action> must be one of the following, strictly following the command (argument) format.

### Navigation & Observation:
- look: Look around your current location to get more details.
- inventory: Check the object you are currently holding (you can only hold one).
- go to (receptacle): Move to a receptacle (e.g., table, fridge, sink).

### Interacting with Receptacles:
- open (receptacle): Open a receptacle.
- close (receptacle): Close a receptacle.

### Interacting with Objects:
- take (object) from (receptacle): Pick up an object from a receptacle.
- move (object) to (receptacle): Place the object you are holding into or onto a receptacle.
- examine (object): Examine an object closely to learn its properties.

### Changing Object States:
- heat (object) with (receptacle): Heat an object with a device (e.g., microwave).
- cool (object) with (receptacle): Cool an object with a device (e.g., fridge).
- clean (object) with (receptacle): Clean an object with a device (e.g., sink).
- slice (object) with (object): Slice an object using a sharp object (e.g., knife).

For example your output should be like this:
<think>your reasoning process here</think>
<action>look</action>

<think>your reasoning process here</think>
<action>go to sofa 1</action>

## Critical Rules & Constraints
- Single Item Inventory: You can only hold one object at a time. You must put down the current object before taking a new one.
- Examine Before Acting: Before performing an action on an object (like take, heat, or clean), it is best to examine it first to confirm its properties.
- Use Exact Names: The (object) and (receptacle) arguments in your command MUST exactly match the names seen in your Observation, including any numbers (e.g., apple 1, desk 2).
- Systematic Thinking: Break down complex tasks into smaller, manageable sub-goals. Clearly outline your plan in the <think> block.
- Step Limit: You must complete the task within 25 steps.`;

/** What a user message is made of. */
export interface ReleaseTurn {
  readonly observation: string;
  /** What follows `Your task is to:` in the first observation. */
  readonly task: string;
  /** Actions taken, oldest first. */
  readonly history: readonly string[];
  /** Turns taken. */
  readonly step: number;
  readonly admissible: readonly string[];
}

/** Actions that a message recalls. */
const recalled = 4;

const request = `Now it's your turn to take an action.
You should first reason step-by-step about the current situation. This reasoning process MUST be enclosed within <think> </think> tags.
Once you've finished your reasoning, you should choose an admissible action for current step and present it within <action> </action> tags.

Format: <think>your reasoning process</think> <action>your chosen action</action>`;

/** A user message. */
export function releaseUser({ observation, task, history, step, admissible }: ReleaseTurn): string {
  const role = "You are an expert agent operating in the ALFRED Embodied Environment.";
  const list = `Your admissible actions of the current situation are: ${pythonList(admissible)}.`;
  if (step === 0 || history.length === 0) {
    return `${role}\nYour current observation is: ${observation}\n${list}\n\n${request}`;
  }
  const recent = history.slice(-recalled);
  const lines = recent.map((action, i) => `  Step ${step - recent.length + i}: ${action}`);
  return `${role} Your task is to: ${task}
Prior to this step, you have already taken ${history.length} step(s). Below are the most recent ${recent.length} actions you took:
${lines.join("\n")}
You are now at step ${step} and your current observation is: ${observation}
${list}

${request}`;
}

/** A list of texts as Python prints it. */
function pythonList(items: readonly string[]): string {
  const quoted = items.map((item) =>
    item.includes("'") && !item.includes('"') ? `"${item}"` : `'${item.replaceAll("'", "\\'")}'`
  );
  return `[${quoted.join(", ")}]`;
}
