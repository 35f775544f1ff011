import { describe, expect, it } from "@effect/vitest"
import { SiteSettings } from "@slipway/domain/forge/base"
import { IssueStore } from "@slipway/domain/forge/collaboration"
import {
  type RequestSignature,
  RequestSignatures,
  type SignedRequest,
  type SshCertificate,
  SshKeyStore,
  spentSignatures,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { TestClock } from "effect/testing"
import { signerOf } from "../../src/entry/credentials/signedRequest.ts"

// The tests define the result of the signature checker.

/** The present, in seconds: 1970-01-12T13:46:40Z. */
const present = 1_000_000
const dateAt = (seconds: number) => new Date((present + seconds) * 1_000).toUTCString()

const standard = ["@method", "@path", "@query", "@created", "@authority"]
const draft = ["@request-target", "@method", "date"]

interface Sent {
  readonly signature?: Partial<RequestSignature>
  readonly request?: Partial<SignedRequest>
  readonly covers?: ReadonlyArray<string>
  readonly again?: boolean
  readonly valid?: boolean
  readonly holder?: { readonly kind: "user"; readonly userId: number } | { readonly kind: "repository" }
  readonly user?: { readonly name: string } | undefined
  readonly certified?: Partial<SshCertificate>
}

const certificate: SshCertificate = {
  publicKey: "ssh-ed25519 k",
  authority: "SHA256:ca",
  holder: "user",
  serial: "1",
  name: "laptop",
  principals: ["ann", "bob"],
  options: [],
  validAfter: present - 10,
  validBefore: present + 10
}

const spent: Array<{ readonly hash: string; readonly expiresAt: string }> = []

const sent = ({ again = false, certified, covers = standard, request, signature, valid = true, ...found }: Sent) => {
  const read: RequestSignature = {
    scheme: "rfc9421",
    keyId: "SHA256:k",
    covers: new Set(covers),
    created: present,
    base: `${spent.length}`,
    ...signature
  }
  const asked = { method: "GET", url: "https://forge.example/", headers: {}, ...request }
  const key = { publicKey: "ssh-ed25519 k", holder: found.holder ?? { kind: "user", userId: 1 } }
  const user = "user" in found ? found.user : { name: "bob" }
  const insertIfAbsent = (row: (typeof spent)[number]) => {
    const isNew = spent.every(({ hash }) => hash !== row.hash)
    spent.push(row)
    return Effect.succeed(isNew)
  }
  return signerOf({ _tag: "Signature", request: asked, again }).pipe(
    Effect.map((credential) => (credential._tag === "Signer" ? credential.name : credential._tag)),
    Effect.provideService(RequestSignatures, {
      read: () => Effect.succeed(signature === undefined && found.holder === null ? undefined : read),
      check: (_, publicKey) => Effect.succeed(valid && publicKey === "ssh-ed25519 k"),
      certificate: (text) => Effect.succeed(text === "c" ? { ...certificate, ...certified } : undefined)
    }),
    Effect.provideService(IssueStore, { usersNamed: () => Effect.succeed(new Map([["bob", 1]])) } as never),
    Effect.provideService(SiteSettings, { signIn: { trustedAuthorities: ["SHA256:ca"] } } as never),
    Effect.provideService(SshKeyStore, { byFingerprint: () => Effect.succeed(key) } as never),
    Effect.provideService(UserStore, { find: () => Effect.succeed(user) } as never),
    Effect.provideService(spentSignatures.store, { insertIfAbsent } as never),
    Effect.provide(Digest.layerWebCrypto)
  )
}

const all = (...requests: ReadonlyArray<Sent>) =>
  Effect.andThen(TestClock.setTime(present * 1_000), Effect.forEach(requests, sent))

describe("a signed request", () => {
  it.effect("authenticates the owner of the key that signed all required components", () =>
    Effect.gen(function* () {
      expect(
        yield* all({}, { signature: { scheme: "draft" }, covers: draft, request: { headers: { date: dateAt(0) } } })
      ).toEqual(["bob", "bob"])
    })
  )

  it.effect("is rejected when a required component is not signed", () =>
    Effect.gen(function* () {
      const without = standard.map((name) => ({ covers: standard.filter((each) => each !== name) }))
      expect(yield* all(...without)).toEqual(standard.map(() => "Unreadable"))
      // One of several equivalent components is enough.
      expect(
        yield* all(
          { covers: ["@method", "@target-uri", "@created"] },
          { covers: ["@method", "@request-target", "@created", "host"] },
          { covers: ["@method", "@request-target", "@created"] },
          { covers: ["@method", "@request-target", "@created"], signature: { scheme: "draft" } }
        )
      ).toEqual(["bob", "bob", "Unreadable", "bob"])
      const sudo = { headers: { sudo: "ann" } }
      expect(yield* all({ request: sudo }, { request: sudo, covers: [...standard, "sudo"] })).toEqual([
        "Unreadable",
        "bob"
      ])
    })
  )

  it.effect("is valid for five minutes after its date, and a minute before it", () =>
    Effect.gen(function* () {
      const created = (seconds: number): Sent => ({ signature: { created: present + seconds } })
      expect(yield* all(created(60), created(61), created(-300), created(-301))).toEqual([
        "bob",
        "Unreadable",
        "bob",
        "Unreadable"
      ])
      expect(yield* all({ signature: { expires: present } }, { signature: { expires: present - 1 } })).toEqual([
        "bob",
        "Unreadable"
      ])
      expect(yield* all({ signature: { created: undefined } })).toEqual(["Unreadable"])
      const dated = (date: string): Sent => ({
        signature: { scheme: "draft", created: undefined },
        covers: draft,
        request: { headers: { date } }
      })
      expect(
        yield* all(
          dated(dateAt(60)),
          dated(dateAt(61)),
          dated("yesterday"),
          // An unsigned date has no effect.
          { ...dated(dateAt(0)), covers: ["@request-target", "@method"] }
        )
      ).toEqual(["bob", "Unreadable", "Unreadable", "Unreadable"])
      // A slow request body does not matter: the time of arrival counts.
      expect(yield* all({ ...created(-301), again: true })).toEqual(["bob"])
    })
  )

  it.effect("is rejected when the body differs from its signed digest", () =>
    Effect.gen(function* () {
      // The digests of "{}".
      const sha256 = "RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o="
      const sha512 = "J8dGcK23UHX60FjVzq97IMTneGyDuuijL2Jvl4KvNMmjPCBG72D9Knh403jin+yFGAa72aZ4ePOp8c2kgwdj/Q=="
      const body = (headers: Readonly<Record<string, string>>, text = "{}"): Sent => ({
        request: { body: new TextEncoder().encode(text), headers },
        covers: [...standard, ...Object.keys(headers)]
      })
      expect(
        yield* all(
          body({}, ""),
          body({}),
          body({ "content-digest": `sha-256=:${sha256}:` }),
          body({ digest: `SHA-256=${sha256}` }),
          body({ "content-digest": `sha-256=:${sha256}:, sha-512=:${sha512}:` }),
          body({ "content-digest": `sha-256=:${sha256}:` }, "{1}"),
          body({ "content-digest": `sha-256=:${sha256}:, sha-512=:${sha256}:` }),
          body({ "content-digest": "md5=:aaaa:" }),
          // Only signed headers count.
          { ...body({ digest: `SHA-256=${sha256}`, "content-digest": "x" }), covers: [...standard, "content-digest"] }
        )
      ).toEqual(["bob", "Unreadable", "bob", "bob", "bob", "Unreadable", "Unreadable", "Unreadable", "Unreadable"])
    })
  )

  it.effect("is rejected unless the key belongs to an existing user", () =>
    Effect.gen(function* () {
      expect(yield* all({ valid: false }, { holder: { kind: "repository" } }, { user: undefined })).toEqual([
        "Unreadable",
        "Unreadable",
        "Unreadable"
      ])
    })
  )

  it.effect("is accepted with a valid user certificate of a trusted authority without critical options", () =>
    Effect.gen(function* () {
      const request = { headers: { "x-ssh-certificate": "c" } }
      const covers = [...standard, "x-ssh-certificate"]
      const by = (certified: Partial<SshCertificate>): Sent => ({
        request,
        covers,
        certified,
        holder: { kind: "repository" }
      })
      expect(yield* all(by({}), by({ validAfter: present }), by({ validBefore: present + 1 }))).toEqual([
        "bob",
        "bob",
        "bob"
      ])
      expect(yield* all(by({ principals: ["bob"] }))).toEqual(["bob"])
      const refused: ReadonlyArray<Sent> = [
        { ...by({}), covers: standard },
        { ...by({}), request: { headers: { "x-ssh-certificate": "d" } } },
        { ...by({}), valid: false },
        ...[
          { authority: "SHA256:k" },
          { holder: "host" as const },
          { principals: [] },
          { principals: ["ann"] },
          { principals: [...Array.from({ length: 50 }, () => "ann"), "bob"] },
          { options: ["force-command"] },
          { validAfter: present + 1 },
          { validBefore: present },
          { publicKey: "ssh-ed25519 other" }
        ].map(by)
      ]
      expect(yield* all(...refused)).toEqual(refused.map(() => "Unreadable"))
      // The keyId next to a certificate is not signed, so it must not distinguish two requests.
      const once = { ...by({}), signature: { base: "certified" } }
      expect(yield* all(once, { ...once, signature: { base: "certified", keyId: "another" } })).toEqual([
        "bob",
        "Unreadable"
      ])
    })
  )

  it.effect("is accepted once, and stored until it expires to prevent replay", () =>
    Effect.gen(function* () {
      const once: Sent = { signature: { base: "once", created: present + 30 } }
      expect(yield* all(once, once, { ...once, again: true })).toEqual(["bob", "Unreadable", "bob"])
      expect(spent.at(-1)?.expiresAt).toBe("1970-01-12T13:53:10.000Z")
    })
  )
})
