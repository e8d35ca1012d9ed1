import type { LlamaConfig } from "../../../stages/engine/llama_config.ts";
import type { Tensor } from "../../../stages/engine/weights.ts";

/**
 * A Llama forward pass in plain float64 loops, written from the equations of the
 * model (RMSNorm, rotary embeddings by `rotate_half`, grouped-query attention,
 * SwiGLU) without any cache: the logits after every position, [length][vocab].
 */
export function referenceLogits(
  config: LlamaConfig,
  weights: ReadonlyMap<string, Tensor>,
  ids: readonly number[],
): number[][] {
  const { hiddenSize: d, heads, kvHeads, headDim: hd } = config;
  const w = (name: string) => weights.get(name)!.data;
  const row = (data: Float32Array, i: number, width: number) =>
    Array.from(data.subarray(i * width, (i + 1) * width));
  const linear = (x: number[], data: Float32Array): number[] => {
    const out: number[] = [];
    for (let o = 0; o < data.length / x.length; o++) {
      let sum = 0;
      for (let i = 0; i < x.length; i++) sum += x[i] * data[o * x.length + i];
      out.push(sum);
    }
    return out;
  };
  const norm = (x: number[], scale: Float32Array) => {
    const mean = x.reduce((a, b) => a + b * b, 0) / x.length;
    return x.map((v, i) => v / Math.sqrt(mean + config.rmsNormEps) * scale[i]);
  };
  const rotate = (x: number[], position: number) =>
    x.map((v, i) => {
      const j = i % (hd / 2);
      const angle = position * config.ropeTheta ** (-2 * j / hd);
      const partner = i < hd / 2 ? -x[i + hd / 2] : x[i - hd / 2];
      return v * Math.cos(angle) + partner * Math.sin(angle);
    });
  const headsOf = (x: number[], n: number) =>
    Array.from({ length: n }, (_, h) => x.slice(h * hd, (h + 1) * hd));

  let xs = ids.map((id) => row(w("model.embed_tokens.weight"), id, d));
  for (let l = 0; l < config.layers; l++) {
    const p = (part: string) => w(`model.layers.${l}.${part}.weight`);
    const hs = xs.map((x) => norm(x, p("input_layernorm")));
    const q = hs.map((h, t) => headsOf(linear(h, p("self_attn.q_proj")), heads).map((x) => rotate(x, t)));
    const k = hs.map((h, t) => headsOf(linear(h, p("self_attn.k_proj")), kvHeads).map((x) => rotate(x, t)));
    const v = hs.map((h) => headsOf(linear(h, p("self_attn.v_proj")), kvHeads));
    xs = xs.map((x, t) => {
      const attended = q[t].flatMap((query, h) => {
        const kv = Math.floor(h / (heads / kvHeads));
        const scores = Array.from(
          { length: t + 1 },
          (_, s) => query.reduce((sum, value, i) => sum + value * k[s][kv][i], 0) / Math.sqrt(hd),
        );
        const probabilities = softmax(scores);
        return query.map((_, i) => probabilities.reduce((sum, weight, s) => sum + weight * v[s][kv][i], 0));
      });
      return add(x, linear(attended, p("self_attn.o_proj")));
    });
    xs = xs.map((x) => {
      const h = norm(x, p("post_attention_layernorm"));
      const gate = linear(h, p("mlp.gate_proj"));
      const up = linear(h, p("mlp.up_proj"));
      return add(x, linear(gate.map((g, i) => g / (1 + Math.exp(-g)) * up[i]), p("mlp.down_proj")));
    });
  }
  const head = w(config.tied ? "model.embed_tokens.weight" : "lm_head.weight");
  return xs.map((x) => linear(norm(x, w("model.norm.weight")), head));
}

/** softmax(scores). */
export function softmax(scores: readonly number[]): number[] {
  const top = Math.max(...scores);
  const exps = scores.map((s) => Math.exp(s - top));
  const total = exps.reduce((a, b) => a + b, 0);
  return exps.map((e) => e / total);
}

/** Log-probability at `temperature` of each of `ids` from index `from` on, given those before it. */
export function referenceLogprobs(
  config: LlamaConfig,
  weights: ReadonlyMap<string, Tensor>,
  ids: readonly number[],
  from: number,
  temperature = 1,
): number[] {
  const logits = referenceLogits(config, weights, ids);
  return ids.slice(from).map((id, i) =>
    Math.log(softmax(logits[from + i - 1].map((x) => x / temperature))[id])
  );
}

function add(a: number[], b: number[]): number[] {
  return a.map((x, i) => x + b[i]);
}
