import type { S3Storage, Storage, StorageBackups } from "@slipway/client/deploy"
import {
  actionButton,
  bytes,
  card,
  checkField,
  empty,
  formSection,
  type Html,
  html,
  linkButton,
  otherProblems,
  textField,
  time,
  typed,
  withQuery
} from "@slipway/web/foundation"
import { serviceFrame } from "../../layout/frames.ts"
import { servicePath } from "../../layout/links.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { s3StorageField } from "../databases/backupFields.ts"
import { loadService, serviceIn, serviceOperations } from "./loadService.ts"

/** The number of backups on the page. */
const mostExecutions = 10

interface Chosen {
  readonly storage: Storage
  /** Undefined without a schedule. */
  readonly backups: StorageBackups | undefined
}

const storageRow = (visit: ConsoleVisit, storage: Storage, isChosen: boolean): Html =>
  html`<li><div class="grow"><h3><a href="${withQuery(visit.url, { storage: storage.uuid })}"${isChosen && html` aria-current="true"`}>${storage.name}</a></h3><div class="small soft"><code>${storage.mount_path}</code></div></div></li>`

const scheduleCard = (
  visit: ConsoleVisit,
  { backups, storage }: Chosen,
  may: { readonly run: boolean; readonly delete: boolean }
): Html => {
  const { automation, databases: t } = visit.texts
  const tones = { success: "ok", failed: "bad", running: "info" } as const
  const of = { storage: storage.uuid }
  return card(
    t.storageBackup(storage.name),
    backups === undefined
      ? empty(t.noSchedule)
      : html`<div class="body row"><span class="small soft grow">${backups.frequency} · ${backups.next_run_at === null ? t.isDisabled : html`${t.nextRun} ${time(visit, backups.next_run_at)}`}</span>${may.run && actionButton(visit, { do: "run", ...of }, t.runNow, { className: "button primary" })}${may.delete && actionButton(visit, { do: "remove", ...of }, t.removeSchedule)}</div>
${backups.executions.length === 0 ? empty(t.noExecutions) : html`<ul class="rows" aria-label="${t.executions}">${backups.executions.slice(0, mostExecutions).map((each) => html`<li><span class="badge ${tones[each.status]}">${automation.runStatus[each.status]}</span><div class="grow"><code>${each.s3_key ?? ""}</code>${each.message !== null && html`<div class="small soft">${each.message}</div>`}</div>${typeof each.size === "number" && html`<span class="small soft">${bytes(visit, each.size)}</span>`}<span class="small soft">${time(visit, each.created_at)}</span></li>`)}</ul>`}`
  )
}

const scheduleForm = (visit: ConsoleVisit, { backups, storage }: Chosen, storages: ReadonlyArray<S3Storage>): Html => {
  const { databases: t } = visit.texts
  if (storages.length === 0) {
    return card(t.addBackup, empty(t.needsS3Storage, linkButton("/storages/new", t.addS3Storage)))
  }
  const number = (own: ConsoleVisit, name: string, label: string, value: number) =>
    textField(own, { name, label, type: "number", required: true, value: String(value) })
  return formSection(visit, {
    key: "save",
    title: backups === undefined ? t.addBackup : t.changeBackup(backups.frequency),
    hint: t.storageBackupHint,
    fields: (
      own
    ) => html`<input type="hidden" name="storage" value="${storage.uuid}">${textField(own, { name: "frequency", label: t.frequency, required: true, value: backups?.frequency ?? "daily" })}
${s3StorageField(own, storages, { isRequired: true, value: backups?.s3_storage_uuid ?? "" })}
${number(own, "retention_amount_s3", t.keepS3, backups?.retention_amount_s3 ?? 7)}
${number(own, "retention_days_s3", t.keepDaysS3, backups?.retention_days_s3 ?? 0)}
${number(own, "timeout", t.timeout, backups?.timeout ?? 3_600)}
${checkField(own, { name: "enabled", label: t.isEnabled, checked: backups?.enabled ?? true })}`,
    button: t.saveSchedule
  })
}

const fieldNames = ["frequency", "s3_storage_uuid", "retention_amount_s3", "retention_days_s3", "timeout"]

/** `/services/{uuid}/backups`: the backups of the storages of a service. */
export const serviceBackupsPage = page({
  path: "/services/:service/backups",
  operations: [
    ...serviceOperations,
    "serviceSettings.listStorages",
    "volumeBackups.readService",
    "volumeBackups.putService",
    "volumeBackups.deleteService",
    "volumeBackups.runService",
    "s3Storages.list"
  ],
  load: async (visit) => {
    const params = serviceIn(visit)
    const [service, { persistent_storages: storages }, s3Storages, may] = await Promise.all([
      loadService(visit),
      visit.deploy.serviceSettings.listStorages({ params }),
      visit.deploy.s3Storages.list({ query: { per_page: 100 } }),
      decisionsOn(visit, {
        update: ["service.storage.backup.update", params.uuid],
        delete: ["service.storage.backup.delete", params.uuid],
        run: ["service.storage.backup.run", params.uuid]
      })
    ])
    // A rejected form names the storage in its field, and its address names nothing.
    const named = typed(visit.form, "storage") || visit.query.get("storage")
    const storage = storages.find(({ uuid }) => uuid === named) ?? storages[0]
    if (storage === undefined) return { service, storages, s3Storages, may, chosen: undefined }
    const found = await visit.deploy.volumeBackups
      .readService({ params: { ...params, storage_uuid: storage.uuid } })
      .result()
    // Without a schedule, the response is 404.
    if (!found.ok && found.error.status !== 404) throw found.error
    const chosen: Chosen = { storage, backups: found.ok ? found.value : undefined }
    return { service, storages, s3Storages, may, chosen }
  },
  view: ({ chosen, may, s3Storages, service, storages }, visit) => {
    const { databases: t } = visit.texts
    return {
      title: `${t.backups} · ${service.name}`,
      frame: serviceFrame(visit, service, "backups"),
      body: html`${otherProblems(visit, ["save"])}${card(t.storages, storages.length === 0 ? empty(t.noStorages) : html`<ul class="rows">${storages.map((each) => storageRow(visit, each, each === chosen?.storage))}</ul>`)}
${chosen !== undefined && html`${scheduleCard(visit, chosen, may)}${may.update && scheduleForm(visit, chosen, s3Storages)}`}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const { volumeBackups } = visit.deploy
    const storage = typed(form, "storage")
    const params = { ...serviceIn(visit), storage_uuid: storage }
    try {
      switch (typed(form, "do")) {
        case "run":
          await volumeBackups.runService({ params })
          break
        case "remove":
          await volumeBackups.deleteService({ params })
          break
        default:
          await volumeBackups.putService({
            params,
            body: {
              frequency: typed(form, "frequency"),
              s3_storage_uuid: typed(form, "s3_storage_uuid"),
              retention_amount_s3: Number(typed(form, "retention_amount_s3")),
              retention_days_s3: Number(typed(form, "retention_days_s3")),
              timeout: Number(typed(form, "timeout")),
              enabled: typed(form, "enabled") === "on"
            }
          })
      }
      return { to: `${servicePath(params.uuid, "backups")}?${new URLSearchParams({ storage })}` }
    } catch (error) {
      return rejectedForm(error, fieldNames)
    }
  }
})
