import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { groupTitle, schemaName } from "../../../src/server/reference/document.ts"
import { start } from "../support/harness.ts"

const unsigned = { token: undefined }

const linksIn = (text: string, below: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/href="([^"#]+)/g)].flatMap(([, path = ""]) => (path.startsWith(below) ? [path] : [])))
]

it.live("the first page of the reference is small, shows every group, and loads only files of the service", () =>
  Effect.gen(function* () {
    const service = yield* start()
    const answer = yield* service.send("GET", "/docs", unsigned)
    expect(answer.status).toBe(200)
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/)
    expect(answer.text.length).toBeLessThan(20_000)
    expect(answer.text).toContain('<html lang="en">')
    expect(answer.text).toContain('name="viewport" content="width=device-width, initial-scale=1"')
    expect(answer.text).toContain("<title>Slipway deploy: API reference</title>")
    expect(linksIn(answer.text, "/docs/groups/").slice(0, 4)).toEqual([
      "/docs/groups/applications",
      "/docs/groups/tags",
      "/docs/groups/cleanups",
      "/docs/groups/deployments"
    ])
    expect(answer.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
  })
)

it.live("the pages of groups contain every operation once, and every link to a schema leads to its page", () =>
  Effect.gen(function* () {
    const service = yield* start()
    const description = JSON.parse((yield* service.send("GET", "/api/v1/openapi.json", unsigned)).text)
    const expected = Object.entries<Record<string, { readonly operationId: string }>>(description.paths).flatMap(
      ([path, verbs]) =>
        Object.entries(verbs).map(([verb, { operationId }]) => `${operationId} ${verb.toUpperCase()} ${path}`)
    )
    const index = yield* service.send("GET", "/docs", unsigned)
    const shown: Array<string> = []
    const schemas = new Set<string>()
    for (const group of linksIn(index.text, "/docs/groups/")) {
      const { status, text } = yield* service.send("GET", group, unsigned)
      expect([group, status]).toEqual([group, 200])
      for (const [, id, method, path] of text.matchAll(
        /<section id="([^"]+)"[^>]*>\n.*\n<p class="address"><span class="method \w+">(\w+)<\/span> <code>([^<]+)</g
      ))
        shown.push(`${id} ${method} ${path}`)
      for (const link of linksIn(text, "/docs/schemas/")) schemas.add(link)
    }
    expect(shown.toSorted()).toEqual(expected.toSorted())
    expect(schemas.size).toBeGreaterThan(50)
    for (const link of schemas) {
      const { status, text } = yield* service.send("GET", link, unsigned)
      expect([link, status]).toEqual([link, 200])
      expect(text).toContain(`<h1>${decodeURIComponent(link.slice("/docs/schemas/".length))}</h1>`)
    }
  })
)

it.live("an operation shows its parameters, body, responses, access and an example", () =>
  Effect.gen(function* () {
    const service = yield* start()
    const { text } = yield* service.send("GET", "/docs/groups/projects", unsigned)
    const begin = text.indexOf('<section id="projects.create"')
    const section = text.slice(begin, text.indexOf("</section>", begin))
    expect(section).toContain('<span class="method post">POST</span> <code>/api/v1/projects</code>')
    expect(section).toContain(
      '<li><code class="name">name</code> <span class="type">string</span> <strong class="required">required</strong>'
    )
    expect(section).toContain('<code class="name">201</code>')
    expect(section).toContain("<p>Access: tokens with <code>write</code>")
    expect(section).toContain(
      `curl --request POST &quot;$URL/api/v1/projects&quot; \\\n  --header &quot;Authorization: Bearer $TOKEN&quot; \\\n  --json &#39;{&quot;name&quot;:&quot;…&quot;}&#39;`
    )
    expect(section).toContain('<form data-method="POST" data-path="/api/v1/projects">')
  })
)

it.live("the search finds operations by words of their path, summary or method", () =>
  Effect.gen(function* () {
    const service = yield* start()
    const found = yield* service.send("GET", "/docs/search?q=list+projects", unsigned)
    expect(found.status).toBe(200)
    expect(found.text).toContain('<a href="/docs/groups/projects#projects.list">List projects</a>')
    expect(found.text).not.toContain("#projects.create")
    const none = yield* service.send("GET", "/docs/search?q=%3Cimg%20src%3Dx%3E", unsigned)
    expect(none.text).toContain("No operation contains “&lt;img src=x&gt;”.")
    expect(none.text).not.toContain("<img")
    const long = yield* service.send("GET", `/docs/search?q=${"a".repeat(5_000)}`, unsigned)
    expect(long.text).toContain(`“${"a".repeat(100)}”`)
  })
)

it.live("an unknown group and an unknown schema are a page with status 404", () =>
  Effect.gen(function* () {
    const service = yield* start()
    for (const path of ["/docs/groups/%3Cb%3E", "/docs/schemas/%3Cb%3E"]) {
      const { headers, status, text } = yield* service.send("GET", path, unsigned)
      expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
      expect(text).toContain("“&lt;b&gt;”")
    }
  })
)

it.live("the files of the reference are cached forever, under addresses with their digests", () =>
  Effect.gen(function* () {
    const service = yield* start()
    const page = yield* service.send("GET", "/docs", unsigned)
    const files = [...page.text.matchAll(/(?:src|href)="(\/docs\/reference\.(js|css)\?v=\w{10,16})"/g)]
    expect(files.map(([, , kind]) => kind).toSorted()).toEqual(["css", "js"])
    for (const [, address = "", kind] of files) {
      const file = yield* service.send("GET", address, unsigned)
      expect([file.status, file.headers.get("content-type"), file.headers.get("cache-control")]).toEqual([
        200,
        kind === "js" ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8",
        "public, max-age=31536000, immutable"
      ])
      expect(file.text.length).toBeLessThan(10_000)
      const again = yield* service.send("GET", address, {
        ...unsigned,
        headers: { "if-none-match": file.headers.get("etag") ?? "" }
      })
      expect(again.status).toBe(304)
    }
  })
)

it("titles of groups and names of schemas are read from the description", () => {
  expect(["secondFactor", "gpg-keys", "s3-storages", "oauth2"].map(groupTitle)).toEqual([
    "Second factor",
    "GPG keys",
    "S3 storages",
    "OAuth2"
  ])
  expect(schemaName("#/components/schemas/a~1b~0c")).toBe("a/b~c")
})
