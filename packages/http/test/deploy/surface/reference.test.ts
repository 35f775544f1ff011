import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../support/harness.ts"

it.live("the reference page is one file: it loads nothing from elsewhere, and may not", () =>
  Effect.gen(function* () {
    const service = yield* start()
    const answer = yield* service.send("GET", "/docs", { token: undefined })
    expect(answer.status).toBe(200)
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/)

    // What the page's own program and styles would load is text within its script; the tags are what the browser reads.
    const tags = answer.text.replace(/(<script[^>]*>)[\s\S]*?(<\/script>)/g, "$1$2")
    expect(tags.match(/<script/g)).toHaveLength(2)
    expect(tags).not.toMatch(/<(?:link|img|iframe|object|embed|base|style)\b|\bsrc=|\bsrcset=|@import|url\(/i)

    const policy = new Map(
      (answer.headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...sources] = directive.split(" ")
        return [name, sources.join(" ")]
      })
    )
    expect(policy.get("default-src")).toBe("'none'")
    expect(policy.get("connect-src")).toBe("'self'")
    expect([...policy.values()].join(" ")).not.toMatch(/https?:|\*|(?<!')\bblob:/)

    const settings = answer.text.slice(answer.text.lastIndexOf("<script>"), answer.text.lastIndexOf("content:"))
    const { proxyUrl, ...chosen } = JSON.parse(/\.\.\.(\{.*\})/.exec(settings)?.[1] ?? "{}")
    expect(proxyUrl, "requests go to the service itself, through nobody's proxy").toBeUndefined()
    expect(chosen).toMatchObject({
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: "never"
    })
  })
)
