import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { type CheckoutRequest, Sources } from "@slipway/domain/deploy/apps"
import { layerSources, type SourcesSettings } from "@slipway/git/deploy"
import { type Forge, putCommit, startForge } from "@slipway/git/testing"
import { layer as memory } from "@slipway/memory/deploy"
import { readTar } from "@slipway/testkit/deploy"
import { Effect, Layer, Redacted } from "effect"
import { layerInternet } from "./support/internet.ts"

const checkout = (repository: string, more: Partial<CheckoutRequest> = {}) =>
  Effect.flatMap(Sources, (sources) =>
    sources.checkout({ repository, branch: "main", commit: "HEAD", access: { _tag: "Anyone" }, lfs: true, ...more })
  )
const reason = (repository: string, more: Partial<CheckoutRequest> = {}) =>
  Effect.map(Effect.flip(Effect.scoped(checkout(repository, more))), ({ because }) => because)

const on =
  (settings: SourcesSettings = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, layerSources(settings).pipe(Layer.provide(Layer.merge(layerInternet(), memory))), {
      local: true
    })

const digestOf = (content: string) => createHash("sha256").update(content).digest("hex")
const pointerTo = (content: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${digestOf(content)}\nsize ${content.length}\n`
const attributes = "*.bin filter=lfs diff=lfs merge=lfs -text\n"

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text)
}

interface Told {
  readonly href: string
  readonly header?: Readonly<Record<string, string>>
}

/** Serves the LFS API of a repository, and records the credentials of its requests. */
const serve = (forge: Forge, name: string, told: (oid: string) => Told | undefined) => {
  const asked: Array<unknown> = []
  forge.at(`/${name}/info/lfs/objects/batch`, async (request, answer) => {
    const body = (await bodyOf(request)) as {
      readonly objects: ReadonlyArray<{ readonly oid: string; readonly size: number }>
    }
    asked.push([request.headers.authorization ?? null, body.objects.length])
    const objects = body.objects.map(({ oid, size }) => {
      const link = told(oid)
      return {
        oid,
        size,
        ...(link === undefined ? { error: { code: 404, message: "gone" } } : { actions: { download: link } })
      }
    })
    answer.writeHead(200, { "content-type": "application/vnd.git-lfs+json" }).end(JSON.stringify({ objects }))
  })
  return asked
}

const picture = "a picture".repeat(1_000)

describe("Git LFS files", () => {
  it.live("replace their pointers where `.gitattributes` requests it", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      putCommit(forge.repository("r.git"), "main", {
        message: "Begin",
        files: {
          "a/.gitattributes": attributes,
          "a/picture.bin": pointerTo(picture),
          "a/again.bin": pointerTo(picture),
          "a/raw.bin": "no pointer",
          "a/picture.txt": pointerTo(picture),
          ".lfsconfig": "[lfs]\n\turl = http://other.dev/lfs\n"
        }
      })
      const address = `http://forge.dev:${forge.port}/r.git`
      const asked = serve(forge, "r.git", () => ({
        href: `http://other.dev:${forge.port}/store`,
        header: { "X-Key": "k" }
      }))
      const keys: Array<unknown> = []
      forge.at("/store", ({ headers }, answer) => {
        keys.push([headers["x-key"], headers.authorization ?? null])
        answer.end(picture)
      })
      const { archive } = yield* checkout(address)
      assert.deepStrictEqual(yield* readTar(archive("a")), {
        ".gitattributes": attributes,
        "picture.bin": picture,
        "again.bin": picture,
        "raw.bin": "no pointer",
        "picture.txt": pointerTo(picture)
      })
      assert.deepStrictEqual([asked, keys], [[[null, 1]], [["k", null]]])
      const { readText } = yield* checkout(address, { lfs: false })
      assert.strictEqual(yield* readText("a/picture.bin"), pointerTo(picture))
    }).pipe(on())
  )

  it.live("are requested with the repository's credentials, which no other host receives (invariant I14)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      putCommit(forge.repository("r.git", "me:s3cret"), "main", {
        message: "Begin",
        files: { ".gitattributes": attributes, "a.bin": pointerTo("here"), "b.bin": pointerTo("there") }
      })
      const access = { _tag: "Token", username: "me", token: Redacted.make("s3cret") } as const
      const shown = `Basic ${btoa("me:s3cret")}`
      const asked = serve(forge, "r.git", (oid) => ({
        href: `http://${oid === digestOf("here") ? "forge" : "other"}.dev:${forge.port}/store/${oid}`
      }))
      const seen: Array<unknown> = []
      forge.at("/store", ({ headers, url }, answer) => {
        seen.push([headers.host?.split(":")[0], headers.authorization ?? null])
        answer.end(url?.endsWith(digestOf("here")) === true ? "here" : "there")
      })
      const { readText } = yield* checkout(`http://forge.dev:${forge.port}/r.git`, { access })
      assert.deepStrictEqual([yield* readText("a.bin"), yield* readText("b.bin")], ["here", "there"])
      assert.deepStrictEqual(asked, [[shown, 2]])
      assert.deepStrictEqual(
        seen.toSorted(),
        [
          ["forge.dev", shown],
          ["other.dev", null]
        ].toSorted()
      )
    }).pipe(on())
  )

  it.live(
    "fail the deployment if they do not match their pointers, are missing or have private addresses (invariants I14, I25)",
    () =>
      Effect.gen(function* () {
        const forge = yield* startForge
        putCommit(forge.repository("r.git"), "main", {
          message: "Begin",
          files: { ".gitattributes": attributes, "a.bin": pointerTo("abcd") }
        })
        const address = `http://forge.dev:${forge.port}/r.git`
        let link: Told | undefined
        let sent = "abcd"
        forge.at("/store", (_, answer) => void answer.end(sent))
        assert.strictEqual(yield* reason(address), "a file of LFS: there is no LFS server at the repository's address")
        serve(forge, "r.git", () => link)
        assert.strictEqual(yield* reason(address), `a file of LFS: its server has no ${digestOf("abcd")}`)
        for (const [host, because] of [
          ["127.0.0.1", "the host's address 127.0.0.1 is private and this instance doesn't allow that"],
          ["metadata.dev", "the address 169.254.169.254 of the host `metadata.dev` is not an allowed target"]
        ]) {
          link = { href: `http://${host}:${forge.port}/store` }
          assert.strictEqual(yield* reason(address), `a file of LFS: ${because}`)
        }
        link = { href: "file:///etc/passwd" }
        assert.match(yield* reason(address), /^a file of LFS: only http and https addresses are supported$/)
        link = { href: `http://forge.dev:${forge.port}/store` }
        for (const [content, because] of [
          ["abce", "its server sends something else"],
          ["abc", "its server sends something else"],
          ["abcd".repeat(1_000), "its server sends more bytes than its pointer states"]
        ] as const) {
          sent = content
          assert.strictEqual(yield* reason(address), `a file of LFS: ${because}`)
        }
      }).pipe(on())
  )

  it.live("count against the size limit of the repository with the sizes in their pointers (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      putCommit(forge.repository("r.git"), "main", {
        message: "Begin",
        files: {
          ".gitattributes": attributes,
          "a.bin": `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 999999999999\n`
        }
      })
      const asked = serve(forge, "r.git", () => undefined)
      assert.strictEqual(yield* reason(`http://forge.dev:${forge.port}/r.git`), "the repository is larger than 4 MiB")
      assert.deepStrictEqual(asked, [])
    }).pipe(on({ size: 4 * 2 ** 20 }))
  )
})
