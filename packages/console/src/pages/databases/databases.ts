import type { DatabaseCredentials } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  checkField,
  copyField,
  empty,
  formSection,
  formTo,
  type Html,
  html,
  nothing,
  otherProblems,
  problemSummary,
  selectField,
  textField,
  time,
  typed
} from "@slipway/web/foundation"
import { databaseFrame } from "../../layout/frames.ts"
import { databasePath, environmentPath } from "../../layout/links.ts"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { deletionProblem, deletionSection } from "../../page/deletion.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { backupsPage } from "./backups.ts"
import { databaseIn, databaseOperations, loadDatabase, loadDatabaseWithSsl } from "./loadDatabase.ts"

interface RunPermissions {
  readonly start: boolean
  readonly stop: boolean
}

/** Returns the buttons that start, restart and stop a resource; only those that the viewer may use. */
export const runButtons = (visit: ConsoleVisit, isRunning: boolean, may: RunPermissions): Html => {
  const { words } = visit.texts
  const button = (does: string, label: string, className = "") =>
    html`<button class="button ${className}" name="do" value="${does}">${label}</button>`
  if (!may.start && !may.stop) return nothing
  return formTo(
    visit,
    visit.url.pathname,
    isRunning
      ? html`${may.start && button("restart", words.restart)}${may.stop && button("stop", words.stop)}`
      : html`${may.start && button("start", words.start, "primary")}`,
    "row push"
  )
}

/** Shows a button that reveals the connection URLs, or the URLs after it was pressed. */
const credentials = (visit: ConsoleVisit, mayReveal: boolean): Html => {
  const { databases: t } = visit.texts
  const revealed = visit.form.outcome as DatabaseCredentials | undefined
  if (revealed !== undefined) {
    const { external_db_url: external, internal_db_url: internal } = revealed
    return html`<p class="small soft">${t.credentialsHint}</p>${copyField(visit, t.internalUrl, internal)}${external !== null && copyField(visit, t.externalUrl, external)}`
  }
  return mayReveal
    ? html`${actionButton(visit, { do: "reveal" }, t.show)}<p class="small soft">${t.revealHint}</p>`
    : html`<p class="small soft">${t.credentialsDenied}</p>`
}

/** `/databases/{uuid}`: the state of a database and, on demand, its connection URLs. */
const overviewPage = page({
  path: "/databases/:database",
  operations: [
    ...databaseOperations,
    "databases.readSsl",
    "databases.revealCredentials",
    "databases.start",
    "databases.stop",
    "databases.restart"
  ],
  load: async (visit) => {
    const [{ database, ssl }, may] = await Promise.all([
      loadDatabaseWithSsl(visit),
      decisionsOn(visit, {
        deploy: ["database.deploy", databaseIn(visit).uuid],
        reveal: ["database.secrets", databaseIn(visit).uuid]
      })
    ])
    return { database, ssl, may }
  },
  view: ({ database, may, ssl }, visit) => {
    const { databases: t, words } = visit.texts
    const { reason } = database
    const frame = databaseFrame(visit, database, "overview")
    const isRunning = database.status.startsWith("running")
    const buttons = runButtons(visit, isRunning, { start: may.deploy, stop: may.deploy })
    return {
      title: database.name,
      frame: { ...frame, heading: html`${frame.heading}${buttons}` },
      body: html`${problemSummary(visit)}
${reason !== null && html`<p class="alert bad">${reason}</p>`}
${card(
  t.connection,
  html`<div class="body"><dl class="facts"><dt>${t.kind}</dt><dd>${database.database_type.replace("standalone-", "")}</dd><dt>${words.image}</dt><dd><code>${database.image}</code></dd></dl>
${ssl.ca_certificate !== null && html`<details><summary>${t.caCertificate}</summary><p class="small soft">${t.caCertificateHint}</p><pre class="log" tabindex="0" aria-label="${t.caCertificate}">${ssl.ca_certificate}</pre>${ssl.certificate_expires_at !== null && html`<p class="small">${t.certificateExpires} ${time(visit, ssl.certificate_expires_at)}</p>`}</details>`}
${credentials(visit, may.reveal)}</div>`
)}`
    }
  },
  submit: async (visit) => {
    const params = databaseIn(visit)
    const { restart, revealCredentials, start, stop } = visit.deploy.databases
    const does = typed(visit.form, "do")
    try {
      if (does === "reveal") return { outcome: await revealCredentials({ params }) }
      await (does === "stop" ? stop : does === "restart" ? restart : start)({ params })
      return { to: databasePath(params.uuid) }
    } catch (error) {
      return rejectedForm(error, [])
    }
  }
})

/** `/databases/{uuid}/logs`: the last lines of the container of a database. */
const logsPage = page({
  path: "/databases/:database/logs",
  operations: [...databaseOperations, "databases.logs"],
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
  operations: [...databaseOperations, "databases.readSsl", "databases.update", "databases.delete"],
  load: async (visit) => {
    const { uuid } = databaseIn(visit)
    const [{ database, ssl }, may] = await Promise.all([
      loadDatabaseWithSsl(visit),
      decisionsOn(visit, { update: ["database.update", uuid], delete: ["database.delete", uuid] })
    ])
    return { database, ssl, may }
  },
  view: ({ database, may, ssl }, visit) => {
    const { databases: t, forms, words } = visit.texts
    return {
      title: `${words.settings} · ${database.name}`,
      frame: databaseFrame(visit, database, "settings"),
      body: html`${otherProblems(visit, ["save", "delete"])}
${
  may.update &&
  formSection(visit, {
    key: "save",
    title: words.settings,
    fields: (own) => html`${textField(own, { name: "name", label: words.name, required: true, value: database.name })}
${textField(own, { name: "description", label: words.description, value: database.description })}
${textField(own, { name: "image", label: words.image, required: true, value: database.image })}
${checkField(own, { name: "is_public", label: t.isPublic, checked: database.is_public })}
${textField(own, { name: "public_port", label: t.publicPort, type: "number", value: database.public_port === null ? "" : String(database.public_port) })}
${ssl.is_ssl_supported && checkField(own, { name: "enable_ssl", label: t.enableSsl, hint: t.enableSslHint, checked: database.enable_ssl })}
${ssl.ssl_modes.length > 0 && selectField(own, { name: "ssl_mode", label: t.sslMode, value: database.ssl_mode ?? "", options: ssl.ssl_modes.map((mode) => ({ value: mode, label: mode })) })}`,
    button: forms.save
  })
}
${may.delete && deletionSection(visit, { name: database.name, hint: t.deleteDatabaseHint, button: t.deleteDatabase, fields: (own) => checkField(own, { name: "delete_volumes", label: t.deleteVolumes }) })}`
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
      const { ssl_modes } = await databases.readSsl({ params })
      const mode = ssl_modes.find((each) => each === typed(form, "ssl_mode"))
      await databases.update({
        params,
        body: {
          name: typed(form, "name"),
          description: typed(form, "description"),
          image: typed(form, "image"),
          is_public: typed(form, "is_public") === "on",
          enable_ssl: typed(form, "enable_ssl") === "on",
          ...(mode === undefined ? {} : { ssl_mode: mode }),
          public_port: port === "" ? null : Number(port)
        }
      })
      return { to: databasePath(params.uuid, "settings") }
    } catch (error) {
      return rejectedForm(error, [
        "name",
        "description",
        "image",
        "is_public",
        "public_port",
        "enable_ssl",
        "ssl_mode",
        "confirm"
      ])
    }
  }
})

/** All console pages of databases. */
export const databasePages: ReadonlyArray<ConsolePage> = [overviewPage, backupsPage, logsPage, settingsPage]
