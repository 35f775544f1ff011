import { describe, expect, it } from "@effect/vitest"
import { ForgeApi } from "@slipway/http/api/forge"
import { OpenApi } from "effect/http-api"
import known from "../known-payloads.json" with { type: "json" }
import knownTypes from "../known-types.json" with { type: "json" }

/** Differences from the documented fields, with the reason; `+` marks our additions. */
const differences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AccessToken: { "+expires_at": "tokens here may end by themselves" },
  ActionRunner: { "+disabled": "runners are disabled by the API, which has to tell which are" },
  Activity: {
    "-comment": "`comment_id` names it, and `content` has its text",
    "-user_id": "whose feed it is follows from where it is read"
  },
  ActionWorkflow: {
    "+dispatch_inputs": "pages show a field for each input",
    "-deleted_at": "workflows that are gone are not listed"
  },
  ActionWorkflowRun: {
    "+created_at": "a run may wait before it starts",
    "+need_approval": "a run of a stranger waits to be approved"
  },
  Attachment: { "+type": "files of releases may lie elsewhere, as Forgejo lets them" },
  Comment: { "+content_version": "an edit may say which text it is of, so that none is overwritten unseen" },
  Hook: { "-authorization_header": "it is a secret, which is written and never shown (invariant I15)" },
  Issue: { "+content_version": "as that of a comment" },
  LicenseTemplateInfo: { "-implementation": "what a licence asks for is said in its body" },
  Permission: { "+units": "access is held unit by unit; `pull` and `push` speak of code alone" },
  PullRequest: {
    "+blocked_by": "what keeps a merge from being made is told, and not only that something does",
    "+conflicted_files": "so that whoever resolves conflicts knows where",
    "+content_version": "as that of a comment"
  },
  RepoCollaboratorPermission: { "+units": "access is held unit by unit; `permission` speaks of code and of the role" },
  Team: { "+visibility": "teams here are seen by their members, their organization or everybody" },
  User: { "+username": "programs read the name under both words, and the sibling sends both" },
  UserSettings: { "+email_notifications_preference": "which letters somebody gets is set by the API too" }
}

const shownFields = () => {
  const { schemas } = OpenApi.fromApi(ForgeApi).components
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const fields = (schema as { readonly properties?: Readonly<Record<string, unknown>> }).properties
    // Request bodies are parsed leniently (server/forge/bodyFields.ts).
    return fields === undefined || /Options?$/.test(name) ? [] : [[name, Object.keys(fields)] as const]
  })
}

type Schema = Readonly<Record<string, unknown>>

const { components } = OpenApi.fromApi(ForgeApi)

/** Returns the object that a schema describes, inside references, lists and `null`. */
const recordIn = (schema: unknown, depth = 0): Schema | undefined => {
  if (typeof schema !== "object" || schema === null || depth > 8) return undefined
  const { $ref, allOf, anyOf, items, oneOf, properties } = schema as Schema
  if (properties !== undefined) return properties as Schema
  if (typeof $ref === "string") {
    return recordIn((components.schemas as Schema)[$ref.replace("#/components/schemas/", "")], depth + 1)
  }
  const inside = [...((anyOf ?? oneOf ?? allOf ?? []) as ReadonlyArray<unknown>), items]
  return inside.map((each) => recordIn(each, depth + 1)).find((each) => each !== undefined)
}

/** Lists the missing fields of nested objects, by the path from the outer type. */
const lacking = (): ReadonlyArray<string> =>
  Object.entries(knownTypes).flatMap(([name, text]) => {
    const own = recordIn((components.schemas as Schema)[name])
    if (own === undefined) return []
    return text.split(" ").flatMap((field) => {
      const [key = "", type = ""] = field.split(":")
      const inner = (knownTypes as Readonly<Record<string, string>>)[type.replace("[]", "")]
      const shown = inner === undefined ? undefined : recordIn(own[key])
      if (inner === undefined || !(key in own)) return []
      if (shown === undefined) return [`${name}.${key}`]
      const absent = inner.split(" ").map((each) => each.split(":")[0] ?? "")
      return absent.filter((each) => !(each in shown)).map((each) => `${name}.${key}.${each}`)
    })
  })

describe("response payloads", () => {
  it("have all documented fields in nested objects too", () => {
    expect(lacking(), "fields of known-types.json that the schemas in packages/http/src/api/forge lack").toEqual([])
  })

  it("have all documented fields, except for listed differences with a reason", () => {
    const found: Record<string, ReadonlyArray<string>> = {}
    for (const [name, fields] of shownFields()) {
      const elsewhere = (known as Readonly<Record<string, string>>)[name]?.split(" ")
      if (elsewhere === undefined) continue
      const other = [
        ...elsewhere.filter((field) => !fields.includes(field)).map((field) => `-${field}`),
        ...fields.filter((field) => !elsewhere.includes(field)).map((field) => `+${field}`)
      ]
      if (other.length > 0) found[name] = other.toSorted()
    }
    const told = Object.entries(differences).map(([name, rows]) => [name, Object.keys(rows).toSorted()])
    expect(
      found,
      "fields that differ from known-payloads.json: add each with its reason to `differences` in packages/http/test/forge/integrations/payloads.test.ts, or remove its row"
    ).toEqual(Object.fromEntries(told))
  })
})
