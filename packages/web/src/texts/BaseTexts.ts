import type { errors, forms, layout } from "./en/common.ts"

/** The texts that the foundations of pages use, for every service. */
export interface BaseTexts {
  readonly layout: typeof layout
  readonly forms: typeof forms
  readonly errors: typeof errors
}
