import type { LlamaConfig } from "../../../stages/engine/llama_config.ts";
import type { Tensor } from "../../../stages/engine/weights.ts";

/**
 * A Llama forward pass written from the published equations in plain loops and
 * float64, one sequence and one position at a time, for comparison only.
 * Returns log-probability and entropy of each token (entry 0 is 0).
 */
export function referenceLlama(
  config: LlamaConfig,
  weights: ReadonlyMap<string, Tensor>,
  ids: readonly number[],
  temperature = 1,
): { logprobs: number[]; entropy: number[] } {
  const w = (name: string) => weights.get(name)!.data;
  const { hiddenSize, heads, kvHeads, headDim, vocabSize } = config;
  const embedding = w("model.embed_tokens.weight");
  let xs = ids.map((id) => Array.from(embedding.subarray(id * hiddenSize, (id + 1) * hiddenSize)));
  for (let l = 0; l < config.layers; l++) {
    const p = `model.layers.${l}`;
    const hs = xs.map((x) => norm(x, w(`${p}.input_layernorm.weight`), config.rmsNormEps));
    const qs = hs.map((h, t) => rotateHeads(times(w(`${p}.self_attn.q_proj.weight`), h), t, config));
    const ks = hs.map((h, t) => rotateHeads(times(w(`${p}.self_attn.k_proj.weight`), h), t, config));
    const vs = hs.map((h) => times(w(`${p}.self_attn.v_proj.weight`), h));
    xs = xs.map((x, t) => {
      const mixed: number[] = [];
      for (let head = 0; head < heads; head++) {
        const kv = Math.floor(head / (heads / kvHeads)) * headDim;
        const q = qs[t].slice(head * headDim, (head + 1) * headDim);
        const scores = Array.from(
          { length: t + 1 },
          (_, s) => dot(q, ks[s].slice(kv, kv + headDim)) / Math.sqrt(headDim),
        );
        const a = logSoftmax(scores).map(Math.exp);
        for (let i = 0; i < headDim; i++) mixed.push(a.reduce((sum, as, s) => sum + as * vs[s][kv + i], 0));
      }
      const y = plus(x, times(w(`${p}.self_attn.o_proj.weight`), mixed));
      const h = norm(y, w(`${p}.post_attention_layernorm.weight`), config.rmsNormEps);
      const gate = times(w(`${p}.mlp.gate_proj.weight`), h);
      const up = times(w(`${p}.mlp.up_proj.weight`), h);
      const inner = gate.map((g, i) => g / (1 + Math.exp(-g)) * up[i]);
      return plus(y, times(w(`${p}.mlp.down_proj.weight`), inner));
    });
  }
  const head = config.tied ? embedding : w("lm_head.weight");
  const logprobs = [0];
  const entropy = [0];
  for (let t = 1; t < ids.length; t++) {
    const h = norm(xs[t - 1], w("model.norm.weight"), config.rmsNormEps);
    const logits = times(head, h);
    if (logits.length !== vocabSize) throw new Error("head size");
    const logp = logSoftmax(logits.map((z) => z / temperature));
    logprobs.push(logp[ids[t]]);
    entropy.push(-logp.reduce((sum, lp) => sum + Math.exp(lp) * lp, 0));
  }
  return { logprobs: logprobs.slice(0, ids.length), entropy: entropy.slice(0, ids.length) };
}

function times(matrix: Float32Array, x: readonly number[]): number[] {
  return Array.from(
    { length: matrix.length / x.length },
    (_, row) => x.reduce((sum, v, i) => sum + v * matrix[row * x.length + i], 0),
  );
}

function norm(x: readonly number[], w: Float32Array, eps: number): number[] {
  const rms = Math.sqrt(dot(x, x) / x.length + eps);
  return x.map((v, i) => v / rms * w[i]);
}

/** Pairs (i, i + headDim/2) of each head turn by position·θ^(−2i/headDim). */
function rotateHeads(x: readonly number[], position: number, { headDim, ropeTheta }: LlamaConfig): number[] {
  const y = [...x];
  const half = headDim / 2;
  for (let start = 0; start < x.length; start += headDim) {
    for (let i = 0; i < half; i++) {
      const angle = position / Math.pow(ropeTheta, 2 * i / headDim);
      const [a, b] = [x[start + i], x[start + half + i]];
      y[start + i] = a * Math.cos(angle) - b * Math.sin(angle);
      y[start + half + i] = b * Math.cos(angle) + a * Math.sin(angle);
    }
  }
  return y;
}

function logSoftmax(z: readonly number[]): number[] {
  const max = Math.max(...z);
  const norm = max + Math.log(z.reduce((sum, v) => sum + Math.exp(v - max), 0));
  return z.map((v) => v - norm);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, v, i) => sum + v * b[i], 0);
}

function plus(a: readonly number[], b: readonly number[]): number[] {
  return a.map((v, i) => v + b[i]);
}
