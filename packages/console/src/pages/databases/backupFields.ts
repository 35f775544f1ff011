import type { Backup, S3Storage } from "@slipway/client/deploy"
import { checkField, type Html, html, nothing, selectField, textField, typed } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { optionsWith } from "../../page/options.ts"

/** The names of the fields of a backup schedule. */
export const backupFieldNames = [
  "frequency",
  "timeout",
  "databases_to_backup",
  "database_backup_retention_amount_locally",
  "database_backup_retention_days_locally",
  "s3_storage_uuid",
  "database_backup_retention_amount_s3",
  "database_backup_retention_days_s3"
] as const

/** Shows the field of an S3 storage; the first choice is none, unless the schedule needs one. */
export const s3StorageField = (
  visit: ConsoleVisit,
  storages: ReadonlyArray<S3Storage>,
  { isRequired = false, value }: { readonly isRequired?: boolean; readonly value: string }
): Html => {
  const { databases: t, words } = visit.texts
  const none = isRequired ? [] : [{ value: "", label: words.none }]
  return selectField(visit, {
    name: "s3_storage_uuid",
    label: t.s3Storage,
    value,
    options: optionsWith(value, [...none, ...storages.map(({ name, uuid }) => ({ value: uuid, label: name }))])
  })
}

const number = (visit: ConsoleVisit, name: string, label: string, value: number): Html =>
  textField(visit, { name, label, type: "number", required: true, value: String(value) })

/** Shows the fields of a backup schedule, with its settings or those of a new one. */
export const backupFields = (
  visit: ConsoleVisit,
  storages: ReadonlyArray<S3Storage>,
  schedule: Backup | undefined
): Html => {
  const { databases: t } = visit.texts
  return html`${textField(visit, { name: "frequency", label: t.frequency, required: true, value: schedule?.frequency ?? "daily" })}
${number(visit, "database_backup_retention_amount_locally", t.keep, schedule?.database_backup_retention_amount_locally ?? 7)}
${number(visit, "database_backup_retention_days_locally", t.keepDays, schedule?.database_backup_retention_days_locally ?? 0)}
${s3StorageField(visit, storages, { value: (schedule?.save_s3 === false ? null : schedule?.s3_storage_uuid) ?? "" })}
${number(visit, "database_backup_retention_amount_s3", t.keepS3, schedule?.database_backup_retention_amount_s3 ?? 7)}
${number(visit, "database_backup_retention_days_s3", t.keepDaysS3, schedule?.database_backup_retention_days_s3 ?? 0)}
${checkField(visit, { name: "disable_local_backup", label: t.onlyS3, checked: schedule?.disable_local_backup ?? false })}
${textField(visit, { name: "databases_to_backup", label: t.databasesToBackup, hint: t.databasesToBackupHint, value: schedule?.databases_to_backup ?? "" })}
${checkField(visit, { name: "dump_all", label: t.dumpAll, checked: schedule?.dump_all ?? false })}
${number(visit, "timeout", t.timeout, schedule?.timeout ?? 3_600)}
${schedule === undefined ? nothing : checkField(visit, { name: "enabled", label: t.isEnabled, checked: schedule.enabled })}`
}

/** Returns the typed settings of a backup schedule. */
export const backupSettingsIn = ({ form }: ConsoleVisit) => {
  const storage = typed(form, "s3_storage_uuid")
  const names = typed(form, "databases_to_backup").trim()
  return {
    frequency: typed(form, "frequency"),
    timeout: Number(typed(form, "timeout")),
    database_backup_retention_amount_locally: Number(typed(form, "database_backup_retention_amount_locally")),
    database_backup_retention_days_locally: Number(typed(form, "database_backup_retention_days_locally")),
    save_s3: storage !== "",
    ...(storage === "" ? {} : { s3_storage_uuid: storage }),
    disable_local_backup: typed(form, "disable_local_backup") === "on",
    database_backup_retention_amount_s3: Number(typed(form, "database_backup_retention_amount_s3")),
    database_backup_retention_days_s3: Number(typed(form, "database_backup_retention_days_s3")),
    databases_to_backup: names === "" ? null : names,
    dump_all: typed(form, "dump_all") === "on"
  }
}
