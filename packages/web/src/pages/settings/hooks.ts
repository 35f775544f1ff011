import type { Hook } from "@slipway/client/forge"
import { formTo, problemSummary } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"
import { deliveryBody, deliveryLine, deliveryState } from "./deliveries.ts"
import { hookFieldNames, hookFields, hookIn } from "./hookFields.ts"
import { loadSettings, settingsOperations, settingsPath, settingsView } from "./settings.ts"

const row = (visit: Visit, hook: Hook): Html => {
  const { settings: t } = visit.texts
  return html`<li><div class="grow"><h3><a href="${settingsPath(visit, "hooks", String(hook.id))}">${hook.config.url ?? t.hook}</a></h3><span class="small soft">${hook.type} · ${hook.events.join(", ")}</span></div><span class="${hook.active ? "badge ok" : "badge"}">${hook.active ? t.active : t.inactive}</span></li>`
}

/** `/{owner}/{repo}/settings/hooks`: the webhooks of a repository. */
export const hookSettingsPage = page({
  path: "/:owner/:repo/settings/hooks",
  operations: [...settingsOperations, "repository.hook.list"],
  signIn: true,
  load: async (visit) => ({
    repository: await loadSettings(visit),
    hooks: await visit.forge.repository.hook.list({
      params: namedIn(visit),
      query: { page: pageNumber(visit), limit: rowsPerPage }
    })
  }),
  view: ({ hooks, repository }, visit) => {
    const { settings: t } = visit.texts
    const create = linkButton(settingsPath(visit, "hooks", "new"), t.newHook, "plus", "primary")
    const body = html`<div class="title"><h2>${t.hooks}</h2><span class="push">${create}</span></div>
<section class="card" aria-label="${t.hooks}">${hooks.length === 0 ? empty(t.noHooks, create) : html`<ul class="rows">${hooks.map((hook) => row(visit, hook))}</ul>`}</section>${pagination(visit, hooks.length === rowsPerPage)}`
    return settingsView(visit, repository, "hooks", t.hooks, body)
  }
})

/** `/{owner}/{repo}/settings/hooks/new`: creates a webhook. */
export const newHookPage = page({
  path: "/:owner/:repo/settings/hooks/new",
  operations: [...settingsOperations, "repository.hook.create"],
  signIn: true,
  load: (visit) => loadSettings(visit),
  view: (repository, visit) => {
    const { settings: t } = visit.texts
    const body = html`<div class="medium"><section class="card" aria-label="${t.newHook}"><header><h2>${t.newHook}</h2></header><div class="body">${problemSummary(visit)}${formTo(visit, visit.url.pathname, html`${hookFields(visit)}<button class="button primary">${t.createHook}</button>`)}</div></section></div>`
    return settingsView(visit, repository, "hooks", t.newHook, body)
  },
  submit: async (visit) => {
    if (typed(visit.form, "url").trim() === "") return { problems: { url: visit.texts.forms.required } }
    const response = await visit.forge.repository.hook.create({ params: namedIn(visit), body: hookIn(visit) }).result()
    return response.ok
      ? { to: settingsPath(visit, "hooks", String(response.value.id)) }
      : rejectedAt(response.error, hookFieldNames)
  }
})

const hookParams = (visit: Visit) => ({ ...namedIn(visit), id: visit.params.id ?? "" })

/** `/{owner}/{repo}/settings/hooks/{id}`: a webhook with its deliveries. */
export const hookPage = page({
  path: "/:owner/:repo/settings/hooks/:id",
  operations: [
    ...settingsOperations,
    "repository.hook.read",
    "repository.hook.edit",
    "repository.hook.delete",
    "repository.hook.test",
    "repository.hook.delivery.list",
    "repository.hook.delivery.redeliver"
  ],
  signIn: true,
  load: async (visit) => {
    const repository = await loadSettings(visit)
    const params = hookParams(visit)
    const [hook, deliveries] = await Promise.all([
      visit.forge.repository.hook.read({ params }),
      visit.forge.repository.hook.delivery.list({ params, query: { page: pageNumber(visit), limit: rowsPerPage } })
    ])
    return { repository, hook, deliveries }
  },
  view: ({ deliveries, hook, repository }, visit) => {
    const { forms, settings: t } = visit.texts
    const list =
      deliveries.length === 0
        ? empty(t.noDeliveries)
        : html`<ul class="rows">${deliveries.map((each) => deliveryLine(visit, each, settingsPath(visit, "hooks", String(hook.id), "deliveries", String(each.id))))}</ul>`
    const heading = html`<h2>${t.deliveries}</h2><span class="push">${actionButton(visit, { do: "test" }, t.test)}</span>`
    const body = html`${otherProblems(visit, ["edit"])}<div class="columns"><div>${formSection(visit, { key: "edit", title: `${t.hook}: ${hook.type}`, fields: (own) => hookFields(own, hook), button: forms.save })}
<p>${actionButton(visit, { do: "delete" }, t.deleteHook, { className: "button danger" })}</p></div><div>${card(heading, list, t.deliveries)}${pagination(visit, deliveries.length === rowsPerPage)}</div></div>`
    return settingsView(visit, repository, "hooks", t.hook, body)
  },
  submit: async (visit) => {
    const { forge, form, texts, url } = visit
    const params = hookParams(visit)
    switch (typed(form, "do")) {
      case "edit": {
        if (typed(form, "url").trim() === "") return { problems: { url: texts.forms.required } }
        const { type: _, ...body } = hookIn(visit)
        const edited = await forge.repository.hook.edit({ params, body }).result()
        return edited.ok ? { to: url.pathname } : rejectedAt(edited.error, hookFieldNames)
      }
      case "delete":
        await forge.repository.hook.delete({ params })
        return { to: settingsPath(visit, "hooks") }
      case "test":
        await forge.repository.hook.test({ params })
        return { to: url.pathname }
      case "redeliver":
        await forge.repository.hook.delivery.redeliver({
          params: { ...params, delivery: typed(form, "delivery") }
        })
        return { to: url.pathname }
      default:
        throw new NotFound()
    }
  }
})

/** `/{owner}/{repo}/settings/hooks/{id}/deliveries/{delivery}`: the request and the response of a webhook delivery. */
export const deliveryPage = page({
  path: "/:owner/:repo/settings/hooks/:id/deliveries/:delivery",
  operations: [...settingsOperations, "repository.hook.delivery.read", "repository.hook.delivery.redeliver"],
  signIn: true,
  load: async (visit) => {
    const repository = await loadSettings(visit)
    const params = { ...hookParams(visit), delivery: visit.params.delivery ?? "" }
    return { repository, details: await visit.forge.repository.hook.delivery.read({ params }) }
  },
  view: ({ details, repository }, visit) => {
    const { settings: t } = visit.texts
    const title = t.delivery(details.id)
    const body = html`<div class="title"><h2><a href="${settingsPath(visit, "hooks", visit.params.id ?? "")}">${t.hook}</a> <span class="soft">/</span> ${title}</h2>${deliveryState(visit, details)}<span class="push">${actionButton(visit, { do: "redeliver" }, t.redeliver)}</span></div>${deliveryBody(visit, details)}`
    return settingsView(visit, repository, "hooks", title, body)
  },
  submit: async (visit) => {
    const params = { ...hookParams(visit), delivery: visit.params.delivery ?? "" }
    await visit.forge.repository.hook.delivery.redeliver({ params })
    return { to: settingsPath(visit, "hooks", visit.params.id ?? "") }
  }
})
