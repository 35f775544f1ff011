import { assert } from "@effect/vitest"
import { Sealed } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { rootTeam, type TeamId, TeamStore } from "@slipway/domain/deploy/identity"
import { type CertificateAuthority, CertificateAuthorityStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment } from "../../builders.ts"
import { newTeam } from "../../people.ts"

const authorityOf = (teamId: TeamId, name = "first"): CertificateAuthority => ({
  teamId,
  certificate: `certificate ${name}`,
  privateKey: Sealed.make(`key ${name}`),
  expiresAt: moment(100),
  createdAt: moment(1)
})

/** Contract tests of the store of certificate authorities. Every implementation must pass them. */
export const certificateAuthorities: Contract<Stores> = {
  port: "CertificateAuthorityStore",
  musts: {
    "keep the first certificate authority of a team": Effect.gen(function* () {
      const store = yield* CertificateAuthorityStore
      const team = yield* (yield* TeamStore).insert(newTeam(1))
      assert.isUndefined(yield* store.find(team.id))
      const first = authorityOf(team.id)
      assert.deepStrictEqual(yield* store.insert(first), first)
      assert.deepStrictEqual(yield* store.insert(authorityOf(team.id, "second")), first)
      assert.deepStrictEqual(yield* store.find(team.id), first)
      assert.isUndefined(yield* store.find(rootTeam))
    }),
    "replace the certificate of an authority, but not its key": Effect.gen(function* () {
      const store = yield* CertificateAuthorityStore
      const team = yield* (yield* TeamStore).insert(newTeam(1))
      const first = yield* store.insert(authorityOf(team.id))
      const renewed = { certificate: "certificate renewed", expiresAt: moment(200) }
      yield* store.renew({ ...authorityOf(team.id, "other"), ...renewed })
      assert.deepStrictEqual(yield* store.find(team.id), { ...first, ...renewed })
    }),
    "remove the certificate authority of a removed team": Effect.gen(function* () {
      const store = yield* CertificateAuthorityStore
      const teams = yield* TeamStore
      const team = yield* teams.insert(newTeam(1))
      yield* store.insert(authorityOf(team.id))
      assert.isTrue(yield* teams.remove(team.id))
      assert.isUndefined(yield* store.find(team.id))
    })
  }
}
