import type { HookRequest } from "../../../outbound/HookSender.ts"
import { millisecondsOf } from "../../../Time.ts"
import type { DrainedLine, LogDrain } from "../servers/LogDrain.ts"

const json = "application/json"

const attributesOf = ({ application, container, server, stream }: DrainedLine) => ({
  server,
  container,
  application,
  stream
})

const post = (url: string, authorization: Readonly<Record<string, string>>, body: unknown): HookRequest => ({
  method: "POST",
  url,
  headers: { "Content-Type": json, ...authorization },
  body: JSON.stringify(body)
})

/** Converts a time in ISO 8601 with nanoseconds to nanoseconds since 1970, as the OTLP protocol requires. */
const nanosecondsOf = (at: string): string => {
  const [whole = "", fraction = ""] = at.replace(/Z$/, "").split(".")
  return `${millisecondsOf(`${whole}Z`) / 1_000}${fraction.padEnd(9, "0").slice(0, 9)}`
}

const otlp = (lines: ReadonlyArray<DrainedLine>) => {
  const named = (attributes: Readonly<Record<string, string>>) =>
    Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }))
  const groups = Map.groupBy(lines, ({ container }) => container)
  return {
    resourceLogs: [...groups].map(([container, all]) => ({
      resource: {
        attributes: named({
          "service.name": all[0]?.application ?? "",
          "container.name": container,
          "host.name": all[0]?.server ?? ""
        })
      },
      scopeLogs: [
        {
          scope: { name: "slipway" },
          logRecords: all.map(({ at, stream, text }) => ({
            timeUnixNano: nanosecondsOf(at),
            severityNumber: stream === "stderr" ? 17 : 9,
            severityText: stream === "stderr" ? "ERROR" : "INFO",
            body: { stringValue: text },
            attributes: named({ "log.iostream": stream })
          }))
        }
      ]
    }))
  }
}

/**
 * Returns the HTTP request that sends log lines to a receiver with its decrypted key; undefined for syslog, which does
 * not use HTTP.
 */
export const drainRequest = (
  { dataset, type, url }: Pick<LogDrain, "dataset" | "type" | "url">,
  key: string | null,
  lines: ReadonlyArray<DrainedLine>
): HookRequest | undefined => {
  const authorization: Readonly<Record<string, string>> = key === null ? {} : { Authorization: key }
  switch (type) {
    case "newrelic":
      return post(url, { "Api-Key": key ?? "" }, [
        {
          logs: lines.map((each) => ({
            timestamp: millisecondsOf(each.at),
            message: each.text,
            attributes: attributesOf(each)
          }))
        }
      ])
    case "axiom":
      return post(
        `${url}/${encodeURIComponent(dataset)}/ingest`,
        { Authorization: `Bearer ${key ?? ""}` },
        lines.map((each) => ({ _time: each.at, message: each.text, ...attributesOf(each) }))
      )
    case "http":
      return post(
        url,
        authorization,
        lines.map((each) => ({ time: each.at, message: each.text, ...attributesOf(each) }))
      )
    case "otlp":
      return post(url, authorization, otlp(lines))
    case "syslog":
      return undefined
  }
}

const localUse = 16
const severities = { stderr: 3, stdout: 6 } as const

const encoder = new TextEncoder()

/** Converts a name to a syslog header field of at most `most` characters: other than printable ASCII becomes `_`. */
const headerField = (name: string, most: number): string => name.replaceAll(/[^\x21-\x7e]/g, "_").slice(0, most) || "-"

/**
 * Formats a log line as a syslog message (RFC 5424) with its length in front, as RFC 6587 requires for TCP.
 *
 * @example
 * syslogMessage({ at: "2026-11-27T09:00:00.123456789Z", stream: "stderr", text: "no", container: "web", application: "a", server: "my server" }) // => "57 <131>1 2026-11-27T09:00:00.123456Z my_server a web - - no"
 */
export const syslogMessage = ({ application, at, container, server, stream, text }: DrainedLine): string => {
  const priority = localUse * 8 + severities[stream]
  const time = at.replace(/(\.\d{1,6})\d*Z$/, "$1Z")
  const header = `<${priority}>1 ${time} ${headerField(server, 255)} ${headerField(application, 48)} ${headerField(container, 128)} - -`
  const message = `${header} ${text}`
  return `${encoder.encode(message).length} ${message}`
}
