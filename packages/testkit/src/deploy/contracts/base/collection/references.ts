import { assert } from "@effect/vitest"
import { InUse, Transaction } from "@slipway/domain"
import { relations } from "@slipway/domain/deploy"
import { ApplicationStore, DomainKey, DomainStore, ServiceStore, TagStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { newApplication, newService, newTag, uuidOf } from "../../../builders.ts"
import { factOf, withFact } from "../../../facts.ts"
import { kinds } from "../../../kinds.ts"
import { plantPlace } from "../../../world.ts"
import { all, eachRelation, equal, fill, isDefect, uuids } from "./support.ts"

const keepsNeeded = {
  ...eachRelation(
    relations.filter((relation) => relation.onRemove === "refused"),
    ({ fact, from, to }, { full, store }) =>
      Effect.gen(function* () {
        const row = yield* store.insert(full(1))
        const others = yield* kinds[to].store
        const needed = yield* others.find(String(factOf(row, fact)))
        assert.isDefined(needed)
        const refusal = yield* Effect.flip(others.remove(needed.uuid))
        equal([refusal._tag, refusal.by], ["InUse", from])
        equal(yield* others.find(needed.uuid), needed)
        equal(yield* store.find(row.uuid), row)
        assert.isTrue(yield* store.remove(row.uuid))
        assert.isTrue(yield* others.remove(needed.uuid))
      })
  ),
  "an application, which keeps its environment and all its parents": Effect.gen(function* () {
    const { destination, environment, placement, project, server } = yield* plantPlace()
    const applications = yield* ApplicationStore
    const application = yield* applications.insert(newApplication(1, placement))
    assert.strictEqual((yield* Effect.flip((yield* kinds.project.store).remove(project.uuid))).by, "application")
    assert.strictEqual((yield* Effect.flip((yield* kinds.server.store).remove(server.uuid))).by, "application")
    equal(uuids(yield* (yield* kinds.environment.store).list(all)), [environment.uuid])
    equal(uuids(yield* (yield* kinds.destination.store).list(all)), [destination.uuid])
    equal(yield* applications.find(application.uuid), application)
  }),
  "in a transaction that continues": Effect.gen(function* () {
    const { environment, placement } = yield* plantPlace()
    const applications = yield* ApplicationStore
    yield* applications.insert(newApplication(1, placement))
    const environments = yield* kinds.environment.store
    yield* (yield* Transaction).run(
      Effect.gen(function* () {
        assert.instanceOf(yield* Effect.flip(environments.remove(environment.uuid)), InUse)
        yield* applications.insert(newApplication(2, placement))
      })
    )
    assert.strictEqual(yield* applications.count, 2)
  })
}

const key = DomainKey.make("app.example")

const takesAlong = {
  ...eachRelation(
    relations.filter((relation) => relation.onRemove === "removes"),
    ({ fact, to }, planted) =>
      Effect.gen(function* () {
        const rows = yield* fill(planted, 2)
        const others = yield* kinds[to].store
        assert.isTrue(yield* others.remove(String(factOf(rows[0], fact))))
        equal(yield* planted.store.list(all), [])
      })
  ),
  "the claims of an application": Effect.gen(function* () {
    const { placement } = yield* plantPlace()
    const domains = yield* DomainStore
    const applications = yield* ApplicationStore
    const mine = yield* applications.insert(newApplication(1, placement))
    const other = yield* applications.insert(newApplication(2, placement))
    yield* domains.replace({ type: "application", uuid: mine.uuid }, [key])
    yield* domains.replace({ type: "application", uuid: other.uuid }, [key])
    yield* applications.remove(mine.uuid)
    equal(
      (yield* domains.claims([key])).map((claim) => claim.holder.uuid),
      [other.uuid]
    )
  }),
  "the claims of a service": Effect.gen(function* () {
    const { placement } = yield* plantPlace()
    const domains = yield* DomainStore
    const services = yield* ServiceStore
    const service = yield* services.insert(newService(1, placement))
    yield* domains.replace({ type: "service", uuid: service.uuid }, [key])
    yield* services.remove(service.uuid)
    equal(yield* domains.claims([key]), [])
  }),
  "the tags of an application, but not the tags as such": Effect.gen(function* () {
    const { placement } = yield* plantPlace()
    const applications = yield* ApplicationStore
    const tags = yield* TagStore
    const application = yield* applications.insert(newApplication(1, placement))
    const tag = yield* tags.insert(newTag(1))
    yield* tags.attach(application.uuid, [tag.uuid])
    yield* applications.remove(application.uuid)
    equal(yield* tags.ofApplication(application.uuid), [])
    equal(yield* tags.find(tag.uuid), tag)
    assert.strictEqual(yield* applications.countTagged(tag.name), 0)
  }),
  "a tag of the applications that had it": Effect.gen(function* () {
    const { placement } = yield* plantPlace()
    const applications = yield* ApplicationStore
    const tags = yield* TagStore
    const application = yield* applications.insert(newApplication(1, placement))
    const tag = yield* tags.insert(newTag(1))
    yield* tags.attach(application.uuid, [tag.uuid])
    assert.isTrue(yield* tags.remove(tag.uuid))
    equal(yield* tags.ofApplication(application.uuid), [])
    equal(yield* applications.find(application.uuid), application)
  })
}

const refusesMissing = eachRelation(relations, ({ fact, to }, { full, store }) =>
  Effect.gen(function* () {
    const missing = uuidOf(to, 404)
    assert.isTrue(isDefect(yield* Effect.exit(store.insert(withFact(full(1), fact, missing)))))
    equal(yield* store.list(all), [])
    const row = yield* store.insert(full(2))
    assert.isTrue(isDefect(yield* Effect.exit(store.replace(withFact(row, fact, missing)))))
    equal(yield* store.list(all), [row])
  })
)

/** Contract tests of collections for rows that reference other rows. */
export const referencePromises = {
  "reject the removal of a row that other rows need, and keep it": keepsNeeded,
  "remove the dependent rows of a removed row": takesAlong,
  "reject a row that refers to a missing row": refusesMissing
}
