import type { Sealed } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Release,
  type ServingRelease,
  type VariableUuid
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid, ReleaseUuid } from "@slipway/domain/deploy/base"
import { DatabaseStore, type DatabaseUuid, ownerOf } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { configurationOf, moment, newApplication, newDatabase } from "../../builders.ts"
import { plantPlace } from "../../world.ts"

/** Stores two applications with the same placement (environment and destination). */
export const twoApplications = Effect.gen(function* () {
  const { placement } = yield* plantPlace()
  const store = yield* ApplicationStore
  return [yield* store.insert(newApplication(1, placement)), yield* store.insert(newApplication(2, placement))] as const
})

/** Stores two databases with the same placement, and returns each with its owner id as uuid. */
export const twoDatabases = Effect.gen(function* () {
  const { placement } = yield* plantPlace()
  const store = yield* DatabaseStore
  const [one, other] = [yield* store.insert(newDatabase(1, placement)), yield* store.insert(newDatabase(2, placement))]
  const remove = ({ uuid }: { readonly uuid: string }) => store.remove(uuid as DatabaseUuid)
  return { one: { uuid: ownerOf(one.uuid) }, other: { uuid: ownerOf(other.uuid) }, remove } as const
})

/** Makes test release number `n` of an application. */
export const releaseOf = (n: number, { uuid }: Application): Release => ({
  uuid: `release${String(n).padStart(17, "0")}` as ReleaseUuid,
  applicationUuid: uuid,
  deploymentUuid: `deployment${String(n).padStart(14, "0")}` as DeploymentUuid,
  commit: "0a1b2c3",
  commitMessage: n === 1 ? null : "Say hello",
  imageId: `sha256:${n}`,
  imagePort: n === 1 ? null : 8080,
  configuration: configurationOf({ name: "released" }),
  generatedDomain: null,
  secrets: { http_basic_auth_password: "sealed" as Sealed },
  compose: n === 1 ? null : ("sealed" as Sealed),
  variables: [
    { uuid: "variable0000000000000001" as VariableUuid, key: "A", value: "sealed" as Sealed, isLiteral: n === 1 }
  ],
  createdAt: moment(n)
})

/** Makes the row that marks release number `n` as the one that currently runs. */
export const servingOf = (n: number, { placement, uuid }: Application): ServingRelease => ({
  applicationUuid: uuid,
  releaseUuid: `release${String(n).padStart(17, "0")}` as ReleaseUuid,
  deploymentUuid: `deployment${String(n).padStart(14, "0")}` as DeploymentUuid,
  serverUuid: placement.serverUuid,
  destinationUuid: placement.destinationUuid
})

/** Returns a lease of ten seconds for a worker. */
export const tenSecondLease = (worker: string, at: number) => ({ worker, at: moment(at), until: moment(at + 10) })
