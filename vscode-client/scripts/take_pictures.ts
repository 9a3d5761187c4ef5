// Put the pictures that the tests have made into the README's folder.

import { copyFileSync, mkdirSync } from "node:fs";
import path from "node:path";

const CLIENT = path.join(import.meta.dirname, "..");
const PICTURES: Readonly<Record<string, string>> = {
  "1-problems": "problems",
  "3-hover": "hover",
  "6-panel-last-good": "panel",
};

mkdirSync(path.join(CLIENT, "images"), { recursive: true });
for (const [shot, picture] of Object.entries(PICTURES)) {
  copyFileSync(path.join(CLIENT, "test-results", `${shot}.png`), path.join(CLIENT, "images", `${picture}.png`));
}
