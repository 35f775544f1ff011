import type { en } from "./en/index.ts"

/** All texts of the pages, by area. The English catalogue defines the type. */
export type Texts = typeof en
