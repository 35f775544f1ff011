import type { ScheduledTask, ScheduledTaskExecution } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  checkField,
  empty,
  formSection,
  formTo,
  type Html,
  html,
  NotFound,
  number,
  otherProblems,
  textField,
  time,
  typed
} from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { applicationPath } from "../../layout/links.ts"
import { live } from "../../layout/logView.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"

const fields = ["name", "command", "frequency", "container", "timeout", "enabled"] as const

const taskFields = (visit: ConsoleVisit, task?: ScheduledTask): Html => {
  const { automation: t, words } = visit.texts
  return html`${textField(visit, { name: "name", label: words.name, required: true, value: task?.name ?? "" })}
${textField(visit, { name: "command", label: t.command, hint: t.commandHint, required: true, maxlength: 4096, value: task?.command ?? "" })}
${textField(visit, { name: "frequency", label: t.frequency, hint: t.frequencyHint, required: true, value: task?.frequency ?? "" })}
${textField(visit, { name: "container", label: t.container, hint: t.containerHint, value: task?.container ?? "" })}
${textField(visit, { name: "timeout", label: t.timeout, type: "number", required: true, value: String(task?.timeout ?? 300) })}
${checkField(visit, { name: "enabled", label: t.enabled, checked: task?.enabled ?? true })}`
}

/** Returns the typed task; the API rejects a timeout that is not a number. */
const taskIn = ({ form }: ConsoleVisit) => {
  const container = typed(form, "container").trim()
  return {
    name: typed(form, "name"),
    command: typed(form, "command"),
    frequency: typed(form, "frequency"),
    container: container === "" ? null : container,
    timeout: Number(typed(form, "timeout")),
    enabled: typed(form, "enabled") === "on"
  }
}

/** Shows a button that runs a task, on its page or in a list. */
const runButton = (visit: ConsoleVisit, application: string, { name, uuid }: ScheduledTask, className = ""): Html =>
  formTo(
    visit,
    applicationPath(application, "tasks", uuid),
    html`<input type="hidden" name="do" value="run"><button class="button ${className}">${visit.texts.automation.runNow}<span class="hidden-text"> ${name}</span></button>`,
    "inline"
  )

const row = (visit: ConsoleVisit, application: string, task: ScheduledTask, mayExecute: boolean): Html => {
  const { automation: t } = visit.texts
  const { command, enabled, frequency, name, next_run_at: next, uuid } = task
  return html`<li><span class="badge ${enabled ? "ok" : ""}">${enabled ? t.active : t.paused}</span><div class="grow"><h3><a href="${applicationPath(application, "tasks", uuid)}">${name}</a></h3><div class="small soft"><code>${command}</code> · <code>${frequency}</code></div></div>${next !== null && html`<span class="small soft">${t.nextRun} ${time(visit, next)}</span>`}${mayExecute && runButton(visit, application, task)}</li>`
}

/** `/applications/{uuid}/tasks`: the scheduled tasks of an application. */
export const tasksPage = page({
  path: "/applications/:application/tasks",
  operations: [...applicationOperations, "scheduledTasks.list", "scheduledTasks.create"],
  load: async (visit) => {
    const params = applicationIn(visit)
    const [application, tasks, may] = await Promise.all([
      loadApplication(visit),
      visit.deploy.scheduledTasks.list({ params }),
      decisionsOn(visit, { create: ["task.create", params.uuid], execute: ["task.execute", params.uuid] })
    ])
    return { application, tasks, may }
  },
  view: ({ application, may, tasks }, visit) => {
    const { automation: t } = visit.texts
    return {
      title: `${t.tasks} · ${application.name ?? application.uuid}`,
      frame: applicationFrame(visit, application, "tasks"),
      body: html`${otherProblems(visit, ["add"])}
${card(t.tasks, tasks.length === 0 ? empty(t.noTasks) : html`<ul class="rows">${tasks.map((each) => row(visit, application.uuid, each, may.execute))}</ul>`)}
${may.create && formSection(visit, { key: "add", title: t.addTask, fields: (own) => taskFields(own), button: t.addTask })}`
    }
  },
  submit: async (visit) => {
    const params = applicationIn(visit)
    try {
      const task = await visit.deploy.scheduledTasks.create({ params, body: taskIn(visit) })
      return { to: applicationPath(params.uuid, "tasks", task.uuid) }
    } catch (error) {
      return rejectedForm(error, fields)
    }
  }
})

const tones = { success: "ok", failed: "bad", running: "info" } as const

const runRow = (visit: ConsoleVisit, run: ScheduledTaskExecution, isNewest: boolean): Html => {
  const { duration, message, started_at: at, status } = run
  const { automation: t } = visit.texts
  return html`<li><span class="badge ${tones[status]}">${t.runStatus[status]}</span><div class="grow">${message === null || message === "" ? html`<span class="small soft">${status === "running" ? "" : t.noOutput}</span>` : html`<details${isNewest && html` open`}><summary>${t.output}</summary><pre class="code mono" tabindex="0">${message}</pre></details>`}</div><span class="small soft">${typeof duration === "number" && t.seconds(number(visit, Math.round(duration * 10) / 10))} ${time(visit, at)}</span></li>`
}

const taskIdIn = (visit: ConsoleVisit) => ({ ...applicationIn(visit), task_uuid: visit.params.task ?? "" })

/** The parameter with the newest run before the requested one; the page is live until a newer one has ended. */
const requested = "after"
const beforeAll = "none"

/** `/applications/{uuid}/tasks/{uuid}`: a scheduled task with its runs. */
export const taskPage = page({
  path: "/applications/:application/tasks/:task",
  operations: [
    ...applicationOperations,
    "scheduledTasks.list",
    "scheduledTasks.executions",
    "scheduledTasks.execute",
    "scheduledTasks.update",
    "scheduledTasks.remove"
  ],
  load: async (visit) => {
    const params = applicationIn(visit)
    const uuid = visit.params.task ?? ""
    const [application, tasks] = await Promise.all([
      loadApplication(visit),
      visit.deploy.scheduledTasks.list({ params })
    ])
    const task = tasks.find((each) => each.uuid === uuid)
    if (task === undefined) throw new NotFound()
    const [runs, may] = await Promise.all([
      visit.deploy.scheduledTasks.executions({ params: taskIdIn(visit) }),
      decisionsOn(visit, {
        execute: ["task.execute", params.uuid],
        update: ["task.update", params.uuid],
        remove: ["task.delete", params.uuid]
      })
    ])
    return { application, task, runs, may }
  },
  view: ({ application, may, runs, task }, visit) => {
    const { automation: t, forms } = visit.texts
    const [newest] = runs
    const isLive = newest?.status === "running" || visit.query.get(requested) === (newest?.uuid ?? beforeAll)
    return {
      title: `${task.name} · ${application.name ?? application.uuid}`,
      frame: applicationFrame(visit, application, "tasks"),
      body: html`${otherProblems(visit, ["edit"])}
<div class="title"><h2>${task.name}</h2><span class="badge ${task.enabled ? "ok" : ""}">${task.enabled ? t.active : t.paused}</span>${task.next_run_at !== null && html`<span class="small soft">${t.nextRun} ${time(visit, task.next_run_at)}</span>`}${may.execute && runButton(visit, application.uuid, task, "primary")}</div>
${live(visit, "runs", isLive, card(t.runs, runs.length === 0 ? empty(isLive ? t.waitingRun : t.noRuns) : html`<ul class="rows">${runs.map((each, index) => runRow(visit, each, index === 0))}</ul>`))}
${may.update && formSection(visit, { key: "edit", title: t.editTask, fields: (own) => taskFields(own, task), button: forms.save })}
${may.remove && card(t.removeTask, html`<div class="body"><p class="soft">${t.removeTaskHint}</p>${actionButton(visit, { do: "remove" }, t.removeTask, { className: "button danger" })}</div>`)}`
    }
  },
  submit: async (visit) => {
    const params = taskIdIn(visit)
    const { execute, executions, remove, update } = visit.deploy.scheduledTasks
    const own = applicationPath(params.uuid, "tasks", params.task_uuid)
    try {
      switch (typed(visit.form, "do")) {
        case "run": {
          const [newest] = await executions({ params })
          await execute({ params })
          return { to: `${own}?${new URLSearchParams({ [requested]: newest?.uuid ?? beforeAll })}` }
        }
        case "remove":
          await remove({ params })
          return { to: applicationPath(params.uuid, "tasks") }
        default:
          await update({ params, body: taskIn(visit) })
          return { to: own }
      }
    } catch (error) {
      return rejectedForm(error, fields)
    }
  }
})
