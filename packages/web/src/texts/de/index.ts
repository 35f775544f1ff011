import type { Texts } from "../Texts.ts"
import { code } from "./code.ts"
import { errors, forms, layout, words } from "./common.ts"
import { issues } from "./issues.ts"
import { releases } from "./releases.ts"
import { session, start } from "./start.ts"

/** The German catalogue. */
export const de: Texts = { code, errors, forms, issues, layout, releases, session, start, words }
