// The reader of attempts: picks a group and a base attempt, shows base and
// retries side by side. All text enters the page as text nodes, never as HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("reader");

/** An element with a class, attributes and children (strings become text nodes). */
function element(name, className, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

function select(label, onChange) {
  const node = element("select");
  node.addEventListener("change", onChange);
  return { node, field: element("label", "", label, node) };
}

function fill(node, entries) {
  node.replaceChildren(...entries.map(([value, text]) => {
    const option = element("option", "", text);
    option.value = String(value);
    return option;
  }));
}

/** Green for positive, orange for negative; the stronger the larger, full at 3. */
function advantageColour(advantage) {
  const strength = 0.15 + 0.6 * Math.min(1, Math.abs(advantage) / 3);
  if (advantage === 0) return "rgba(9, 105, 218, 0.14)";
  return advantage > 0 ? `rgba(26, 163, 74, ${strength})` : `rgba(234, 88, 12, ${strength})`;
}

function tokenNode(member, t) {
  const text = data.texts[member.tokens[t]];
  const state = member.state[t];
  const shown = text.replaceAll("\n", "\u23ce").replaceAll("\t", "\u21e5");
  const node = element(
    "span",
    `token ${["context", "masked", "trained"][state]}`,
    shown === "" ? "\u2205" : shown,
  );
  if (state === "2") node.style.background = advantageColour(member.advantage);
  const what = ["context, not sampled", "sampled, masked", "sampled, trained"][state];
  const logprob = state === "0" ? "" : `, log-probability ${member.logprobs[t]}`;
  const advantage = state === "2" ? `, advantage ${member.advantage.toFixed(3)}` : "";
  node.title = `${JSON.stringify(text)} id ${member.ids[t]}, position ${t}: ${what}${logprob}${advantage}`;
  return node;
}

/** Where a line starts: at line breaks of the text or, if it has none, at special tokens that open a message. */
function startsLine(member, t) {
  if (t === 0) return false;
  const textAt = (i) => data.texts[member.tokens[i]] ?? "";
  if (member.tokens.some((_, i) => textAt(i).includes("\n"))) {
    return textAt(t).startsWith("\n") || textAt(t - 1).endsWith("\n");
  }
  const special = (text) => /^<[^>]+>$/.test(text);
  return special(textAt(t)) && !special(textAt(t + 1));
}

function tokensNode(member) {
  const node = element("div", "tokens");
  member.tokens.forEach((_, t) => {
    if (member.pivot !== null && t === member.prefixLength) {
      node.append(element("div", "pivot", `pivot: turn ${member.pivot}`));
    } else if (startsLine(member, t)) node.append(element("br"));
    node.append(tokenNode(member, t), " ");
  });
  return node;
}

const kinds = {
  base: "Base attempt",
  reflection: "Reflection on attempt",
  demonstration: "Row of the data file",
};

/** What a row is: `Base attempt 2`, `Retry of attempt 2`, or with several of them `Retry 1 of attempt 2`. */
function nameOf({ kind, attempt }, number) {
  if (kind !== "retry") return `${kinds[kind] ?? kind} ${attempt}`;
  return `Retry${number === null ? "" : ` ${number}`} of attempt ${attempt}`;
}

function memberNode(member, number, note) {
  const trained = [...member.state].filter((state) => state === "2").length;
  const reward = member.reward === null ? "no reward" : `reward ${member.reward}`;
  return element(
    "article",
    "member",
    element(
      "header",
      "",
      element("b", "", nameOf(member, number)),
      ...(member.reflective ? [" \u00b7 shown a failed attempt"] : []),
      " \u00b7 ",
      element("span", member.won ? "won" : "lost", member.won ? "won" : "not won"),
      ` \u00b7 ${reward} \u00b7 advantage ${
        member.advantage.toFixed(3)
      } \u00b7 ${trained} of ${member.tokens.length} tokens train`,
      ...(member.feedback ? [element("div", "muted", `Feedback: ${member.feedback}`)] : []),
      ...(note ? [element("div", "muted", note)] : []),
    ),
    tokensNode(member),
  );
}

function diagnosisNode(diagnosis) {
  if (!diagnosis) return element("div", "diagnosis", "No diagnosis of this attempt.");
  const { retry } = diagnosis;
  const node = element(
    "div",
    "diagnosis",
    element("b", "", retry === undefined ? "Diagnosis" : `Diagnosis of retry ${retry + 1}`),
  );
  if (diagnosis.report) {
    const list = element("dl");
    for (const [name, value] of Object.entries(diagnosis.report)) {
      list.append(
        element("dt", "", name.replaceAll("_", " ")),
        element("dd", "", value === null ? "none" : String(value)),
      );
    }
    node.append(list);
  } else node.append(` has no valid report: ${diagnosis.invalid ?? "unknown reason"}`);
  node.append(
    element("details", "", element("summary", "muted", "as written"), element("pre", "", diagnosis.text)),
  );
  return node;
}

function swatch(className, colour, text) {
  const sample = element("span", `token ${className}`, "token");
  if (colour !== null) sample.style.background = advantageColour(colour);
  return element("span", "", sample, ` ${text}`);
}

function show() {
  const group = data.groups[Number(task.node.value)];
  const attempt = Number(base.node.value);
  const retries = group.retries.filter((retry) => retry.base === attempt);
  const members = group.members.filter((member) => member.attempt === attempt);
  const nodes = members.map((member) => {
    if (member.kind === "base") return memberNode(member, null, "");
    const order = member.order ?? 0;
    const retry = retries.find((one) => (one.order ?? 0) === order);
    const diverged = retry?.diverged ? " (the environment answered differently)" : "";
    const from = retry?.parent === undefined ? "" : `Branches off from retry ${retry.parent + 1}. `;
    return memberNode(
      member,
      retries.length > 1 ? order + 1 : null,
      retry ? `${from}Guidance, dropped before training: ${retry.guidance}${diverged}` : "",
    );
  });
  const diagnoses = group.diagnoses.filter((diagnosis) => diagnosis.attempt === attempt);
  body.replaceChildren(
    ...(diagnoses.length === 0 ? [undefined] : diagnoses).map(diagnosisNode),
    element("div", "pair", ...nodes),
  );
}

/** The attempt that a retry did better than, or undefined. */
function improvedAttempt({ members }) {
  const bases = new Map(
    members.filter(({ kind }) => kind === "base").map(({ attempt, reward }) => [attempt, reward]),
  );
  const isBetter = ({ kind, attempt, reward }) => {
    const before = bases.get(attempt) ?? null;
    return kind === "retry" && reward !== null && before !== null && reward > before;
  };
  return members.find(isBetter)?.attempt;
}

function showTask() {
  const group = data.groups[Number(task.node.value)];
  const attempts = [...new Set(group.members.map((member) => member.attempt))];
  const retried = new Set(group.retries.map((retry) => retry.base));
  fill(
    base.node,
    attempts.map((attempt) => {
      const member = group.members.find((one) => one.kind === "base" && one.attempt === attempt);
      const outcome = member?.won ? "won" : "not won";
      return [attempt, `${attempt}: ${outcome}${retried.has(attempt) ? ", retried" : ""}`];
    }),
  );
  const first = improvedAttempt(group) ?? attempts.find((attempt) => retried.has(attempt));
  if (first !== undefined) base.node.value = String(first);
  show();
}

function showStep() {
  const entries = data.groups.map((group, i) => [i, group]).filter(([, group]) =>
    String(group.step) === step.node.value
  );
  fill(task.node, entries.map(([i, group]) => [i, `${group.task.kind}: ${group.task.id}`]));
  const improved = entries.find(([, group]) => improvedAttempt(group) !== undefined);
  if (improved !== undefined) task.node.value = String(improved[0]);
  showTask();
}

const step = select("step", showStep);
const task = select("task", showTask);
const base = select("attempt", show);
const body = element("div");

if (data.groups.length === 0) {
  root.replaceChildren("This run has no record of attempts (log.attempts_every).");
} else {
  const steps = [...new Set(data.groups.map((group) => group.step))];
  fill(step.node, steps.map((value) => [value, String(value)]));
  const telling = data.groups.findLast((group) => improvedAttempt(group) !== undefined);
  step.node.value = String(telling?.step ?? steps.at(-1));
  root.replaceChildren(
    element("div", "controls", step.field, task.field, base.field),
    element(
      "div",
      "legend",
      swatch("context", null, "context"),
      swatch("masked", null, "sampled, not trained"),
      swatch("trained", 3, "trained, advantage +3"),
      swatch("trained", 0.5, "+0.5"),
      swatch("trained", 0, "0"),
      swatch("trained", -0.5, "-0.5"),
      swatch("trained", -3, "-3"),
      element("span", "muted", "Hover a token for its id, log-probability and advantage."),
    ),
    ...(data.omitted > 0
      ? [element("p", "muted", `${data.omitted} groups are left out of this page; attempts.jsonl has all.`)]
      : []),
    body,
  );
  showStep();
}
