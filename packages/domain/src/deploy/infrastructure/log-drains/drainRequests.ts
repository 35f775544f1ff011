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

/** Returns nanoseconds since 1970 as OTLP sends them, from a time with nanoseconds. */
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
 * Returns the request that sends lines to a receiver, with its opened key; undefined for syslog, which has no requests.
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

/** Returns a name as a field of a syslog header: printable ASCII without spaces. */
const headerField = (name: string, most: number): string => name.replaceAll(/[^\x21-\x7e]/g, "_").slice(0, most) || "-"

/**
 * Returns a line as a syslog message of RFC 5424, preceded by its length as RFC 6587 requires on TCP.
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
