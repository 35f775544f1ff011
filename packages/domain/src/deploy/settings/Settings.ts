/** The settings of the instance. */
export interface Settings {
  /** The platform's own addresses, a comma-separated list, as it was set. */
  readonly instanceDomains: string
  readonly updatedAt: string
}
