import type { Application, ApplicationUpdate, WebhookDelivery } from "@slipway/client/deploy"
import {
  card,
  copyField,
  empty,
  formSection,
  type Html,
  html,
  otherProblems,
  pageNumber,
  pagination,
  rowsPerPage,
  textField,
  time,
  typed
} from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { applicationPath } from "../../layout/links.ts"
import { shortCommit } from "../../layout/states.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"

/** The git hosts that can send webhooks, with the field of their secret. */
const providers = [
  { key: "gitea", name: "Gitea", secret: "manual_webhook_secret_gitea" },
  { key: "github", name: "GitHub", secret: "manual_webhook_secret_github" },
  { key: "gitlab", name: "GitLab", secret: "manual_webhook_secret_gitlab" },
  { key: "bitbucket", name: "Bitbucket", secret: "manual_webhook_secret_bitbucket" }
] as const

const secretFields = providers.map(({ secret }) => secret)

const addressRow = (visit: ConsoleVisit, { uuid }: Application, { key, name }: (typeof providers)[number]): Html =>
  html`<dt>${name}</dt><dd>${copyField(visit, visit.texts.automation.addressOf(name), `${visit.rootUrl}/api/v1/applications/${uuid}/webhooks/${key}`)}</dd>`

const tones = { queued: "ok", removed: "info", ignored: "warn" } as const

const deliveryRow = (visit: ConsoleVisit, delivery: WebhookDelivery): Html => {
  const { automation: t } = visit.texts
  const { branch, commit, deployment_uuid: deployment, event, message, outcome, provider, reason, replays } = delivery
  const title = message === null || message === "" ? (event ?? provider) : (message.split("\n", 1)[0] ?? "")
  return html`<li><span class="badge ${tones[outcome]}">${t.outcomes[outcome]}</span><div class="grow"><h3>${deployment === null ? title : html`<a href="/deployments/${encodeURIComponent(deployment)}">${title}</a>`}</h3><div class="small soft">${provider}${event !== null && html` · ${event}`}${branch !== null && branch !== "" && html` · <code>${branch}</code>`}${commit !== null && commit !== "" && html` · ${shortCommit(commit)}`}${typeof replays === "number" && replays > 0 && html` · ${t.replays(replays)}`}</div>${reason !== null && html`<div class="small">${t.reasons[reason]}</div>`}</div><span class="small soft">${time(visit, delivery.received_at)}</span></li>`
}

/** `/applications/{uuid}/webhooks`: the addresses, the secrets and the received webhooks of an application. */
export const webhooksPage = page({
  path: "/applications/:application/webhooks",
  operations: [...applicationOperations, "webhooks.list", "applications.update"],
  load: async (visit) => {
    const params = applicationIn(visit)
    const skip = (pageNumber(visit) - 1) * rowsPerPage
    const [application, deliveries, may] = await Promise.all([
      loadApplication(visit),
      visit.deploy.webhooks.list({ params, query: { skip, take: rowsPerPage } }),
      decisionsOn(visit, {
        update: ["application.update", params.uuid],
        secrets: ["application.secrets", params.uuid]
      })
    ])
    return { application, deliveries, may }
  },
  view: ({ application, deliveries, may }, visit) => {
    const { automation: t, forms } = visit.texts
    // Without permission to see secrets, the API hides which ones are set.
    const stateOf = (isSet: boolean) => (may.secrets ? (isSet ? t.secretSet : t.secretMissing) : t.secretHidden)
    return {
      title: `${t.webhooks} · ${application.name ?? application.uuid}`,
      frame: applicationFrame(visit, application, "webhooks"),
      body: html`${otherProblems(visit, ["secrets"])}
${card(t.addresses, html`<div class="body"><p class="soft">${t.addressesHint}</p><dl class="facts">${providers.map((each) => addressRow(visit, application, each))}</dl></div>`)}
${may.update && formSection(visit, { key: "secrets", title: t.secrets, hint: t.secretsHint, fields: (own) => html`${providers.map(({ name, secret }) => textField(own, { name: secret, label: t.secretOf(name), hint: stateOf(application[secret] !== null), type: "password", autocomplete: "off", maxlength: 1000 }))}`, button: forms.save })}
${card(t.deliveries, deliveries.length === 0 ? empty(t.noDeliveries) : html`<ul class="rows">${deliveries.map((each) => deliveryRow(visit, each))}</ul>`)}${pagination(visit, deliveries.length === rowsPerPage)}`
    }
  },
  submit: async (visit) => {
    const params = applicationIn(visit)
    const typedSecrets = secretFields.flatMap((name) => {
      const value = typed(visit.form, name)
      return value === "" ? [] : [[name, value] as const]
    })
    if (typedSecrets.length === 0) return { problems: { "": visit.texts.automation.noSecretTyped } }
    try {
      const body: ApplicationUpdate = Object.fromEntries(typedSecrets)
      await visit.deploy.applications.update({ params, body })
      return { to: applicationPath(params.uuid, "webhooks") }
    } catch (error) {
      return rejectedForm(error, secretFields)
    }
  }
})
