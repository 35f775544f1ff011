import type { ActionWorkflowJob, ActionWorkflowRun } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { formTo, problemSummary } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, empty, linkButton } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { bytes, time } from "../../layout/time.ts"
import { pathOf, repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { loadRepository, type Offers, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { shortSha } from "../code/tree.ts"
import { stateOfRun } from "./runStates.ts"

/** The maximum number of log lines on a page. */
const mostLines = 5_000

const numberIn = (text: string | undefined): number => {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) throw new NotFound()
  return Number(text)
}

const runIn = (visit: Visit) => ({ ...namedIn(visit), run: numberIn(visit.params.run) })

const base = (visit: Visit): string => `${repositoryPath(repositoryIn(visit))}/actions/runs/${visit.params.run ?? ""}`

const runHeader = (visit: Visit, run: ActionWorkflowRun): Html => {
  const { automation } = visit.texts
  return html`<div class="title"><h2><a href="${base(visit)}">${run.display_title === "" ? automation.run(run.run_number) : run.display_title}</a></h2><span id="run-state" data-part>${stateOfRun(visit, run)}</span><span class="small soft">${automation.run(run.run_number)} · ${automation.attempt(run.run_attempt)} · ${run.event} · ${icon("git-branch")} ${run.head_branch} ${shortSha(repositoryIn(visit), run.head_sha)} · ${automation.by} <a href="${pathOf(run.actor.login)}">${run.actor.login}</a> ${time(visit, run.created_at)}</span></div>`
}

/** The access checks that decide which buttons of a workflow run the viewer gets. */
const offered = {
  rerun: ["repository.actions.run.rerun", "repo"],
  rerunFailed: ["repository.actions.run.rerun-failed-jobs", "repo"],
  cancel: ["repository.actions.run.cancel", "repo"],
  approve: ["repository.actions.run.approve", "repo"]
} as const

interface Loaded {
  readonly may: Offers<keyof typeof offered>
  readonly run: ActionWorkflowRun
  readonly jobs: ReadonlyArray<ActionWorkflowJob>
}

const runButtons = (visit: Visit, { jobs, may, run }: Loaded): Html => {
  const { automation } = visit.texts
  const button = (does: string, label: string, className = "") =>
    html`<button class="button ${className}" name="do" value="${does}">${label}</button>`
  const isDone = run.status === "completed"
  const hasFailed = jobs.some(({ conclusion }) => conclusion === "failure")
  return formTo(
    visit,
    base(visit),
    html`${run.need_approval && may.approve && button("approve", automation.approve, "primary")}${isDone && may.rerun && button("rerun", automation.rerun)}${isDone && hasFailed && may.rerunFailed && button("rerun-failed", automation.rerunFailed)}${!isDone && may.cancel && button("cancel", automation.cancel, "danger")}`,
    "row"
  )
}

const jobRow = (visit: Visit, job: ActionWorkflowJob): Html => {
  const { automation } = visit.texts
  return html`<li>${stateOfRun(visit, job)}<div class="grow"><h3><a href="${base(visit)}/jobs/${job.id}">${job.name}</a></h3><div class="small soft">${job.labels.join(", ")}${job.runner_name !== "" && html` · ${automation.onRunner} ${job.runner_name}`}</div></div>${job.completed_at !== null && html`<span class="small soft">${time(visit, job.completed_at)}</span>`}</li>`
}

/** `/{owner}/{repo}/actions/runs/{run}`: a run with its jobs and artifacts. */
const runPage = page({
  path: "/:owner/:repo/actions/runs/:run",
  operations: [
    ...repositoryOperations,
    "repository.actions.run.read",
    "repository.actions.run.job.list",
    "repository.actions.run.artifact.list",
    "repository.actions.run.rerun",
    "repository.actions.run.rerunFailedJobs",
    "repository.actions.run.cancel",
    "repository.actions.run.approve"
  ],
  load: async (visit) => {
    const { forge } = visit
    const params = runIn(visit)
    const [{ may, repository }, run, jobs, artifacts] = await Promise.all([
      loadRepository(visit, offered),
      forge.repository.actions.run.read({ params }),
      forge.repository.actions.run.job.list({ params, query: { limit: 50 } }),
      forge.repository.actions.run.artifact.list({ params, query: { limit: 50 } }).result()
    ])
    return { repository, may, run, jobs, artifacts: artifacts.ok ? artifacts.value : [] }
  },
  view: ({ artifacts, jobs, may, repository, run }, visit) => {
    const { automation } = visit.texts
    const isLive = run.status !== "completed"
    return {
      title: `${automation.run(run.run_number)} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "actions", visit, may),
      body: html`${runHeader(visit, run)}${problemSummary(visit)}<div id="run-actions" data-part>${run.need_approval && html`<p class="alert warn">${automation.needsApproval}</p>`}<div class="title">${runButtons(visit, { jobs, may, run })}</div></div>
<div id="jobs" class="live"${isLive && html` data-live="3000" aria-live="polite"`}>${isLive && html`<p class="small soft" data-live-note="${automation.updates}"><a href="${base(visit)}">${automation.refresh}</a></p>`}${card(automation.jobs, jobs.length === 0 ? empty(automation.noJobs) : html`<ul class="rows">${jobs.map((job) => jobRow(visit, job))}</ul>`)}</div>
<div id="run-artifacts" data-part>${artifacts.length > 0 && card(automation.artifacts, html`<ul class="rows">${artifacts.map(({ name, size_in_bytes: size }) => html`<li>${icon("package", "soft")}<span class="grow">${name}</span><span class="small soft">${bytes(visit, size)}</span></li>`)}</ul>`)}</div>`
    }
  },
  submit: async (visit) => {
    const params = runIn(visit)
    const { approve, cancel, rerun, rerunFailedJobs } = visit.forge.repository.actions.run
    const does = typed(visit.form, "do")
    if (does === "rerun") await rerun({ params })
    if (does === "rerun-failed") await rerunFailedJobs({ params })
    if (does === "cancel") await cancel({ params })
    if (does === "approve") await approve({ params })
    return { to: base(visit) }
  }
})

// Titles and links of terminals, then colors and movements of the cursor, then all other control characters.
const controls = new RegExp(
  [
    String.raw`\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)`,
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`[\0-\u0008\u000b-\u001f\u007f-\u009f]`
  ].join("|"),
  "g"
)

/** Returns the first log line that the URL requests. A script uses it to load only the new lines of a live log. */
const fromIn = ({ query }: Visit): number => {
  const from = query.get("from") ?? ""
  return /^[1-9]\d{0,9}$/.test(from) ? Number(from) : 1
}

/** Returns the last lines of a log without control sequences, and the line number of the first of them. */
const linesOf = (log: string, from: number): { readonly lines: ReadonlyArray<string>; readonly first: number } => {
  const all = log === "" ? [] : log.replace(/\n$/, "").split("\n")
  const lines = all.slice(-mostLines).map((line) => line.replaceAll(controls, ""))
  return { lines, first: from + all.length - lines.length }
}

const logView = (visit: Visit, log: string, raw: string, isLive: boolean): Html => {
  const { automation, code } = visit.texts
  const { first, lines } = linesOf(log, fromIn(visit))
  const at = visit.url.pathname
  if (lines.length === 0 && !isLive && fromIn(visit) === 1)
    return html`<div id="log" data-next="1">${empty(automation.noLog)}</div>`
  const tail = isLive
    ? html`<p class="body small soft" data-live-note="${automation.updates}"><a href="${at}">${automation.refresh}</a>${lines.length === 0 && ` ${automation.noLog}`}</p>`
    : nothing
  return html`${first > 1 && html`<div class="body row"><span>${automation.logCut(lines.length)}</span>${linkButton(raw, automation.wholeLog, "download")}</div>`}<div id="log"${isLive && html` data-tail="2000"`} data-next="${first + lines.length}">${tail}<div class="code mono log" tabindex="0" role="${isLive ? "log" : "region"}" aria-label="${automation.log}"><table><tbody>${lines.map((line, at) => html`<tr id="L${first + at}"><td><a href="#L${first + at}" data-line="${first + at}" aria-label="${code.line(first + at)}"></a></td><td>${line}</td></tr>`)}</tbody></table></div></div>`
}

/** `/{owner}/{repo}/actions/runs/{run}/jobs/{job}`: a job with its steps and log. */
const jobPage = page({
  path: "/:owner/:repo/actions/runs/:run/jobs/:job",
  operations: [
    ...repositoryOperations,
    "repository.actions.run.read",
    "repository.actions.job.read",
    "repository.actions.job.logs",
    "repository.actions.run.job.rerun"
  ],
  load: async (visit) => {
    const { forge } = visit
    const named = namedIn(visit)
    const params = { ...named, job_id: numberIn(visit.params.job) }
    const [{ may, repository }, run, job, log] = await Promise.all([
      loadRepository(visit, { rerun: ["repository.actions.run.job.rerun", "repo"] }),
      forge.repository.actions.run.read({ params: runIn(visit) }),
      forge.repository.actions.job.read({ params }),
      forge.repository.actions.job.logs({ params, query: { from: String(fromIn(visit)) } }).result()
    ])
    if (job.run_id !== run.id) throw new NotFound()
    // A job that has not started has no log.
    if (!log.ok && log.error.status !== 404) throw log.error
    return { repository, may, run, job, log: log.ok ? await textOf(log.value) : "" }
  },
  view: ({ job, log, may, repository, run }, visit) => {
    const { automation } = visit.texts
    const { name, owner } = repositoryIn(visit)
    const raw = `/api/v1/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/actions/jobs/${job.id}/logs`
    const at = `${base(visit)}/jobs/${job.id}`
    const rerun =
      may.rerun && job.status === "completed"
        ? formTo(visit, at, html`<button class="button" name="do" value="rerun">${automation.rerun}</button>`, "inline")
        : nothing
    return {
      title: `${job.name} · ${automation.run(run.run_number)} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "actions", visit, may),
      body: html`${runHeader(visit, run)}${problemSummary(visit)}<div class="title"><h2>${job.name}</h2><span id="job-state" data-part>${stateOfRun(visit, job)}</span><span class="push row" id="job-actions" data-part>${rerun}</span></div>
<div id="job-steps" data-part>${job.steps.length > 0 && card(automation.steps, html`<ol class="rows">${job.steps.map((step) => html`<li>${stateOfRun(visit, step)}<span class="grow">${step.name}</span>${step.completed_at !== null && html`<span class="small soft">${time(visit, step.completed_at)}</span>`}</li>`)}</ol>`)}</div>
${card(automation.log, logView(visit, log, raw, job.status !== "completed"))}`
    }
  },
  submit: async (visit) => {
    const params = { ...runIn(visit), job_id: numberIn(visit.params.job) }
    if (typed(visit.form, "do") === "rerun") await visit.forge.repository.actions.run.job.rerun({ params })
    return { to: base(visit) }
  }
})

const textOf = (answer: unknown): Promise<string> | string =>
  answer instanceof Response ? answer.text() : typeof answer === "string" ? answer : ""

/** The pages of workflow runs and jobs. */
export const runPages = [runPage, jobPage]
