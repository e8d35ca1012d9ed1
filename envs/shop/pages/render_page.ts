import { pythonJson } from "../python_text.ts";
import type { Session } from "../session.ts";
import { type PageNode, pageNodes, type PageOptions } from "./page_nodes.ts";

/** How a page is written: WebShop's observation modes. */
export type PageMode = "text" | "text_rich";

/**
 * A session's page as text. `text` joins the page's texts by ` [SEP] `;
 * `text_rich` has a line for each and marks what can be clicked and what was.
 */
export function renderPage(session: Session, mode: PageMode, options: PageOptions): string {
  const nodes = pageNodes(session, options).map(collapsed).filter(({ text }) => text !== "" && text !== "\n");
  if (mode === "text") return nodes.map(({ text }) => text.trim()).join(" [SEP] ");
  const address = addressOf(session);
  let above = "";
  let body = "";
  for (const { kind, text } of nodes) {
    const clicked = kind === "option"
      ? address.includes(`"${text}"`)
      : kind === "product" && session.visited.includes(text);
    if (kind === "option" && clicked) {
      // The original puts the line before all that is there already.
      above = `You have clicked ${text}.\n${above}`;
    }
    body += line(kind, text, clicked) + "\n";
  }
  return above + body;
}

function line(kind: PageNode["kind"], text: string, clicked: boolean): string {
  if (kind === "text") return text;
  const mark = clicked ? "clicked button" : "button";
  const lead = kind === "option" ? "  " : kind === "product" ? "\n" : "";
  return `${lead}[${mark}] ${text} [${mark}_]`;
}

/**
 * The end of an item page's address. The original takes an option's value for
 * chosen if it stands there in quotes: one that is not ASCII never does, one that
 * equals an option's name does.
 */
function addressOf({ page, keywords, number, options }: Session): string {
  return page === "item_page" ? `${(keywords ?? []).join("+")}/${number}/${pythonJson(options)}` : "";
}

/** The original's HTML parser makes white space one space, or one newline if it has one. */
function collapsed(node: PageNode): PageNode {
  if (node.text === "" || /[^\t\n\f\r ]/.test(node.text)) return node;
  return { ...node, text: node.text.includes("\n") ? "\n" : " " };
}
