import { actions, type Rulebook } from "@slipway/domain/forge/access"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import { describeAccess as accessOf } from "./access.ts"

// BOUNDARY: an OpenAPI document under construction; its parts have no types.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = Record<string, any>

const schemes = {
  basic: {
    type: "http",
    scheme: "basic",
    description: "Name and password; with a second factor, `X-SVC-OTP` as well."
  },
  token: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`token <access token>` or `Bearer <access token>`."
  },
  queryToken: { type: "apiKey", in: "query", name: "token", description: "Deprecated: addresses end up in logs." },
  queryAccessToken: {
    type: "apiKey",
    in: "query",
    name: "access_token",
    description: "Deprecated: addresses end up in logs."
  }
} as const

const shared = {
  oneTimeCode: {
    name: "X-SVC-OTP",
    in: "header",
    schema: { type: "string" },
    description: "A one-time code or a recovery code, next to a password, if the second factor is enabled."
  },
  sudo: {
    name: "sudo",
    in: "query",
    schema: { type: "string" },
    description: "The name of the user to impersonate, for site administrators."
  },
  sudoHeader: {
    name: "Sudo",
    in: "header",
    schema: { type: "string" },
    description: "The name of the user to impersonate, for site administrators; the query takes precedence."
  }
} as const

const renamed = {
  description: "The resource in the path was renamed.",
  headers: { Location: { schema: { type: "string" }, description: "The same address with the current name." } }
}
const paged = {
  "X-Total-Count": { schema: { type: "integer" }, description: "The total number of rows." },
  Link: { schema: { type: "string" }, description: "The first, previous, next and last page, if they exist." }
}

/** The query parameters that are numbers; Effect would describe them as strings. */
const numbers: ReadonlyArray<string> = ["page", "limit", "uid", "source_id"]

const signIn = Object.keys(schemes).map((name) => ({ [name]: [] }))

const operation = (path: string, described: Json): Json => {
  const parameters: ReadonlyArray<Json> = described.parameters ?? []
  const { guards, scope } = described["x-access"]
  const success = described.responses["200"]
  const paging = parameters.some(({ name }) => name === "limit")
  return {
    ...described,
    parameters: [
      ...parameters.map((each) => (numbers.includes(each.name) ? { ...each, schema: { type: "integer" } } : each)),
      ...Object.keys(shared).map((name) => ({ $ref: `#/components/parameters/${name}` }))
    ],
    description: scope.length === 0 ? "Requires no token scope." : `Requires the token scope ${scope.join(" and ")}.`,
    security: guards.includes("sign-in") || guards.includes("basic-auth") ? signIn : [{}, ...signIn],
    responses: {
      ...described.responses,
      ...(paging ? { "200": { ...success, headers: paged } } : {}),
      ...(/\{(username|org|reponame)\}/.test(path) ? { "307": renamed } : {})
    }
  }
}

const mapped = (of: Json, change: (key: string, value: Json) => Json): Json =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(key, value as Json)]))

/**
 * Adds the parts shared by all endpoints to an OpenAPI document: authentication, impersonation, pagination, redirects.
 */
export const withSharedParts = (document: Json): Json => ({
  ...document,
  components: {
    ...document.components,
    securitySchemes: schemes,
    parameters: shared
  },
  paths: mapped(document.paths, (path, item) => mapped(item, (_, each) => operation(path, each)))
})

/** Returns the access rules of the custom actions of a rulebook; these actions have no operation in the document. */
const ownActions = (rulebook: Rulebook): Json => {
  const own = Object.entries(rulebook.tables.actions).filter(([name]) => !Object.hasOwn(actions, name))
  if (own.length === 0) return {}
  const said = own.map(([name, { on, summary }]) => [
    name,
    { on, summary, ...accessOf(name as LoadedAction, rulebook) }
  ])
  return { "x-actions": Object.fromEntries(said) }
}

/**
 * Adds the access rules of a custom rulebook to each operation of an OpenAPI document.
 *
 * Also adds the rules of the rulebook's custom actions, under `x-actions`.
 */
export const describedBy =
  (rulebook: Rulebook) =>
  (document: Json): Json => ({
    ...document,
    ...ownActions(rulebook),
    paths: mapped(document.paths, (_, item) =>
      mapped(item, (_, each) => ({ ...each, "x-access": accessOf(each["x-access"].action, rulebook) }))
    )
  })
