import type { ActionWorkflowJob, ActionWorkflowRun } from "@slipway/client/forge"
import { type IconName, icon } from "../../assets/icons.ts"
import { type Html, html } from "../../html/Html.ts"
import type { Visit } from "../../page/Page.ts"

type Stated = Pick<ActionWorkflowRun | ActionWorkflowJob, "conclusion" | "status">

const looks = {
  queued: ["history", ""],
  waiting: ["history", "warn"],
  in_progress: ["play", "info"],
  completed: ["check", ""],
  success: ["check-circle", "ok"],
  failure: ["x-circle", "bad"],
  cancelled: ["x", ""],
  skipped: ["x", ""]
} as const satisfies Readonly<Record<string, readonly [IconName, string]>>

/** Renders the state of a workflow run, job or step. If it is finished, shows its conclusion. */
export const stateOfRun = ({ texts }: Visit, { conclusion, status }: Stated): Html => {
  const state = conclusion ?? status
  const [name, kind] = looks[state]
  return html`<span class="badge ${kind}">${icon(name)}${texts.automation.states[state]}</span>`
}
