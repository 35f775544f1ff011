import { Context, Effect } from "effect"

/** The parts of a request that a signature can cover. */
export interface SignedRequest {
  readonly method: string
  /** The full public URL of the request, as clients use it. */
  readonly url: string
  /** The request headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body, if it was already read; otherwise its digest is verified when it is read. */
  readonly body?: Uint8Array | undefined
}

/** A parsed request signature: the scheme, the key, the signed parts and the times. */
export interface RequestSignature {
  readonly scheme: "draft" | "rfc9421"
  /** The fingerprint of the SSH key that signed the request, as `ssh-keygen -l` shows it. */
  readonly keyId: string
  /** The signed parts of the request: names of headers, and derived components as defined by RFC 9421. */
  readonly covers: ReadonlySet<string>
  /** The time of creation, in seconds since 1970; undefined if the signature does not contain it. */
  readonly created?: number | undefined
  readonly expires?: number | undefined
  /** The text over which the signature was made (the signature base). */
  readonly base: string
}

/** An SSH certificate: the key, the user or host that it is for, and its validity. */
export interface SshCertificate {
  /** The public key, in the form in which the keys of users are stored. */
  readonly publicKey: string
  /** The fingerprint of the certificate authority's key. */
  readonly authority: string
  readonly holder: "user" | "host"
  readonly serial: string
  readonly name: string
  /** The user names for which the certificate is valid. */
  readonly principals: ReadonlyArray<string>
  /** The names of the critical options. A verifier that does not know one of them must reject the certificate. */
  readonly options: ReadonlyArray<string>
  /** The time from which the certificate is valid, in seconds since 1970. */
  readonly validAfter: number
  readonly validBefore: number
}

/** Parses the signatures of requests, and verifies them with public SSH keys. */
export interface RequestSignatureChecker {
  /**
   * Parses the signature of a request; undefined if it is malformed, or if the request has signatures of two schemes.
   */
  readonly read: (request: SignedRequest) => Effect.Effect<RequestSignature | undefined>
  /** Returns whether the signature of a request was made with the private key of a public key. */
  readonly check: (request: SignedRequest, publicKey: string) => Effect.Effect<boolean>
  /**
   * Parses a base64 certificate; undefined if it is malformed, or not signed by the certificate authority key in it.
   */
  readonly certificate: (text: string) => Effect.Effect<SshCertificate | undefined>
}

/** Verifies the signatures of requests. The default implementation accepts no signature. */
export class RequestSignatures extends Context.Reference("@slipway/domain/forge/RequestSignatures", {
  defaultValue: (): RequestSignatureChecker => ({
    read: () => Effect.succeed(undefined),
    check: () => Effect.succeed(false),
    certificate: () => Effect.succeed(undefined)
  })
}) {}
