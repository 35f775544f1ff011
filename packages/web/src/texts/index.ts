import { de } from "./de/index.ts"
import { en } from "./en/index.ts"
import type { Language } from "./language.ts"
import type { Texts } from "./Texts.ts"

/** The catalog of each language. */
export const catalogues: Readonly<Record<Language, Texts>> = { en, de }
