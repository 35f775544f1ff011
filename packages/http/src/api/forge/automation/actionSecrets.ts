import { longestDescription } from "@slipway/domain/forge/automation"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { settingBody } from "../../bodySizes.ts"
import { done, endpoints, list, raw } from "../base/endpoints.ts"
import { Moment, optionalNullable, text } from "../base/schemas.ts"

/** The request body that sets the value of a secret for workflow jobs. */
export const CreateOrUpdateSecretOption = Schema.Struct({
  data: Schema.String.annotate({ description: "At most 64 KiB. It is never returned." }),
  description: optionalNullable(text(longestDescription))
}).annotate({ identifier: "CreateOrUpdateSecretOption" })

/** A secret for workflow jobs as returned by the API: without its value. */
export const Secret = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  created_at: Moment
}).annotate({ identifier: "Secret" })

const setting = raw({
  body: CreateOrUpdateSecretOption,
  largest: settingBody,
  status: 204,
  others: [HttpApiSchema.Empty(201)]
})

/** The endpoints of the secrets for workflow jobs. */
export const actionSecretEndpoints = endpoints("actionSecrets", "Secrets of jobs; their values are never returned.", {
  "repository.actions.secret.list": list(Secret),
  "repository.actions.secret.set": setting,
  "repository.actions.secret.delete": done(),
  "organization.actions.secret.list": list(Secret),
  "organization.actions.secret.set": setting,
  "organization.actions.secret.delete": done(),
  "account.actions.secret.set": setting,
  "account.actions.secret.delete": done()
})
