import { code } from "./code.ts"
import { errors, forms, layout, words } from "./common.ts"
import { issues } from "./issues.ts"
import { releases } from "./releases.ts"
import { session } from "./session.ts"
import { start } from "./start.ts"

/** The English catalog: one object per area, each in a separate file. */
export const en = { code, errors, forms, issues, layout, releases, session, start, words }
