import { Context, Effect } from "effect"

/** A request as its sender signed it. */
export interface SignedRequest {
  readonly method: string
  /** The whole address, as callers know it. */
  readonly url: string
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body, where it was read by now; what isn't read yet is checked when it is. */
  readonly body?: Uint8Array | undefined
}

/** What the signature of a request says of itself. */
export interface RequestSignature {
  readonly scheme: "draft" | "rfc9421"
  /** The fingerprint of the SSH key that made it, as `ssh-keygen -l` shows it. */
  readonly keyId: string
  /** What of the request it was made over: headers, and what RFC 9421 calls derived components. */
  readonly covers: ReadonlySet<string>
  /** In seconds, where it says so. */
  readonly created?: number | undefined
  readonly expires?: number | undefined
  /** The text that was signed. */
  readonly base: string
}

/** What somebody said of an SSH key: whose it is, and for how long. */
export interface SshCertificate {
  /** The key, as it is kept of users. */
  readonly publicKey: string
  /** The fingerprint of the key that signed it. */
  readonly authority: string
  readonly holder: "user" | "host"
  readonly serial: string
  readonly name: string
  /** As whom its holder may sign in. */
  readonly principals: ReadonlyArray<string>
  /** What whoever lets its holder in has to understand. */
  readonly options: ReadonlyArray<string>
  /** In seconds since 1970. */
  readonly validAfter: number
  readonly validBefore: number
}

/** Reads the signatures of requests, and checks them with public SSH keys. */
export interface RequestSignatureChecker {
  /** Answers nothing for what can't be read, or is signed by two schemes at once. */
  readonly read: (request: SignedRequest) => Effect.Effect<RequestSignature | undefined>
  /** Returns whether a public key, as it is kept of users, belongs to the private one that made the signature. */
  readonly check: (request: SignedRequest, publicKey: string) => Effect.Effect<boolean>
  /** Reads a certificate in base64; answers nothing for what is none, or isn't signed by the key that it names. */
  readonly certificate: (text: string) => Effect.Effect<SshCertificate | undefined>
}

/** What knows the signatures of requests; nobody does, unless a layer says more. */
export class RequestSignatures extends Context.Reference("@slipway/domain/forge/RequestSignatures", {
  defaultValue: (): RequestSignatureChecker => ({
    read: () => Effect.succeed(undefined),
    check: () => Effect.succeed(false),
    certificate: () => Effect.succeed(undefined)
  })
}) {}
