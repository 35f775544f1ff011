import type { SshCertificate } from "@slipway/domain/forge/identity"
import ssh2 from "ssh2"
import { fingerprintOf, isValidSignature, lengthPrefixed, parseSizedTexts } from "./ssh.ts"

const longest = 8_192
const suffix = "-cert-v01@openssh.com"
/** The minimum length of the modulus of an RSA key, in bytes. */
const rsaBytes = 256

/** The number of fields of a public key after the name of its type, for each type of key. */
const keyFields: Readonly<Record<string, number>> = {
  "ssh-ed25519": 1,
  "ssh-rsa": 2,
  "ecdsa-sha2-nistp256": 2,
  "ecdsa-sha2-nistp384": 2
}

/** Reads bytes in sequence; throws at the end of truncated input. */
class Fields {
  at = 0
  private readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new RangeError("a certificate is truncated")
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
  number = (): number => this.take(4).readUInt32BE()
  long = (): bigint => this.take(8).readBigUInt64BE()
  text = (): Buffer => this.take(this.number())
  texts = (): ReadonlyArray<string> => {
    const found = parseSizedTexts(this.text())
    if (found === undefined) throw new RangeError("a list of a certificate is truncated")
    return found.map((each) => each.toString())
  }
}

/**
 * Parses an OpenSSH certificate (PROTOCOL.certkeys). Returns undefined unless the authority key in the certificate has
 * signed it.
 */
export const readCertificate = (encoded: string): SshCertificate | undefined => {
  if (encoded.length > longest || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined
  const bytes = Buffer.from(encoded, "base64")
  const fields = new Fields(bytes)
  const named = fields.text().toString()
  const type = named.slice(0, -suffix.length)
  const count = keyFields[type]
  if (!named.endsWith(suffix) || count === undefined) return undefined
  fields.text() // what makes each one another
  const key = Array.from({ length: count }, fields.text)
  if (type === "ssh-rsa" && (key[1]?.length ?? 0) < rsaBytes) return undefined
  const serial = fields.long()
  const kind = fields.number()
  const name = fields.text().toString()
  const principals = fields.texts()
  const [validAfter, validBefore] = [fields.long(), fields.long()]
  const options = fields.texts()
  fields.text() // extensions, which let a terminal do something
  fields.text() // reserved
  const authority = fields.text()
  const signed = bytes.subarray(0, fields.at)
  const [algorithm, signature, ...more] = parseSizedTexts(fields.text()) ?? []
  if (algorithm === undefined || signature === undefined || more.length > 0 || fields.at !== bytes.length) {
    return undefined
  }
  const signer = ssh2.utils.parseKey(`${parseSizedTexts(authority)?.[0]} ${authority.toString("base64")}`)
  if (signer instanceof Error || !signer.getPublicSSH().equals(authority)) return undefined
  const signatureParts = { algorithm: algorithm.toString(), signature }
  if (!isValidSignature(signer.getPublicPEM(), signer.type, signatureParts, signed)) return undefined
  const blob = Buffer.concat([Buffer.from(type), ...key].map(lengthPrefixed))
  return {
    publicKey: `${type} ${blob.toString("base64")}`,
    authority: fingerprintOf(authority),
    holder: kind === 1 ? "user" : "host",
    serial: String(serial),
    name,
    principals,
    // Each critical option is its name and its value.
    options: options.filter((_, at) => at % 2 === 0),
    validAfter: Number(validAfter),
    validBefore: Number(validBefore)
  }
}

/**
 * Returns the fingerprint of a public key that may sign certificates. Returns undefined if the text is not a public
 * key.
 */
export const authorityIn = (text: string): string | undefined => {
  try {
    const key = ssh2.utils.parseKey(text.trim())
    if (key instanceof Error || key.isPrivateKey()) return undefined
    const blob = key.getPublicSSH()
    // The library parses certificates as keys.
    return text.trim().split(/\s+/)[1] === blob.toString("base64") ? fingerprintOf(blob) : undefined
  } catch {
    return undefined
  }
}
