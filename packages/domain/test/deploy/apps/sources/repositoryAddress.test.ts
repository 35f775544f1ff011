import { assert, describe, it } from "@effect/vitest"
import { readRepositoryAddress } from "@slipway/domain/deploy/apps"

const ssh = { _tag: "Ssh", user: "git", host: "forge.dev", port: 22, path: "a/b.git" } as const
const http = { _tag: "Http", url: "https://forge.dev/a/b.git", origin: "https://forge.dev", username: "", password: "" }

describe("the address of a repository", () => {
  it("is parsed in each of the supported forms", () => {
    for (const [text, expected] of [
      ["git@forge.dev:a/b.git", ssh],
      ["me@[::1]:/a/b.git", { ...ssh, user: "me", host: "::1", path: "/a/b.git" }],
      ["ssh://me@forge.dev:2222/a/b.git", { ...ssh, user: "me", port: 2222, path: "/a/b.git" }],
      ["ssh://forge.dev/~me/a%27b", { ...ssh, path: "~me/a'b" }],
      ["https://forge.dev/a/b.git", http],
      ["https://me:p%40ss@forge.dev/a/b.git#x", { ...http, username: "me", password: "p@ss" }],
      ["HTTP://FORGE.dev:8080/a", { ...http, url: "http://forge.dev:8080/a", origin: "http://forge.dev:8080" }]
    ] as const) {
      assert.deepStrictEqual(readRepositoryAddress(text), expected as never, text)
    }
  })

  it("is rejected if git would interpret it differently (invariant I23)", () => {
    const others = ["ext::sh -c id", "--upload-pack=x", "file:///etc", "/etc", "-x@y:z", "ssh://-oProxyCommand=x/y", ""]
    for (const text of others) assert.isUndefined(readRepositoryAddress(text), text)
  })
})
