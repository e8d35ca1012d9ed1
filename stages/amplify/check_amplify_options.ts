import { ConfigError } from "../errors.ts";
import { amplifications } from "./amplifications.ts";
import type { AmplifyOptions } from "./amplify_options.ts";
import { estimators } from "./estimators.ts";

/** Throws {@link ConfigError} that lists every option with an unknown name or a value out of range. */
export function checkAmplifyOptions(options: AmplifyOptions): void {
  const faults: { path: string; message: string }[] = [];
  const oneOf = (path: string, value: unknown, known: readonly unknown[]) => {
    if (value !== undefined && !known.includes(value)) {
      faults.push({ path, message: `${JSON.stringify(value)} is none of ${known.join(", ")}` });
    }
  };
  oneOf("estimator", options.estimator, Object.keys(estimators));
  oneOf("amplification", options.amplification, Object.keys(amplifications));
  oneOf("scale", options.scale, ["std", "none", false]);
  oneOf("ddof", options.ddof, [0, 1]);
  oneOf("flatGroups", options.flatGroups, ["zero", "raw"]);
  oneOf("baseline", options.baseline, ["mean", "logavgexp"]);
  for (const path of ["alpha", "tau"] as const) {
    const value = options[path];
    if (value !== undefined && !(value > 0 && Number.isFinite(value))) {
      faults.push({ path, message: `${value} is not a positive number` });
    }
  }
  if (options.eps !== undefined && !(options.eps >= 0)) {
    faults.push({ path: "eps", message: `${options.eps} is negative` });
  }
  if (faults.length > 0) throw new ConfigError({ source: "amplify", faults });
}
