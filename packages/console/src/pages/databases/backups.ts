import type { Backup, BackupExecution, BackupRestore, S3Storage } from "@slipway/client/deploy"
import {
  actionButton,
  bytes,
  card,
  empty,
  formSection,
  type Html,
  html,
  otherProblems,
  textField,
  time,
  typed,
  withQuery
} from "@slipway/web/foundation"
import { databaseFrame } from "../../layout/frames.ts"
import { databasePath } from "../../layout/links.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { deletionProblem } from "../../page/deletion.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { backupFieldNames, backupFields, backupSettingsIn } from "./backupFields.ts"
import { databaseIn, databaseOperations, loadDatabase } from "./loadDatabase.ts"

/** The number of backups on the page. */
const mostExecutions = 10

/** The permissions of the viewer on the backups of the database. */
interface Permissions {
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
  readonly restore: boolean
}

interface Scheduled {
  readonly schedule: Backup
  /** The latest backups of the schedule; undefined unless it is the chosen one. */
  readonly executions: ReadonlyArray<BackupExecution> | undefined
}

const s3Line = (
  { texts }: ConsoleVisit,
  { disable_local_backup: isOnlyInS3, s3_storage_uuid: uuid, save_s3: saves }: Backup,
  storages: ReadonlyArray<S3Storage>
): Html | false => {
  const { databases: t } = texts
  const storage = storages.find((each) => each.uuid === uuid)
  const name = storage === undefined ? (uuid ?? "") : storage.name
  return saves && html` · ${isOnlyInS3 ? t.onlyIn(name) : t.alsoIn(name)}`
}

const scheduleCard = (
  visit: ConsoleVisit,
  { executions, schedule }: Scheduled,
  storages: ReadonlyArray<S3Storage>,
  may: Permissions
): Html => {
  const { automation, databases: t, forms } = visit.texts
  const tones = { success: "ok", failed: "bad", running: "info" } as const
  return card(
    schedule.frequency,
    html`<div class="body row"><span class="small soft grow">${schedule.next_run_at === null ? t.isDisabled : html`${t.nextRun} ${time(visit, schedule.next_run_at)}`}${s3Line(visit, schedule, storages)}</span>${may.update && actionButton(visit, { do: "run", schedule: schedule.uuid }, t.runNow, { className: "button primary", about: schedule.frequency })}${may.delete && actionButton(visit, { do: "remove", schedule: schedule.uuid }, forms.remove, { about: schedule.frequency })}</div>
${executions === undefined ? html`<p class="body"><a href="${withQuery(visit.url, { schedule: schedule.uuid })}">${t.executions}<span class="hidden-text"> ${schedule.frequency}</span></a></p>` : executions.length === 0 ? empty(t.noExecutions) : html`<ul class="rows" aria-label="${t.executions}">${executions.map((each) => html`<li><span class="badge ${tones[each.status]}">${automation.runStatus[each.status]}</span><div class="grow"><code>${each.filename ?? ""}</code>${each.message !== null && html`<div class="small soft">${each.message}</div>`}</div>${typeof each.size === "number" && html`<span class="small soft">${bytes(visit, each.size)}</span>`}<span class="small soft">${time(visit, each.created_at)}</span>${each.s3_uploaded !== null && html`<span class="badge ${each.s3_uploaded ? "ok" : "bad"}">S3</span>`}${may.restore && each.status === "success" && html`<a class="button" href="${withQuery(visit.url, { schedule: schedule.uuid, restore: each.uuid })}">${t.restore}<span class="hidden-text"> ${each.filename ?? ""}</span></a>`}</li>`)}</ul>`}`
  )
}

/** Shows the form that restores the chosen backup, after the user typed the name of the database. */
const restoreSection = (visit: ConsoleVisit, name: string, schedule: string, execution: BackupExecution): Html => {
  const { databases: t, words } = visit.texts
  return formSection(visit, {
    key: "restore",
    title: t.restoreBackup,
    hint: t.restoreHint,
    fields: (
      own
    ) => html`<p><code>${execution.filename ?? ""}</code></p><input type="hidden" name="schedule" value="${schedule}"><input type="hidden" name="execution" value="${execution.uuid}">
${textField(own, { name: "confirm", label: words.typeToConfirm(name), required: true })}`,
    button: t.restore,
    danger: true
  })
}

/** The number of restores on the page. */
const mostRestores = 5

const restoresCard = (visit: ConsoleVisit, restores: ReadonlyArray<BackupRestore>): Html => {
  const { automation, databases: t } = visit.texts
  const tones = { queued: "info", running: "info", success: "ok", failed: "bad" } as const
  return card(
    t.restores,
    html`<ul class="rows" aria-label="${t.restores}">${restores.slice(0, mostRestores).map((each) => html`<li><span class="badge ${tones[each.status]}">${automation.runStatus[each.status]}</span><div class="grow small soft">${each.message ?? ""}</div><span class="small soft">${time(visit, each.created_at)}</span></li>`)}</ul>`
  )
}

/** `/databases/{uuid}/backups`: the backup schedules of a database with their latest backups. */
export const backupsPage = page({
  path: "/databases/:database/backups",
  operations: [
    ...databaseOperations,
    "backups.list",
    "backups.create",
    "backups.update",
    "backups.remove",
    "backups.executions",
    "restores.list",
    "restores.create",
    "s3Storages.list"
  ],
  load: async (visit) => {
    const params = databaseIn(visit)
    const [database, schedules, restores, storages, may] = await Promise.all([
      loadDatabase(visit),
      visit.deploy.backups.list({ params }),
      visit.deploy.restores.list({ params }),
      visit.deploy.s3Storages.list({ query: { per_page: 100 } }),
      decisionsOn(visit, {
        create: ["database.backup.create", params.uuid],
        update: ["database.backup.update", params.uuid],
        delete: ["database.backup.delete", params.uuid],
        restore: ["database.backup.execution.restore", params.uuid]
      })
    ])
    // A rejected form names them in its fields, and its address names nothing.
    const named = (field: string, query: string) => typed(visit.form, field) || visit.query.get(query)
    const schedule = named("schedule", "schedule")
    const chosen = schedules.find(({ uuid }) => uuid === schedule) ?? schedules[0]
    const latest =
      chosen === undefined
        ? undefined
        : await visit.deploy.backups.executions({ params: { ...params, scheduled_backup_uuid: chosen.uuid } })
    const scheduled = schedules.map(
      (schedule): Scheduled => ({
        schedule,
        executions: schedule === chosen ? latest?.executions.slice(0, mostExecutions) : undefined
      })
    )
    const execution = named("execution", "restore")
    const restored = latest?.executions.find(({ status, uuid }) => status === "success" && uuid === execution)
    const restoring = chosen && restored && { schedule: chosen.uuid, execution: restored }
    return { chosen, database, may, scheduled, restores, restoring: may.restore ? restoring : undefined, storages }
  },
  view: ({ chosen, database, may, restores, restoring, scheduled, storages }, visit) => {
    const { databases: t, forms } = visit.texts
    return {
      title: `${t.backups} · ${database.name}`,
      frame: databaseFrame(visit, database, "backups"),
      body: html`${otherProblems(visit, ["add", "change", "restore"])}${restoring !== undefined && restoreSection(visit, database.name, restoring.schedule, restoring.execution)}${scheduled.length === 0 ? card(t.backups, empty(t.noBackups)) : scheduled.map((each) => scheduleCard(visit, each, storages, may))}
${restores.length > 0 && restoresCard(visit, restores)}
${
  chosen !== undefined &&
  may.update &&
  formSection(visit, {
    key: "change",
    title: t.changeBackup(chosen.frequency),
    fields: (own) =>
      html`<input type="hidden" name="schedule" value="${chosen.uuid}">${backupFields(own, storages, chosen)}`,
    button: forms.save
  })
}
${
  may.create &&
  formSection(visit, {
    key: "add",
    title: t.addBackup,
    fields: (own) => backupFields(own, storages, undefined),
    button: t.addBackup
  })
}`
    }
  },
  submit: async (visit) => {
    const params = databaseIn(visit)
    const { backups } = visit.deploy
    const own = { ...params, scheduled_backup_uuid: typed(visit.form, "schedule") }
    try {
      switch (typed(visit.form, "do")) {
        case "run":
          await backups.update({ params: own, body: { backup_now: true } })
          break
        case "change":
          await backups.update({
            params: own,
            body: { ...backupSettingsIn(visit), enabled: typed(visit.form, "enabled") === "on" }
          })
          break
        case "remove":
          await backups.remove({ params: own })
          break
        case "restore": {
          const database = await loadDatabase(visit)
          const problem = deletionProblem(visit, database.name)
          if (problem !== undefined) return problem
          await visit.deploy.restores.create({
            params: { ...own, execution_uuid: typed(visit.form, "execution") },
            body: {}
          })
          break
        }
        default:
          await backups.create({ params, body: backupSettingsIn(visit) })
      }
      return { to: databasePath(params.uuid, "backups") }
    } catch (error) {
      return rejectedForm(error, [...backupFieldNames, "confirm"])
    }
  }
})
