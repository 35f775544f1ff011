import type { Sealed } from "../../../Vault.ts"

/** The settings of the instance. */
export interface Settings {
  /** The platform's own addresses, a comma-separated list, as it was set. */
  readonly instanceDomains: string
  /** A text that only the key opens with which all secrets of the instance are encrypted; null before the first start. */
  readonly keyCheck: Sealed | null
  readonly updatedAt: string
}
