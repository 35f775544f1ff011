import { type Html, html } from "../pages/html.ts"
import { type JsonSchema, type Reference, schemaName } from "./document.ts"
import { schemaPath } from "./paths.ts"

/** The maximum nesting depth to which fields of nested objects are shown. */
const deepest = 4

/** Converts a text to HTML; parts between backticks become `<code>`. */
export const withCode = (text: string): Html =>
  html`${text.split("`").map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`

const joined = (parts: ReadonlyArray<Html>, separator: string): Html =>
  html`${parts.map((part, at) => (at === 0 ? part : html`${separator}${part}`))}`

/** Returns a schema's type in words as HTML, with links to referenced schemas. */
export const typeOf = (schema: JsonSchema): Html => {
  if (schema.$ref !== undefined) {
    const name = schemaName(schema.$ref)
    return html`<a href="${schemaPath(name)}">${name}</a>`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return joined(choices.map(typeOf), " or ")
  if (schema.allOf !== undefined) return joined(schema.allOf.map(typeOf), " and ")
  if (schema.enum !== undefined)
    return joined(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      " or "
    )
  if (schema.items !== undefined) return html`array of ${typeOf(schema.items)}`
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["any value"])
  const format = schema.format === undefined ? "" : ` (${schema.format})`
  return html`${types.join(" or ")}${format}`
}

const isSafe = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER

/** Returns the limits (range, length) and the default of a schema in words; an empty list if there are none. */
const limitsOf = (schema: JsonSchema): ReadonlyArray<string> => [
  ...(isSafe(schema.minimum) ? [`at least ${schema.minimum}`] : []),
  ...(isSafe(schema.maximum) ? [`at most ${schema.maximum}`] : []),
  ...(schema.minLength === undefined ? [] : [`at least ${schema.minLength} characters`]),
  ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength} characters`]),
  ...(schema.maxItems === undefined ? [] : [`at most ${schema.maxItems} items`]),
  ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`])
]

/** Returns the HTML list item for a field or a parameter. */
export const fieldOf = (name: string, where: string, schema: JsonSchema, isRequired: boolean, inner?: Html): Html => {
  const limits = limitsOf(schema)
  return html`<li><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${
    where === "" ? html`` : html` <span class="where">${where}</span>`
  }${isRequired ? html` <strong class="required">required</strong>` : html``}${
    limits.length === 0 ? html`` : html` <span class="limits">${limits.join(", ")}</span>`
  }${schema.description === undefined ? html`` : html`<p>${withCode(schema.description)}</p>`}${inner}</li>`
}

const objectWithin = (schema: JsonSchema): JsonSchema | undefined =>
  schema.properties !== undefined
    ? schema
    : schema.items !== undefined
      ? objectWithin(schema.items)
      : (schema.anyOf ?? schema.oneOf)?.map(objectWithin).find((each) => each !== undefined)

/** Returns the HTML list of an object's fields, including the fields of nested objects. */
export const fieldsOf = (schema: JsonSchema, depth = 0): Html => {
  const object = objectWithin(schema)
  if (object?.properties === undefined || depth > deepest) return html``
  const required = new Set(object.required)
  return html`<ul class="fields">${Object.entries(object.properties).map(([name, each]) =>
    fieldOf(name, "", each, required.has(name), fieldsOf(each, depth + 1))
  )}</ul>`
}

/** Renders a schema as HTML: its type and its fields. For a reference, renders the fields of the referenced schema. */
export const schemaBlock = (schema: JsonSchema, { schemas }: Reference): Html => {
  const found = schema.$ref === undefined ? schema : (schemas.get(schemaName(schema.$ref)) ?? schema)
  return html`<p class="type">${typeOf(schema)}</p>${fieldsOf(found)}`
}

const samples: Readonly<Record<string, unknown>> = { string: "…", integer: 1, number: 1, boolean: true, null: null }

/** Returns an example value for a schema; objects contain only their required fields. */
export const sampleOf = (schema: JsonSchema, reference: Reference, depth = 0): unknown => {
  if (schema.$ref !== undefined) {
    const found = reference.schemas.get(schemaName(schema.$ref))
    return found === undefined || depth > deepest ? {} : sampleOf(found, reference, depth + 1)
  }
  if (schema.default !== undefined) return schema.default
  if (schema.enum !== undefined) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf)?.[0]
  if (choice !== undefined) return sampleOf(choice, reference, depth)
  if (schema.type === "array" || schema.items !== undefined)
    return schema.items === undefined || depth > deepest ? [] : [sampleOf(schema.items, reference, depth + 1)]
  if (schema.properties !== undefined)
    return Object.fromEntries(
      (schema.required ?? []).flatMap((name) => {
        const each = schema.properties?.[name]
        return each === undefined ? [] : [[name, sampleOf(each, reference, depth + 1)]]
      })
    )
  return typeof schema.type === "string" ? (samples[schema.type] ?? {}) : {}
}
