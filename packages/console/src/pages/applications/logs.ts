import { type Application, type ApplicationLogs, type ApplicationStatus, ServiceError } from "@slipway/client/deploy"
import { type Html, html, linkButton, nothing, selectField, textField, withQuery } from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { applicationPath } from "../../layout/links.ts"
import { followedLog, plainText } from "../../layout/logView.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import type { WithTerminal } from "../../page/withTerminal.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"

const lengths = [500, 100, 2_000, 10_000] as const
const [usualLength] = lengths

/** Returns the filter of an address, as a query of the API. */
const filterIn = ({ query }: ConsoleVisit) => {
  const wanted = Number(query.get("lines"))
  const container = query.get("container") ?? ""
  const service = query.get("service") ?? ""
  return {
    lines: lengths.find((each) => each === wanted) ?? usualLength,
    ...(container === "" ? {} : { container }),
    ...(service === "" ? {} : { service })
  }
}

const searchIn = ({ query }: ConsoleVisit): string => (query.get("search") ?? "").trim()

/** Returns the lines that contain the searched text; upper and lower case are equal. */
const matching = (visit: ConsoleVisit, { lines }: ApplicationLogs): ApplicationLogs["lines"] => {
  const search = searchIn(visit).toLowerCase()
  return search === "" ? lines : lines.filter(({ text }) => text.toLowerCase().includes(search))
}

/** Reads the log; an unreachable server is a message on the page. */
const readLogs = async (visit: ConsoleVisit): Promise<{ logs: ApplicationLogs; failure: string | undefined }> => {
  const asked = await visit.deploy.logs.application({ params: applicationIn(visit), query: filterIn(visit) }).result()
  if (asked.ok) return { logs: asked.value, failure: undefined }
  if (!(asked.error instanceof ServiceError) || asked.error.status !== 502) throw asked.error
  const { message } = (asked.error.body ?? {}) as { readonly message?: unknown }
  return {
    logs: { logs: "", lines: [], lost: [] },
    failure: typeof message === "string" ? message : asked.error.message
  }
}

const filterForm = (visit: ConsoleVisit, { containers }: ApplicationStatus): Html => {
  const { applications: t, words } = visit.texts
  const { query, url } = visit
  const names = [...new Set([...containers.map(({ name }) => name), ...[query.get("container") ?? ""]])]
  const services = [...new Set(containers.flatMap(({ service }) => (service === null ? [] : [service])))]
  const choices = (values: ReadonlyArray<string>) => [
    { value: "", label: t.allContainers },
    ...values.filter((value) => value !== "").map((value) => ({ value, label: value }))
  ]
  return html`<div class="card"><form class="form body" method="get" action="${url.pathname}"><div class="row">${textField(visit, { name: "search", label: t.searchLog, type: "search", value: searchIn(visit) })}
${selectField(visit, { name: "container", label: t.container, value: query.get("container") ?? "", options: choices(names) })}
${services.length > 0 && selectField(visit, { name: "service", label: t.service, value: query.get("service") ?? "", options: choices(services) })}
${selectField(visit, { name: "lines", label: t.lineCount, value: String(filterIn(visit).lines), options: [...lengths].sort((one, other) => one - other).map((each) => ({ value: String(each), label: String(each) })) })}</div>
<div class="row"><button class="button">${t.showLog}</button>${linkButton(withQuery(new URL(`${applicationPath(applicationIn(visit).uuid, "logs", "download")}${url.search}`, url), {}), words.download, "download")}</div></form></div>`
}

interface Shown {
  readonly application: WithTerminal<Application>
  readonly status: ApplicationStatus
  readonly logs: ApplicationLogs
  readonly failure: string | undefined
}

const followed = (visit: ConsoleVisit, { application, logs }: Shown): Html => {
  const { words } = visit.texts
  const last = logs.lines.at(-1)?.id
  const { lines: _, ...filter } = filterIn(visit)
  const resumed = last === undefined ? { ...filter, lines: "1" } : { ...filter, after: last }
  return followedLog(visit, {
    label: words.logs,
    lines: matching(visit, logs),
    search: searchIn(visit),
    stream: `${applicationPath(application.uuid, "logs", "stream")}?${new URLSearchParams(resumed)}`
  })
}

/** `/applications/{uuid}/logs`: the last log lines of the containers of an application, with live updates. */
export const logsPage = page({
  path: "/applications/:application/logs",
  operations: [...applicationOperations, "logs.application", "runs.status"],
  load: async (visit): Promise<Shown> => {
    const [application, status, read] = await Promise.all([
      loadApplication(visit),
      visit.deploy.runs.status({ params: applicationIn(visit) }),
      readLogs(visit)
    ])
    return { application, status, ...read }
  },
  view: (shown, visit) => {
    const { applications: t, words } = visit.texts
    const { application, failure, logs, status } = shown
    return {
      title: `${words.logs} · ${application.name ?? application.uuid}`,
      frame: applicationFrame(visit, application, "logs"),
      body: html`${failure !== undefined && html`<p class="alert bad">${failure}</p>`}
${logs.lost.length > 0 ? html`<p class="alert warn">${t.lost(logs.lost.join(", "))}</p>` : nothing}
${filterForm(visit, status)}
${failure === undefined ? followed(visit, shown) : nothing}`
    }
  }
})

/** `/applications/{uuid}/logs/download`: the same lines as a text file. */
export const logDownloadPage = page({
  path: "/applications/:application/logs/download",
  operations: [...applicationOperations, "logs.application"],
  load: async (visit) => {
    const params = applicationIn(visit)
    const [application, logs] = await Promise.all([
      loadApplication(visit),
      visit.deploy.logs.application({ params, query: filterIn(visit) })
    ])
    return { application, lines: matching(visit, logs) }
  },
  view: ({ application, lines }) => ({
    contentType: "text/plain; charset=utf-8",
    fileName: `${application.name ?? application.uuid}.log`,
    text: lines.map(({ at, container, text }) => `${at} ${container} ${plainText(text)}\n`).join("")
  })
})

/** `/applications/{uuid}/logs/stream`: new lines as server-sent events, for the script of the page. */
export const logStreamPage = page({
  path: "/applications/:application/logs/stream",
  operations: ["logs.followApplication"],
  load: async (visit) => {
    const { lines: _, ...filter } = filterIn(visit)
    // A reconnecting browser sends the id of its last event in a header, with the original address.
    const after = visit.headers.get("last-event-id") ?? visit.query.get("after")
    const position = after === null || after === "" ? { lines: 1 } : { after }
    return await visit.deploy.logs.followApplication({
      params: applicationIn(visit),
      query: { ...filter, ...position }
    })
  },
  view: ({ body }) => ({ contentType: "text/event-stream", text: body ?? "" })
})
