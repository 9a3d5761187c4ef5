// Variables in settings that name a program (editor-experience 14).

export interface Surroundings {
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Name and path of each workspace folder, the first one being `${workspaceFolder}`. */
  folders: readonly { name: string; path: string }[];
}

/**
 * `text` with `~`, `${userHome}`, `${workspaceFolder}`, `${workspaceFolder:name}` and `${env:NAME}`
 * filled in. What is not known stays as it is, so that a message can show it.
 */
export function expand(text: string, around: Surroundings): string {
  const value = (variable: string): string | undefined => {
    if (variable === "userHome") return around.home;
    if (variable === "workspaceFolder") return around.folders[0]?.path;
    const [kind, name] = split(variable);
    if (kind === "workspaceFolder") return around.folders.find((one) => one.name === name)?.path;
    if (kind === "env") return around.environment[name] ?? "";
    return undefined;
  };
  const filled = text.trim().replace(/\$\{([^}]*)\}/g, (all, variable: string) => value(variable) ?? all);
  return /^~(?=$|[\\/])/.test(filled) ? around.home + filled.slice(1) : filled;
}

function split(variable: string): [string, string] {
  const colon = variable.indexOf(":");
  return colon < 0 ? [variable, ""] : [variable.slice(0, colon), variable.slice(colon + 1)];
}
