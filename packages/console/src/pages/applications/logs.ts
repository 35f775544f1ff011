import { card, html } from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { live, logView } from "../../layout/logView.ts"
import { page } from "../../page/ConsolePage.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"

const mostLines = 500

/** `/applications/{uuid}/logs`: the last log lines of the containers of an application, with live updates. */
export const logsPage = page({
  path: "/applications/:application/logs",
  operations: [...applicationOperations, "logs.application"],
  load: async (visit) => {
    const [application, logs] = await Promise.all([
      loadApplication(visit),
      visit.deploy.logs.application({ params: applicationIn(visit), query: { lines: mostLines } })
    ])
    return { application, logs }
  },
  view: ({ application, logs }, visit) => {
    const { words } = visit.texts
    return {
      title: `${words.logs} · ${application.name ?? application.uuid}`,
      frame: applicationFrame(visit, application, "logs"),
      body: live(visit, "log", true, card(words.logs, html`${logView(visit, words.logs, logs.lines)}`))
    }
  }
})
