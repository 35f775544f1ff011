import { Context, Effect } from "effect"

/** A request as its sender signed it. */
export interface SignedRequest {
  readonly method: string
  /** The full URL, as callers know it. */
  readonly url: string
  /** The headers, by lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body, if it was already read; otherwise it is verified when it is read. */
  readonly body?: Uint8Array | undefined
}

/** The parameters of a request signature. */
export interface RequestSignature {
  readonly scheme: "draft" | "rfc9421"
  /** The fingerprint of its SSH key, as `ssh-keygen -l` shows it. */
  readonly keyId: string
  /** The signed parts of the request: headers, and derived components of RFC 9421. */
  readonly covers: ReadonlySet<string>
  /** In seconds, if present. */
  readonly created?: number | undefined
  readonly expires?: number | undefined
  /** The signed text. */
  readonly base: string
}

/** A certificate of an SSH key: its owner, and its validity. */
export interface SshCertificate {
  /** The key, in the stored form of users' keys. */
  readonly publicKey: string
  /** The fingerprint of the signing key. */
  readonly authority: string
  readonly holder: "user" | "host"
  readonly serial: string
  readonly name: string
  /** The names that its holder can sign in as. */
  readonly principals: ReadonlyArray<string>
  /** The critical options that a verifier must understand. */
  readonly options: ReadonlyArray<string>
  /** In seconds since 1970. */
  readonly validAfter: number
  readonly validBefore: number
}

/** Parses the signatures of requests, and verifies them with public SSH keys. */
export interface RequestSignatureChecker {
  /** Parses a signature; undefined if it is malformed, or if the request is signed by two schemes. */
  readonly read: (request: SignedRequest) => Effect.Effect<RequestSignature | undefined>
  /** Returns whether a stored public key verifies the signature. */
  readonly check: (request: SignedRequest, publicKey: string) => Effect.Effect<boolean>
  /** Parses a certificate in base64; undefined if it is invalid, or not signed by the key that it names. */
  readonly certificate: (text: string) => Effect.Effect<SshCertificate | undefined>
}

/** Verifies the signatures of requests; the default verifies none. */
export class RequestSignatures extends Context.Reference("@slipway/domain/forge/RequestSignatures", {
  defaultValue: (): RequestSignatureChecker => ({
    read: () => Effect.succeed(undefined),
    check: () => Effect.succeed(false),
    certificate: () => Effect.succeed(undefined)
  })
}) {}
