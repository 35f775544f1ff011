import { assert, describe, it } from "@effect/vitest"
import { type RepositoryAccess, readRepositoryAddress, submoduleOf } from "@slipway/domain/deploy/apps"
import { Redacted } from "effect"

const key: RepositoryAccess = { _tag: "Key", privateKey: Redacted.make("key") }
const token: RepositoryAccess = { _tag: "Token", username: "x", token: Redacted.make("token") }
const anyone: RepositoryAccess = { _tag: "Anyone" }

/** Returns the address of a submodule and the kind of its credentials. */
const found = (repository: string, access: RepositoryAccess, url: string) => {
  const address = readRepositoryAddress(repository) ?? assert.fail(repository)
  const submodule = submoduleOf({ address, access }, url)
  if (submodule === undefined) return undefined
  const { access: shown, address: at } = submodule
  if (at._tag === "Ssh") return `${at.user}@${at.host}:${at.port} ${at.path} ${shown._tag}`
  return `${at.url} ${at.password === "" ? "" : `${at.username}:${at.password} `}${shown._tag}`
}

describe("a submodule", () => {
  it("is resolved relative to the repository's address", () => {
    const at = "https://forge.example/team/shop.git"
    for (const [url, expected] of [
      ["../lib.git", "https://forge.example/team/lib.git Anyone"],
      ["./lib.git", "https://forge.example/team/shop.git/lib.git Anyone"],
      ["../../other/lib", "https://forge.example/other/lib Anyone"],
      ["../../..", undefined],
      ["../../../../x", undefined],
      ["../../-x", undefined],
      ["../a b", undefined],
      ["../a?b=c", undefined],
      ["https://else.example/lib.git", "https://else.example/lib.git Anyone"],
      ["git@forge.example:team/lib.git", "https://forge.example/team/lib.git Anyone"],
      ["ssh://git@else.example/team/lib.git", "https://else.example/team/lib.git Anyone"],
      ["file:///etc", undefined],
      ["ext::sh -c id", undefined],
      ["/etc/passwd", undefined],
      ["lib", undefined],
      ["--upload-pack=x", undefined],
      ["", undefined]
    ] as const) {
      assert.strictEqual(found(at, anyone, url), expected, url)
    }
    assert.strictEqual(found("git@forge.example:team/shop.git", key, "../lib"), "git@forge.example:22 team/lib Key")
    assert.strictEqual(found("ssh://forge.example:2222/srv/shop", key, "../lib"), "git@forge.example:2222 /srv/lib Key")
  })

  it("gets the repository's credentials on the same host only (invariant I14)", () => {
    const app = "https://forge.example/team/shop.git"
    assert.strictEqual(found(app, token, "../lib"), "https://forge.example/team/lib Token")
    assert.strictEqual(found(app, token, "git@forge.example:team/lib"), "https://forge.example/team/lib Token")
    for (const [url, expected] of [
      ["http://forge.example/lib", "http://forge.example/lib Anyone"],
      ["https://forge.example:8443/lib", "https://forge.example:8443/lib Anyone"],
      ["https://forge.example.evil/lib", "https://forge.example.evil/lib Anyone"],
      ["https://me:own@forge.example/lib", "https://forge.example/lib me:own Anyone"]
    ] as const) {
      assert.strictEqual(found(app, token, url), expected, url)
    }
    const named = "https://me:pass@forge.example/shop"
    assert.strictEqual(found(named, anyone, "../lib"), "https://forge.example/lib me:pass Anyone")
    assert.strictEqual(found(named, anyone, "https://forge.example/lib"), "https://forge.example/lib me:pass Anyone")
    assert.strictEqual(found(named, anyone, "https://else.example/lib"), "https://else.example/lib Anyone")
    const keyed = "git@forge.example:shop"
    assert.strictEqual(found(keyed, key, "git@forge.example:lib"), "git@forge.example:22 lib Key")
    assert.strictEqual(found(keyed, key, "git@else.example:lib"), "git@else.example:22 lib Anyone")
    assert.strictEqual(found(keyed, key, "ssh://git@forge.example:2222/lib"), "git@forge.example:2222 /lib Anyone")
    assert.strictEqual(found(keyed, key, "https://forge.example/lib"), "https://forge.example/lib Anyone")
  })
})
