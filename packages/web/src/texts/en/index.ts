import { code } from "./code.ts"
import { errors, forms, layout, words } from "./common.ts"
import { session } from "./session.ts"
import { start } from "./start.ts"

/** The English catalogue: one object per area, each in a separate file. */
export const en = { code, errors, forms, layout, session, start, words }
