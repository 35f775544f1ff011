import type { CreateHookOption, EditHookOption, Hook, HookDelivery, HookDeliveryDetails } from "@slipway/client/forge"
import type { Operation } from "../../forge/ForgeCaller.ts"
import { formTo, problemSummary } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, type Page, page, type View, type Visit } from "../../page/Page.ts"
import { deliveryBody, deliveryLine, deliveryState } from "./deliveries.ts"
import { hookFieldNames, hookFields, hookIn } from "./hookFields.ts"

interface ListQuery {
  readonly query: { readonly page: number; readonly limit: number }
}

/** Identifies a webhook of an owner. */
interface OneHook {
  readonly id: string
}

interface OneDelivery extends OneHook {
  readonly delivery: string
}

type Saved = { readonly ok: true; readonly value: Hook } | { readonly ok: false; readonly error: unknown }

/** The API operations on the webhooks of one owner. */
export interface HookCalls {
  readonly list: (listed: ListQuery) => PromiseLike<ReadonlyArray<Hook>>
  readonly create: (body: CreateHookOption) => PromiseLike<Saved>
  readonly read: (params: OneHook) => PromiseLike<Hook>
  readonly edit: (params: OneHook, body: EditHookOption) => PromiseLike<Saved>
  readonly delete: (params: OneHook) => PromiseLike<unknown>
  readonly deliveries: (params: OneHook, listed: ListQuery) => PromiseLike<ReadonlyArray<HookDelivery>>
  readonly delivery: (params: OneDelivery) => PromiseLike<HookDeliveryDetails>
  readonly redeliver: (params: OneDelivery) => PromiseLike<unknown>
}

/** An owner of webhooks other than a repository: the site, an organization or the signed-in user. */
export interface HookOwner<Loaded> {
  /** The prefix of the names of the API operations. */
  readonly operations: "account" | "admin" | "organization"
  /** The route of the list. */
  readonly path: `/${string}`
  /** The path of the list. */
  readonly here: (visit: Visit) => string
  /** The operations that `load` uses. */
  readonly uses: ReadonlyArray<Operation>
  /**
   * Loads the data of the heading and tabs. Throws the error of the forge if the viewer may not change the webhooks.
   */
  readonly load: (visit: Visit) => Promise<Loaded>
  readonly calls: (visit: Visit) => HookCalls
  readonly view: (visit: Visit, loaded: Loaded, title: string, body: Html) => View
  /** Shown instead of an empty list. */
  readonly none: (visit: Visit) => string
}

const listed = (visit: Visit): ListQuery => ({ query: { page: pageNumber(visit), limit: rowsPerPage } })
const hookId = ({ params }: Visit): OneHook => ({ id: params.id ?? "" })
const missingUrl = ({ form, texts }: Visit) =>
  typed(form, "url").trim() === "" ? { problems: { url: texts.forms.required } } : undefined

const listPage = <Loaded>(owner: HookOwner<Loaded>): Page => {
  const row = (visit: Visit, { active, config, events, id, type }: Hook): Html => {
    const { forms, settings: t } = visit.texts
    const url = config.url ?? t.hook
    return html`<li><div class="grow"><h3><a href="${owner.here(visit)}/${String(id)}">${url}</a></h3><span class="small soft">${type} · ${events.join(", ")}</span></div><span class="${active ? "badge ok" : "badge"}">${active ? t.active : t.inactive}</span>${actionButton(visit, { id: String(id) }, forms.delete, { className: "button danger", about: url })}</li>`
  }
  return page({
    path: owner.path,
    operations: [...owner.uses, `${owner.operations}.hook.list`, `${owner.operations}.hook.delete`],
    signIn: true,
    load: async (visit) => ({
      loaded: await owner.load(visit),
      hooks: await owner.calls(visit).list(listed(visit))
    }),
    view: ({ hooks, loaded }, visit) => {
      const { settings: t } = visit.texts
      const create = linkButton(`${owner.here(visit)}/new`, t.newHook, "plus", "primary")
      const list =
        hooks.length === 0
          ? empty(owner.none(visit))
          : html`<ul class="rows">${hooks.map((hook) => row(visit, hook))}</ul>`
      return owner.view(
        visit,
        loaded,
        t.hooks,
        html`${problemSummary(visit)}<p>${create}</p><section class="card" aria-label="${t.hooks}">${list}</section>${pagination(visit, hooks.length === rowsPerPage)}`
      )
    },
    submit: async (visit) => {
      await owner.calls(visit).delete({ id: typed(visit.form, "id") })
      return { to: owner.here(visit) }
    }
  })
}

const newPage = <Loaded>(owner: HookOwner<Loaded>): Page =>
  page({
    path: `${owner.path}/new`,
    operations: [...owner.uses, `${owner.operations}.hook.create`],
    signIn: true,
    load: owner.load,
    view: (loaded, visit) => {
      const { settings: t } = visit.texts
      return owner.view(
        visit,
        loaded,
        t.newHook,
        html`<div class="medium">${problemSummary(visit)}${formTo(visit, visit.url.pathname, html`${hookFields(visit)}<button class="button primary">${t.createHook}</button>`)}</div>`
      )
    },
    submit: async (visit) => {
      const missing = missingUrl(visit)
      if (missing !== undefined) return missing
      const response = await owner.calls(visit).create(hookIn(visit))
      return response.ok ? { to: owner.here(visit) } : rejectedAt(response.error, hookFieldNames)
    }
  })

const hookPage = <Loaded>(owner: HookOwner<Loaded>): Page =>
  page({
    path: `${owner.path}/:id`,
    operations: [
      ...owner.uses,
      `${owner.operations}.hook.read`,
      `${owner.operations}.hook.edit`,
      `${owner.operations}.hook.delete`,
      `${owner.operations}.hook.delivery.list`,
      `${owner.operations}.hook.delivery.redeliver`
    ],
    signIn: true,
    load: async (visit) => {
      const loaded = await owner.load(visit)
      const calls = owner.calls(visit)
      const [hook, deliveries] = await Promise.all([
        calls.read(hookId(visit)),
        calls.deliveries(hookId(visit), listed(visit))
      ])
      return { loaded, hook, deliveries }
    },
    view: ({ deliveries, hook, loaded }, visit) => {
      const { forms, settings: t } = visit.texts
      const rows = deliveries.map((each) =>
        deliveryLine(visit, each, `${owner.here(visit)}/${String(hook.id)}/deliveries/${String(each.id)}`)
      )
      const list = rows.length === 0 ? empty(t.noDeliveries) : html`<ul class="rows">${rows}</ul>`
      return owner.view(
        visit,
        loaded,
        t.hook,
        html`${otherProblems(visit, ["edit"])}${formSection(visit, {
          key: "edit",
          title: `${t.hook}: ${hook.type}`,
          fields: (own) => hookFields(own, hook),
          button: forms.save
        })}<p>${actionButton(visit, { do: "delete" }, t.deleteHook, { className: "button danger" })}</p>${card(t.deliveries, list)}${pagination(visit, rows.length === rowsPerPage)}`
      )
    },
    submit: async (visit) => {
      const { form, url } = visit
      const calls = owner.calls(visit)
      switch (typed(form, "do")) {
        case "edit": {
          const missing = missingUrl(visit)
          if (missing !== undefined) return missing
          const { type: _, ...body } = hookIn(visit)
          const edited = await calls.edit(hookId(visit), body)
          return edited.ok ? { to: url.pathname } : rejectedAt(edited.error, hookFieldNames)
        }
        case "delete":
          await calls.delete(hookId(visit))
          return { to: owner.here(visit) }
        case "redeliver":
          await calls.redeliver({ ...hookId(visit), delivery: typed(form, "delivery") })
          return { to: url.pathname }
        default:
          throw new NotFound()
      }
    }
  })

const deliveryPage = <Loaded>(owner: HookOwner<Loaded>): Page => {
  const delivery = (visit: Visit): OneDelivery => ({ ...hookId(visit), delivery: visit.params.delivery ?? "" })
  return page({
    path: `${owner.path}/:id/deliveries/:delivery`,
    operations: [
      ...owner.uses,
      `${owner.operations}.hook.delivery.read`,
      `${owner.operations}.hook.delivery.redeliver`
    ],
    signIn: true,
    load: async (visit) => ({
      loaded: await owner.load(visit),
      details: await owner.calls(visit).delivery(delivery(visit))
    }),
    view: ({ details, loaded }, visit) => {
      const { settings: t } = visit.texts
      const hook = `${owner.here(visit)}/${visit.params.id ?? ""}`
      return owner.view(
        visit,
        loaded,
        t.delivery(details.id),
        html`<p class="row"><a href="${hook}">${t.hook}</a>${deliveryState(visit, details)}${actionButton(visit, { do: "redeliver" }, t.redeliver)}</p>${deliveryBody(visit, details)}`
      )
    },
    submit: async (visit) => {
      await owner.calls(visit).redeliver(delivery(visit))
      return { to: `${owner.here(visit)}/${visit.params.id ?? ""}` }
    }
  })
}

/**
 * Makes the pages of an owner's webhooks: the list, a new webhook, a webhook with its deliveries, and a single
 * delivery.
 */
export const hookPages = <Loaded>(owner: HookOwner<Loaded>): ReadonlyArray<Page> => [
  listPage(owner),
  newPage(owner),
  hookPage(owner),
  deliveryPage(owner)
]
