import { InvalidInput, now, streamOf } from "@slipway/domain"
import {
  AdditionalDestinationStore,
  type Application,
  ApplicationStore,
  type Deployment,
  DeploymentStore,
  EnvironmentStore,
  hasEnded,
  PreviewStore,
  ProjectStore,
  type Release,
  ReleaseStore,
  ScheduledTaskStore,
  ServiceStore,
  type ServingState,
  type SharedOwner,
  SharedVariableStore,
  type Storage,
  StorageStore,
  serviceApplicationUuid,
  TagStore,
  teamOwner,
  VariableStore
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  type Backup,
  BackupStore,
  type Database,
  DatabaseStore,
  mostSuccessful,
  ownerOf,
  type VolumeBackup,
  VolumeBackupStore
} from "@slipway/domain/deploy/databases"
import {
  DestinationStore,
  ForgeAppStore,
  HostKeyStore,
  isConnected,
  PrivateKeyStore,
  type PrivateKeyUuid,
  S3StorageStore,
  type S3StorageUuid,
  type Server
} from "@slipway/domain/deploy/infrastructure"
import { bundleFormat, bundleVersion, type Moved, type TransferBundle } from "@slipway/domain/deploy/runtime"
import { Effect, Stream } from "effect"
import { openSecrets } from "./secrets.ts"

const moved = <Row extends { readonly id: number }>({ id: _, ...row }: Row): Moved<Row> => row

const refused = (sentence: string) => new InvalidInput({ problems: { server: [sentence] } })

const unique = <A>(values: ReadonlyArray<A | null | undefined>): ReadonlyArray<A> => [
  ...new Set(values.filter((value): value is A => value !== null && value !== undefined))
]

/** Reads existing rows by their uuids; skips rows that were removed meanwhile. */
const present = <Uuid, Row, R>(
  uuids: ReadonlyArray<Uuid>,
  find: (uuid: Uuid) => Effect.Effect<Row | undefined, never, R>
) => Effect.map(Effect.forEach(uuids, find), (rows) => rows.filter((row) => row !== undefined))

/** Lists the applications that are placed on a server, with those that run its services. */
const applicationsOn = Effect.fnUntraced(function* (server: Server) {
  const store = yield* ApplicationStore
  const where = { _tag: "Server", uuid: server.uuid } as const
  const placed = yield* Stream.runCollect(streamOf((window) => store.placed(where, window)))
  const services = yield* (yield* ServiceStore).placedOn(server.uuid)
  const runners = yield* present(
    services.map(({ uuid }) => serviceApplicationUuid(uuid)),
    store.find
  )
  return { services, applications: [...placed, ...runners] }
})

/** Fails if an application of the server also runs on another server, or moved and still serves from there. */
const requireOnlyHere = Effect.fnUntraced(function* (
  server: Server,
  applications: ReadonlyArray<Application>,
  serving: ReadonlyArray<ServingState>
) {
  const destinations = yield* AdditionalDestinationStore
  const copies = new Set((yield* destinations.among(applications.map(({ uuid }) => uuid))).map((row) => row.copyUuid))
  for (const { configuration, uuid } of applications) {
    const name = `The application \`${configuration.name ?? uuid}\``
    if (copies.has(uuid) || (yield* destinations.ofApplication(uuid)).length > 0) {
      return yield* refused(`${name} runs on several servers: remove its additional destinations first.`)
    }
    const elsewhere = serving.find((each) => each.applicationUuid === uuid && each.serverUuid !== server.uuid)
    if (elsewhere !== undefined) {
      return yield* refused(`${name} moved here, but still runs on its former server: deploy it first.`)
    }
  }
  const placed = new Set(applications.map(({ uuid }) => uuid))
  const left = (yield* (yield* ReleaseStore).servingOn(server.uuid)).find((each) => !placed.has(each.applicationUuid))
  if (left !== undefined) {
    const application = yield* (yield* ApplicationStore).find(left.applicationUuid)
    const name = application?.configuration.name ?? left.applicationUuid
    return yield* refused(`The application \`${name}\` moved to another server, but still runs here: deploy it first.`)
  }
})

/** The releases of each application that a bundle contains, the newest first. */
const mostReleases = 100

/** Reads the finished deployments of an application that created its releases, and the one that serves. */
const deploymentsOf = Effect.fnUntraced(function* (
  releases: ReadonlyArray<Release>,
  serving: ServingState | undefined
) {
  const store = yield* DeploymentStore
  const uuids = unique([...releases.map(({ deploymentUuid }) => deploymentUuid), serving?.deploymentUuid])
  const found = yield* present(uuids, store.find)
  return found
    .filter(({ status }) => hasEnded(status))
    .map(
      (row): Moved<Deployment> => ({
        ...moved(row),
        // Accounts belong to one instance.
        requestedBy: null,
        pusher: null,
        claimedBy: null,
        leaseUntil: null
      })
    )
})

const historyOf = Effect.fnUntraced(function* (application: ApplicationUuid, serving: ServingState | undefined) {
  const store = yield* ReleaseStore
  const newest = yield* store.ofApplication(application, mostReleases)
  const serves = serving && (yield* store.find(serving.releaseUuid))
  const isListed = newest.some(({ uuid }) => uuid === serves?.uuid)
  const found = serves === undefined || isListed ? newest : [...newest, serves]
  const deployments = yield* deploymentsOf(found, serving)
  const ended = new Set(deployments.map(({ uuid }) => uuid))
  const releases = found.filter(({ deploymentUuid }) => ended.has(deploymentUuid)).map(withoutId)
  return { releases, deployments }
})

// The rows of some stores have an id, which their type does not name.
const withoutId = <Row extends object>(row: Row): Row => {
  const { id: _, ...rest } = row as Row & { readonly id?: number }
  return rest as Row
}

/** Reads everything that belongs to an application or a database: variables, storages, tasks, backups and tags. */
const belongings = Effect.fnUntraced(function* (owner: ApplicationUuid) {
  const storages = yield* (yield* StorageStore).ofApplication(owner)
  const volumes = yield* VolumeBackupStore
  const volumeBackups = yield* present(
    storages.map(({ uuid }: Storage) => uuid),
    volumes.ofStorage
  )
  const runs = yield* Effect.forEach(volumeBackups, ({ uuid }: VolumeBackup) => volumes.executions(uuid))
  const tags = yield* (yield* TagStore).ofApplication(owner)
  return {
    variables: (yield* (yield* VariableStore).ofApplication(owner)).map(moved),
    storages: storages.map(moved),
    tasks: (yield* (yield* ScheduledTaskStore).ofApplication(owner)).map(moved),
    volumeBackups: volumeBackups.map(moved),
    volumeBackupRuns: runs
      .flat()
      .filter(({ status }) => status !== "running")
      .map(withoutId),
    tags: tags.length === 0 ? [] : [{ owner, tags: tags.map(({ name }) => name) }]
  }
})

const backupsOf = Effect.fnUntraced(function* ({ uuid }: Database) {
  const store = yield* BackupStore
  const backups = yield* store.ofDatabase(uuid)
  const runs = yield* Effect.forEach(backups, (backup: Backup) => store.executions(backup.uuid))
  const ended = runs.flatMap((each) => each.filter(({ status }) => status !== "running").slice(0, 2 * mostSuccessful))
  return { backups: backups.map(moved), backupRuns: ended.map(withoutId) }
})

const teamReference = /\{\{\s*team\.([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/g

/** Keeps the shared variables of the team only if a value in the bundle refers to them. */
const withoutUnusedTeamVariables = (bundle: TransferBundle): TransferBundle => {
  const keys = new Set(
    [...bundle.variables, ...bundle.sharedVariables].flatMap(({ value }) =>
      [...value.matchAll(teamReference)].map(([, key]) => key)
    )
  )
  return {
    ...bundle,
    sharedVariables: bundle.sharedVariables.filter(({ key, scope }) => scope !== "team" || keys.has(key))
  }
}

/**
 * Reads everything about a server that another instance needs to manage it, with decrypted secrets.
 *
 * Fails if a resource also depends on another server. Reads the rows of each resource separately: a server has few
 * resources, and exports are rare.
 */
export const collectBundle = Effect.fnUntraced(function* (server: Server, exportId: string) {
  const { applications, services } = yield* applicationsOn(server)
  const serving = yield* (yield* ReleaseStore).servingOf(applications.map(({ uuid }) => uuid))
  yield* requireOnlyHere(server, applications, serving)
  const databases = yield* (yield* DatabaseStore).placedOn(server.uuid)
  const histories = yield* Effect.forEach(applications, ({ uuid }) =>
    historyOf(
      uuid,
      serving.find(({ applicationUuid }) => applicationUuid === uuid)
    )
  )
  const releases = histories.flatMap((each) => each.releases)
  const kept = new Set(releases.map(({ uuid }) => uuid))
  const owned = yield* Effect.forEach(
    [...applications.map(({ uuid }) => uuid), ...databases.map(({ uuid }) => ownerOf(uuid))],
    belongings
  )
  const backups = yield* Effect.forEach(databases, backupsOf)
  const placements = [...applications, ...services, ...databases].map(({ placement }) => placement)
  const environments = yield* present(
    unique(placements.map(({ environmentUuid }) => environmentUuid)),
    (yield* EnvironmentStore).find
  )
  const projects = yield* present(
    unique(environments.map(({ projectUuid }) => projectUuid)),
    (yield* ProjectStore).find
  )
  const owners: ReadonlyArray<SharedOwner> = [
    { scope: "server", owner: server.uuid },
    teamOwner(server.teamId),
    ...projects.map(({ uuid }): SharedOwner => ({ scope: "project", owner: uuid })),
    ...environments.map(({ uuid }): SharedOwner => ({ scope: "environment", owner: uuid }))
  ]
  const keys = unique<PrivateKeyUuid>([server, ...applications].map(({ privateKeyUuid }) => privateKeyUuid))
  const allBackups = backups.flatMap((each) => each.backups)
  const allVolumeBackups = owned.flatMap((each) => each.volumeBackups)
  const buckets = unique<S3StorageUuid>([...allBackups, ...allVolumeBackups].map(({ s3StorageUuid }) => s3StorageUuid))
  const forges = yield* present(
    unique([
      ...applications.map(({ forgeAppUuid }) => forgeAppUuid),
      ...databases.map(({ declaredBy }) => declaredBy?.forgeLink.forgeAppUuid)
    ]),
    (yield* ForgeAppStore).find
  )
  const bundle: TransferBundle = {
    format: bundleFormat,
    version: bundleVersion,
    exportId,
    exportedAt: yield* now,
    server: { ...moved(server), diskCheck: null, validation: null, transfer: null },
    destinations: (yield* (yield* DestinationStore).ofServer(server.uuid)).map(moved),
    hostKeys: yield* (yield* HostKeyStore).ofServer(server.uuid),
    privateKeys: (yield* present(keys, (yield* PrivateKeyStore).find)).map(moved),
    buckets: (yield* (yield* S3StorageStore).findMany(buckets)).map(moved),
    forges: forges.map((forge) => ({
      uuid: forge.uuid,
      name: forge.name,
      htmlUrl: forge.htmlUrl,
      appId: forge.appId,
      isConnection: isConnected(forge)
    })),
    projects: projects.map(moved),
    environments: environments.map(moved),
    sharedVariables: (yield* (yield* SharedVariableStore).ofOwners(owners)).map(moved),
    applications: applications.map((row) => ({ ...moved(row), ownerUuid: null })),
    services: services.map(moved),
    databases: databases.map((row) => ({ ...moved(row), claimedBy: null, leaseUntil: null })),
    previews: (yield* (yield* PreviewStore).among(applications.map(({ uuid }) => uuid))).map(withoutId),
    tags: owned.flatMap((each) => each.tags),
    variables: owned.flatMap((each) => each.variables),
    storages: owned.flatMap((each) => each.storages),
    tasks: owned.flatMap((each) => each.tasks),
    backups: allBackups,
    backupRuns: backups.flatMap((each) => each.backupRuns),
    volumeBackups: allVolumeBackups,
    volumeBackupRuns: owned.flatMap((each) => each.volumeBackupRuns),
    deployments: histories.flatMap((each) => each.deployments),
    releases,
    serving: serving.filter(({ releaseUuid }) => kept.has(releaseUuid)).map(withoutId)
  }
  return withoutUnusedTeamVariables(yield* openSecrets(bundle))
})
