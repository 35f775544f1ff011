import { type DrainedLine, drainRequest } from "@slipway/domain/deploy/infrastructure"
import { describe, expect, it } from "vitest"

const line: DrainedLine = {
  at: "2026-11-27T09:00:00.123456789Z",
  stream: "stderr",
  text: "it failed",
  container: "web-1",
  application: "app",
  server: "server 1"
}
const attributes = { server: "server 1", container: "web-1", application: "app", stream: "stderr" }
const json = { "Content-Type": "application/json" }

const requestTo = (type: "axiom" | "http" | "newrelic" | "otlp", key: string | null, url = "https://logs.example") => {
  const request = drainRequest({ type, url, dataset: "my logs" }, key, [line])
  return request && { ...request, body: JSON.parse(request.body) as unknown }
}

describe("a request with log lines", () => {
  it("has the format of New Relic's logs API", () => {
    expect(requestTo("newrelic", "key")).toEqual({
      method: "POST",
      url: "https://logs.example",
      headers: { ...json, "Api-Key": "key" },
      body: [{ logs: [{ timestamp: 1_795_770_000_123, message: "it failed", attributes }] }]
    })
  })

  it("is sent to the dataset of Axiom", () => {
    expect(requestTo("axiom", "key")).toEqual({
      method: "POST",
      url: "https://logs.example/my%20logs/ingest",
      headers: { ...json, Authorization: "Bearer key" },
      body: [{ _time: "2026-11-27T09:00:00.123456789Z", message: "it failed", ...attributes }]
    })
  })

  it("has the header Authorization only if the receiver has one", () => {
    const body = [{ time: "2026-11-27T09:00:00.123456789Z", message: "it failed", ...attributes }]
    const request = { method: "POST", url: "https://logs.example", body }
    expect(requestTo("http", null)).toEqual({ ...request, headers: json })
    expect(requestTo("http", "Basic abc")).toEqual({ ...request, headers: { ...json, Authorization: "Basic abc" } })
  })

  it("has the JSON format of OTLP", () => {
    const string = (stringValue: string) => ({ stringValue })
    expect(requestTo("otlp", null)?.body).toEqual({
      resourceLogs: [
        {
          resource: {
            attributes: [
              { key: "service.name", value: string("app") },
              { key: "container.name", value: string("web-1") },
              { key: "host.name", value: string("server 1") }
            ]
          },
          scopeLogs: [
            {
              scope: { name: "slipway" },
              logRecords: [
                {
                  timeUnixNano: "1795770000123456789",
                  severityNumber: 17,
                  severityText: "ERROR",
                  body: string("it failed"),
                  attributes: [{ key: "log.iostream", value: string("stderr") }]
                }
              ]
            }
          ]
        }
      ]
    })
  })
})
