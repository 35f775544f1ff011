import { InvalidInput, makeUuid, noProblems, type Problems, streamOf, Transaction } from "@slipway/domain"
import { EnvironmentStore, EnvironmentUuid, nameEnding, ProjectStore, ProjectUuid } from "@slipway/domain/deploy/apps"
import { systemCaller, visibleTo } from "@slipway/domain/deploy/entry"
import { ownerAccess, type TeamId } from "@slipway/domain/deploy/identity"
import {
  ForgeAppStore,
  type ForgeAppUuid,
  isConnected,
  KeyReader,
  PrivateKeyStore,
  PrivateKeyUuid,
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

/**
 * Matches rows of a bundle: a row that `isSame` as the present row with its uuid is used again; another one is added,
 * under a new uuid if its own is taken.
 */
const matchRows = Effect.fnUntraced(function* <
  Uuid extends string,
  Row extends { readonly uuid: Uuid },
  Present extends { readonly teamId: TeamId }
>(
  rows: ReadonlyArray<Row>,
  teamId: TeamId,
  schema: Parameters<typeof makeUuid<Uuid>>[0],
  find: (uuid: Uuid) => Effect.Effect<Present | undefined>,
  isSame: (present: Present, row: Row) => boolean
) {
  const uuids = new Map<string, string>()
  const added: Array<Row & { readonly teamId: TeamId }> = []
  for (const row of rows) {
    const present = yield* find(row.uuid)
    const isUsed = present?.teamId === teamId && isSame(present, row)
    const uuid = isUsed || present === undefined ? row.uuid : yield* makeUuid(schema)
    uuids.set(row.uuid, uuid)
    if (!isUsed) added.push({ ...row, uuid, teamId })
  }
  return { uuids, added } satisfies Matched<Row>
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
export const matchKeys = Effect.fnUntraced(function* ({ privateKeys }: TransferBundle, teamId: TeamId) {
  const { find } = yield* PrivateKeyStore
  return yield* matchRows(
    privateKeys,
    teamId,
    PrivateKeyUuid,
    find,
    (present, { fingerprint }) => present.fingerprint === fingerprint
  )
})

/** Matches the S3 storages of a bundle: a storage that the team already has under the same uuid is used again. */
export const matchBuckets = Effect.fnUntraced(function* ({ buckets }: TransferBundle, teamId: TeamId) {
  const { find } = yield* S3StorageStore
  return yield* matchRows(
    buckets,
    teamId,
    S3StorageUuid,
    find,
    (present, { bucket, endpoint }) => present.bucket === bucket && present.endpoint === endpoint
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
  const ofTeam = visibleTo({ ...systemCaller, access: ownerAccess(teamId) }, "forgeApp.read")
  const all = yield* Stream.runCollect(streamOf((window) => store.listVisible(ofTeam, window)))
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
