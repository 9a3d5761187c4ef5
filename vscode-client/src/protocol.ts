// Our own messages (editor-experience 8.2), as the server sends them.

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export type Target =
  | { textDocument: { uri: string }; position: Position }
  | { project?: string; module?: string; name: string };

export interface SchemaDiagnostic {
  code: string;
  message: string;
  severity?: string;
}

export interface Answer {
  diagnostics?: SchemaDiagnostic[];
  [member: string]: unknown;
}

export interface Note {
  pointer: string;
  code: string;
  message: string;
  lossy: boolean;
}

export interface ToolSchema {
  module: string;
  name: string;
  toolName: string;
  version: number | null;
  stale: boolean;
  answer: Answer;
  document: string;
  notes: Note[];
  size: { characters: number; tokensEstimate: number };
}

export interface TypeSchema {
  module: string;
  name: string;
  version: number | null;
  stale: boolean;
  answer: Answer;
  document: string;
}

export interface SchemaPosition {
  module: string;
  name: string;
  kind: "function" | "type";
  pointer?: string;
  range: Range;
}

export interface Tool {
  project?: string;
  module: string;
  name: string;
  toolName: string;
  uri: string;
  range: Range;
  offeredBy: string[];
  summary?: string;
  problems: number;
}

export interface ProjectStatus {
  root: string;
  modules: number;
  tools: number;
  problems: number;
  skipped?: string[];
  partOfProgram?: boolean;
}

export interface ServerReport {
  version: string;
  python: string;
  encoding: string;
  projects: ProjectStatus[];
  memoryMB: number | null;
  queue: number;
  lastAnalysisMs: number | null;
  loopLagMs: number;
  cache: { hits: number; misses: number };
  faults?: number;
  outOfStep?: string[];
}

/** `nxlsp/serverStatus`: offered tools and published problems of all projects. */
export interface ServerStatus {
  health: "ok" | "warning" | "error";
  quiescent: boolean;
  message?: string;
  tools: number;
  problems: number;
}

/** One entry of `nxlsp/schemaDidChange`. */
export interface SchemaChange {
  project?: string;
  module: string;
  name: string;
  version: number | null;
}

export const STALE = -32801;
export const REQUEST_FAILED = -32803;

/** The `code` of a refusal of ours, such as `schema-unknown-declaration`; `undefined` for others. */
export function refusalCode(error: unknown): string | undefined {
  const { code, data } = error as { code?: unknown; data?: { code?: unknown } };
  if (code !== REQUEST_FAILED || typeof data?.code !== "string") return undefined;
  return data.code;
}

export interface Place {
  uri: string;
  range: Range;
}
