import { assert, describe, it } from "@effect/vitest"
import type { Configuration } from "@slipway/domain/deploy/apps"
import { type Route, routesOf, writeAddress } from "@slipway/domain/deploy/containers"
import { configurationOf } from "./support.ts"

/** Formats a route as a line: its address, and the result of a request. */
const write = ({ address, answer }: Route): string => {
  const at = writeAddress(address)
  if (answer._tag === "Redirect") return `${at} → redirect ${writeAddress({ ...answer, path: "" })}`
  const to = answer.upstreams.map(({ host, port }) => `${host}:${port}`).join(" ")
  const auth = answer.auth === null ? "" : answer.auth._tag === "Nobody" ? " (nobody)" : ` (${answer.auth.username})`
  return `${at} → ${to === "" ? "nothing" : to}${auth}`
}

const routes = (facts: Partial<Configuration>, more: { generated?: string; hash?: string } = {}) =>
  routesOf({
    configuration: configurationOf(facts),
    generatedDomain: more.generated ?? null,
    passwordHash: more.hash ?? null,
    upstreams: (service) =>
      service === null
        ? [{ host: "10.0.0.2", port: 3000 }]
        : service === "api"
          ? [{ host: "10.0.0.3", port: 8080 }]
          : []
  }).map(write)

describe("the routes of an application", () => {
  it("treat a domain with a trailing dot like the same domain without the dot", () => {
    assert.deepStrictEqual(routes({ domains: "http://A.test./x,https://b.test.:8443" }), [
      "http://a.test/x → 10.0.0.2:3000",
      "https://b.test:8443 → 10.0.0.2:3000"
    ])
  })

  it("contain each domain, and the longest path comes first", () => {
    assert.deepStrictEqual(
      routes({ domains: "http://b.test,http://a.test/x,http://a.test,http://a.test/x/y,http://a.test:8080" }),
      [
        "http://a.test/x/y → 10.0.0.2:3000",
        "http://a.test/x → 10.0.0.2:3000",
        "http://a.test → 10.0.0.2:3000",
        "http://a.test:8080 → 10.0.0.2:3000",
        "http://b.test → 10.0.0.2:3000"
      ]
    )
  })

  it("contain domains in canonical form", () => {
    assert.deepStrictEqual(routes({ domains: "HTTP://Bücher.Test:80//A%41/" }), [
      "http://xn--bcher-kva.test/AA → 10.0.0.2:3000"
    ])
  })

  it("use the generated domain if the application has no other domain", () => {
    assert.deepStrictEqual(routes({}, { generated: "http://abc.10.0.0.7.sslip.io" }), [
      "http://abc.10.0.0.7.sslip.io → 10.0.0.2:3000"
    ])
    assert.deepStrictEqual(routes({}), [])
  })

  it("forward a domain to its compose service, or to no container if the service does not exist", () => {
    const docker_compose_domains = [
      { name: "api", domain: "http://api.test,http://a.test/api" },
      { name: "gone", domain: "http://gone.test" }
    ]
    assert.deepStrictEqual(routes({ domains: "http://a.test", docker_compose_domains }), [
      "http://a.test/api → 10.0.0.3:8080",
      "http://a.test → 10.0.0.2:3000",
      "http://api.test → 10.0.0.3:8080",
      "http://gone.test → nothing"
    ])
  })

  it("redirect HTTP to HTTPS when forced, and serve both otherwise", () => {
    const domains = "https://a.test/x,https://b.test:8443,http://c.test"
    assert.deepStrictEqual(routes({ domains }), [
      "http://a.test/x → redirect https://a.test",
      "https://a.test/x → 10.0.0.2:3000",
      "http://c.test → 10.0.0.2:3000",
      "https://b.test:8443 → 10.0.0.2:3000"
    ])
    assert.deepStrictEqual(routes({ domains, is_force_https_enabled: false }), [
      "http://a.test/x → 10.0.0.2:3000",
      "https://a.test/x → 10.0.0.2:3000",
      "http://c.test → 10.0.0.2:3000",
      "https://b.test:8443 → 10.0.0.2:3000"
    ])
  })

  it("force HTTPS on a domain that is listed with http and https, in any order", () => {
    for (const domains of ["http://a.test,https://a.test", "https://a.test,http://a.test"]) {
      assert.deepStrictEqual(routes({ domains }), [
        "http://a.test → redirect https://a.test",
        "https://a.test → 10.0.0.2:3000"
      ])
      assert.deepStrictEqual(routes({ domains, is_force_https_enabled: false }), [
        "http://a.test → 10.0.0.2:3000",
        "https://a.test → 10.0.0.2:3000"
      ])
    }
  })

  it("redirect to www or non-www and to HTTPS in a single redirect", () => {
    const domains = "https://a.test,https://www.a.test"
    assert.deepStrictEqual(routes({ domains, redirect: "www" }), [
      "http://a.test → redirect https://www.a.test",
      "http://www.a.test → redirect https://www.a.test",
      "https://a.test → redirect https://www.a.test",
      "https://www.a.test → 10.0.0.2:3000"
    ])
    assert.deepStrictEqual(routes({ domains, redirect: "non-www" }), [
      "http://a.test → redirect https://a.test",
      "http://www.a.test → redirect https://a.test",
      "https://a.test → 10.0.0.2:3000",
      "https://www.a.test → redirect https://a.test"
    ])
    assert.deepStrictEqual(routes({ domains: "http://a.test,http://www.a.test", redirect: "www" }), [
      "http://a.test → redirect http://www.a.test",
      "http://www.a.test → 10.0.0.2:3000"
    ])
  })

  it("serve the www and the non-www domain by default and when both are requested", () => {
    const domains = "http://a.test,http://www.a.test"
    const both = ["http://a.test → 10.0.0.2:3000", "http://www.a.test → 10.0.0.2:3000"]
    assert.deepStrictEqual(routes({ domains, redirect: "both" }), both)
    assert.deepStrictEqual(routes({ domains }), both)
  })

  it("never redirect to a name outside the application's domains (invariant I28)", () => {
    assert.deepStrictEqual(routes({ domains: "http://a.test", redirect: "www" }), ["http://a.test → 10.0.0.2:3000"])
    assert.deepStrictEqual(routes({ domains: "http://www.a.test", redirect: "non-www" }), [
      "http://www.a.test → 10.0.0.2:3000"
    ])
    assert.deepStrictEqual(routes({ domains: "http://a.test/x,http://www.a.test/y", redirect: "www" }), [
      "http://a.test/x → 10.0.0.2:3000",
      "http://www.a.test/y → 10.0.0.2:3000"
    ])
  })

  it("require the password, and allow no visitor if the user name or password is missing", () => {
    const asked = { domains: "http://a.test", is_http_basic_auth_enabled: true }
    const named = { ...asked, http_basic_auth_username: "ann" }
    assert.deepStrictEqual(routes(named, { hash: "$2b$" }), ["http://a.test → 10.0.0.2:3000 (ann)"])
    assert.deepStrictEqual(routes(named), ["http://a.test → 10.0.0.2:3000 (nobody)"])
    assert.deepStrictEqual(routes(asked, { hash: "$2b$" }), ["http://a.test → 10.0.0.2:3000 (nobody)"])
    assert.deepStrictEqual(routes({ ...named, is_http_basic_auth_enabled: false }, { hash: "$2b$" }), [
      "http://a.test → 10.0.0.2:3000"
    ])
  })

  it("compress, strip the path and block search engines when configured", () => {
    const domains = "https://a.test,http://b.test/api"
    const answers = (facts: Partial<Configuration>) =>
      routesOf({
        configuration: configurationOf({ domains, ...facts }),
        generatedDomain: null,
        passwordHash: null,
        upstreams: () => []
      }).flatMap(({ address, answer }) => {
        if (answer._tag === "Redirect") return []
        const { auth: _, upstreams: __, _tag: ___, ...more } = answer
        return [[writeAddress(address), more]]
      })
    assert.deepStrictEqual(
      answers({ is_gzip_enabled: true, is_stripprefix_enabled: true, noindex_domains: ["https://A.test"] }),
      [
        ["http://b.test/api", { gzip: true, stripsPath: true }],
        ["https://a.test", { gzip: true, noindex: true }]
      ]
    )
    assert.deepStrictEqual(answers({}), [
      ["http://b.test/api", {}],
      ["https://a.test", {}]
    ])
  })
})
