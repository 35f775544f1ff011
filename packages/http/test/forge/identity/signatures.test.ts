import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { branchRef, CommitSignatures, GitReader, GitWriter, type ObjectId, Revision } from "@slipway/domain/forge/code"
import { SiteSigner } from "@slipway/domain/forge/identity"
import { layerSigningWriter } from "@slipway/forge/identity"
import { layerSiteSigner } from "@slipway/signatures"
import {
  annsKey,
  annsSignature,
  bobsKey,
  bobsPrivateKey,
  signedCommit,
  sshPrivateKey,
  sshSigned,
  weakKey
} from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { basic, type Service, start } from "../support/harness.ts"

const headers = basic("ann")

/** Writes a private key to a file that is deleted after the test. */
const keyFile = (text: string) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "slipway-signing-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    writeFileSync(join(folder, "key"), text)
    return join(folder, "key")
  })

let names = 0

/** Pushes the signed commit with a signature, and returns its verification from the API. */
const told = (api: Service, signature: string, message = "Hello\n") =>
  Effect.gen(function* () {
    const name = `r${names++}`
    const made = yield* api.ask(201, "POST", "/user/repos", { headers, body: { name } })
    const id = made.id as RepositoryId
    const commit = yield* api.within(
      Effect.gen(function* () {
        const writer = yield* GitWriter
        const who = { name: "ann", email: "ann@example.com", seconds: 1_767_225_600, offset: "+0000" }
        const tree = yield* writer.writeTree(id, undefined, [])
        const commit = { tree, parents: [], author: who, committer: who, message, signature }
        const written = yield* writer.writeCommit(id, commit)
        yield* writer.updateRefs(id, [{ ref: branchRef("main"), to: written }])
        return written
      }).pipe(Effect.orDie)
    )
    const answer = yield* api.ask(200, "GET", `/repos/ann/${name}/git/commits/${commit}`, { headers })
    return answer.commit.verification
  })

/** The commit as git stores it with a signature. */
const withSignature = (signature: string) =>
  signedCommit.replace("\n\n", `\ngpgsig ${signature.trim().replaceAll("\n", "\n ")}\n\n`)

describe("OpenPGP keys", () => {
  it.live("are added by email address, listed, read and deleted with their subkeys", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      yield* api.user("bob")
      const made = yield* api.ask(201, "POST", "/user/gpg_keys", { headers, body: { armored_public_key: annsKey } })
      expect(made).toMatchObject({
        primary_key_id: "",
        key_id: "E777E478CBBE7E16",
        emails: [{ email: "ann@example.com", verified: true }],
        can_sign: true,
        can_certify: true,
        can_encrypt_comms: false,
        verified: false,
        created_at: "2024-01-02T03:04:05Z",
        expires_at: "0001-01-01T00:00:00Z",
        subkeys: [
          { key_id: "46C5AD0691BA8E31", primary_key_id: "E777E478CBBE7E16", can_sign: false, can_encrypt_comms: true },
          { key_id: "69D0783557447736", primary_key_id: "E777E478CBBE7E16", can_sign: true, subkeys: [] }
        ]
      })
      expect(yield* api.ask(200, "GET", `/user/gpg_keys/${made.id}`, { headers })).toEqual(made)
      expect(yield* api.ask(200, "GET", "/user/gpg_keys", { headers })).toEqual([made])
      expect(yield* api.ask(200, "GET", "/users/ann/gpg_keys", { headers: basic("bob") })).toEqual([made])
      expect(yield* api.ask(200, "GET", "/users/bob/gpg_keys", { headers })).toEqual([])
      for (const id of [made.id, made.subkeys[0].id]) {
        yield* api.ask(404, "DELETE", `/user/gpg_keys/${id}`, { headers: basic("bob") })
      }
      yield* api.ask(404, "DELETE", `/user/gpg_keys/${made.subkeys[0].id}`, { headers })
      yield* api.ask(204, "DELETE", `/user/gpg_keys/${made.id}`, { headers })
      yield* api.ask(201, "POST", "/user/gpg_keys", { headers, body: { armored_public_key: annsKey } })
    })
  )

  it.live("are rejected if they belong to another user, are in use or are weak", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      yield* api.user("bob")
      const refusal = (by: string, body: unknown, path = "/user/gpg_keys", status = 422) =>
        Effect.map(api.ask(status, "POST", path, { headers: basic(by), body }), ({ message }) => message)
      const unproven =
        "[armored_public_key]: has none of your confirmed addresses: sign the text of gpg_key_token and send it as `armored_signature`"
      expect(yield* refusal("ann", { armored_public_key: bobsKey })).toBe(unproven)
      const unsigned = "[armored_signature]: is not a signature by this key of the current text of gpg_key_token"
      const other = { armored_public_key: annsKey, armored_signature: annsSignature }
      expect(yield* refusal("bob", other)).toBe(unsigned)
      expect(yield* refusal("ann", { armored_public_key: weakKey })).toBe(
        "[armored_public_key]: RSA keys need 2048 bits or more."
      )
      yield* api.ask(201, "POST", "/user/gpg_keys", { headers, body: { armored_public_key: annsKey } })
      expect(yield* refusal("ann", { armored_public_key: annsKey })).toBe(
        "[key]: is already in use: a key belongs to one account or one repository"
      )
      const token = yield* api.send("GET", "/user/gpg_key_token", { headers })
      expect(token.text).toMatch(/^[0-9a-f]{64}$/)
      const proof = { key_id: "E777E478CBBE7E16", armored_signature: annsSignature }
      expect(yield* refusal("ann", proof, "/user/gpg_key_verify")).toBe(unsigned)
      yield* refusal("bob", proof, "/user/gpg_key_verify", 404)
    })
  )
})

describe("a signature of the verification text", () => {
  it.live("proves that a key belongs to the caller, and is invalid for other users", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      yield* api.user("bob")
      const file = yield* keyFile(bobsPrivateKey)
      const bob = yield* Effect.provide(SiteSigner, Layer.orDie(layerSiteSigner(file, { name: "", email: "" })))
      const signedFor = (name: string, end: string) =>
        Effect.gen(function* () {
          const { text } = yield* api.send("GET", "/user/gpg_key_token", { headers: basic(name) })
          return bob === undefined ? "" : yield* bob.sign(new TextEncoder().encode(`${text}${end}`))
        })
      const add = (status: number, armored_signature: string) =>
        api.ask(status, "POST", "/user/gpg_keys", { headers, body: { armored_public_key: bobsKey, armored_signature } })
      yield* add(422, yield* signedFor("bob", "\n"))
      const made = yield* add(201, yield* signedFor("ann", "\n"))
      expect(made).toMatchObject({ verified: true, emails: [{ email: "bob@example.com", verified: false }] })
      yield* api.ask(204, "DELETE", `/user/gpg_keys/${made.id}`, { headers })
      const body = { armored_public_key: bobsKey }
      const plain = yield* api.ask(201, "POST", "/user/gpg_keys", { headers: basic("bob"), body })
      expect(plain.verified).toBe(false)
      const proof = { key_id: plain.key_id, armored_signature: yield* signedFor("bob", "") }
      const proven = yield* api.ask(201, "POST", "/user/gpg_key_verify", { headers: basic("bob"), body: proof })
      expect(proven).toEqual({ ...plain, verified: true })
    })
  )
})

describe("the verification of commits", () => {
  it.live("names the signer, and the reason why a signature is not valid", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { fullName: "Ann Onymous" })
      yield* api.user("bob")
      const [ed25519] = sshSigned
      expect(yield* told(api, annsSignature)).toMatchObject({
        verified: false,
        reason: "gpg.error.no_gpg_keys_found",
        signer: null
      })
      yield* api.ask(201, "POST", "/user/gpg_keys", { headers, body: { armored_public_key: annsKey } })
      const signer = { name: "Ann Onymous", email: "ann@example.com", username: "ann" }
      expect(yield* told(api, annsSignature)).toEqual({
        verified: true,
        reason: "Ann Onymous / 69D0783557447736",
        signature: annsSignature.replace(/\n$/, ""),
        payload: signedCommit,
        signer
      })
      expect(yield* told(api, annsSignature, "Hallo\n")).toMatchObject({
        verified: false,
        reason: "gpg.error.probable_bad_signature"
      })
      expect(yield* told(api, "-----BEGIN PGP SIGNATURE-----\n\nnone\n-----END PGP SIGNATURE-----")).toMatchObject({
        verified: false,
        reason: "gpg.error.extract_sign"
      })
      // Bob's key is not valid for Ann's address.
      const key = { title: "k", key: ed25519?.publicKey ?? "" }
      const bobs = yield* api.ask(201, "POST", "/user/keys", { headers: basic("bob"), body: key })
      expect(yield* told(api, ed25519?.signature ?? "")).toMatchObject({ verified: false })
      yield* api.ask(204, "DELETE", `/user/keys/${bobs.id}`, { headers: basic("bob") })
      yield* api.ask(201, "POST", "/user/keys", { headers, body: key })
      expect(yield* told(api, ed25519?.signature ?? "")).toMatchObject({
        verified: true,
        reason: "Ann Onymous / SHA256:J9pevDv6Ty8N23srChdIayyBzPiisHlRBcXsECZ0Hss",
        signer
      })
      const counts = (commit: string) =>
        api.within(Effect.flatMap(CommitSignatures, (signatures) => signatures.count(new TextEncoder().encode(commit))))
      expect(yield* counts(withSignature(annsSignature))).toBe(true)
      expect(yield* counts(withSignature(annsSignature).replace("Hello", "Hallo"))).toBe(false)
      expect(yield* counts(signedCommit)).toBe(false)
    })
  )
})

describe("the signing key of the site", () => {
  it.live("signs commits that the site creates, and its signature is verified", () =>
    Effect.gen(function* () {
      const file = yield* keyFile(sshPrivateKey)
      const api = yield* start({
        signer: Layer.orDie(layerSiteSigner(file, { name: "Site", email: "site@example.com" }))
      })
      yield* api.user("ann")
      const { id } = yield* api.ask(201, "POST", "/user/repos", { headers, body: { name: "app" } })
      const who = { name: "ann", email: "ann@example.com", seconds: 1_767_225_600, offset: "+0000" }
      const commit = yield* api.within(
        Effect.gen(function* () {
          const writer = yield* GitWriter
          const tree = yield* writer.writeTree(id, undefined, [])
          const signed = yield* Effect.provide(GitWriter, layerSigningWriter)
          const written = yield* signed.writeCommit(id, {
            tree,
            parents: [],
            author: who,
            committer: who,
            message: "Hi\n"
          })
          yield* writer.updateRefs(id, [{ ref: branchRef("main"), to: written }])
          return written
        }).pipe(Effect.orDie)
      )
      const answer = yield* api.ask(200, "GET", `/repos/ann/app/git/commits/${commit}`, { headers })
      expect(answer.commit.verification).toMatchObject({
        verified: true,
        reason: "Site / SHA256:J9pevDv6Ty8N23srChdIayyBzPiisHlRBcXsECZ0Hss",
        signer: { name: "Site", email: "site@example.com", username: "" }
      })
    })
  )

  it.live("is also required for merges into a branch that accepts only signed commits (B6)", () =>
    Effect.gen(function* () {
      const file = yield* keyFile(sshPrivateKey)
      const signer = Layer.orDie(layerSiteSigner(file, { name: "Site", email: "site@example.com" }))
      // The first commit of the service is not signed here.
      const api = yield* start({ signer })
      yield* api.user("ann")
      const { id } = yield* api.ask(201, "POST", "/user/repos", { headers, body: { name: "app", auto_init: true } })
      const who = { name: "ann", email: "ann@example.com", seconds: 1_767_225_600, offset: "+0000" }
      yield* api.within(
        Effect.gen(function* () {
          const main = yield* (yield* GitReader).resolve(id, Revision.make("main"))
          const writer = yield* Effect.provide(GitWriter, layerSigningWriter)
          const tree = yield* writer.writeTree(id, undefined, [])
          const commit = { tree, parents: [main?.commit as ObjectId], author: who, committer: who, message: "Hi\n" }
          yield* writer.updateRefs(id, [{ ref: branchRef("topic"), to: yield* writer.writeCommit(id, commit) }])
        }).pipe(Effect.orDie)
      )
      const post = (path: string, body: object, status: number) =>
        api.ask(status, "POST", `/repos/ann/app${path}`, { headers, body })
      const rule = { rule_name: "main", require_signed_commits: true, block_admin_merge_override: true }
      yield* post("/branch_protections", rule, 201)
      yield* post("/pulls", { title: "Hi", head: "topic", base: "main" }, 201)
      for (const Do of ["merge", "squash", "rebase-merge"]) {
        expect((yield* post("/pulls/1/merge", { Do }, 405)).message).toContain("signature")
      }
      yield* post("/pulls/1/merge", { Do: "fast-forward-only" }, 200)
    })
  )

  const key = { kind: "ssh", publicKey: "ssh-ed25519 AAAA" } as const

  it.live("is readable by every caller if the site has one", () =>
    Effect.gen(function* () {
      const without = yield* start()
      yield* without.ask(404, "GET", "/signing-key.gpg")
      yield* without.ask(404, "GET", "/signing-key.pub")
      const signer = Layer.succeed(SiteSigner, {
        key,
        named: { kind: "ssh", fingerprint: "SHA256:x" },
        name: "Site",
        email: "site@example.com",
        sign: () => Effect.succeed("")
      })
      const api = yield* start({ signer })
      yield* api.user("ann")
      yield* api.ask(201, "POST", "/user/repos", { headers, body: { name: "app" } })
      yield* api.ask(201, "POST", "/user/repos", { headers, body: { name: "shut", private: true } })
      for (const path of ["/signing-key.pub", "/repos/ann/app/signing-key.pub"]) {
        const answer = yield* api.send("GET", path)
        expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([
          200,
          "ssh-ed25519 AAAA\n",
          "text/plain"
        ])
      }
      yield* api.ask(404, "GET", "/signing-key.gpg")
      yield* api.ask(404, "GET", "/repos/ann/shut/signing-key.pub")
    })
  )
})
