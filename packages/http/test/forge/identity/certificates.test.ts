import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, layer } from "@effect/vitest"
import { defaultSite } from "@slipway/domain/forge/base"
import { authorityIn } from "@slipway/signatures"
import { Context, Effect, Layer } from "effect"
import { basic, type Service, start } from "../support/harness.ts"
import { byDraft, byStandard, makeKey, type Signing } from "../support/signing.ts"

/** Creates certificates as an operator does, with ssh-keygen. */
const authorities = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = mkdtempSync(join(tmpdir(), "slipway-authority-"))
    const authority = (name: string) => {
      const file = join(directory, name)
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file])
      let made = 0
      return {
        publicKey: readFileSync(`${file}.pub`, "utf8"),
        /** Certifies a key, and returns the header value. */
        certify: (publicKey: string, ...terms: ReadonlyArray<string>): string => {
          const key = join(directory, `${name}-${made++}`)
          writeFileSync(`${key}.pub`, `${publicKey} laptop\n`)
          execFileSync("ssh-keygen", ["-q", "-s", file, "-I", "laptop", ...terms, `${key}.pub`])
          // Clients of the draft omit the base64 padding.
          return (readFileSync(`${key}-cert.pub`, "utf8").split(" ")[1] ?? "").replace(/=+$/, "")
        }
      }
    }
    return { directory, ours: authority("ours"), theirs: authority("theirs") }
  }),
  ({ directory }) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

interface World extends Service, Effect.Success<typeof authorities> {}

class Api extends Context.Service<Api, World>()("test/certificates") {
  static readonly layer = Layer.effect(
    Api,
    Effect.gen(function* () {
      const made = yield* authorities
      const trustedAuthorities = [authorityIn(made.ours.publicKey) ?? ""]
      const api = yield* start({ site: { signIn: { ...defaultSite.signIn, trustedAuthorities } } })
      yield* api.user("ann")
      yield* api.user("bob")
      yield* api.user("root", { admin: true })
      yield* api.ask(201, "POST", "/orgs", { headers: basic("ann"), body: { username: "acme" } })
      return { ...api, ...made }
    })
  )
}

const schemes = { "the draft": byDraft, "RFC 9421": byStandard }
let asked = 0

layer(Api.layer, { excludeTestServices: true })("a request signed by a certified key", (it) => {
  for (const [title, sign] of Object.entries(schemes)) {
    /** Returns the user of a request with a certificate. */
    const whois = (api: World, certificate: string, signing: Partial<Signing> = {}) => {
      const path = `/user?certificate=${asked++}`
      const headers = { "x-ssh-certificate": certificate }
      const covers = ["(request-target)", "(created)", "x-ssh-certificate"]
      const of = { key: makeKey(), keyId: "gitea", method: "GET", path, headers }
      const signed = sign({ ...of, ...(sign === byDraft ? { covers } : {}), ...signing })
      return Effect.map(api.send("GET", path, { headers: signed }), ({ json, status }) =>
        status === 200 ? (json.login as string) : status
      )
    }

    it.effect(`by ${title} acts as the principal of a valid certificate from a trusted authority`, () =>
      Effect.gen(function* () {
        const api = yield* Api
        const key = makeKey()
        const by = (...terms: ReadonlyArray<string>) => whois(api, api.ours.certify(key.publicKey, ...terms), { key })
        expect([
          yield* by("-n", "ann"),
          yield* by("-n", "ANN", "-V", "-1h:+1h"),
          yield* by("-n", "deploy,bob,ann", "-O", "clear", "-O", "permit-pty")
        ]).toEqual(["ann", "ann", "bob"])
        const refused: ReadonlyArray<ReadonlyArray<string>> = [
          [],
          ["-n", "nobody"],
          ["-n", "acme"],
          ["-n", "ann@forge.test"],
          ["-n", "ann", "-h"],
          ["-n", "ann", "-V", "20200101:20200102"],
          ["-n", "ann", "-V", "20990101:20990102"],
          ["-n", "ann", "-O", "force-command=true"],
          ["-n", "ann", "-O", "source-address=0.0.0.0/0"]
        ]
        for (const terms of refused) expect([terms, yield* by(...terms)]).toEqual([terms, 401])
      })
    )

    it.effect(`by ${title} is rejected with a different authority, key or certificate`, () =>
      Effect.gen(function* () {
        const api = yield* Api
        const { ours, theirs } = api
        const key = makeKey()
        const good = ours.certify(key.publicKey, "-n", "ann")
        const forged = Buffer.from(good, "base64")
        forged.write("bob", forged.indexOf("ann"))
        const spliced = Buffer.from(theirs.certify(key.publicKey, "-n", "ann"), "base64")
        const theirKey = Buffer.from(theirs.publicKey.split(" ")[1] ?? "", "base64")
        Buffer.from(ours.publicKey.split(" ")[1] ?? "", "base64").copy(spliced, spliced.indexOf(theirKey))
        const raw = Buffer.from(good, "base64")
        const others = [
          theirs.certify(key.publicKey, "-n", "ann"),
          forged.toString("base64"),
          spliced.toString("base64"),
          raw.subarray(0, -1).toString("base64"),
          Buffer.concat([raw, Buffer.from([0])]).toString("base64"),
          key.publicKey.split(" ")[1] ?? "",
          "x",
          ""
        ]
        for (const [at, other] of others.entries()) expect([at, yield* whois(api, other, { key })]).toEqual([at, 401])
        expect(yield* whois(api, good, { key: makeKey() })).toBe(401)
        const covers = sign === byDraft ? ["(request-target)", "(created)"] : ["@method", "@target-uri"]
        expect(yield* whois(api, good, { key, covers })).toBe(401)
        expect(yield* whois(api, good, { key })).toBe("ann")
      })
    )
  }

  it.effect("is accepted once, regardless of its key id, and never with a former user name", () =>
    Effect.gen(function* () {
      const { ask, ours, send, user } = yield* Api
      const key = makeKey()
      const certificate = ours.certify(key.publicKey, "-n", "carol")
      yield* user("carol")
      const signed = (path: string) =>
        byDraft({
          key,
          keyId: "gitea",
          method: "GET",
          path,
          headers: { "x-ssh-certificate": certificate },
          covers: ["(request-target)", "(created)", "x-ssh-certificate"]
        })
      const headers = signed("/user?once")
      const again = { ...headers, signature: (headers.signature ?? "").replace("gitea", "another") }
      expect((yield* send("GET", "/user?once", { headers })).json.login).toBe("carol")
      for (const each of [headers, again])
        expect((yield* send("GET", "/user?once", { headers: each })).status).toBe(401)
      yield* ask(204, "POST", "/admin/users/carol/rename", { headers: basic("root"), body: { new_username: "cara" } })
      expect((yield* send("GET", "/user?renamed", { headers: signed("/user?renamed") })).status).toBe(401)
    })
  )
})
