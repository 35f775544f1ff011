import { type Context, Exit, Metric } from "effect"
import type { ObservedSpan, Observer } from "./spans.ts"

/** The bucket boundaries of duration histograms, in seconds: from a cached response to a push or a deployment. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300]

type Labels = Readonly<Record<string, string>>

/** Returns a function that returns the time series of a metric for a set of labels; creates it on first use. */
const seriesOf = <Input, State>(make: (attributes: Labels) => Metric.Metric<Input, State>) => {
  const known = new Map<string, Metric.Metric<Input, State>>()
  return (labels: Labels): Metric.Metric<Input, State> => {
    const key = Object.values(labels).join("\n")
    const series = known.get(key) ?? make(labels)
    known.set(key, series)
    return series
  }
}

const counter = (name: string, description: string) =>
  seriesOf((attributes) => Metric.counter(`slipway_${name}_total`, { description, attributes, incremental: true }))

const duration = (name: string, description: string) =>
  seriesOf((attributes) => Metric.histogram(`slipway_${name}_seconds`, { description, attributes, boundaries }))

/** Returns the duration of a span in seconds. */
export const secondsOf = ({ status }: ObservedSpan): number =>
  status._tag === "Ended" ? Number(status.endTime - status.startTime) / 1e9 : 0

/** Returns the route of a request, as its handler declares it. */
export const routeOf = (span: ObservedSpan): string => span.said("http.route") ?? "none"

/** Returns the metric for a span: `request`, `statement` (SQL), or the name of the span. */
const kindOf = ({ kind, name }: ObservedSpan): string =>
  kind === "server" ? "request" : kind === "client" ? "statement" : name

const steps: Readonly<Record<string, string>> = {
  job: "Duration of jobs",
  git: "Duration of git processes",
  engine: "Duration of requests to container engines"
}

/** Makes the observer that records metrics of requests, SQL statements, access decisions, jobs, git and engines. */
export const makeMeasures = (registry: Context.Context<never>): Observer => {
  const requests = counter("requests", "Requests by response")
  const unavailable = counter("unavailable", "Requests rejected with 503, by reason")
  const requestTime = duration("request", "Duration of requests")
  const statementTime = duration("statement", "Duration of SQL statements, including the wait for a connection")
  const waitTime = duration("connection_wait", "Time that SQL statements wait for a connection of the pool")
  const decisions = counter("decisions", "Access decisions, by action and rules")
  const stepTimes = new Map(Object.entries(steps).map(([name, description]) => [name, duration(name, description)]))
  const running = seriesOf((attributes) =>
    Metric.gauge("slipway_running", { description: "Operations in progress, by type", attributes })
  )
  const counted = new Set(["request", "statement", ...Object.keys(steps)])
  const count = (of: string, change: 1 | -1) => {
    if (counted.has(of)) running({ of }).modifyUnsafe(change, registry)
  }

  const request = (span: ObservedSpan) => {
    const [method, route] = [span.said("http.request.method") ?? "", routeOf(span)]
    const status = span.said("http.response.status_code") ?? ""
    requests({ method, route, status }).updateUnsafe(1, registry)
    const reason = span.said("slipway.unavailable")
    if (reason !== undefined) unavailable({ reason }).updateUnsafe(1, registry)
    requestTime({ method, route }).updateUnsafe(secondsOf(span), registry)
  }

  const statement = (span: ObservedSpan, outcome: string) => {
    span.root.statements += 1
    statementTime({ outcome }).updateUnsafe(secondsOf(span), registry)
    const waited = span.attributes.get("db.client.connection.wait_time_ms")
    if (typeof waited === "number") waitTime({}).updateUnsafe(waited / 1_000, registry)
  }

  const ended: Observer["ended"] = (span, exit) => {
    const of = kindOf(span)
    const outcome = Exit.isSuccess(exit) ? "ok" : "failed"
    const labels = () => Object.fromEntries([...span.attributes].map(([key, value]) => [key, String(value)]))
    count(of, -1)
    if (of === "request") request(span)
    else if (of === "statement") statement(span, outcome)
    else if (of === "decision") decisions(labels()).updateUnsafe(1, registry)
    else
      stepTimes
        .get(of)?.({ ...labels(), outcome })
        .updateUnsafe(secondsOf(span), registry)
  }
  return { began: (span) => count(kindOf(span), 1), ended }
}
