import type { ActionVariable } from "@slipway/domain/forge/automation"
import { ActionVariables } from "@slipway/forge/automation"
import {
  actionVariableEndpoints,
  type CreateVariableOption,
  type UpdateVariableOption
} from "../../../api/forge/automation/actionVariables.ts"
import type { BodyOf } from "../../../api/forge/base/endpoints.ts"
import { handle } from "../entry/handle.ts"

const show = ({ description, name, organizationId, repositoryId, userId, value }: ActionVariable) => ({
  owner_id: organizationId ?? userId ?? 0,
  repo_id: repositoryId ?? 0,
  name,
  data: value,
  description
})

interface Named {
  readonly params: { readonly variablename: string }
}

type Reading = Named & { readonly proof: Parameters<typeof ActionVariables.read>[0] }
type Making = Named & {
  readonly body: BodyOf<typeof CreateVariableOption>
  readonly proof: Parameters<typeof ActionVariables.create>[0]
}
type Changing = Named & {
  readonly body: BodyOf<typeof UpdateVariableOption>
  readonly proof: Parameters<typeof ActionVariables.set>[0]
}
type Removing = Named & { readonly proof: Parameters<typeof ActionVariables.remove>[0] }

const read = ({ params, proof }: Reading) => ActionVariables.read(proof, params.variablename)
const create = ({ body, params, proof }: Making) => ActionVariables.create(proof, params.variablename, body)
const set = ({ body, params, proof }: Changing) =>
  // An empty name counts as omitted: some clients send every field.
  ActionVariables.set(proof, params.variablename, { ...body, name: body.name === "" ? undefined : body.name })
const remove = ({ params, proof }: Removing) => ActionVariables.remove(proof, params.variablename)

/** The handlers for the endpoints of variables of workflow jobs. */
export const layerActionVariables = handle(
  actionVariableEndpoints,
  {
    "repository.actions.variable.list": ({ page, proof }) => ActionVariables.list(proof, page),
    "repository.actions.variable.read": read,
    "repository.actions.variable.create": create,
    "repository.actions.variable.set": set,
    "repository.actions.variable.delete": remove,
    "organization.actions.variable.list": ({ page, proof }) => ActionVariables.list(proof, page),
    "organization.actions.variable.read": read,
    "organization.actions.variable.create": create,
    "organization.actions.variable.set": set,
    "organization.actions.variable.delete": remove,
    "account.actions.variable.list": ({ page, proof }) => ActionVariables.list(proof, page),
    "account.actions.variable.read": read,
    "account.actions.variable.create": create,
    "account.actions.variable.set": set,
    "account.actions.variable.delete": remove
  },
  { show }
)
