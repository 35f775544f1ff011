// BOUNDARY: an OpenAPI document under construction, whose parts have no types.
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
    description: "A one-time code or a recovery code, beside a password when the second factor is on."
  },
  sudo: {
    name: "sudo",
    in: "query",
    schema: { type: "string" },
    description: "The name of the user to act as, for site administrators."
  },
  sudoHeader: {
    name: "Sudo",
    in: "header",
    schema: { type: "string" },
    description: "The name of the user to act as, for site administrators; the query goes first."
  }
} as const

const renamed = {
  description: "The user has another name by now.",
  headers: { Location: { schema: { type: "string" }, description: "The same address with the present name." } }
}
const paged = {
  "X-Total-Count": { schema: { type: "integer" }, description: "How many rows the whole list has." },
  Link: { schema: { type: "string" }, description: "The first, previous, next and last page, where there are." }
}

const operation = (path: string, described: Json): Json => {
  const names: ReadonlyArray<string> = (described.parameters ?? []).map((each: Json) => each.name)
  const success = described.responses["200"]
  return {
    ...described,
    parameters: [
      ...(described.parameters ?? []),
      ...Object.keys(shared).map((name) => ({ $ref: `#/components/parameters/${name}` }))
    ],
    responses: {
      ...described.responses,
      ...(names.includes("limit") ? { "200": { ...success, headers: paged } } : {}),
      ...(path.includes("{username}") ? { "307": renamed } : {})
    }
  }
}

const mapped = (of: Json, change: (key: string, value: Json) => Json): Json =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(key, value as Json)]))

/** Adds to the description what every endpoint shares: how to sign in, acting for others, pages and redirects. */
export const described = (document: Json): Json => ({
  ...document,
  components: {
    ...document.components,
    securitySchemes: schemes,
    parameters: shared
  },
  security: [{}, ...Object.keys(schemes).map((name) => ({ [name]: [] }))],
  paths: mapped(document.paths, (path, item) => mapped(item, (_, each) => operation(path, each)))
})
