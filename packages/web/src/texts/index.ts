import { de } from "./de/index.ts"
import { en } from "./en/index.ts"
import type { Language } from "./language.ts"

/** Every text of the pages, by area. */
export type Texts = typeof en

/** The catalogue of each language. */
export const catalogues: Readonly<Record<Language, Texts>> = { en, de }
