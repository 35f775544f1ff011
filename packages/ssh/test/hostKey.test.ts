import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { hostKey, makeHostKey } from "@slipway/ssh/forge"
import { Effect } from "effect"
import ssh2 from "ssh2"

const folder = mkdtempSync(join(tmpdir(), "slipway-host-key-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the host key of this machine", () => {
  // Prevents: one installation in about 400 made an unreadable key, and never served git over SSH.
  it("can be read after its creation, any number of times", () => {
    for (let n = 0; n < 1_500; n++) {
      const parsed = ssh2.utils.parseKey(makeHostKey())
      assert.isFalse(parsed instanceof Error)
    }
  })

  it.live("is created once by the first process, readable for its user only, without other files", () =>
    Effect.gen(function* () {
      const path = join(folder, "keys", "host.key")
      const made = yield* Effect.all([hostKey(path), hostKey(path), hostKey(path)], { concurrency: 3 })
      const kept = readFileSync(path, "utf8")
      assert.deepStrictEqual([...made, yield* hostKey(path)], [kept, kept, kept, kept])
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.deepStrictEqual(readdirSync(join(folder, "keys")), ["host.key"])
    })
  )

  it.live("is refused when its file has other content, which stays unchanged", () =>
    Effect.gen(function* () {
      const path = join(folder, "other.key")
      writeFileSync(path, "no key")
      const { message } = yield* Effect.flip(hostKey(path))
      assert.strictEqual(message, `the SSH host key ${path} cannot be used: it holds no private key`)
      assert.strictEqual(readFileSync(path, "utf8"), "no key")
    })
  )
})
