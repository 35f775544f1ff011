import { execFileSync } from "node:child_process"
import { createPublicKey } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { RequestSignatures } from "@slipway/domain/forge/identity"
import { authorityIn, layerRequestSignatures } from "@slipway/signatures"
import { Effect } from "effect"

const signatures = Effect.provide(Effect.service(RequestSignatures), layerRequestSignatures)

/** Writes a key in SSH format from the parts of its blob. */
const sshKey = (type: string, parts: ReadonlyArray<Buffer>) => {
  const lengthened = [Buffer.from(type), ...parts].flatMap((part) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    return [length, part]
  })
  return `${type} ${Buffer.concat(lengthened).toString("base64")}`
}

/** The example of RFC 9421, B.2.6, with its key of B.1.4. */
const standard = {
  key: sshKey("ssh-ed25519", [
    Buffer.from("MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=", "base64").subarray(-32)
  ]),
  request: {
    method: "POST",
    url: "https://example.com/foo?param=Value&Pet=dog",
    headers: {
      host: "example.com",
      date: "Tue, 20 Apr 2021 02:07:55 GMT",
      "content-type": "application/json",
      "content-length": "18",
      "signature-input":
        'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      signature: "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:"
    }
  }
}

const draftKey = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDCFENGw33yGihy92pDjZQhl0C3
6rPJj+CvfSC8+q28hxA161QFNUd13wuCTUcq0Qd2qsBe/2hFyc2DCJJg0h1L78+6
Z4UMR7EOcpfdUE9Hf3m/hs+FUR45uBJeDK1HSFHD8bHKD6kv8FPGfJTotc+2xjJw
oYi+1hqp1fIekaxsyQIDAQAB
-----END PUBLIC KEY-----`).export({ format: "jwk" })

/** The example of draft-cavage-http-signatures-12, C.2, with its key. */
const draft = {
  key: sshKey("ssh-rsa", [
    Buffer.from(draftKey.e ?? "", "base64url"),
    Buffer.concat([Buffer.from([0]), Buffer.from(draftKey.n ?? "", "base64url")])
  ]),
  request: {
    method: "POST",
    url: "https://example.com/foo?param=value&pet=dog",
    headers: {
      host: "example.com",
      date: "Sun, 05 Jan 2014 21:31:40 GMT",
      authorization:
        'Signature keyId="Test",algorithm="rsa-sha256",headers="(request-target) host date",signature="qdx+H7PHHDZgy4y/Ahn9Tny9V3GP6YgBPyUXMmoxWtLbHpUnXS2mg2+SbrQDMCJypxBLSPQR2aAjn7ndmw2iicw3HMbe8VfEdKFYRqzic+efkb3nndiv/x1xSHDJWeSWkx3ButlYSuBskLu6kd9Fswtemr3lgdDEmn04swr2Os0="'
    }
  }
}

describe("signatures of requests", () => {
  for (const [title, { key, request }] of Object.entries({ "RFC 9421": standard, "the draft": draft })) {
    it.effect(`are verified as in the examples of ${title}`, () =>
      Effect.gen(function* () {
        const { check } = yield* signatures
        expect(yield* check(request, key)).toBe(true)
        expect(yield* check({ ...request, method: "PUT" }, key)).toBe(false)
        expect(yield* check({ ...request, headers: { ...request.headers, date: "now" } }, key)).toBe(false)
        expect(yield* check(request, key === draft.key ? standard.key : draft.key)).toBe(false)
      })
    )
  }

  it.effect("report the components that they cover, in the terms of RFC 9421", () =>
    Effect.gen(function* () {
      const { read } = yield* signatures
      expect(yield* read(draft.request)).toMatchObject({
        scheme: "draft",
        keyId: "Test",
        covers: new Set(["@method", "@request-target", "host", "date"]),
        base: "(request-target): post /foo?param=value&pet=dog\nhost: example.com\ndate: Sun, 05 Jan 2014 21:31:40 GMT"
      })
      expect(yield* read(standard.request)).toMatchObject({
        scheme: "rfc9421",
        keyId: "test-key-ed25519",
        created: 1618884473,
        covers: new Set(["date", "@method", "@path", "@authority", "content-type", "content-length", "@created"])
      })
    })
  )

  it.effect("are rejected if they are ambiguous", () =>
    Effect.gen(function* () {
      const { read } = yield* signatures
      const draftOf = (signature: string) => ({ ...draft.request, headers: { host: "example.com", signature } })
      const standardOf = (input: string) => ({
        ...standard.request,
        headers: { ...standard.request.headers, "signature-input": input }
      })
      const unread = [
        draftOf(""),
        draftOf('keyId="a",keyId="b",signature="AAAA"'),
        draftOf('keyId="a",headers="x-missing",signature="AAAA"'),
        draftOf('keyId="a"'),
        draftOf(`keyId="${"a".repeat(9_000)}",signature="AAAA"`),
        standardOf("nonsense("),
        standardOf('other=("@method");created=1;keyid="a"'),
        standardOf('sig-b26=("@method";req);created=1;keyid="a"'),
        standardOf('sig-b26=("@method" "@method");created=1;keyid="a"'),
        standardOf('sig-b26=("@query-param";name="a");created=1;keyid="a"'),
        standardOf('sig-b26="@method";created=1;keyid="a"'),
        // The signature would cover `/bar`, but the server would answer another path.
        { ...standard.request, url: "https://example.com/foo/%2e%2e/bar" },
        { ...standard.request, url: "/foo" }
      ]
      for (const request of unread) expect(yield* read(request), JSON.stringify(request)).toBeUndefined()
    })
  )
})

describe("an SSH certificate", () => {
  it.effect("is read for each key type that OpenSSH issues", () =>
    Effect.gen(function* () {
      const { certificate } = yield* signatures
      const directory = mkdtempSync(join(tmpdir(), "slipway-certificate-"))
      const keygen = (...terms: ReadonlyArray<string>) =>
        execFileSync("ssh-keygen", ["-q", ...terms], { cwd: directory })
      try {
        for (const [type, bits] of [
          ["rsa", "2048"],
          ["ecdsa", "256"],
          ["ed25519", "256"]
        ] as const) {
          keygen("-t", type, "-b", bits, "-N", "", "-C", "", "-f", type)
        }
        const text = (file: string) => readFileSync(join(directory, file), "utf8").trim()
        for (const [authority, key] of [
          ["rsa", "ecdsa"],
          ["ecdsa", "rsa"],
          ["ed25519", "ed25519"]
        ] as const) {
          keygen(
            "-s",
            authority,
            "-I",
            "name",
            "-n",
            "ann,bob",
            "-z",
            "7",
            "-V",
            "19700101000001Z:19700101000002Z",
            `${key}.pub`
          )
          expect(yield* certificate(text(`${key}-cert.pub`).split(" ")[1] ?? "")).toEqual({
            publicKey: text(`${key}.pub`),
            authority: authorityIn(text(`${authority}.pub`)),
            holder: "user",
            serial: "7",
            name: "name",
            principals: ["ann", "bob"],
            options: [],
            validAfter: 1,
            validBefore: 2
          })
        }
        // Only a public key may be trusted.
        expect([authorityIn(text("ed25519")), authorityIn(text("rsa-cert.pub")), authorityIn("ssh-ed25519 x")]).toEqual(
          [undefined, undefined, undefined]
        )
      } finally {
        rmSync(directory, { recursive: true })
      }
    })
  )
})
