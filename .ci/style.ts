/**
 * The house rules that a program can check: short files, no clock or unseeded
 * random numbers in stages and environments, nothing from outside the project.
 *
 * @module
 */

interface Rule {
  readonly name: string;
  readonly applies: (path: string) => boolean;
  readonly pattern: RegExp;
}

/** Longest file, in lines. */
const LONGEST = 300;

const product = /^(stages|envs|pipelines)\/|^mod\.ts$/;
const pure = /^(stages|envs)\//;

const rules: readonly Rule[] = [
  {
    name: "clock or random numbers outside the services",
    applies: (path) => pure.test(path),
    pattern: /Math\.random|Date\.now|new Date\(|performance\.now/,
  },
  {
    name: "stages import from pipelines",
    applies: (path) => path.startsWith("stages/"),
    pattern: /from "[^"]*pipelines\//,
  },
  {
    name: "unfinished work",
    applies: (path) => product.test(path),
    pattern: /\b(TODO|FIXME|XXX)\b/,
  },
  {
    name: "something outside the project",
    applies: (path) => !path.startsWith(".ci/"),
    pattern: /\.\.\/shared\//,
  },
  {
    name: "model text evaluated",
    applies: (path) => product.test(path),
    pattern: /\beval\(|new Function\(/,
  },
];

function* filesBelow(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory && !/^(node_modules|runs|fixtures|coverage|\.git)$/.test(entry.name)) {
      yield* filesBelow(path);
    }
    if (entry.isFile && /\.(ts|js)$/.test(entry.name)) yield path;
  }
}

const faults: string[] = [];
let files = 0;
for (const path of filesBelow(".")) {
  files++;
  const lines = Deno.readTextFileSync(path).replace(/\n$/, "").split("\n");
  if (product.test(path) && lines.length > LONGEST) {
    faults.push(`${path}: ${lines.length} lines, at most ${LONGEST}`);
  }
  for (const rule of rules.filter(({ applies }) => applies(path))) {
    lines.forEach((line, i) => {
      if (rule.pattern.test(line)) faults.push(`${path}:${i + 1}: ${rule.name}: ${line.trim()}`);
    });
  }
}
faults.forEach((fault) => console.error(fault));
console.log(`${files} files, ${faults.length} faults`);
Deno.exit(faults.length === 0 ? 0 : 1);
