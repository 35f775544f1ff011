import { Result, Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import { type Problems, problemsOf } from "../../../Problems.ts"
import { line } from "../../apps/fields/field.ts"
import { TagName } from "../../apps/tags/Tag.ts"
import { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import { ForgeAppUuid } from "../../infrastructure/forge-apps/ForgeApp.ts"
import {
  BackupRow,
  BackupRunRow,
  BucketRow,
  DatabaseRow,
  DestinationRow,
  EnvironmentRow,
  KeyRow,
  ProjectRow,
  ServerRow,
  SharedVariableRow,
  VolumeBackupRow,
  VolumeBackupRunRow
} from "./infrastructureSchemas.ts"
import {
  ApplicationRow,
  DeploymentRow,
  many,
  PreviewRow,
  ReleaseRow,
  ServiceRow,
  ServingRow,
  StorageRow,
  TaskRow,
  Time,
  VariableRow
} from "./rowSchemas.ts"

/** The value of the field `format` of a bundle, by which other files are recognized. */
export const bundleFormat = "slipway.server-transfer" as const
/** The version of the bundles that this version of the platform writes and reads. */
export const bundleVersion = 1 as const

/** The maximum number of rows of one type in a bundle. */
const mostRows = 100_000

const Format = Schema.Struct({ format: Schema.Literal(bundleFormat), version: Schema.Int })

/** The id of a transfer, which is the same on both instances. */
export const ExportId = Uuid

const HostKeyRow = Schema.Struct({ address: line(300), fingerprint: line(255) })

/** A git host of an application. The receiving instance needs its own access to it. */
const ForgeRow = Schema.Struct({
  uuid: ForgeAppUuid,
  name: line(255),
  htmlUrl: line(2_048),
  appId: Schema.Int,
  isConnection: Schema.Boolean
})

const TaggedRow = Schema.Struct({ owner: ApplicationUuid, tags: many(TagName, 1_000) })

/**
 * Everything about a server that another instance needs to manage it: settings, resources and secrets.
 *
 * The fields of the type `Sealed` contain decrypted texts, because the two instances encrypt with different keys. A
 * bundle leaves an instance only encrypted, and is stored nowhere in this form.
 */
export const TransferBundle = Schema.Struct({
  format: Schema.Literal(bundleFormat),
  version: Schema.Literal(bundleVersion),
  exportId: ExportId,
  exportedAt: Time,
  server: ServerRow,
  destinations: many(DestinationRow, 1_000),
  hostKeys: many(HostKeyRow, 100),
  privateKeys: many(KeyRow, mostRows),
  buckets: many(BucketRow, 1_000),
  forges: many(ForgeRow, 1_000),
  projects: many(ProjectRow, mostRows),
  environments: many(EnvironmentRow, mostRows),
  sharedVariables: many(SharedVariableRow, mostRows),
  applications: many(ApplicationRow, mostRows),
  services: many(ServiceRow, mostRows),
  databases: many(DatabaseRow, mostRows),
  previews: many(PreviewRow, mostRows),
  tags: many(TaggedRow, mostRows),
  variables: many(VariableRow, mostRows),
  storages: many(StorageRow, mostRows),
  tasks: many(TaskRow, mostRows),
  backups: many(BackupRow, mostRows),
  backupRuns: many(BackupRunRow, mostRows),
  volumeBackups: many(VolumeBackupRow, mostRows),
  volumeBackupRuns: many(VolumeBackupRunRow, mostRows),
  deployments: many(DeploymentRow, mostRows),
  releases: many(ReleaseRow, mostRows),
  serving: many(ServingRow, mostRows)
})
export type TransferBundle = typeof TransferBundle.Type

const strictly = { errors: "all", onExcessProperty: "error" } as const
const decodeFormat = Schema.decodeUnknownResult(Format)
const decodeBundle = Schema.decodeUnknownResult(TransferBundle, strictly)

/** The maximum number of problems of a bundle that are reported. */
const mostProblems = 20

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

/** Returns the bundle in a decrypted text, or its problems: another format, another version, or invalid fields. */
export const readBundle = (json: string): TransferBundle | { readonly problems: Problems } => {
  const given = parsed(json)
  const format = decodeFormat(given)
  if (Result.isFailure(format)) return { problems: { bundle: ["Must contain the export of a server."] } }
  if (format.success.version !== bundleVersion) {
    const found = format.success.version
    const sentence = `Has version ${found}, but this instance reads version ${bundleVersion}: use the same version of the platform on both instances.`
    return { problems: { bundle: [sentence] } }
  }
  const bundle = decodeBundle(given)
  if (Result.isSuccess(bundle)) return bundle.success
  const problems = Object.entries(problemsOf(bundle.failure.issue, "")).slice(0, mostProblems)
  return {
    problems: Object.fromEntries(
      problems.map(([field, sentences]) => [field === "" ? "bundle" : `bundle.${field}`, sentences])
    )
  }
}

/** Reports that a transfer of a server is impossible in its state, with the reason and the remedy. */
export class TransferRefused extends Schema.TaggedError<TransferRefused>()("TransferRefused", {
  because: Schema.String
}) {}

/** Reports that the other instance gave no usable response, so that the transfer is not finished; it can be repeated. */
export class TransferUnfinished extends Schema.TaggedError<TransferUnfinished>()("TransferUnfinished", {
  because: Schema.String
}) {}
