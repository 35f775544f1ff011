/** The version of Coolify's API that deploy implements; Coolify clients check it before they call newer endpoints. */
export const coolifyVersion = "4.3.0"

/** Returns the version for clients: Coolify's API version, followed by the version of Slipway. */
export const versionOf = (program: string): string => `${coolifyVersion}+slipway-${program}`
