import type { Sealed } from "../../../Vault.ts"

/** The supported types of log receivers. */
export const logDrainTypes = ["newrelic", "axiom", "http", "otlp", "syslog"] as const
/** A supported type of log receivers. */
export type LogDrainType = (typeof logDrainTypes)[number]

/** The settings of an external log receiver, to which the log lines of all containers of a server are sent. */
export interface LogDrain {
  readonly type: LogDrainType
  readonly isEnabled: boolean
  /** The URL of the receiver: http(s), or for syslog `tcp://host:port` or `tls://host:port`; empty if unset. */
  readonly url: string
  /** The dataset name for Axiom; empty for other receivers. */
  readonly dataset: string
  /** The encrypted API key of the receiver, or the value of the header `Authorization`; null if unset. */
  readonly secret: Sealed | null
}

/** A log line with its origin, as it is sent to log receivers. */
export interface DrainedLine {
  /** The time of the line, in ISO 8601 with nanoseconds. */
  readonly at: string
  readonly stream: "stdout" | "stderr"
  readonly text: string
  readonly container: string
  /** The uuid of the application or database of the container. */
  readonly application: string
  /** The name of the server. */
  readonly server: string
}

/** The default URL of New Relic's log API. */
export const usualNewrelicUrl = "https://log-api.newrelic.com/log/v1"
/** The URL of Axiom's API; a dataset name is appended. */
export const axiomUrl = "https://api.axiom.co/v1/datasets"

/** Returns the name of a setting that an enabled log receiver lacks; null if it is complete or disabled. */
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
