import { constants, createPublicKey, verify as verifyBytes } from "node:crypto"
import { type RequestSignature, RequestSignatures, type SignedRequest } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { cavage, httpbis } from "http-message-signatures"
import ssh2 from "ssh2"
import { isInnerList, parseDictionary, serializeItem, serializeList } from "structured-headers"
import { readCertificate } from "./certificates.ts"

const longest = 8_192

/** A parsed request signature, with the data that is needed to verify it. */
interface Read extends RequestSignature {
  readonly algorithm: string | undefined
  readonly bytes: Buffer
}

interface Message {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
}

/**
 * Returns the parts of a request that a signature can cover. Returns undefined if the URL is not normalized, because
 * the signed URL must be the URL that is served.
 */
const messageOf = ({ headers, method, url }: SignedRequest): Message | undefined => {
  if (new URL(url).href !== url) return undefined
  const present = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined)
  return { method, url, headers: Object.fromEntries(present) }
}

const parameter = /\s*([a-z]+)=(?:"([^"\\]*)"|(\d{1,12}))\s*(?:,|$)/giy

/**
 * Parses the parameters of a signature in the older draft format. Returns undefined if a parameter is duplicate or
 * invalid.
 */
const parametersOf = (text: string): ReadonlyMap<string, string> | undefined => {
  const found = new Map<string, string>()
  parameter.lastIndex = 0
  while (parameter.lastIndex < text.length) {
    const [, name = "", quoted, digits] = parameter.exec(text) ?? []
    if (name === "" || found.has(name.toLowerCase())) return undefined
    found.set(name.toLowerCase(), quoted ?? digits ?? "")
  }
  return found
}

/** Maps the special names of the draft format to the component names of RFC 9421. */
const draftNames: Readonly<Record<string, ReadonlyArray<string>>> = {
  "(request-target)": ["@method", "@request-target"],
  "(created)": ["@created"],
  "(expires)": ["@expires"]
}

/** Parses a signature in the format of the draft "Signing HTTP Messages" (Cavage). */
const readDraft = (message: Message): Read | undefined => {
  const { authorization, signature = authorization?.replace(/^\s*signature\s+/i, "") ?? "" } = message.headers
  const parameters = parametersOf(signature)
  const keyId = parameters?.get("keyid")
  const bytes = parameters?.get("signature")
  if (parameters === undefined || keyId === undefined || bytes === undefined) return undefined
  const names = (parameters.get("headers") ?? "(created)").toLowerCase().split(" ")
  const fields = names.map((name) => name.replace(/^\((.*)\)$/, "@$1"))
  const [created, expires] = ["created", "expires"].map((name) => {
    const value = parameters.get(name)
    return value === undefined ? undefined : Number(value)
  })
  const times = new Map(Object.entries({ created, expires }).filter(([, value]) => value !== undefined))
  return {
    scheme: "draft",
    keyId,
    covers: new Set(names.flatMap((name) => draftNames[name] ?? [name])),
    created,
    expires,
    base: cavage.formatSignatureBase(cavage.createSignatureBase(fields, message, times as never)),
    algorithm: parameters.get("algorithm"),
    bytes: Buffer.from(bytes, "base64")
  }
}

/** The supported derived components of RFC 9421, such as the method. */
const derived: ReadonlyArray<string> = [
  "@method",
  "@target-uri",
  "@authority",
  "@scheme",
  "@request-target",
  "@path",
  "@query"
]

const fieldName = /^[a-z0-9-]+$/

/**
 * Parses a signature in the format of RFC 9421. Of several signatures, takes the one with a key id in the form of an
 * SSH key id.
 */
const readStandard = (message: Message): Read | undefined => {
  const { signature = "", "signature-input": input = "" } = message.headers
  const inputs = [...parseDictionary(input)]
  const [label, chosen] =
    inputs.find(([, [, each]]) => String(each.get("keyid")).startsWith("SHA256:")) ?? inputs[0] ?? []
  const [bytes] = (label === undefined ? undefined : parseDictionary(signature).get(label)) ?? []
  if (chosen === undefined || !isInnerList(chosen) || !(bytes instanceof ArrayBuffer)) return undefined
  const [items, parameters] = chosen
  const covered = items.map(([name]) => String(name))
  const isTaken = items.every(
    ([name, more]) => typeof name === "string" && more.size === 0 && (derived.includes(name) || fieldName.test(name))
  )
  if (!isTaken || new Set(covered).size !== covered.length) return undefined
  const base = httpbis.createSignatureBase({ fields: items.map((item) => serializeItem(item)) }, message)
  base.push(['"@signature-params"', [serializeList([chosen])]])
  const seconds = (name: string) => {
    const value = parameters.get(name)
    return value === undefined ? undefined : Number(value instanceof Date ? Number.NaN : value)
  }
  const created = seconds("created")
  const algorithm = parameters.get("alg")
  return {
    scheme: "rfc9421",
    keyId: String(parameters.get("keyid")),
    covers: new Set([...covered, ...(created === undefined ? [] : ["@created"])]),
    created,
    expires: seconds("expires"),
    base: httpbis.formatSignatureBase(base),
    algorithm: algorithm === undefined ? undefined : String(algorithm),
    bytes: Buffer.from(bytes)
  }
}

const read = (request: SignedRequest): Read | undefined => {
  const { authorization = "", signature = "", "signature-input": input } = request.headers
  if ([authorization, signature, input ?? ""].some((text) => text.length > longest)) return undefined
  const message = messageOf(request)
  if (message === undefined) return undefined
  return input === undefined ? readDraft(message) : readStandard(message)
}

type Check = (data: Buffer, pem: string, signature: Buffer) => boolean

const rsa =
  (hash: string, more = {}): Check =>
  (data, pem, signature) =>
    verifyBytes(hash, data, { key: createPublicKey(pem), ...more }, signature)

const ecdsa =
  (hash: string, dsaEncoding: "der" | "ieee-p1363"): Check =>
  (data, pem, signature) =>
    verifyBytes(hash, data, { key: createPublicKey(pem), dsaEncoding }, signature)

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }

/** The accepted signature algorithms of each type of key, by their names in both formats. SHA-1 is not accepted. */
const algorithms: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  "ssh-ed25519": { ed25519: (data, pem, signature) => verifyBytes(null, data, createPublicKey(pem), signature) },
  "ssh-rsa": {
    "rsa-sha256": rsa("sha256"),
    "rsa-sha512": rsa("sha512"),
    "rsa-v1_5-sha256": rsa("sha256"),
    "rsa-pss-sha512": rsa("sha512", pss)
  },
  "ecdsa-sha2-nistp256": {
    "ecdsa-sha256": ecdsa("sha256", "der"),
    "ecdsa-p256-sha256": ecdsa("sha256", "ieee-p1363")
  },
  "ecdsa-sha2-nistp384": {
    "ecdsa-sha384": ecdsa("sha384", "der"),
    "ecdsa-p384-sha384": ecdsa("sha384", "ieee-p1363")
  }
}

const check = (request: SignedRequest, publicKey: string): boolean => {
  const signature = read(request)
  const key = ssh2.utils.parseKey(publicKey)
  if (signature === undefined || key instanceof Error) return false
  const known = algorithms[key.type] ?? {}
  const { algorithm = "hs2019", base, bytes } = signature
  // `hs2019` and a missing algorithm mean that the key decides.
  const tried = algorithm === "hs2019" ? Object.values(known) : [known[algorithm]]
  return tried.some((verify) => verify?.(Buffer.from(base), key.getPublicPEM(), bytes))
}

/** Runs a parser, and returns `otherwise` if it throws, because the request is untrusted. */
const orElse = <A>(work: () => A, otherwise: A): Effect.Effect<A> =>
  Effect.catchDefect(Effect.sync(work), () => Effect.succeed(otherwise))

/** Verifies signatures of HTTP requests, in the older draft format and in the format of RFC 9421. */
export const layerRequestSignatures = Layer.succeed(RequestSignatures, {
  read: (request) => orElse(() => read(request), undefined),
  check: (request, publicKey) => orElse(() => check(request, publicKey), false),
  certificate: (text) => orElse(() => readCertificate(text), undefined)
})
