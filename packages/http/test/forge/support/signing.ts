import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto"
import { Effect } from "effect"
import { basic, rootUrl, type Service } from "./harness.ts"

const lengthened = (bytes: Buffer | string): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(bytes))
  return Buffer.concat([length, Buffer.from(bytes as string)])
}

/** An SSH key with its private half. */
export interface SigningKey {
  readonly privateKey: KeyObject
  readonly publicKey: string
  readonly fingerprint: string
}

/** Creates an SSH key, like `ssh-keygen -t ed25519`. */
export const makeKey = (): SigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const point = publicKey.export({ format: "der", type: "spki" }).subarray(-32)
  const blob = Buffer.concat([lengthened("ssh-ed25519"), lengthened(point)])
  const fingerprint = `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`
  return { privateKey, publicKey: `ssh-ed25519 ${blob.toString("base64")}`, fingerprint }
}

/** Creates a key, and adds it to a user as an administrator. */
export const keyOf = (api: Pick<Service, "ask">, name: string, administrator: string) =>
  Effect.gen(function* () {
    const key = makeKey()
    const body = { title: "laptop", key: key.publicKey }
    yield* api.ask(201, "POST", `/admin/users/${name}/keys`, { headers: basic(administrator), body })
    return key
  })

/** The request to sign. */
export interface Signing {
  readonly key: SigningKey
  readonly method: string
  /** The path below the API prefix, with the query. */
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The covered components, in the scheme's terms; the usual ones by default. */
  readonly covers?: ReadonlyArray<string>
  /** In seconds; now by default. */
  readonly created?: number
  readonly expires?: number
  readonly keyId?: string
}

/** Returns the current time in seconds. */
export const second = (): number => Math.floor(Date.now() / 1_000)

/** Formats seconds for the `Date` header. */
export const httpDate = (seconds: number): string => new Date(seconds * 1_000).toUTCString()

const pathOf = (path: string) => `/api/v1${path}`

const signed = ({ privateKey }: SigningKey, lines: ReadonlyArray<string>) =>
  sign(null, Buffer.from(lines.join("\n")), privateKey).toString("base64")

/** Signs a request by the draft, like Gitea's Go client; returns its headers. */
export const byDraft = (signing: Signing): Record<string, string> => {
  const { body, created = second(), expires = created + 10, key, keyId = key.fingerprint, method, path } = signing
  const digest = body === undefined ? undefined : createHash("sha512").update(body).digest("base64")
  const headers: Record<string, string> = { ...signing.headers }
  if (digest !== undefined) headers.digest = `SHA-512=${digest}`
  const { covers = ["(request-target)", "(created)", "(expires)", ...(digest === undefined ? [] : ["digest"])] } =
    signing
  const special: Record<string, string> = {
    "(request-target)": `${method.toLowerCase()} ${pathOf(path)}`,
    "(created)": String(created),
    "(expires)": String(expires)
  }
  const signature = signed(
    key,
    covers.map((name) => `${name}: ${special[name] ?? headers[name]}`)
  )
  const times = `created=${created},expires=${expires}`
  headers.signature = `keyId="${keyId}",algorithm="hs2019",${times},headers="${covers.join(" ")}",signature="${signature}"`
  return headers
}

/** Signs a request by RFC 9421; returns its headers. */
export const byStandard = (signing: Signing): Record<string, string> => {
  const { body, created = second(), key, keyId = key.fingerprint, method, path } = signing
  const digest = body === undefined ? undefined : createHash("sha256").update(body).digest("base64")
  const headers: Record<string, string> = { ...signing.headers }
  if (digest !== undefined) headers["content-digest"] = `sha-256=:${digest}:`
  const { covers = ["@method", "@target-uri", ...Object.keys(headers)] } = signing
  const [bare = "", query] = pathOf(path).split("?")
  const derived: Record<string, string> = {
    "@method": method,
    "@target-uri": `${rootUrl}${pathOf(path)}`,
    "@authority": new URL(rootUrl).host,
    "@path": bare,
    "@query": `?${query ?? ""}`
  }
  const list = `(${covers.map((name) => `"${name}"`).join(" ")})`
  const expires = signing.expires === undefined ? "" : `;expires=${signing.expires}`
  const input = `${list};created=${created}${expires};keyid="${keyId}";alg="ed25519";nonce="${randomUUID()}"`
  const lines = covers.map((name) => `"${name}": ${derived[name] ?? headers[name]}`)
  const signature = signed(key, [...lines, `"@signature-params": ${input}`])
  return { ...headers, "signature-input": `sig=${input}`, signature: `sig=:${signature}:` }
}
