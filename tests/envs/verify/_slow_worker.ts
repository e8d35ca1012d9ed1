/** A worker that answers, hangs or throws, as it is asked. */
const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<{ name: string; args: readonly string[] }>) => void;
  postMessage(answer: unknown): void;
};
scope.onmessage = ({ data: { name, args } }) => {
  if (name === "hang") { for (;;); }
  if (name === "throw") throw new Error("on request");
  scope.postMessage({ ok: true, category: "ok", extracted: args[0], reason: "" });
};
scope.postMessage("ready");
