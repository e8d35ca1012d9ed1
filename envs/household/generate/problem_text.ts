import { canContain, objectTypes, receptacleTypes } from "../catalog.ts";
import { changeOf, type Goal } from "../goal.ts";
import { domainTypes } from "./_domain.ts";
import type { Layout } from "./layout.ts";

/** Things that can hold others in ALFWorld; `examine` answers for them in its own way. */
const vessels = new Set(["mug", "cup", "plate", "bowl", "pan", "pot", "box"]);
const sliceable = new Set(["apple", "potato", "tomato", "bread", "lettuce"]);

const changed = {
  heat: ["heatable", "ishot"],
  cool: ["coolable", "iscool"],
  clean: ["cleanable", "isclean"],
} as const;

/**
 * The problem in PDDL. Ids are made so that the numbers shown come out as laid
 * out: of n things of a type, ids count down while numbers count up.
 */
export function problemText(goal: Goal, { receptacles, objects }: Layout, name: string): string {
  const receptacleIds = receptacles.map((r) => {
    const id = `_bar_${digits(count(receptacles, r.type) - r.number)}`;
    const basin = /^(.+)basin$/.exec(r.type);
    return basin ? `${basin[1]}${id}_bar_${r.type}` : r.type + id;
  });
  const objectIds = objects.map((o) => `${o.type}_bar_${digits(count(objects, o.type) - o.number)}`);
  const rtypes = unique(receptacles.map((r) => r.type));
  const otypes = unique(objects.map((o) => o.type));
  const locations = unique(receptacles.map((r) => `loc_bar_${r.location}`));
  const facts: string[] = ["atlocation agent1 loc_bar_0"];
  receptacles.forEach((r, i) => {
    const id = receptacleIds[i];
    facts.push(`receptacletype ${id} ${r.type}type`, `receptacleatlocation ${id} loc_bar_${r.location}`);
    if (receptacleTypes[r.type].openable) facts.push(`openable ${id}`);
    if (r.locked) facts.push(`locked ${id}`);
    if (r.broken) facts.push(`broken ${id}`);
  });
  objects.forEach((o, i) => {
    const id = objectIds[i];
    const place = receptacles[o.receptacle];
    facts.push(
      `objecttype ${id} ${o.type}type`,
      `inreceptacle ${id} ${receptacleIds[o.receptacle]}`,
      `objectatlocation ${id} loc_bar_${place.location}`,
      o.type === "desklamp" ? `toggleable ${id}` : `pickupable ${id}`,
    );
    for (const change of objectTypes[o.type].changes) facts.push(`${changed[change][0]} ${id}`);
    if (vessels.has(o.type)) facts.push(`isreceptacleobject ${id}`);
    if (sliceable.has(o.type)) facts.push(`sliceable ${id}`);
    if (o.cool) facts.push(`iscool ${id}`);
  });
  for (const r of rtypes) {
    for (const o of otypes) if (canContain(r, o)) facts.push(`cancontain ${r}type ${o}type`);
  }
  const declared = (ids: readonly string[], type: string) => ids.map((id) => `  ${id} - ${type}`);
  return [
    `(define (problem ${name})`,
    " (:domain household)",
    " (:objects",
    "  agent1 - agent",
    ...declared(["loc_bar_0", ...locations], "location"),
    ...declared(receptacleIds, "receptacle"),
    ...declared(objectIds, "object"),
    ...declared(unique([...rtypes.map((t) => t + "type"), ...domainTypes.rtype]), "rtype"),
    ...declared(
      unique([...otypes, goal.target].map((t) => t + "type").concat(domainTypes.otype)),
      "otype",
    ),
    " )",
    " (:init",
    ...facts.map((f) => `  (${f})`),
    " )",
    ` (:goal ${goalText(goal)})`,
    ")\n",
  ].join("\n");
}

function goalText({ kind, target, destination }: Goal): string {
  const is = (o: string) => `(objecttype ${o} ${target}type)`;
  if (kind === "look_at_obj_in_light") {
    return `(and
  (exists (?ot - object ?r - receptacle ?a - agent ?l - location)
   (and (objecttype ?ot ${destination}type) (toggleable ?ot) (istoggled ?ot) (receptacleatlocation ?r ?l)
        (atlocation ?a ?l) (inreceptacle ?ot ?r)))
  (exists (?o - object ?a - agent) (and ${is("?o")} (holds ?a ?o))))`;
  }
  const place = `(receptacletype ?r ${destination}type)`;
  if (kind === "pick_two_obj_and_place") {
    return `(exists (?r - receptacle) (exists (?o1 - object)
  (and ${is("?o1")} ${place} (inreceptacle ?o1 ?r)
   (exists (?o2 - object) (and (not (= ?o1 ?o2)) ${is("?o2")} ${place} (inreceptacle ?o2 ?r))))))`;
  }
  const change = changeOf(kind);
  const state = change ? changed[change].map((p) => `(${p} ?o)`).join(" ") + " " : "";
  return `(exists (?r - receptacle) (exists (?o - object)
  (and ${state}${is("?o")} ${place} (inreceptacle ?o ?r))))`;
}

const digits = (n: number) => String(n).padStart(2, "0");
const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];
const count = (items: readonly { readonly type: string }[], type: string) =>
  items.filter((i) => i.type === type).length;
