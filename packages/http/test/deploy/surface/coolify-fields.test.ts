import { expect, it } from "@effect/vitest"
import { DeployApi } from "@slipway/http/api/deploy"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import known from "./sibling-fields.json" with { type: "json" }
import lackingSoFar from "./sibling-fields-missing.json" with { type: "json" }

interface Described {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
  readonly allOf?: ReadonlyArray<Described>
  readonly anyOf?: ReadonlyArray<Described>
}
type Contents = { readonly content?: Readonly<Record<string, { readonly schema?: Described }>> }
interface Operation {
  readonly requestBody?: Contents
  readonly responses: Readonly<Record<string, Contents>>
}

// BOUNDARY: the description is read as the JSON that it is served as.
const document = JSON.parse(JSON.stringify(OpenApi.fromApi(DeployApi))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Described>> }
}

/** The names of the fields of a schema, of its items if it is a list. */
const fieldsOf = (schema: Described | undefined): ReadonlyArray<string> => {
  if (schema === undefined) return []
  if (schema.$ref !== undefined) return fieldsOf(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""])
  return [
    ...Object.keys(schema.properties ?? {}),
    ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].flatMap(fieldsOf),
    ...fieldsOf(schema.items)
  ]
}
const inJson = (contents: Contents | undefined) => fieldsOf(contents?.content?.["application/json"]?.schema)

const served = new Map(
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, responses }]) => [
      `${method.toUpperCase()} ${path.replace("/api/v1", "").replace(/\{\w+\}/g, "{}")}`,
      { sent: inJson(requestBody), shown: [...inJson(responses["200"]), ...inJson(responses["201"])] }
    ])
  )
)

it.effect("the fields of Coolify's API that this API lacks match the recorded list", () =>
  Effect.sync(() => {
    const missing = Object.entries(known as Record<string, { sent?: Array<string>; shown?: Array<string> }>).flatMap(
      ([operation, { sent = [], shown = [] }]) => {
        const ours = served.get(operation)
        const lacking = [
          ...sent.filter((name) => ours?.sent.includes(name) !== true).map((name) => `takes no ${name}`),
          ...shown.filter((name) => ours?.shown.includes(name) !== true).map((name) => `shows no ${name}`)
        ]
        return lacking.length === 0 ? [] : [[operation, lacking] as const]
      }
    )
    expect(
      Object.fromEntries(missing),
      "remove fields that exist now from the list of missing fields (JSON) next to this test"
    ).toEqual(lackingSoFar)
  })
)
