import type { Language } from "@slipway/web/foundation"
import { de } from "./de/index.ts"
import { en } from "./en/index.ts"

/** Every text of the console, by area; the English catalog has the type of all. */
export type Texts = typeof en

/** The catalog of each language. */
export const catalogues: Readonly<Record<Language, Texts>> = { en, de }
