import { Context, type Effect, type Redacted } from "effect"
import type { CertificateValidity } from "../servers/certificates.ts"

/** An X.509 certificate with its private key, both in PEM. */
export interface IssuedCertificate {
  readonly certificate: string
  readonly privateKey: Redacted.Redacted
}

/** Issues X.509 certificates. */
export class CertificateIssuer extends Context.Service<
  CertificateIssuer,
  {
    /** Creates a certificate authority with a new key. */
    readonly makeAuthority: (name: string, validity: CertificateValidity) => Effect.Effect<IssuedCertificate>
    /** Returns a new certificate of an authority with the same name and key, which verifies the same certificates. */
    readonly renewAuthority: (authority: IssuedCertificate, validity: CertificateValidity) => Effect.Effect<string>
    /** Creates a key, and a certificate of a server for its host names and IP addresses. */
    readonly issue: (
      authority: IssuedCertificate,
      names: ReadonlyArray<string>,
      validity: CertificateValidity
    ) => Effect.Effect<IssuedCertificate>
  }
>()("@slipway/domain/deploy/CertificateIssuer") {}
