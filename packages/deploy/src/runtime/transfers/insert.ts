import { InvalidInput, makeUuid, noProblems, now, type Problems } from "@slipway/domain"
import {
  ApplicationStore,
  addressesOf,
  DeploymentStore,
  nextRun,
  type Placement,
  PlacementStore,
  PreviewStore,
  ReleaseStore,
  ScheduledTaskStore,
  ServiceStore,
  type SharedOwner,
  SharedVariableStore,
  SharedVariableUuid,
  StorageStore,
  teamOwner,
  VariableStore
} from "@slipway/domain/deploy/apps"
import { foreignComposeProblem, InstancePolicy } from "@slipway/domain/deploy/containers"
import { BackupStore, DatabaseStore, VolumeBackupStore } from "@slipway/domain/deploy/databases"
import type { AccountUuid, TeamId } from "@slipway/domain/deploy/identity"
import {
  DestinationStore,
  type ForgeAppUuid,
  HostKeyStore,
  PrivateKeyStore,
  type PrivateKeyUuid,
  S3StorageStore,
  type S3StorageUuid,
  ServerStore,
  type ServerTransfer
} from "@slipway/domain/deploy/infrastructure"
import { bundledResources, type TransferBundle } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { hold, reserve } from "../../apps/domains/Domains.ts"
import { claim, addressesOf as serviceAddressesOf } from "../../apps/services/serviceRows.ts"
import { attach } from "../../apps/tags/Tags.ts"
import { insertProjects, matchBuckets, matchForges, matchKeys } from "./matching.ts"
import { sealSecrets } from "./secrets.ts"

/** The team and the account that receive a server. */
export interface Receiver {
  readonly teamId: TeamId
  readonly accountUuid: AccountUuid | null
}

/** Returns the problems of released compose files that open the server although this instance does not allow it. */
export const composeProblems = Effect.fnUntraced(function* ({ releases }: TransferBundle) {
  const allowed = yield* InstancePolicy
  const problems: Record<string, ReadonlyArray<string>> = {}
  for (const [at, { compose }] of releases.entries()) {
    const problem = compose === null ? undefined : foreignComposeProblem(compose, allowed)
    if (problem !== undefined) problems[`bundle.releases.${at}.compose`] = [problem]
  }
  return problems as Problems
})

/** Fails if this instance already has a resource of a bundle, or a server at the same address. */
const requireNew = Effect.fnUntraced(function* (bundle: TransferBundle) {
  const resources = bundledResources(bundle)
  const found = yield* (yield* PlacementStore).places([bundle.server.uuid, ...resources.map(([, uuid]) => uuid)])
  const exists = "This instance already has a resource with this uuid: delete it first."
  const problems: Record<string, ReadonlyArray<string>> = {}
  for (const [field, uuid] of [["bundle.server.uuid", bundle.server.uuid] as const, ...resources]) {
    if (found.has(uuid)) problems[field] = [exists]
  }
  const { ip, port } = bundle.server
  const [other] = yield* (yield* ServerStore).atAddress(ip, port)
  if (other !== undefined) {
    problems["bundle.server.ip"] = ["This instance already has a server with this address and port: delete it first."]
  }
  if (!noProblems(problems)) return yield* new InvalidInput({ problems })
})

/** Returns the resources of a bundle with the uuids that the matched rows have on this instance. */
const translated = (
  bundle: TransferBundle,
  { accountUuid, teamId }: Receiver,
  uuids: {
    readonly keys: ReadonlyMap<string, string>
    readonly buckets: ReadonlyMap<string, string>
    readonly forges: ReadonlyMap<string, ForgeAppUuid>
  }
): TransferBundle => {
  // INVARIANT: `bundleProblems` rejects references to rows outside of the bundle.
  const key = (uuid: PrivateKeyUuid | null) => (uuid === null ? null : (uuids.keys.get(uuid) as PrivateKeyUuid))
  const bucket = (uuid: S3StorageUuid) => uuids.buckets.get(uuid) as S3StorageUuid
  const forge = (uuid: ForgeAppUuid) => uuids.forges.get(uuid) as ForgeAppUuid
  const inBucket = <Row extends { readonly object: { readonly storageUuid: S3StorageUuid } | null }>(run: Row): Row =>
    run.object === null ? run : { ...run, object: { ...run.object, storageUuid: bucket(run.object.storageUuid) } }
  return {
    ...bundle,
    server: { ...bundle.server, teamId, privateKeyUuid: key(bundle.server.privateKeyUuid) },
    destinations: bundle.destinations.map((row) => ({ ...row, teamId })),
    applications: bundle.applications.map((row) => ({
      ...row,
      privateKeyUuid: key(row.privateKeyUuid),
      forgeAppUuid: row.forgeAppUuid === null ? null : forge(row.forgeAppUuid),
      ownerUuid: accountUuid
    })),
    databases: bundle.databases.map((row) => {
      const { declaredBy } = row
      if (declaredBy === null) return row
      const { forgeLink } = declaredBy
      const forgeAppUuid = forge(forgeLink.forgeAppUuid)
      return { ...row, declaredBy: { ...declaredBy, forgeLink: { ...forgeLink, forgeAppUuid } } }
    }),
    backups: bundle.backups.map((row) => ({
      ...row,
      s3StorageUuid: row.s3StorageUuid === null ? null : bucket(row.s3StorageUuid)
    })),
    volumeBackups: bundle.volumeBackups.map((row) => ({ ...row, s3StorageUuid: bucket(row.s3StorageUuid) })),
    backupRuns: bundle.backupRuns.map(inBucket),
    volumeBackupRuns: bundle.volumeBackupRuns.map(inBucket)
  }
}

const insertSchedules = Effect.fnUntraced(function* (bundle: TransferBundle, at: string) {
  // Executions that were due during the transfer are skipped.
  const next = <Row extends { readonly frequency: string; readonly isEnabled: boolean }>(row: Row) => ({
    ...row,
    dueAt: row.isEnabled ? (nextRun(row.frequency, at) ?? null) : null,
    isAsked: false
  })
  const tasks = yield* ScheduledTaskStore
  yield* Effect.forEach(bundle.tasks, (row) => tasks.insert(next(row)), { discard: true })
  const backups = yield* BackupStore
  for (const row of bundle.backups.map(next)) {
    yield* backups.insert(row)
    const runs = bundle.backupRuns.filter(({ backupUuid }) => backupUuid === row.uuid)
    // Runs are exported newest first.
    for (const run of runs.toReversed())
      yield* Effect.andThen(backups.begin(row.uuid, row.dueAt, run), backups.finish(run))
  }
  const volumeBackups = yield* VolumeBackupStore
  for (const row of bundle.volumeBackups.map(next)) {
    yield* volumeBackups.insert(row)
    const runs = bundle.volumeBackupRuns.filter(({ backupUuid }) => backupUuid === row.uuid)
    for (const run of runs.toReversed()) {
      yield* Effect.andThen(volumeBackups.begin(row.uuid, row.dueAt, run), volumeBackups.finish(run))
    }
  }
})

const insertHistory = Effect.fnUntraced(function* (bundle: TransferBundle) {
  const deployments = yield* DeploymentStore
  const releases = yield* ReleaseStore
  for (const row of bundle.deployments.toReversed()) {
    // This instance may still have deployments of an application that it had before.
    const present = yield* deployments.find(row.uuid)
    if (present === undefined) yield* Effect.orDie(deployments.insert(row))
    else if (present.applicationUuid !== row.applicationUuid) {
      const problems = { "bundle.deployments": [`This instance already has a deployment \`${row.uuid}\`.`] }
      return yield* new InvalidInput({ problems })
    }
  }
  yield* Effect.forEach(bundle.releases.toReversed(), releases.insert, { discard: true })
  for (const { degraded, unhealthy, ...serving } of bundle.serving) {
    yield* releases.serve(serving.applicationUuid, serving)
    if (degraded !== null) yield* releases.degrade(serving, degraded)
    if (unhealthy !== null) yield* releases.setUnhealthy(serving, unhealthy)
  }
})

/**
 * Inserts everything of a bundle for a team, within the running transaction. Returns the server, and the projects that
 * got other names.
 *
 * Fails if this instance already has one of the resources, a server at the same address, or another resource with one of
 * the domains.
 */
export const insertBundle = Effect.fnUntraced(function* (
  received: TransferBundle,
  receiver: Receiver,
  state: ServerTransfer["state"]
) {
  const { teamId } = receiver
  const at = yield* now
  yield* requireNew(received)
  const keys = yield* matchKeys(received, teamId)
  const buckets = yield* matchBuckets(received, teamId)
  const forges = yield* matchForges(received, teamId)
  // The owners of shared variables may stay on this instance, if the server only moves to another team.
  const sharedVariables = yield* Effect.forEach(received.sharedVariables, (row) =>
    row.scope === "server"
      ? Effect.succeed(row)
      : Effect.map(makeUuid(SharedVariableUuid), (uuid) => ({ ...row, uuid }))
  )
  const bundle = yield* sealSecrets(
    translated({ ...received, sharedVariables, privateKeys: keys.added, buckets: buckets.added }, receiver, {
      keys: keys.uuids,
      buckets: buckets.uuids,
      forges
    })
  )
  const applications = bundle.applications.filter(({ variant }) => variant !== "service")
  const addresses = [
    ...applications.flatMap(addressesOf),
    ...bundle.services.flatMap(({ urls }) => serviceAddressesOf(urls))
  ]
  yield* reserve({ type: "application", uuid: bundle.server.uuid }, addresses, false, teamId)
  yield* Effect.forEach(bundle.privateKeys, (yield* PrivateKeyStore).insert, { discard: true }).pipe(Effect.orDie)
  yield* Effect.forEach(bundle.buckets, (yield* S3StorageStore).insert, { discard: true }).pipe(Effect.orDie)
  const transfer: ServerTransfer = { exportId: bundle.exportId, state, at, targetUrl: null }
  const server = yield* Effect.orDie(
    // A server that is new here is checked and cleaned up on its schedule from now on.
    (yield* ServerStore).insert({ ...bundle.server, transfer, createdAt: at, updatedAt: at })
  )
  yield* Effect.forEach(bundle.destinations, (yield* DestinationStore).insert, { discard: true }).pipe(Effect.orDie)
  const hostKeys = yield* HostKeyStore
  yield* Effect.forEach(bundle.hostKeys, (key) => hostKeys.admit(server.uuid, key), { discard: true })
  const { environmentUuids, projectUuids, renamed } = yield* insertProjects(bundle, teamId, at)
  const placed = <Row extends { readonly placement: Placement }>(row: Row): Row => {
    const { environmentUuid, projectUuid } = row.placement
    return {
      ...row,
      placement: {
        ...row.placement,
        teamId,
        projectUuid: projectUuids.get(projectUuid) ?? projectUuid,
        environmentUuid: environmentUuids.get(environmentUuid) ?? environmentUuid
      }
    }
  }
  const ownerOf = ({ owner, scope }: SharedOwner): SharedOwner => {
    if (scope === "team") return teamOwner(teamId)
    const other = scope === "project" ? projectUuids.get(owner) : environmentUuids.get(owner)
    return { scope, owner: other ?? owner }
  }
  const shared = yield* SharedVariableStore
  yield* Effect.forEach(bundle.sharedVariables, (row) => shared.insert({ ...row, ...ownerOf(row) }), { discard: true })
  const insertService = (yield* ServiceStore).insert
  yield* Effect.forEach(bundle.services, (row) => insertService(placed(row)), { discard: true }).pipe(Effect.orDie)
  const insertApplication = (yield* ApplicationStore).insert
  yield* Effect.forEach(bundle.applications, (row) => insertApplication(placed(row)), { discard: true }).pipe(
    Effect.orDie
  )
  const insertDatabase = (yield* DatabaseStore).insert
  yield* Effect.forEach(bundle.databases, (row) => insertDatabase(placed(row)), { discard: true }).pipe(Effect.orDie)
  for (const row of applications) yield* hold({ type: "application", uuid: row.uuid }, addressesOf(row))
  for (const row of bundle.services) yield* claim(row)
  yield* Effect.forEach(bundle.previews, (yield* PreviewStore).put, { discard: true })
  for (const { owner, tags } of bundle.tags) yield* attach({ uuid: owner, placement: { teamId } }, tags)
  yield* (yield* VariableStore).insertMany(bundle.variables)
  yield* (yield* StorageStore).insertMany(bundle.storages)
  yield* insertSchedules(bundle, at)
  yield* insertHistory(bundle)
  return { server, renamed }
})
