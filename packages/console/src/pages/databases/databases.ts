import type { Backup, BackupExecution, BackupRestore } from "@slipway/client/deploy"
import {
  actionButton,
  bytes,
  card,
  checkField,
  copyField,
  empty,
  formSection,
  formTo,
  type Html,
  html,
  otherProblems,
  problemSummary,
  textField,
  time,
  typed,
  withQuery
} from "@slipway/web/foundation"
import { databaseFrame } from "../../layout/frames.ts"
import { databasePath, environmentPath } from "../../layout/links.ts"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { deletionProblem, deletionSection } from "../../page/deletion.ts"
import { rejectedForm } from "../../page/rejections.ts"

const databaseIn = ({ params }: ConsoleVisit) => ({ uuid: params.database ?? "" })

/** Loads the database that the path of the page names. */
const loadDatabase = async (visit: ConsoleVisit) => visit.deploy.databases.get({ params: databaseIn(visit) })

/** Returns the buttons that start, restart and stop a resource. */
export const runButtons = (visit: ConsoleVisit, isRunning: boolean): Html => {
  const { words } = visit.texts
  const button = (does: string, label: string, className = "") =>
    html`<button class="button ${className}" name="do" value="${does}">${label}</button>`
  return formTo(
    visit,
    visit.url.pathname,
    isRunning
      ? html`${button("restart", words.restart)}${button("stop", words.stop)}`
      : button("start", words.start, "primary"),
    "row"
  )
}

/** `/databases/{uuid}`: the state of a database and its connection URLs. */
const overviewPage = page({
  path: "/databases/:database",
  operations: ["databases.get", "databases.start", "databases.stop", "databases.restart"],
  load: loadDatabase,
  view: (database, visit) => {
    const { databases: t, words } = visit.texts
    const { external_db_url: external, internal_db_url: internal, reason } = database
    return {
      title: database.name,
      frame: databaseFrame(visit, database, "overview"),
      body: html`${problemSummary(visit)}<div class="title">${runButtons(visit, database.status.startsWith("running"))}</div>
${reason !== null && html`<p class="alert bad">${reason}</p>`}
${card(
  t.connection,
  html`<div class="body"><dl class="facts"><dt>${t.kind}</dt><dd>${database.database_type.replace("standalone-", "")}</dd><dt>${words.image}</dt><dd><code>${database.image}</code></dd></dl>
${(internal !== null || external !== null) && html`<details><summary>${t.show}</summary><p class="small soft">${t.credentialsHint}</p>${internal !== null && copyField(visit, t.internalUrl, internal)}${external !== null && copyField(visit, t.externalUrl, external)}</details>`}</div>`
)}`
    }
  },
  submit: async (visit) => {
    const params = databaseIn(visit)
    const { restart, start, stop } = visit.deploy.databases
    const does = typed(visit.form, "do")
    try {
      await (does === "stop" ? stop : does === "restart" ? restart : start)({ params })
      return { to: databasePath(params.uuid) }
    } catch (error) {
      return rejectedForm(error, [])
    }
  }
})

/** Maximum number of backups that the page shows. */
const mostExecutions = 10

interface Scheduled {
  readonly schedule: Backup
  /** The latest backups of the schedule; undefined unless the user selected this schedule. */
  readonly executions: ReadonlyArray<BackupExecution> | undefined
}

const scheduleCard = (visit: ConsoleVisit, { executions, schedule }: Scheduled): Html => {
  const { databases: t, forms } = visit.texts
  const tones = { success: "ok", failed: "bad", running: "info" } as const
  return card(
    schedule.frequency,
    html`<div class="body row"><span class="small soft grow">${schedule.next_run_at !== null && html`${t.nextRun} ${time(visit, schedule.next_run_at)}`}</span>${actionButton(visit, { do: "run", schedule: schedule.uuid }, t.runNow, { className: "button primary", about: schedule.frequency })}${actionButton(visit, { do: "remove", schedule: schedule.uuid }, forms.remove, { about: schedule.frequency })}</div>
${executions === undefined ? html`<p class="body"><a href="${withQuery(visit.url, { schedule: schedule.uuid })}">${t.executions}</a></p>` : executions.length === 0 ? empty(t.noExecutions) : html`<ul class="rows" aria-label="${t.executions}">${executions.map((each) => html`<li><span class="badge ${tones[each.status]}">${each.status}</span><div class="grow"><code>${each.filename ?? ""}</code>${each.message !== null && html`<div class="small soft">${each.message}</div>`}</div>${typeof each.size === "number" && html`<span class="small soft">${bytes(visit, each.size)}</span>`}<span class="small soft">${time(visit, each.created_at)}</span>${each.status === "success" && html`<a class="button" href="${withQuery(visit.url, { schedule: schedule.uuid, restore: each.uuid })}">${t.restore}</a>`}</li>`)}</ul>`}`
  )
}

/** Shows the form that restores the selected backup. The user must type the name of the database to confirm. */
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

/** Maximum number of restores that the page shows. */
const mostRestores = 5

const restoresCard = (visit: ConsoleVisit, restores: ReadonlyArray<BackupRestore>): Html => {
  const { databases: t } = visit.texts
  const tones = { queued: "info", running: "info", success: "ok", failed: "bad" } as const
  return card(
    t.restores,
    html`<ul class="rows" aria-label="${t.restores}">${restores.slice(0, mostRestores).map((each) => html`<li><span class="badge ${tones[each.status]}">${each.status}</span><div class="grow small soft">${each.message ?? ""}</div><span class="small soft">${time(visit, each.created_at)}</span></li>`)}</ul>`
  )
}

/** `/databases/{uuid}/backups`: the backup schedules of a database with their latest backups. */
const backupsPage = page({
  path: "/databases/:database/backups",
  operations: [
    "databases.get",
    "backups.list",
    "backups.create",
    "backups.update",
    "backups.remove",
    "backups.executions",
    "restores.list",
    "restores.create"
  ],
  load: async (visit) => {
    const params = databaseIn(visit)
    const [database, schedules, restores] = await Promise.all([
      loadDatabase(visit),
      visit.deploy.backups.list({ params }),
      visit.deploy.restores.list({ params })
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
    return { database, scheduled, restores, restoring }
  },
  view: ({ database, restores, restoring, scheduled }, visit) => {
    const { databases: t } = visit.texts
    return {
      title: `${t.backups} · ${database.name}`,
      frame: databaseFrame(visit, database, "backups"),
      body: html`${otherProblems(visit, ["add", "restore"])}${restoring !== undefined && restoreSection(visit, database.name, restoring.schedule, restoring.execution)}${scheduled.length === 0 ? card(t.backups, empty(t.noBackups)) : scheduled.map((each) => scheduleCard(visit, each))}
${restores.length > 0 && restoresCard(visit, restores)}
${formSection(visit, {
  key: "add",
  title: t.addBackup,
  fields: (own) => html`${textField(own, { name: "frequency", label: t.frequency, required: true, value: "daily" })}
${textField(own, { name: "database_backup_retention_amount_locally", label: t.keep, type: "number", value: "7" })}`,
  button: t.addBackup
})}`
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
          await backups.create({
            params,
            body: {
              frequency: typed(visit.form, "frequency"),
              database_backup_retention_amount_locally: Number(
                typed(visit.form, "database_backup_retention_amount_locally")
              )
            }
          })
      }
      return { to: databasePath(params.uuid, "backups") }
    } catch (error) {
      return rejectedForm(error, ["frequency", "database_backup_retention_amount_locally", "confirm"])
    }
  }
})

/** `/databases/{uuid}/logs`: the last lines of the container of a database. */
const logsPage = page({
  path: "/databases/:database/logs",
  operations: ["databases.get", "databases.logs"],
  load: async (visit) => {
    const [database, { logs }] = await Promise.all([
      loadDatabase(visit),
      visit.deploy.databases.logs({ params: databaseIn(visit), query: { lines: 500 } })
    ])
    return { database, logs }
  },
  view: ({ database, logs }, visit) => {
    const { words } = visit.texts
    return {
      title: `${words.logs} · ${database.name}`,
      frame: databaseFrame(visit, database, "logs"),
      body: card(
        words.logs,
        logs === ""
          ? empty(words.noLogs)
          : html`<pre class="body log" tabindex="0" aria-label="${words.logs}">${logs}</pre>`
      )
    }
  }
})

/** `/databases/{uuid}/settings`: the settings of a database, and its deletion. */
const settingsPage = page({
  path: "/databases/:database/settings",
  operations: ["databases.get", "databases.update", "databases.delete"],
  load: loadDatabase,
  view: (database, visit) => {
    const { databases: t, forms, words } = visit.texts
    return {
      title: `${words.settings} · ${database.name}`,
      frame: databaseFrame(visit, database, "settings"),
      body: html`${otherProblems(visit, ["save", "delete"])}
${formSection(visit, {
  key: "save",
  title: words.settings,
  fields: (own) => html`${textField(own, { name: "name", label: words.name, required: true, value: database.name })}
${textField(own, { name: "description", label: words.description, value: database.description })}
${textField(own, { name: "image", label: words.image, required: true, value: database.image })}
${checkField(own, { name: "is_public", label: t.isPublic, checked: database.is_public })}
${textField(own, { name: "public_port", label: t.publicPort, type: "number", value: database.public_port === null ? "" : String(database.public_port) })}`,
  button: forms.save
})}
${deletionSection(visit, { name: database.name, hint: t.deleteDatabaseHint, button: t.deleteDatabase, fields: (own) => checkField(own, { name: "delete_volumes", label: t.deleteVolumes }) })}`
    }
  },
  submit: async (visit) => {
    const params = databaseIn(visit)
    const { form } = visit
    const { databases } = visit.deploy
    try {
      if (typed(form, "do") === "delete") {
        const database = await loadDatabase(visit)
        const problem = deletionProblem(visit, database.name)
        if (problem !== undefined) return problem
        await databases.delete({ params, query: { delete_volumes: typed(form, "delete_volumes") === "on" } })
        return { to: environmentPath(database.project_uuid, database.environment_name) }
      }
      const port = typed(form, "public_port")
      await databases.update({
        params,
        body: {
          name: typed(form, "name"),
          description: typed(form, "description"),
          image: typed(form, "image"),
          is_public: typed(form, "is_public") === "on",
          public_port: port === "" ? null : Number(port)
        }
      })
      return { to: databasePath(params.uuid, "settings") }
    } catch (error) {
      return rejectedForm(error, ["name", "description", "image", "is_public", "public_port", "confirm"])
    }
  }
})

/** All console pages of databases. */
export const databasePages: ReadonlyArray<ConsolePage> = [overviewPage, backupsPage, logsPage, settingsPage]
