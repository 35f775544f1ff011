/** The description of a setting (environment variable) for the `--help` text. */
export interface SettingRow {
  readonly meaning: string
  /** The default value. */
  readonly unlessSet?: string
  /** Whether the value is secret: `all` of it, or only the credentials in a URL (`address`). */
  readonly secret?: "all" | "address"
}

/** The descriptions of settings, by the names of their environment variables. */
export type SettingRows = Readonly<Record<string, SettingRow>>

/** Returns the `--help` text of a service, with a line for each setting. */
export const helpOf = (title: string, rows: SettingRows, more: string): string => {
  const width = Math.max(...Object.keys(rows).map((variable) => variable.length))
  const lines = Object.entries(rows).map(([variable, { meaning, unlessSet }]) => {
    const usual = unlessSet === undefined ? "" : `: ${unlessSet}`
    return `  ${variable.padEnd(width)}  ${meaning}${usual}\n`
  })
  return `${title} Settings are environment variables; see docs/guides/operations.md.\n\n${lines.join("")}\n${more}\n`
}

/** Returns the descriptions of the settings that both services (forge and deploy) have. */
export const commonRows = (service: string): SettingRows => {
  const own: SettingRows = {
    DATABASE_URL: {
      meaning: "database address: memory:, file:<directory> or postgres://…",
      unlessSet: `file:.slipway/${service}`,
      secret: "address"
    },
    DATABASE_CONNECTIONS: {
      meaning: "maximum number of connections to the database server; further queries wait",
      unlessSet: "10"
    },
    MAX_CONNECTIONS: {
      meaning: "maximum number of open client connections; further ones are closed immediately",
      unlessSet: "1000"
    },
    RATE_LIMIT: { meaning: "rate limit of a token in requests per minute; 0 for no limit", unlessSet: "0" },
    ADDRESS_RATE_LIMIT: {
      meaning: "rate limit of an IP address in requests without a token per minute; 0 for no limit",
      unlessSet: "0"
    },
    TRUSTED_PROXIES: {
      meaning:
        "networks of trusted proxies, comma-separated, such as 10.0.0.0/8; only their X-Forwarded-* headers are used"
    },
    ALLOWED_ORIGINS: {
      meaning:
        "CORS: websites (origins) that may read responses in a browser, comma-separated, such as https://app.example; * allows all"
    },
    COMPRESSION: { meaning: "compress text responses if the client accepts it", unlessSet: "true" },
    METRICS_PORT: {
      meaning: "port that serves the metrics at /metrics; 0 selects a free one; unset disables the metrics"
    },
    SLOW_REQUEST: {
      meaning:
        "log requests that take at least this many milliseconds, with the number of their SQL statements; 0 logs none",
      unlessSet: "0"
    },
    LOG_FORMAT: { meaning: "format of logs: text or json", unlessSet: "text" },
    ENCRYPTION_KEY: { meaning: "key that encrypts secrets: 32 bytes in base64", secret: "all" },
    ENCRYPTION_KEY_FILE: {
      meaning: "file with that key, used if the key is not set directly; created if missing",
      unlessSet: `.slipway/${service}.key`
    }
  }
  return {
    HOST: { meaning: "address to listen on", unlessSet: "127.0.0.1" },
    DATABASE_URL: { meaning: "database address for a service if its own variable is unset", secret: "address" },
    ...Object.fromEntries(Object.entries(own).map(([name, row]) => [`${service.toUpperCase()}_${name}`, row]))
  }
}
