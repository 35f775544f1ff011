/** The description of a setting. */
export interface SettingRow {
  readonly meaning: string
  /** The default value. */
  readonly unlessSet?: string
  /** Whether it is secret: all of it, or the part before the host of an address. */
  readonly secret?: "all" | "address"
}

/** The descriptions of settings, by their variables. */
export type SettingRows = Readonly<Record<string, SettingRow>>

/** Returns the `--help` text of a service, with a line for each setting. */
export const helpOf = (title: string, rows: SettingRows, more: string): string => {
  const width = Math.max(...Object.keys(rows).map((variable) => variable.length))
  const lines = Object.entries(rows).map(([variable, { meaning, unlessSet }]) => {
    const usual = unlessSet === undefined ? "" : `: ${unlessSet}`
    return `  ${variable.padEnd(width)}  ${meaning}${usual}\n`
  })
  return `${title} Settings come from the environment; docs/operations.md says more.\n\n${lines.join("")}\n${more}\n`
}

/** Returns the descriptions of the settings that both services have, each under its variable. */
export const commonRows = (service: string): SettingRows => {
  const own: SettingRows = {
    DATABASE_URL: {
      meaning: "where data is kept, by memory:, file:<directory> or postgres://…",
      unlessSet: `file:.slipway/${service}`,
      secret: "address"
    },
    DATABASE_CONNECTIONS: {
      meaning: "how many connections to a server may be open at once; others wait",
      unlessSet: "10"
    },
    MAX_CONNECTIONS: {
      meaning: "how many connections may be open at once; others are closed as they come",
      unlessSet: "1000"
    },
    RATE_LIMIT: { meaning: "how many requests a minute a token has, 0 for as many as come", unlessSet: "0" },
    ADDRESS_RATE_LIMIT: {
      meaning: "how many requests without a token an address has in a minute, 0 for as many as come",
      unlessSet: "0"
    },
    TRUSTED_PROXIES: { meaning: "the networks whose proxies are believed, about X-Forwarded-For above all" },
    ALLOWED_ORIGINS: { meaning: "the sites whose pages may read answers, such as https://app.example, or *" },
    COMPRESSION: { meaning: "whether texts are compressed for those who ask for it", unlessSet: "true" },
    METRICS_PORT: { meaning: "the port where metrics can be read at /metrics; 0 is any that is free" },
    SLOW_REQUEST: {
      meaning: "from how many milliseconds on a request is logged with its statements; 0 for never",
      unlessSet: "0"
    },
    LOG_FORMAT: { meaning: "how logs are written, text or json", unlessSet: "text" },
    ENCRYPTION_KEY: { meaning: "the key that seals secrets: 32 bytes in base64", secret: "all" },
    ENCRYPTION_KEY_FILE: { meaning: "a file with that key, made when missing", unlessSet: `.slipway/${service}.key` }
  }
  return {
    HOST: { meaning: "the address to listen at", unlessSet: "127.0.0.1" },
    DATABASE_URL: { meaning: "where data is kept by a service whose own variable isn't set", secret: "address" },
    ...Object.fromEntries(Object.entries(own).map(([name, row]) => [`${service.toUpperCase()}_${name}`, row]))
  }
}
