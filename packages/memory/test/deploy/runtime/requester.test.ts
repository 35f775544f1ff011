import { assert, describe, it } from "@effect/vitest"
import { AccountStore, GrantStore, rootTeam, TeamStore } from "@slipway/domain/deploy/identity"
import { EngineSimulation } from "@slipway/memory/deploy"
import { moment, newAccount, newGrant } from "@slipway/testkit/deploy"
import { Effect } from "effect"
import { passUntilEnded, place, plantApplication, queue, server, shown, startWorker, world } from "./support/support.ts"

const reason = "the account that requested it may no longer deploy"

/** A member with the role `deployer` on the team, who requested a deployment. */
const plantRequest = (trigger: "api" | "webhook") =>
  Effect.gen(function* () {
    const application = yield* plantApplication(yield* place())
    const account = yield* (yield* AccountStore).insert(newAccount(1))
    yield* (yield* TeamStore).addMember({ teamId: rootTeam, accountUuid: account.uuid, createdAt: moment(1) })
    const grant = yield* (yield* GrantStore).insert(newGrant(1, account, { role: "deployer" }))
    const deployment = yield* queue(1, application, { trigger, requestedBy: account.uuid })
    const revoke = Effect.flatMap(GrantStore, (store) => store.remove(grant.uuid))
    return { account, deployment, revoke }
  })

const ended = (deployment: Parameters<typeof shown>[0]) =>
  Effect.gen(function* () {
    yield* startWorker()
    yield* passUntilEnded(deployment, 60)
    const { reason, status } = yield* shown(deployment)
    const { containers } = yield* (yield* EngineSimulation).inventory(server)
    return [status, reason, containers.length]
  })

describe("I7: a queued deployment of a webhook", () => {
  it.effect("starts while the account that it acts as may deploy", () =>
    Effect.gen(function* () {
      const { deployment } = yield* plantRequest("webhook")
      assert.deepStrictEqual(yield* ended(deployment), ["finished", null, 1])
    }).pipe(Effect.provide(world))
  )

  it.effect("fails before it creates anything if the role of the account was revoked", () =>
    Effect.gen(function* () {
      const { deployment, revoke } = yield* plantRequest("webhook")
      yield* revoke
      assert.deepStrictEqual(yield* ended(deployment), ["failed", reason, 0])
    }).pipe(Effect.provide(world))
  )

  it.effect("fails if the account was disabled", () =>
    Effect.gen(function* () {
      const { account, deployment } = yield* plantRequest("webhook")
      yield* (yield* AccountStore).replace({ ...account, isDisabled: true })
      assert.deepStrictEqual(yield* ended(deployment), ["failed", reason, 0])
    }).pipe(Effect.provide(world))
  )

  it.effect("differs from a request of a user, who had the role at that time", () =>
    Effect.gen(function* () {
      const { deployment, revoke } = yield* plantRequest("api")
      yield* revoke
      assert.deepStrictEqual(yield* ended(deployment), ["finished", null, 1])
    }).pipe(Effect.provide(world))
  )
})
