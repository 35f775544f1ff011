import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { layerRegistryFile, readRegistryFile } from "@slipway/docker"
import { RegistryLogins } from "@slipway/domain/deploy/containers"
import { Cause, Effect, Redacted } from "effect"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-registries-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const auth = (text: string) => Buffer.from(text).toString("base64")

const written = (content: unknown) =>
  Effect.map(directory, (path) => {
    const file = join(path, "config.json")
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
    return file
  })

const shown = (all: Effect.Success<ReturnType<typeof readRegistryFile>>) =>
  all.map(({ password, registry, username }) => [registry, username, Redacted.value(password)])

const whyNot = (file: string) => Effect.map(Effect.flip(readRegistryFile(file)), ({ because }) => because)

describe("a file of registry passwords", () => {
  it.effect("is read in the format of docker and podman; entries without a password are skipped", () =>
    Effect.gen(function* () {
      const file = yield* written({
        auths: {
          "ghcr.io": { auth: auth("user:pass:word") },
          "https://index.docker.io/v1/": { auth: auth("hub:pässword\0\0"), email: "user@example.org" },
          "https://registry.example:5000/v2/": { auth: auth("https:x") },
          "registry.example/team": { auth: auth("team:y") },
          "helped.example": {},
          "token.example": { auth: auth("user:"), identitytoken: "a token" },
          "nobody.example": { auth: auth(":password") },
          "broken.example": { auth: "no base64!" },
          "plain.example": { auth: auth("no colon") },
          "null.example": null,
          "no registry": { auth: auth("user:password") }
        },
        credsStore: "desktop",
        credHelpers: { "helped.example": "helper" },
        HttpHeaders: {}
      })
      assert.deepStrictEqual(shown(yield* readRegistryFile(file)), [
        ["ghcr.io", "user", "pass:word"],
        ["docker.io", "hub", "pässword"],
        ["registry.example:5000", "https", "x"],
        ["registry.example/team", "team", "y"]
      ])
      for (const empty of ["{}", '{"auths":null}', '{"auths":{}}']) {
        assert.deepStrictEqual(yield* readRegistryFile(yield* written(empty)), [])
      }
    })
  )

  it.effect("is read again for each use, because it can change", () =>
    Effect.gen(function* () {
      const file = yield* written({ auths: { "ghcr.io": { auth: auth("user:first") } } })
      const { read } = yield* RegistryLogins.pipe(Effect.provide(layerRegistryFile(file, "")))
      assert.deepStrictEqual(shown(yield* read), [["ghcr.io", "user", "first"]])
      writeFileSync(file, JSON.stringify({ auths: { "ghcr.io": { auth: auth("user:second") } } }))
      assert.deepStrictEqual(shown(yield* read), [["ghcr.io", "user", "second"]])
    })
  )

  it.effect("causes an error without its path and content when it is unreadable (invariants I15, I25)", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const entry = `"ghcr.io":{"auth":"${auth("user:swordfish")}"}`
      const pipe = join(path, "pipe")
      execFileSync("mkfifo", [pipe])
      const format = "the file with them does not have the format of `docker login`"
      for (const [file, because] of [
        [join(path, "missing"), "the file with them isn't there"],
        [path, "the file with them is not a file"],
        [pipe, "the file with them is not a file"],
        [yield* written(`{"auths":{${entry}}`), format],
        [yield* written(`[{${entry}}]`), format],
        [yield* written(""), format],
        [yield* written(`{"auths":"${auth("user:swordfish")}"}`), format],
        [yield* written(`{"auths":{${entry}}}${" ".repeat(262_144)}`), "the file with them is larger than 256 KiB"]
      ] as const) {
        assert.strictEqual(yield* whyNot(file), because)
        const cause = Cause.pretty(Cause.fail(yield* Effect.flip(readRegistryFile(file))))
        for (const secret of ["swordfish", auth("user:swordfish"), path]) assert.notInclude(cause, secret)
      }
    })
  )

  it.effect("does not reveal a password when its content is logged (invariant I15)", () =>
    Effect.gen(function* () {
      const all = yield* readRegistryFile(yield* written({ auths: { "ghcr.io": { auth: auth("user:swordfish") } } }))
      for (const text of [JSON.stringify(all), inspect(all, { depth: 9 }), `${all[0]?.password}`]) {
        assert.notInclude(text, "swordfish")
      }
    })
  )
})
