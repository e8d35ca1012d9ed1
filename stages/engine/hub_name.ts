/** A model of the Hugging Face Hub: `org/name`, or `org/name@revision`. */
export interface HubName {
  /** `org/name` */
  readonly id: string;
  /** A branch, a tag or a commit. */
  readonly revision?: string;
}

/** What `text` names on the Hub, if it can name something there. */
export function hubName(text: string): HubName | undefined {
  const part = "\\w(?:[\\w.-]*\\w)?";
  const [, id, revision] = new RegExp(`^(${part}/${part})(?:@(${part}(?:/${part})*))?$`).exec(text) ?? [];
  if (id === undefined || /--|\.\./.test(text)) return undefined;
  return revision === undefined ? { id } : { id, revision };
}

/** `org/name@revision` for a name of the Hub without a revision; any other name as it is. */
export function pinned(name: string, revision: unknown): string {
  const hub = hubName(name);
  return typeof revision === "string" && hub !== undefined && hub.revision === undefined
    ? `${name}@${revision}`
    : name;
}
