import type { en } from "./en/index.ts"

/** The translated texts of all pages, by area. The English catalogue defines the type. */
export type Texts = typeof en
