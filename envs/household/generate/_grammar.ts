/** Where the task sentence goes. */
export const taskSlot = "UNKNOWN GOAL";

type Said = readonly [rhs: string, condition: string | undefined];

const rule = (name: string, ...productions: readonly Said[]) =>
  [name, productions.map(([rhs, condition]) => condition ? { condition, rhs } : { rhs })] as const;

const said = (text: string, condition?: string): Said => [text, condition];

const inside = "[{o.indefinite + ' ' + o.name | inreceptacle(o:object, r:receptacle)}]";
const here = "atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)";
const fallen = `atlocation(a:agent, l:location) & objectatlocation(o:object, l:location) & ` +
  `receptacleatlocation(r:receptacle, l:location) & not_inreceptacle(o:object, r:receptacle)`;
const is = (...predicates: string[]) => predicates.map((p) => `${p}(o:object)`).join(" & ");

const commands: readonly (readonly [string, string])[] = [
  ["look", "look around your current location"],
  ["inventory", "check your current inventory"],
  ["go to (receptacle)", "move to a receptacle"],
  ["open (receptacle)", "open a receptacle"],
  ["close (receptacle)", "close a receptacle"],
  ["take (object) from (receptacle)", "take an object from a receptacle"],
  ["move (object) to (receptacle)", "place an object in or on a receptacle"],
  ["examine (something)", "examine a receptacle or an object"],
  ["use (object)", "use an object"],
  ["heat (object) with (receptacle)", "heat an object using a receptacle"],
  ["clean (object) with (receptacle)", "clean an object using a receptacle"],
  ["cool (object) with (receptacle)", "cool an object using a receptacle"],
  ["slice (object) with (object)", "slice an object using a sharp object"],
];

const help = "Available commands:\n" +
  commands.map(([command, text]) => {
    // The original pads the one command whose wording was changed later by two columns less.
    const width = command.startsWith("move") ? 32 : 34;
    return `  ${(command + ":").padEnd(width)}${text}\n`;
  }).join("");

const rules = Object.fromEntries([
  rule("intro", said("-= Welcome to TextWorld, ALFRED! =-\n\n#look.feedback#\n\n#task#")),
  rule("task", said(`Your task is to: ${taskSlot}.`)),
  rule(
    "look.feedback",
    said("#facing#. Next to it, you see #floor#.", here),
    said("You are in the middle of a room. Looking quickly around you, you see #room#."),
  ),
  rule("facing", said(`You are facing the [{r.name | ${here}}]`)),
  rule("floor", said(`[{#overview(o)# | ${fallen}}]`, fallen), said("nothing")),
  rule(
    "room",
    said(
      "[{#overview(r)# | receptacleatlocation(r:receptacle, l:location)}]",
      "receptacleatlocation(r:receptacle, l:location)",
    ),
    said("nothing"),
  ),
  rule("overview(o)", said("{o.indefinite} {o.name}")),
  rule("overview(r)", said("{r.indefinite} {r.name or r.id}")),
  rule("list_empty", said("nothing")),
  rule("list_separator", said(", ")),
  rule("list_last_separator", said(", and ")),
  rule("goto", said("You arrive at {r.name}. #receptacle#")),
  rule("open", said("You open the {r.name}. #receptacle#")),
  rule("locked", said("The {r.name} is locked.")),
  rule("close", said("You close the {r.name}.")),
  rule("take", said("You pick up the {o.name} from the {r.name}.")),
  rule("move", said("You move the {o.name} to the {r.name}.")),
  rule("heat", said("You heat the {o.name} using the {r.name}.")),
  rule("cool", said("You cool the {o.name} using the {r.name}.")),
  rule("clean", said("You clean the {o.name} using the {r.name}.")),
  rule("broken", said("The {r.name} is broken. The {s.name} works.")),
  rule(
    "use",
    said("You turn on the {o.name}.", is("toggleable", "istoggled")),
    said("You turn off the {o.name}."),
  ),
  rule("slice", said("You sliced the {co.name} with the {ko.name}.")),
  rule(
    "inventory",
    said(
      "You are carrying: [{o.indefinite + ' ' + o.name | holds(a:agent, o:object)}].",
      "holdsany(a:agent)",
    ),
    said("You are not carrying anything."),
  ),
  rule("help", said(help)),
  rule(
    "receptacle",
    said(`The {r.name} is open. In it, you see ${inside}.`, "openable(r:receptacle) & opened(r:receptacle)"),
    said("The {r.name} is closed.", "openable(r:receptacle)"),
    said(`On the {r.name}, you see ${inside}.`),
  ),
  rule(
    "object",
    said("This is a normal {o.name}. In it, you see nothing.", is("isreceptacleobject")),
    said("This is a hot and clean sliced {o.name}.", is("isclean", "ishot", "issliced")),
    said("This is a cool and clean sliced {o.name}.", is("isclean", "iscool", "issliced")),
    said("This is a clean sliced {o.name}.", is("isclean", "issliced")),
    said("This is a hot sliced {o.name}.", is("ishot", "issliced")),
    said("This is a cool sliced {o.name}.", is("iscool", "issliced")),
    said("This is a hot and clean {o.name}.", is("isclean", "ishot")),
    said("This is a cool and clean {o.name}.", is("isclean", "iscool")),
    said("This is a hot {o.name}.", is("ishot")),
    said("This is a clean {o.name}.", is("isclean")),
    said("This is a cold {o.name}.", is("iscool")),
    said("This {o.name} is on.", is("toggleable", "istoggled")),
    said("This {o.name} is off.", is("toggleable", "not_istoggled")),
    said("This is a sliced {o.name}.", is("sliceable", "issliced")),
    said("There's nothing special about {o.name}."),
  ),
]);

const actions: readonly (readonly [action: string, template: string, rule: string])[] = [
  ["look", "look", "look.feedback"],
  ["inventory", "inventory", "inventory"],
  ["help", "help", "help"],
  ["examineReceptacle", "examine {r}", "receptacle"],
  ["examineObject", "examine {o}", "object"],
  ["GotoLocation", "go to {r}", "goto"],
  ["OpenObject", "open {r}", "open"],
  ["OpenLockedObject", "open {r}", "locked"],
  ["CloseObject", "close {r}", "close"],
  ["PickupObject", "take {o} from {r}", "take"],
  ["PutObject", "move {o} to {r}", "move"],
  ["CleanObject", "clean {o} with {r}", "clean"],
  ["CleanObjectBroken", "clean {o} with {r}", "broken"],
  ["CleanObjectInstead", "clean {o} with {r}", "clean"],
  ["HeatObject", "heat {o} with {r}", "heat"],
  ["HeatObjectBroken", "heat {o} with {r}", "broken"],
  ["HeatObjectInstead", "heat {o} with {r}", "heat"],
  ["CoolObject", "cool {o} with {r}", "cool"],
  ["ToggleObject", "use {o}", "use"],
  ["SliceObject", "slice {co} with {ko}", "slice"],
];

/** The household's text grammar, with {@link taskSlot} where the task sentence goes. */
export const householdGrammar = `grammar :: """\n${JSON.stringify(rules, null, 1)}\n""";\n\n` +
  actions.map(([action, template, name]) =>
    `action ${action} {\n    template :: "${template}";\n    feedback :: "#${name}#";\n}\n`
  ).join("\n");
