import { readCaddySettings } from "@slipway/caddy"
import { Result } from "effect"
import { expect, test } from "vitest"
import type { Settings } from "../src/config.ts"
import { greeting } from "../src/greeting.ts"

/** The greeting of a start with settings of the environment for database and proxy. */
const told = (environment: Readonly<Record<string, string>>, engine: string): ReadonlyArray<string> => {
  const proxy = Result.getOrThrow(readCaddySettings((name) => environment[name]))
  const settings = { database: { _tag: "Memory" }, proxy } as Settings
  return greeting("http://127.0.0.1:8000", settings, engine, undefined).split("\n")
}

test("the greeting reports the engine that was found, and the proxy with its address and lifetime", () => {
  const engine = "no engine responds on this machine: the engine cannot be reached: no such socket"
  expect(told({ HOST: "10.0.0.5" }, engine)).toEqual(
    expect.arrayContaining([
      `  Engine     ${engine}`,
      "  Proxy      Caddy, started with the first deployment, at 10.0.0.5:80, 10.0.0.5:443; it keeps serving when this service stops"
    ])
  )
  const elsewhere = { DEPLOY_PROXY: "external", DEPLOY_PROXY_HTTP: "127.0.0.1:8080" }
  expect(
    told(elsewhere, "Podman 4.3.1 (API 1.41, linux)").filter((line) => /^ {2}(?:Engine|Proxy)/.test(line))
  ).toEqual([
    "  Engine     Podman 4.3.1 (API 1.41, linux)",
    expect.stringMatching(/^ {2}Proxy {6}external Caddy at 127\.0\.0\.1:8080/)
  ])
})
