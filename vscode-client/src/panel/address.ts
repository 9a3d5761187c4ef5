// Addresses of the documents of the schema panel (editor-experience 9).

export const SCHEME = "nx-schema";
export const LANGUAGE = "nx-tool-schema";

export const TOOL_VIEWS = ["answer", "input", "output", "mcp"] as const;
export const TYPE_VIEWS = ["output", "input"] as const;
export type View = (typeof TOOL_VIEWS)[number];

export interface Address {
  kind: "tool" | "type";
  module: string;
  name: string;
  view: View;
  /** A project's root, or a document of it; the server finds the project by either. */
  project: string;
}

export interface AddressParts {
  path: string;
  query: string;
}

/** Path and query of an address; the scheme is `nx-schema`. */
export function partsOf(address: Address): AddressParts {
  const query = new URLSearchParams({ view: address.view, project: address.project });
  if (address.kind === "type") query.set("kind", "type");
  return { path: `/${address.module}/${address.name}.json`, query: query.toString() };
}

/** The address of these parts, `undefined` if they are none. */
export function addressOf(parts: AddressParts): Address | undefined {
  const path = /^\/(.+)\/([^/]+)\.json$/.exec(parts.path);
  if (!path?.[1] || !path[2]) return undefined;
  const query = new URLSearchParams(parts.query);
  const project = query.get("project");
  const kind = query.get("kind") === "type" ? "type" : "tool";
  const views: readonly string[] = kind === "type" ? TYPE_VIEWS : TOOL_VIEWS;
  const view = query.get("view") ?? "";
  if (!project || !views.includes(view)) return undefined;
  return { kind, module: path[1], name: path[2], view: view as View, project };
}

/** Whether both show the same declaration, in whichever view. */
export function sameDeclaration(one: Address, other: Address): boolean {
  return one.kind === other.kind && one.module === other.module && one.name === other.name;
}

/** The view in which a panel that showed `shown` shows another declaration of this kind. */
export function viewFor(kind: Address["kind"], shown: View | undefined, preferred: View): View {
  const views: readonly string[] = kind === "type" ? TYPE_VIEWS : TOOL_VIEWS;
  if (shown && views.includes(shown)) return shown;
  return views.includes(preferred) ? preferred : kind === "type" ? "output" : "answer";
}
