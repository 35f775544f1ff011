import { InvalidInput, makeUuid, noProblems, type Problems, streamOf, Transaction } from "@slipway/domain"
import { EnvironmentStore, EnvironmentUuid, nameEnding, ProjectStore, ProjectUuid } from "@slipway/domain/deploy/apps"
import type { TeamId } from "@slipway/domain/deploy/identity"
import {
  ForgeAppStore,
  type ForgeAppUuid,
  isConnected,
  KeyReader,
  type PrivateKey,
  PrivateKeyStore,
  PrivateKeyUuid,
  type S3Storage,
  S3StorageStore,
  S3StorageUuid
} from "@slipway/domain/deploy/infrastructure"
import type { TransferBundle } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted, Stream } from "effect"

/** The uuids of rows of a bundle that have other uuids on this instance, and the rows that must be inserted. */
export interface Matched<Row> {
  readonly uuids: ReadonlyMap<string, string>
  readonly added: ReadonlyArray<Row>
}

const matched = <Row>(
  rows: ReadonlyArray<{ readonly from: string; readonly uuid: string; readonly row: Row | null }>
) => ({
  uuids: new Map(rows.map(({ from, uuid }) => [from, uuid])),
  added: rows.flatMap(({ row }) => row ?? [])
})

/**
 * Returns the facts of each private key of a bundle, computed from the key itself.
 *
 * Fails for keys that cannot be read.
 */
export const readKeys = Effect.fnUntraced(function* (bundle: TransferBundle) {
  const reader = yield* KeyReader
  const problems: Record<string, ReadonlyArray<string>> = {}
  const privateKeys = yield* Effect.forEach([...bundle.privateKeys.entries()], ([at, key]) =>
    reader.read(Redacted.make(key.privateKey)).pipe(
      Effect.map((facts) => ({ ...key, ...facts })),
      Effect.catchTag("UnusableKey", ({ because }) =>
        Effect.sync(() => {
          problems[`bundle.privateKeys.${at}.privateKey`] = [because]
          return key
        })
      )
    )
  )
  if (!noProblems(problems)) return yield* new InvalidInput({ problems })
  return { ...bundle, privateKeys } satisfies TransferBundle
})

/** Matches the private keys of a bundle: a key that the team already has under the same uuid is used again. */
export const matchKeys = Effect.fnUntraced(function* (bundle: TransferBundle, teamId: TeamId) {
  const store = yield* PrivateKeyStore
  return matched(
    yield* Effect.forEach(
      bundle.privateKeys,
      Effect.fnUntraced(function* (key) {
        const present = yield* store.find(key.uuid)
        const isSame = present?.teamId === teamId && present.fingerprint === key.fingerprint
        if (isSame) return { from: key.uuid, uuid: key.uuid, row: null }
        const uuid = present === undefined ? key.uuid : yield* makeUuid(PrivateKeyUuid)
        return { from: key.uuid, uuid, row: { ...key, uuid, teamId } satisfies Omit<PrivateKey, "id"> }
      })
    )
  )
})

/** Matches the S3 storages of a bundle: a storage that the team already has under the same uuid is used again. */
export const matchBuckets = Effect.fnUntraced(function* (bundle: TransferBundle, teamId: TeamId) {
  const store = yield* S3StorageStore
  return matched(
    yield* Effect.forEach(
      bundle.buckets,
      Effect.fnUntraced(function* (bucket) {
        const present = yield* store.find(bucket.uuid)
        const isSame =
          present?.teamId === teamId && present.endpoint === bucket.endpoint && present.bucket === bucket.bucket
        if (isSame) return { from: bucket.uuid, uuid: bucket.uuid, row: null }
        const uuid = present === undefined ? bucket.uuid : yield* makeUuid(S3StorageUuid)
        return { from: bucket.uuid, uuid, row: { ...bucket, uuid, teamId } satisfies Omit<S3Storage, "id"> }
      })
    )
  )
})

/**
 * Matches the git hosts of a bundle to those of the team, by their address and app. Credentials for git hosts stay on
 * the sending instance, because each instance rotates its own.
 *
 * Fails if the team lacks one of them.
 */
export const matchForges = Effect.fnUntraced(function* (bundle: TransferBundle, teamId: TeamId) {
  if (bundle.forges.length === 0) return new Map<string, ForgeAppUuid>()
  const store = yield* ForgeAppStore
  const all = yield* Stream.runCollect(Stream.filter(streamOf(store.list), (forge) => forge.teamId === teamId))
  const uuids = new Map<string, ForgeAppUuid>()
  const problems: Record<string, ReadonlyArray<string>> = {}
  for (const [at, { appId, htmlUrl, isConnection, name, uuid }] of bundle.forges.entries()) {
    const same = all.find(
      (forge) => forge.htmlUrl === htmlUrl && isConnected(forge) === isConnection && forge.appId === appId
    )
    if (same !== undefined) uuids.set(uuid, same.uuid)
    else {
      const sentence = `The team has no access to the git host \`${name}\` (${htmlUrl}): add it first.`
      problems[`bundle.forges.${at}`] = [sentence]
    }
  }
  if (!noProblems(problems as Problems)) return yield* new InvalidInput({ problems })
  return uuids
})

/** A project or environment of a bundle that has another name on this instance. */
export interface Renamed {
  readonly type: "project"
  readonly from: string
  readonly to: string
}

/**
 * Inserts the projects and environments of a bundle, unless the team already has them under the same uuids. A project
 * with a name that the team already uses gets a new name; an environment of an existing project is matched by its name.
 */
export const insertProjects = Effect.fnUntraced(function* (bundle: TransferBundle, teamId: TeamId, at: string) {
  const projects = yield* ProjectStore
  const environments = yield* EnvironmentStore
  const transaction = yield* Transaction
  const stamped = { teamId, updatedAt: at }
  const projectUuids = new Map<string, ProjectUuid>()
  const renamed: Array<Renamed> = []
  for (const project of bundle.projects) {
    const present = yield* projects.find(project.uuid)
    const uuid = present === undefined || present.teamId === teamId ? project.uuid : yield* makeUuid(ProjectUuid)
    projectUuids.set(project.uuid, uuid)
    if (present?.teamId === teamId) continue
    const row = { ...project, ...stamped, uuid }
    const name = nameEnding(project.name, uuid)
    yield* Effect.catchTag(transaction.attempt(projects.insert(row)), "Duplicate", () => {
      renamed.push({ type: "project", from: project.name, to: name })
      return Effect.orDie(projects.insert({ ...row, name }))
    })
  }
  const environmentUuids = new Map<string, EnvironmentUuid>()
  for (const environment of bundle.environments) {
    // INVARIANT: `bundleProblems` rejects environments without their project.
    const projectUuid = projectUuids.get(environment.projectUuid) ?? environment.projectUuid
    const siblings = yield* environments.ofProject(projectUuid)
    const same =
      siblings.find(({ uuid }) => uuid === environment.uuid) ??
      siblings.find(({ name }) => name.toLowerCase() === environment.name.toLowerCase())
    if (same !== undefined) {
      environmentUuids.set(environment.uuid, same.uuid)
      continue
    }
    const isTaken = (yield* environments.find(environment.uuid)) !== undefined
    const uuid = isTaken ? yield* makeUuid(EnvironmentUuid) : environment.uuid
    environmentUuids.set(environment.uuid, uuid)
    yield* Effect.orDie(environments.insert({ ...environment, ...stamped, uuid, projectUuid }))
  }
  return { projectUuids, environmentUuids, renamed }
})
