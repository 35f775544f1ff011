import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { rootTeam, TeamId, TeamStore } from "@slipway/domain/deploy/identity"
import { GitlabAppStore, RegistryStore, S3StorageStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { newS3Storage, uuidOf } from "../../builders.ts"
import { newGitlabApp, newRegistry } from "../../credentials.ts"
import { newTeam } from "../../people.ts"

const anotherTeam = Effect.flatMap(TeamStore, (store) => store.insert(newTeam(1)))

/** Contract tests of the store of GitLab apps, in addition to the contract of every collection. */
export const gitlabApps: Contract<Stores> = {
  port: "GitlabAppStore",
  musts: {
    "list only the GitLab apps of the given team, in the order of insertion": Effect.gen(function* () {
      const store = yield* GitlabAppStore
      const { id: teamId } = yield* anotherTeam
      const first = yield* store.insert(newGitlabApp(3))
      const other = yield* store.insert(newGitlabApp(2, { teamId }))
      const last = yield* store.insert(newGitlabApp(1))
      assert.deepStrictEqual(yield* store.ofTeam(rootTeam), [first, last])
      assert.deepStrictEqual(yield* store.ofTeam(teamId), [other])
      assert.deepStrictEqual(yield* store.ofTeam(TeamId.make(404)), [])
      yield* store.remove(first.uuid)
      assert.deepStrictEqual(yield* store.ofTeam(rootTeam), [last])
    })
  }
}

/** Contract tests of the store of registry credentials, in addition to the contract of every collection. */
export const registries: Contract<Stores> = {
  port: "RegistryStore",
  musts: {
    "list only the registries of the given team, in the order of insertion": Effect.gen(function* () {
      const store = yield* RegistryStore
      const { id: teamId } = yield* anotherTeam
      const first = yield* store.insert(newRegistry(3))
      const other = yield* store.insert(newRegistry(2, { teamId }))
      const last = yield* store.insert(newRegistry(1))
      assert.deepStrictEqual(yield* store.ofTeam(rootTeam), [first, last])
      assert.deepStrictEqual(yield* store.ofTeam(teamId), [other])
      assert.deepStrictEqual(yield* store.ofTeam(TeamId.make(404)), [])
      yield* store.remove(first.uuid)
      assert.deepStrictEqual(yield* store.ofTeam(rootTeam), [last])
    })
  }
}

/** Contract tests of the store of S3 storages, in addition to the contract of every collection. */
export const s3Storages: Contract<Stores> = {
  port: "S3StorageStore",
  musts: {
    "find several existing S3 storages in one call, in the order of insertion": Effect.gen(function* () {
      const store = yield* S3StorageStore
      const [one, two] = [yield* store.insert(newS3Storage(2)), yield* store.insert(newS3Storage(1))]
      yield* store.insert(newS3Storage(3))
      const missing = uuidOf<typeof one.uuid>("s3Storage", 404)
      assert.deepStrictEqual(yield* store.findMany([two.uuid, missing, one.uuid, two.uuid]), [one, two])
      assert.deepStrictEqual(yield* store.findMany([]), [])
    })
  }
}
