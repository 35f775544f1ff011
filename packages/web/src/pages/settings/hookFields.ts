import type { CreateHookOption, Hook } from "@slipway/client/forge"
import { checkField, checkGroup, selectField, textField } from "../../forms/fields.ts"
import { type Html, html } from "../../html/Html.ts"
import { typed } from "../../page/FormState.ts"
import type { Visit } from "../../page/Page.ts"

const types = [
  "gitea",
  "forgejo",
  "gogs",
  "slack",
  "discord",
  "dingtalk",
  "telegram",
  "msteams",
  "feishu",
  "matrix",
  "wechatwork",
  "packagist"
] as const

/** The events to which a webhook can subscribe, by their names in the API. */
const events = [
  "push",
  "create",
  "delete",
  "fork",
  "issues",
  "issue_assign",
  "issue_label",
  "issue_milestone",
  "issue_comment",
  "pull_request",
  "pull_request_assign",
  "pull_request_label",
  "pull_request_milestone",
  "pull_request_comment",
  "pull_request_review_approved",
  "pull_request_review_rejected",
  "pull_request_review_comment",
  "pull_request_sync",
  "pull_request_review_request",
  "wiki",
  "repository",
  "release",
  "package",
  "status",
  "workflow_run",
  "workflow_job"
] as const

const contentTypes = ["json", "form"] as const

/** Renders the fields of a webhook. A stored secret is never shown. */
export const hookFields = (visit: Visit, hook?: Hook): Html => {
  const { settings: t } = visit.texts
  const config = hook?.config ?? {}
  const same = (values: ReadonlyArray<string>) => values.map((value) => ({ value, label: value }))
  return html`${hook === undefined && selectField(visit, { name: "type", label: t.hookType, value: "gitea", options: same(types) })}
${textField(visit, { name: "url", label: t.url, type: "url", value: config.url ?? "", required: true, maxlength: 2048 })}
${selectField(visit, { name: "content_type", label: t.contentType, value: config.content_type ?? "json", options: same(contentTypes) })}
${textField(visit, { name: "secret", label: t.secret, hint: t.secretHint, type: "password", autocomplete: "off" })}
${(hook === undefined || hook.type === "slack") && textField(visit, { name: "channel", label: t.channel, hint: t.channelHint, value: config.channel ?? "" })}
${checkField(visit, { name: "all_events", label: t.eventsAll, checked: hook !== undefined && (hook.events.includes("*") || events.every((each) => hook.events.includes(each))) })}
${checkGroup(visit, { name: "events", label: t.events, chosen: hook?.events ?? ["push"], options: same(events) })}
${textField(visit, { name: "branch_filter", label: t.branchFilter, hint: t.branchFilterHint, value: hook?.branch_filter ?? "" })}
${textField(visit, { name: "authorization_header", label: t.authorization, hint: t.authorizationHint, type: "password", autocomplete: "off", maxlength: 1024 })}
${checkField(visit, { name: "active", label: t.active, checked: hook?.active ?? true })}`
}

/** Returns the typed webhook in the format of the API. */
export const hookIn = ({ form }: Visit): CreateHookOption => {
  const type = types.find((each) => each === typed(form, "type")) ?? "gitea"
  const optional = (name: string) => (typed(form, name) === "" ? {} : { [name]: typed(form, name) })
  const chosen = form.values.getAll("events")
  return {
    type,
    config: {
      url: typed(form, "url").trim(),
      content_type: contentTypes.find((each) => each === typed(form, "content_type")) ?? "json",
      ...optional("secret"),
      ...optional("channel")
    },
    events: typed(form, "all_events") === "on" ? ["*"] : events.filter((each) => chosen.includes(each)),
    branch_filter: typed(form, "branch_filter").trim(),
    active: typed(form, "active") === "on",
    ...optional("authorization_header")
  }
}

/** Maps API fields to form fields of another name, so that an error of the API appears at its form field. */
export const hookFieldNames = { "config.url": "url", "config.channel": "channel", config: "url", "": "url" } as const
