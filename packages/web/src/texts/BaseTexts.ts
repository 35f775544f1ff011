import type { errors, forms, layout } from "./en/common.ts"

/** The translated texts that the common parts of pages use, for every service. */
export interface BaseTexts {
  readonly layout: typeof layout
  readonly forms: typeof forms
  readonly errors: typeof errors
}
