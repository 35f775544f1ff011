import { Context, type Effect } from "effect"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"

/** The certificate authority of a team, which signs the certificates of the team's databases. */
export interface CertificateAuthority {
  readonly teamId: TeamId
  /** The certificate in PEM, which clients trust. */
  readonly certificate: string
  /** The encrypted private key. */
  readonly privateKey: Sealed
  readonly expiresAt: string
  readonly createdAt: string
}

/** The validity of the certificate of an authority, in days. */
export const authorityDays = 3_650

/** The remaining days below which the certificate of an authority is renewed, with the same key. */
export const leastAuthorityDays = 730

/** The validity of the certificate of a database, in days. */
export const certificateDays = 365

/** The remaining days below which the certificate of a database is renewed by a restart. */
export const leastCertificateDays = 30

/**
 * Stores the certificate authorities of teams.
 *
 * Must:
 * - keep the first certificate authority of a team
 * - replace the certificate of an authority, but not its key
 * - remove the certificate authority of a removed team
 */
export class CertificateAuthorityStore extends Context.Service<
  CertificateAuthorityStore,
  {
    readonly find: (team: TeamId) => Effect.Effect<CertificateAuthority | undefined>
    /** Adds the authority of a team that has none, and returns the stored one. */
    readonly insert: (authority: CertificateAuthority) => Effect.Effect<CertificateAuthority>
    readonly renew: (
      authority: Pick<CertificateAuthority, "certificate" | "expiresAt" | "teamId">
    ) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/CertificateAuthorityStore") {}
