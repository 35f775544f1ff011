import type { Sealed } from "../../../Vault.ts"

/** The settings of the instance. */
export interface Settings {
  /** The platform's own addresses as a comma-separated list, as the user sent it. */
  readonly instanceDomains: string
  /** Whether tokens may use the API. Browser sessions may always use it. */
  readonly isApiEnabled: boolean
  /** Whether the platform serves its MCP endpoint. */
  readonly isMcpEnabled: boolean
  /** A value encrypted with the instance's key, to detect a wrong key at startup; null before the first start. */
  readonly keyCheck: Sealed | null
  /** When the instance was first started. */
  readonly createdAt: string
  readonly updatedAt: string
}
