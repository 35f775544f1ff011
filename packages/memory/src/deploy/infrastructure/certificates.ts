import {
  type CertificateAuthority,
  CertificateAuthorityStore,
  CertificateIssuer,
  type CertificateValidity
} from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Redacted, Result } from "effect"
import { Tables } from "../base/tables.ts"

/** Stores the certificate authorities of teams in memory. */
export const certificateAuthorityStore = Layer.effect(
  CertificateAuthorityStore,
  Effect.map(Tables, ({ certificateAuthority, database }) => ({
    find: (team) =>
      database.read((snapshot) => {
        const row = certificateAuthority.find(snapshot, String(team))
        if (row === undefined) return undefined
        const { id: _, ...authority } = row
        return authority satisfies CertificateAuthority
      }),
    insert: (authority) =>
      database
        .write((snapshot) => {
          const present = certificateAuthority.find(snapshot, String(authority.teamId))
          const stored =
            present === undefined ? certificateAuthority.insert(snapshot, authority) : Result.succeed(present)
          return Result.map(stored, ({ id: _, ...row }): CertificateAuthority => row)
        })
        .pipe(Effect.orDie),
    renew: ({ certificate, expiresAt, teamId }) =>
      database
        .write((snapshot) => {
          const present = certificateAuthority.find(snapshot, String(teamId))
          return present === undefined
            ? Result.succeed(false)
            : certificateAuthority.replace(snapshot, { ...present, certificate, expiresAt })
        })
        .pipe(Effect.orDie, Effect.asVoid)
  }))
)

const validityText = ({ from, until }: CertificateValidity) => `from ${from} until ${until}`

/** Simulates the issuing of certificates: they are readable texts. */
export const certificateIssuer: Layer.Layer<CertificateIssuer> = Layer.succeed(CertificateIssuer, {
  makeAuthority: (name, validity) =>
    Effect.succeed({
      certificate: `authority ${name} ${validityText(validity)}\n`,
      privateKey: Redacted.make(`key of ${name}`)
    }),
  renewAuthority: ({ certificate }, validity) =>
    Effect.succeed(certificate.replace(/ from .*/, ` ${validityText(validity)}`)),
  issue: (_, names, validity) =>
    Effect.succeed({
      certificate: `certificate for ${names.join(", ")} ${validityText(validity)}\n`,
      privateKey: Redacted.make(`key for ${names[0]}\n`)
    })
})
