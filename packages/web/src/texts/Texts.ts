import type { en } from "./en/index.ts"

/** Every text of the pages, by area; the English catalogue has the type of all. */
export type Texts = typeof en
