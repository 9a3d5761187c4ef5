// Living beside the official extension (editor-experience 2). Nothing here knows VS Code.

export const OFFICIAL = "nx-lang.nx-language";

export type Mode = "auto" | "full" | "schemaOnly";

/**
 * What the server is to offer when another one serves the language: everything of ours but
 * `diagnostics` (of the language), `completion`, `documentSymbol`, and the signature and the
 * documentation of a hover, which VS Code would show twice.
 */
export const BESIDE_ANOTHER = [
  "schemaDiagnostics",
  "schemaHover",
  "codeAction",
  "codeLens",
  "definition",
  "references",
  "rename",
] as const;

/** The `features` of the initialization options; `undefined` for everything. */
export function features(mode: Mode, officialIsEnabled: boolean): readonly string[] | undefined {
  const beside = mode === "schemaOnly" || (mode === "auto" && officialIsEnabled);
  return beside ? BESIDE_ANOTHER : undefined;
}
