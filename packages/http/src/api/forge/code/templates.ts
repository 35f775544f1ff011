import { Schema } from "effect"
import { all, endpoints, read } from "../base/endpoints.ts"

/** A licence template, without its text. */
export const LicensesTemplateListEntry = Schema.Struct({
  key: Schema.String,
  name: Schema.String,
  url: Schema.String
}).annotate({ identifier: "LicensesTemplateListEntry" })

/** A licence template with its text. */
export const LicenseTemplateInfo = Schema.Struct({
  key: Schema.String,
  name: Schema.String,
  url: Schema.String,
  body: Schema.String
}).annotate({ identifier: "LicenseTemplateInfo" })

/** A template for `.gitignore`. */
export const GitignoreTemplateInfo = Schema.Struct({ name: Schema.String, source: Schema.String }).annotate({
  identifier: "GitignoreTemplateInfo"
})

/** A label of a predefined label set for new repositories. */
export const LabelTemplate = Schema.Struct({
  name: Schema.String,
  color: Schema.String,
  description: Schema.String,
  exclusive: Schema.Boolean
}).annotate({ identifier: "LabelTemplate" })

/** The endpoints of templates for new repositories. */
export const templateEndpoints = endpoints("templates", "Templates for new repositories.", {
  "license.list": all(LicensesTemplateListEntry),
  "license.read": read(LicenseTemplateInfo),
  "gitignore-template.list": all(Schema.String),
  "gitignore-template.read": read(GitignoreTemplateInfo),
  "label-template.list": all(Schema.String),
  "label-template.read": all(LabelTemplate)
})
