import type { Sealed } from "../../../Vault.ts"

/** The settings of the instance. */
export interface Settings {
  /** The platform's own addresses, a comma-separated list, as sent. */
  readonly instanceDomains: string
  /** Whether tokens may use the API; sessions may always. */
  readonly isApiEnabled: boolean
  /** Whether the platform serves its MCP endpoint. */
  readonly isMcpEnabled: boolean
  /** A ciphertext that only the instance's encryption key can decrypt; null before the first start. */
  readonly keyCheck: Sealed | null
  /** When the instance was first started. */
  readonly createdAt: string
  readonly updatedAt: string
}
