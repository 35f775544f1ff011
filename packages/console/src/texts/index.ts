import type { Language } from "@slipway/web/foundation"
import { de } from "./de/index.ts"
import { en } from "./en/index.ts"

/** All texts of the console, by part. Every language has the type of the English catalog. */
export type Texts = typeof en

/** The message catalog of each language. */
export const catalogues: Readonly<Record<Language, Texts>> = { en, de }
