import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../support/harness.ts"

const unsigned = { token: undefined }

it.live("the reference page is small, and loads its script and the description only from the service", () =>
  Effect.gen(function* () {
    const service = yield* start()
    const answer = yield* service.send("GET", "/docs", unsigned)
    expect(answer.status).toBe(200)
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/)
    expect(answer.text.length).toBeLessThan(2_000)
    expect(answer.text).toContain('<html lang="en">')
    expect(answer.text).toContain('name="viewport" content="width=device-width, initial-scale=1"')
    expect(answer.text).toMatch(/<title>[^<]+: API reference<\/title>/)
    expect([...answer.text.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].map(([, , text]) => text)).toEqual([""])

    const policy = new Map(
      (answer.headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...sources] = directive.split(" ")
        return [name, sources.join(" ")]
      })
    )
    expect(policy.get("default-src")).toBe("'none'")
    expect(policy.get("connect-src")).toBe("'self'")
    expect(policy.get("script-src")).not.toContain("unsafe-inline")
    expect([...policy.values()].join(" ")).not.toMatch(/https?:|\*|(?<!')\bblob:/)

    const [, settings = "{}"] = /data-configuration="([^"]*)"/.exec(answer.text) ?? []
    const { proxyUrl, ...chosen } = JSON.parse(settings.replaceAll("&quot;", '"'))
    expect(proxyUrl, "requests go to the service itself, through no proxy").toBeUndefined()
    expect(chosen).toMatchObject({
      url: "/api/v1/openapi.json",
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: "never"
    })
  })
)

it.live("the script of the reference is cached forever, under an address with its digest", () =>
  Effect.gen(function* () {
    const service = yield* start()
    const page = yield* service.send("GET", "/docs", unsigned)
    const [, address = ""] = /<script src="([^"]+)" defer>/.exec(page.text) ?? []
    expect(address).toMatch(/^\/docs\/reference\.js\?v=\w{10,16}$/)
    const program = yield* service.send("GET", address, unsigned)
    expect([program.status, program.headers.get("content-type"), program.headers.get("cache-control")]).toEqual([
      200,
      "text/javascript; charset=utf-8",
      "public, max-age=31536000, immutable"
    ])
    expect(program.text.length).toBeGreaterThan(1_000_000)
    // The script is complete: both its beginning and its end are present.
    expect(() => new Function(program.text)).not.toThrow()
    const again = yield* service.send("GET", address, {
      ...unsigned,
      headers: { "if-none-match": program.headers.get("etag") ?? "" }
    })
    expect(again.status).toBe(304)
  })
)
