/** The version of Coolify's API that deploy serves; its clients check it before they call newer endpoints. */
export const coolifyVersion = "4.3.0"

/** Returns the version for clients: that of the API, followed by that of the program. */
export const versionOf = (program: string): string => `${coolifyVersion}+slipway-${program}`
