import { numberIn } from "@slipway/domain/forge/entry"
import {
  type ContentType,
  contentTypes,
  type Hook,
  type HookDelivery,
  HookInvalid,
  hookEvents,
  lookFields,
  shownAddress
} from "@slipway/domain/forge/integrations"
import { HookDeliveries, Hooks } from "@slipway/forge/integrations"
import { Effect } from "effect"
import type { BodyOf as Said } from "../../../api/forge/base/endpoints.ts"
import { type CreateHookOption, type EditHookOption, hookEndpoints } from "../../../api/forge/integrations/hooks.ts"
import { handle, shownOne, shownPage } from "../entry/handle.ts"

type Config = Said<typeof CreateHookOption>["config"]

const wrong = (field: string, problem: string) => Effect.fail(new HookInvalid({ field: `config.${field}`, problem }))

const isContentType = (text: string): text is ContentType => (contentTypes as ReadonlyArray<string>).includes(text)

const readConfig = Effect.fnUntraced(function* (config: Config) {
  const { http_method: method = "post", secret, url } = config
  // An empty word counts as omitted.
  const contentType = config.content_type === "" ? undefined : config.content_type
  if (contentType !== undefined && !isContentType(contentType)) {
    return yield* wrong("content_type", "must be json or form")
  }
  if (method.toLowerCase() !== "post") return yield* wrong("http_method", "must be post")
  const look = Object.fromEntries(
    lookFields.flatMap((field) => (field in config ? [[field, config[field] ?? ""]] : []))
  )
  return { url, contentType, secret, look }
})

const changeOf = Effect.fnUntraced(function* (body: Said<typeof EditHookOption>) {
  const { active, config = {}, events } = body
  // `tea` sends the setting in the configuration, and an empty text next to it.
  const settingOf = (field: "authorization_header" | "branch_filter") => body[field] || config[field] || body[field]
  const [authorization, branchFilter] = [settingOf("authorization_header"), settingOf("branch_filter")]
  return { ...(yield* readConfig(config)), authorization, branchFilter, active, events }
})

const newHook = Effect.fnUntraced(function* (body: Said<typeof CreateHookOption>) {
  const change = yield* changeOf(body)
  const { url } = change
  if (url === undefined) return yield* wrong("url", "is missing")
  return { ...change, url, type: body.type, system: body.config.is_system_webhook === "true" }
})

const showHook = (hook: Hook) => ({
  id: hook.id,
  type: hook.type,
  config: {
    url: shownAddress(hook.url),
    content_type: hook.contentType,
    ...hook.look,
    ...(hook.reach === "system" || hook.reach === "default"
      ? { is_system_webhook: String(hook.reach === "system") }
      : {})
  },
  events: hook.events,
  branch_filter: hook.branchFilter,
  active: hook.active,
  created_at: hook.createdAt,
  updated_at: hook.updatedAt
})

const showDelivery = (delivery: HookDelivery) => ({
  id: delivery.id,
  uuid: delivery.uuid,
  event: hookEvents[delivery.event].event,
  event_type: hookEvents[delivery.event].type,
  state: delivery.state,
  attempts: delivery.attempts,
  reason: delivery.reason,
  status: delivery.answer?.status ?? null,
  created_at: delivery.createdAt,
  sent_at: delivery.sentAt
})

const showDetails = (delivery: HookDelivery) => ({
  ...showDelivery(delivery),
  payload: delivery.payload,
  request: delivery.request && { ...delivery.request, url: shownAddress(delivery.request.url) },
  answer: delivery.answer
})

type Numbered = { readonly id: string }
type Delivered = Numbered & { readonly delivery: string }

const deliveryIds = ({ delivery, id }: Delivered) => [numberIn(id), numberIn(delivery)] as const

/** The handlers of webhooks. */
export const layerHooks = handle(
  hookEndpoints,
  {
    "repository.hook.list": ({ page, proof }) => Hooks.list(proof, page),
    "repository.hook.create": ({ body, proof }) => Effect.flatMap(newHook(body), (said) => Hooks.create(proof, said)),
    "repository.hook.read": ({ params, proof }) => Hooks.read(proof, numberIn(params.id)),
    "repository.hook.edit": ({ body, params, proof }) =>
      Effect.flatMap(changeOf(body), (said) => Hooks.edit(proof, numberIn(params.id), said)),
    "repository.hook.delete": ({ params, proof }) => Hooks.remove(proof, numberIn(params.id)),
    "repository.hook.test": ({ params, proof, query }) =>
      HookDeliveries.test(proof, numberIn(params.id), query.ref === "" ? undefined : query.ref),
    "repository.hook.delivery.list": ({ page, params, proof }) =>
      shownPage(HookDeliveries.list(proof, numberIn(params.id), page), showDelivery),
    "repository.hook.delivery.read": ({ params, proof }) =>
      shownOne(HookDeliveries.read(proof, ...deliveryIds(params)), showDetails),
    "repository.hook.delivery.redeliver": ({ params, proof }) =>
      shownOne(HookDeliveries.redeliver(proof, ...deliveryIds(params)), showDelivery),
    "organization.hook.list": ({ page, proof }) => Hooks.list(proof, page),
    "organization.hook.create": ({ body, proof }) => Effect.flatMap(newHook(body), (said) => Hooks.create(proof, said)),
    "organization.hook.read": ({ params, proof }) => Hooks.read(proof, numberIn(params.id)),
    "organization.hook.edit": ({ body, params, proof }) =>
      Effect.flatMap(changeOf(body), (said) => Hooks.edit(proof, numberIn(params.id), said)),
    "organization.hook.delete": ({ params, proof }) => Hooks.remove(proof, numberIn(params.id)),
    "organization.hook.delivery.list": ({ page, params, proof }) =>
      shownPage(HookDeliveries.list(proof, numberIn(params.id), page), showDelivery),
    "organization.hook.delivery.read": ({ params, proof }) =>
      shownOne(HookDeliveries.read(proof, ...deliveryIds(params)), showDetails),
    "organization.hook.delivery.redeliver": ({ params, proof }) =>
      shownOne(HookDeliveries.redeliver(proof, ...deliveryIds(params)), showDelivery),
    "account.hook.list": ({ page, proof }) => Hooks.list(proof, page),
    "account.hook.create": ({ body, proof }) => Effect.flatMap(newHook(body), (said) => Hooks.create(proof, said)),
    "account.hook.read": ({ params, proof }) => Hooks.read(proof, numberIn(params.id)),
    "account.hook.edit": ({ body, params, proof }) =>
      Effect.flatMap(changeOf(body), (said) => Hooks.edit(proof, numberIn(params.id), said)),
    "account.hook.delete": ({ params, proof }) => Hooks.remove(proof, numberIn(params.id)),
    "account.hook.delivery.list": ({ page, params, proof }) =>
      shownPage(HookDeliveries.list(proof, numberIn(params.id), page), showDelivery),
    "account.hook.delivery.read": ({ params, proof }) =>
      shownOne(HookDeliveries.read(proof, ...deliveryIds(params)), showDetails),
    "account.hook.delivery.redeliver": ({ params, proof }) =>
      shownOne(HookDeliveries.redeliver(proof, ...deliveryIds(params)), showDelivery),
    "admin.hook.list": ({ page, proof }) => Hooks.list(proof, page),
    "admin.hook.create": ({ body, proof }) => Effect.flatMap(newHook(body), (said) => Hooks.create(proof, said)),
    "admin.hook.read": ({ params, proof }) => Hooks.read(proof, numberIn(params.id)),
    "admin.hook.edit": ({ body, params, proof }) =>
      Effect.flatMap(changeOf(body), (said) => Hooks.edit(proof, numberIn(params.id), said)),
    "admin.hook.delete": ({ params, proof }) => Hooks.remove(proof, numberIn(params.id)),
    "admin.hook.delivery.list": ({ page, params, proof }) =>
      shownPage(HookDeliveries.list(proof, numberIn(params.id), page), showDelivery),
    "admin.hook.delivery.read": ({ params, proof }) =>
      shownOne(HookDeliveries.read(proof, ...deliveryIds(params)), showDetails),
    "admin.hook.delivery.redeliver": ({ params, proof }) =>
      shownOne(HookDeliveries.redeliver(proof, ...deliveryIds(params)), showDelivery)
  },
  { show: showHook }
)
