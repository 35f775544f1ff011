import { assert, describe, it } from "@effect/vitest"
import { readCaddySettings } from "@slipway/caddy"
import { Result } from "effect"

const read = (variables: Readonly<Record<string, string>>) => readCaddySettings((name) => variables[name])
const problem = (variables: Readonly<Record<string, string>>) =>
  Result.match(read(variables), {
    onSuccess: () => "none",
    onFailure: ({ problem, variable }) => `${variable} ${problem}`
  })

describe("the settings of the proxy", () => {
  it("start Caddy with all files in one directory by default", () => {
    const settings = Result.getOrThrow(read({ DEPLOY_PROXY_DIRECTORY: "/srv/proxy" }))
    assert.deepStrictEqual(settings, {
      mode: "spawn",
      program: "caddy",
      image: "docker.io/library/caddy:2",
      admin: { _tag: "Socket", path: "/srv/proxy/admin.sock" },
      directory: "/srv/proxy",
      http: [{ address: ":80", port: 80 }],
      https: [{ address: ":443", port: 443 }],
      adminPort: 2019,
      servers: { http: [{ address: ":80", port: 80 }], https: [{ address: ":443", port: 443 }] },
      acme: { email: null, directory: null }
    })
  })

  it("listen at the address in `HOST` when it is set", () => {
    const at = (variables: Readonly<Record<string, string>>) => {
      const { http, https } = Result.getOrThrow(read(variables))
      return [...http, ...https].map(({ address }) => address)
    }
    assert.deepStrictEqual(at({ HOST: "127.0.0.1" }), ["127.0.0.1:80", "127.0.0.1:443"])
    assert.deepStrictEqual(at({ HOST: "::1" }), ["[::1]:80", "[::1]:443"])
    assert.deepStrictEqual(at({ HOST: "0.0.0.0" }), [":80", ":443"])
    assert.deepStrictEqual(at({ HOST: "127.0.0.1", DEPLOY_PROXY_HTTP: ":8080" }), [":8080", "127.0.0.1:443"])
    assert.deepStrictEqual(at({ HOST: "10.0.0.1", DEPLOY_PROXY: "container" }), [":80", ":443"])
  })

  it("use the addresses of Debian's Caddy by default in external mode", () => {
    const settings = Result.getOrThrow(read({ DEPLOY_PROXY: "external" }))
    assert.deepStrictEqual(settings.admin, { _tag: "Tcp", host: "127.0.0.1", port: 2019 })
    assert.isNull(settings.directory)
    assert.strictEqual(settings.mode, "external")
  })

  it("name the invalid variable in the error and omit its value", () => {
    assert.strictEqual(problem({ DEPLOY_PROXY: "maybe" }), "DEPLOY_PROXY must be spawn, container or external")
    for (const [variable, value] of [
      ["DEPLOY_PROXY_ADMIN", "2019"],
      ["DEPLOY_PROXY_ADMIN", "http://127.0.0.1:2019"],
      ["DEPLOY_PROXY_DIRECTORY", "/srv/{x}"],
      ["DEPLOY_PROXY_DIRECTORY", `/${"long/".repeat(30)}`],
      ["DEPLOY_PROXY_HTTP", "8081"],
      ["DEPLOY_PROXY_HTTP", ":81,127.0.0.1:81"],
      ["DEPLOY_PROXY_HTTP", ":70000"],
      ["DEPLOY_PROXY_HTTPS", " :80"],
      ["DEPLOY_PROXY_ACME", "http://ca.test"]
    ] as const) {
      const told = problem({ [variable]: value })
      assert.match(told, new RegExp(`^${variable} must `))
      assert.notInclude(told, value)
    }
  })
})
