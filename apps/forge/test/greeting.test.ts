import { describe, expect, it } from "vitest"
import { greeting, listenerUrl } from "../src/greeting.ts"

const chosen = { host: "127.0.0.1", port: 3000, rootUrl: undefined, ssh: undefined, database: { _tag: "Embedded" } }

/** The part of the greeting about links. */
const linksOf = (more: object): string =>
  /Links +(.*)/.exec(greeting("http://127.0.0.1:3000", { ...chosen, ...more } as never, undefined, undefined))?.[1] ??
  ""

describe("the greeting of the forge", () => {
  it("reports that links name the listener and the request while FORGE_ROOT_URL is unset", () => {
    expect(linksOf({})).toBe(
      "http://127.0.0.1:3000 in webhook payloads and workflow events, the address of the request elsewhere (FORGE_ROOT_URL sets one for all)"
    )
  })

  it("reports the public address that links name", () => {
    expect(linksOf({ rootUrl: new URL("https://forge.example") })).toBe("https://forge.example")
  })

  it("names localhost for a listener on every address, and brackets IPv6 addresses", () => {
    expect(["0.0.0.0", "::", "::1", "10.0.0.1"].map((host) => listenerUrl({ host, port: 3000 }))).toEqual([
      "http://localhost:3000",
      "http://localhost:3000",
      "http://[::1]:3000",
      "http://10.0.0.1:3000"
    ])
  })
})
