import type { ActionSecret } from "@slipway/domain/forge/automation"
import { ActionSecrets } from "@slipway/forge/automation"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { actionSecretEndpoints, type CreateOrUpdateSecretOption } from "../../../api/forge/automation/actionSecrets.ts"
import type { BodyOf } from "../../../api/forge/base/endpoints.ts"
import { handle } from "../entry/handle.ts"

const show = ({ createdAt, description, name }: ActionSecret) => ({ name, description, created_at: createdAt })

interface SecretRequest {
  readonly body: BodyOf<typeof CreateOrUpdateSecretOption>
  readonly params: { readonly secretname: string }
  readonly proof: Parameters<typeof ActionSecrets.set>[0]
}

const set = ({ body: { data, description }, params: { secretname }, proof }: SecretRequest) =>
  Effect.map(ActionSecrets.set(proof, secretname, { value: data, description }), (isNew) =>
    HttpServerResponse.empty({ status: isNew ? 201 : 204 })
  )

/** The handlers for the endpoints of secrets of workflow jobs. */
export const layerActionSecrets = handle(
  actionSecretEndpoints,
  {
    "repository.actions.secret.list": ({ page, proof }) => ActionSecrets.list(proof, page),
    "repository.actions.secret.set": set,
    "repository.actions.secret.delete": ({ params, proof }) => ActionSecrets.remove(proof, params.secretname),
    "organization.actions.secret.list": ({ page, proof }) => ActionSecrets.list(proof, page),
    "organization.actions.secret.set": set,
    "organization.actions.secret.delete": ({ params, proof }) => ActionSecrets.remove(proof, params.secretname),
    "account.actions.secret.set": set,
    "account.actions.secret.delete": ({ params, proof }) => ActionSecrets.remove(proof, params.secretname)
  },
  { show }
)
