import { joinAllProblems, type Problems } from "../../../Problems.ts"
import type { Placement } from "../../apps/placement/Placement.ts"
import { ownerOf } from "../../databases/Database.ts"
import { isLocalServer } from "../../infrastructure/servers/Server.ts"
import type { TransferBundle } from "./TransferBundle.ts"

/** The maximum number of problems that are reported. */
const mostProblems = 20

const uuidsOf = (rows: ReadonlyArray<{ readonly uuid: string }>): ReadonlySet<string> =>
  new Set(rows.map(({ uuid }) => uuid))

/**
 * Returns the problems of a bundle with references to rows outside of it. A bundle must be complete: a row that names a
 * resource of another team of the receiving instance would change that resource.
 */
export const bundleProblems = (bundle: TransferBundle): Problems => {
  const found: Array<readonly [field: string, sentence: string]> = []
  const known = {
    server: new Set<string>([bundle.server.uuid]),
    destination: uuidsOf(bundle.destinations),
    privateKey: uuidsOf(bundle.privateKeys),
    bucket: uuidsOf(bundle.buckets),
    forge: uuidsOf(bundle.forges),
    project: uuidsOf(bundle.projects),
    environment: uuidsOf(bundle.environments),
    application: uuidsOf(bundle.applications),
    service: uuidsOf(bundle.services),
    database: uuidsOf(bundle.databases),
    storage: uuidsOf(bundle.storages),
    backup: uuidsOf(bundle.backups),
    volumeBackup: uuidsOf(bundle.volumeBackups),
    deployment: uuidsOf(bundle.deployments),
    release: uuidsOf(bundle.releases)
  }
  const owners = new Set<string>([...known.application, ...bundle.databases.map(({ uuid }) => ownerOf(uuid))])
  const needs = (field: string, uuid: string | null | undefined, among: ReadonlySet<string>) => {
    if (uuid !== null && uuid !== undefined && !among.has(uuid)) found.push([field, "The bundle has no such row."])
  }
  const each = <Row>(name: string, rows: ReadonlyArray<Row>, check: (row: Row, field: string) => void) => {
    for (const [at, row] of rows.entries()) check(row, `bundle.${name}.${at}`)
  }
  const placed = (field: string, { destinationUuid, environmentUuid, serverUuid }: Placement) => {
    needs(`${field}.placement.serverUuid`, serverUuid, known.server)
    needs(`${field}.placement.destinationUuid`, destinationUuid, known.destination)
    needs(`${field}.placement.environmentUuid`, environmentUuid, known.environment)
  }
  if (isLocalServer(bundle.server)) {
    found.push(["bundle.server.privateKeyUuid", "The own machine of an instance cannot be transferred."])
  }
  needs("bundle.server.privateKeyUuid", bundle.server.privateKeyUuid, known.privateKey)
  each("destinations", bundle.destinations, (row, field) => needs(`${field}.serverUuid`, row.serverUuid, known.server))
  each("environments", bundle.environments, (row, field) =>
    needs(`${field}.projectUuid`, row.projectUuid, known.project)
  )
  each("sharedVariables", bundle.sharedVariables, ({ owner, scope }, field) => {
    if (scope !== "team") needs(`${field}.owner`, owner, known[scope])
  })
  each("applications", bundle.applications, (row, field) => {
    placed(field, row.placement)
    needs(`${field}.privateKeyUuid`, row.privateKeyUuid, known.privateKey)
    needs(`${field}.forgeAppUuid`, row.forgeAppUuid, known.forge)
    if (row.variant === "service") needs(`${field}.uuid`, row.uuid, known.service)
  })
  const runners = new Set<string>(
    bundle.applications.filter(({ variant }) => variant === "service").map(({ uuid }) => uuid)
  )
  each("services", bundle.services, (row, field) => {
    placed(field, row.placement)
    needs(`${field}.uuid`, row.uuid, runners)
  })
  each("databases", bundle.databases, (row, field) => {
    placed(field, row.placement)
    needs(`${field}.declaredBy.forgeLink.forgeAppUuid`, row.declaredBy?.forgeLink.forgeAppUuid, known.forge)
  })
  each("previews", bundle.previews, (row, field) => {
    needs(`${field}.applicationUuid`, row.applicationUuid, known.application)
    needs(`${field}.previewUuid`, row.previewUuid, known.application)
  })
  each("tags", bundle.tags, (row, field) => needs(`${field}.owner`, row.owner, owners))
  each("variables", bundle.variables, (row, field) => needs(`${field}.applicationUuid`, row.applicationUuid, owners))
  each("storages", bundle.storages, (row, field) => needs(`${field}.applicationUuid`, row.applicationUuid, owners))
  each("tasks", bundle.tasks, (row, field) => needs(`${field}.applicationUuid`, row.applicationUuid, known.application))
  each("backups", bundle.backups, (row, field) => {
    needs(`${field}.databaseUuid`, row.databaseUuid, known.database)
    needs(`${field}.s3StorageUuid`, row.s3StorageUuid, known.bucket)
  })
  each("backupRuns", bundle.backupRuns, (row, field) => {
    needs(`${field}.backupUuid`, row.backupUuid, known.backup)
    needs(`${field}.object.storageUuid`, row.object?.storageUuid, known.bucket)
  })
  each("volumeBackups", bundle.volumeBackups, (row, field) => {
    needs(`${field}.storageUuid`, row.storageUuid, known.storage)
    needs(`${field}.s3StorageUuid`, row.s3StorageUuid, known.bucket)
  })
  each("volumeBackupRuns", bundle.volumeBackupRuns, (row, field) => {
    needs(`${field}.backupUuid`, row.backupUuid, known.volumeBackup)
    needs(`${field}.object.storageUuid`, row.object?.storageUuid, known.bucket)
  })
  each("deployments", bundle.deployments, (row, field) => {
    needs(`${field}.applicationUuid`, row.applicationUuid, known.application)
    needs(`${field}.serverUuid`, row.serverUuid, known.server)
  })
  each("releases", bundle.releases, (row, field) => {
    needs(`${field}.applicationUuid`, row.applicationUuid, known.application)
    needs(`${field}.deploymentUuid`, row.deploymentUuid, known.deployment)
  })
  each("serving", bundle.serving, (row, field) => {
    needs(`${field}.applicationUuid`, row.applicationUuid, known.application)
    needs(`${field}.releaseUuid`, row.releaseUuid, known.release)
    needs(`${field}.deploymentUuid`, row.deploymentUuid, known.deployment)
    needs(`${field}.serverUuid`, row.serverUuid, known.server)
    needs(`${field}.destinationUuid`, row.destinationUuid, known.destination)
  })
  return joinAllProblems(found.slice(0, mostProblems).map(([field, sentence]) => ({ [field]: [sentence] })))
}

/** Returns the uuids that must be new on the receiving instance, each with the name of its field. */
export const bundledResources = (bundle: TransferBundle): ReadonlyArray<readonly [field: string, uuid: string]> =>
  (["destinations", "applications", "services", "databases"] as const).flatMap((name) =>
    bundle[name].map(({ uuid }, at) => [`bundle.${name}.${at}.uuid`, uuid] as const)
  )
