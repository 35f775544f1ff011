import type { Sealed } from "../../../Vault.ts"

/** The supported receivers of logs. */
export const logDrainTypes = ["newrelic", "axiom", "http", "otlp", "syslog"] as const
/** One type of receiver. */
export type LogDrainType = (typeof logDrainTypes)[number]

/** A receiver of the log lines of all containers of a server. */
export interface LogDrain {
  readonly type: LogDrainType
  readonly isEnabled: boolean
  /** The address of the receiver: http(s), and for syslog `tcp://host:port`; empty if unset. */
  readonly url: string
  /** The dataset of Axiom; empty for other receivers. */
  readonly dataset: string
  /** The key of the receiver, or the value of the header `Authorization`. */
  readonly secret: Sealed | null
}

/** A log line as receivers get it. */
export interface DrainedLine {
  /** When it was written, in ISO 8601 with nanoseconds. */
  readonly at: string
  readonly stream: "stdout" | "stderr"
  readonly text: string
  readonly container: string
  /** The application or database of the container. */
  readonly application: string
  /** The name of the server. */
  readonly server: string
}

/** The default address of New Relic's logs API. */
export const usualNewrelicUrl = "https://log-api.newrelic.com/log/v1"
/** The address of Axiom's API. */
export const axiomUrl = "https://api.axiom.co/v1/datasets"

/** Returns the problem of a drain that is enabled without a setting it needs, with the name of the setting; null if usable. */
export const logDrainProblem = ({
  dataset,
  isEnabled,
  secret,
  type,
  url
}: LogDrain): "dataset" | "secret" | "url" | null => {
  if (!isEnabled) return null
  if (url === "") return "url"
  if (type === "axiom" && dataset === "") return "dataset"
  return (type === "axiom" || type === "newrelic") && secret === null ? "secret" : null
}
