import { Schema } from "effect"
import { all, endpoints, read } from "./endpoints.ts"

/** A licence in the list of them. */
export const LicensesTemplateListEntry = Schema.Struct({
  key: Schema.String,
  name: Schema.String,
  url: Schema.String
}).annotate({ identifier: "LicensesTemplateListEntry" })

/** A licence with its text. */
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

/** The endpoints of what new repositories can begin with. */
export const templateEndpoints = endpoints("templates", "What new repositories can begin with.", {
  "license.list": all(LicensesTemplateListEntry),
  "license.read": read(LicenseTemplateInfo),
  "gitignore-template.list": all(Schema.String),
  "gitignore-template.read": read(GitignoreTemplateInfo)
})
