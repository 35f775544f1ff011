import { Context, Effect } from "effect"

/** A request as its sender signed it. */
export interface SignedRequest {
  readonly method: string
  /** The whole address, as callers know it. */
  readonly url: string
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body, if it was already read; otherwise it is verified when it is read. */
  readonly body?: Uint8Array | undefined
}

/** The parameters of a request signature. */
export interface RequestSignature {
  readonly scheme: "draft" | "rfc9421"
  /** The fingerprint of the SSH key that made it, as `ssh-keygen -l` shows it. */
  readonly keyId: string
  /** The signed parts of the request: headers, and derived components of RFC 9421. */
  readonly covers: ReadonlySet<string>
  /** In seconds, if present. */
  readonly created?: number | undefined
  readonly expires?: number | undefined
  /** The text that was signed. */
  readonly base: string
}

/** A certificate of an SSH key: its owner, and its validity. */
export interface SshCertificate {
  /** The key, in the stored form of users' keys. */
  readonly publicKey: string
  /** The fingerprint of the key that signed it. */
  readonly authority: string
  readonly holder: "user" | "host"
  readonly serial: string
  readonly name: string
  /** The names that its holder may sign in as. */
  readonly principals: ReadonlyArray<string>
  /** The critical options that a verifier must understand. */
  readonly options: ReadonlyArray<string>
  /** In seconds since 1970. */
  readonly validAfter: number
  readonly validBefore: number
}

/** Reads the signatures of requests, and checks them with public SSH keys. */
export interface RequestSignatureChecker {
  /** Parses a signature; undefined if it is malformed, or if the request is signed by two schemes. */
  readonly read: (request: SignedRequest) => Effect.Effect<RequestSignature | undefined>
  /** Returns whether a stored public key verifies the signature. */
  readonly check: (request: SignedRequest, publicKey: string) => Effect.Effect<boolean>
  /** Reads a certificate in base64; answers nothing for what is none, or isn't signed by the key that it names. */
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
