import { now, timeAgo, timeIn, Vault } from "@slipway/domain"
import { type Database, type DatabaseValues, sslFiles, sslModeOf, sslModesOf } from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { TeamId } from "@slipway/domain/deploy/identity"
import {
  authorityDays,
  type CertificateAuthority,
  CertificateAuthorityStore,
  CertificateIssuer,
  certificateDays,
  leastAuthorityDays,
  type Server
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

const keyOwner = (team: TeamId) => ({ uuid: `certificate-authorities/${team}`, field: "private_key" })

/** Returns a validity that begins an hour ago, for clients with slow clocks. */
const validityOf = Effect.fnUntraced(function* (days: number) {
  return { from: yield* timeAgo("1 hour"), until: yield* timeIn({ days }) }
})

const openAuthority = Effect.fnUntraced(function* ({ certificate, privateKey, teamId }: CertificateAuthority) {
  return { certificate, privateKey: yield* (yield* Vault).open(keyOwner(teamId), privateKey) }
})

/** Returns the certificate authority of a team. Creates it on first use, and renews its certificate in time. */
export const ensureAuthority = Effect.fnUntraced(function* (teamId: TeamId) {
  const store = yield* CertificateAuthorityStore
  const issuer = yield* CertificateIssuer
  const present = yield* store.find(teamId)
  if (present === undefined) {
    const validity = yield* validityOf(authorityDays)
    const { certificate, privateKey } = yield* issuer.makeAuthority(`Slipway databases of team ${teamId}`, validity)
    return yield* store.insert({
      teamId,
      certificate,
      privateKey: yield* (yield* Vault).seal(keyOwner(teamId), privateKey),
      expiresAt: validity.until,
      createdAt: yield* now
    })
  }
  if (present.expiresAt >= (yield* timeIn({ days: leastAuthorityDays }))) return present
  const validity = yield* validityOf(authorityDays)
  const certificate = yield* issuer.renewAuthority(yield* openAuthority(present), validity)
  const renewed = { ...present, certificate, expiresAt: validity.until }
  yield* store.renew(renewed)
  return renewed
})

/** The TLS files of a new container, and the end of the validity of its certificate; null without TLS. */
export const issueCertificate = Effect.fnUntraced(function* (
  database: Database,
  { ip }: Pick<Server, "ip">,
  values: DatabaseValues
) {
  if (!database.ssl.isEnabled) return { files: [], certificateExpiresAt: null }
  const authority = yield* ensureAuthority(database.placement.teamId)
  const validity = yield* validityOf(certificateDays)
  const names = [...new Set([database.uuid, "localhost", "127.0.0.1", "::1", ip])]
  const issued = yield* (yield* CertificateIssuer).issue(yield* openAuthority(authority), names, validity)
  return {
    files: sslFiles(database, values, authority.certificate, issued),
    certificateExpiresAt: validity.until
  }
})

/** Returns the TLS settings of a database, and the certificate of the authority that its clients must trust. */
export const readSsl = Effect.fnUntraced(function* ({ resource }: Authorized<"database.read">) {
  const { database } = resource
  const authority = yield* (yield* CertificateAuthorityStore).find(database.placement.teamId)
  const modes = sslModesOf(database.kind)
  return {
    isSupported: modes !== null,
    modes: modes ?? [],
    isEnabled: database.ssl.isEnabled,
    mode: sslModeOf(database),
    authority: database.ssl.isEnabled ? (authority ?? null) : null,
    certificateExpiresAt: database.certificateExpiresAt
  }
})
