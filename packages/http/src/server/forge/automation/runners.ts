import { now } from "@slipway/domain"
import { labelOf, type Runner } from "@slipway/domain/forge/automation"
import { numberIn } from "@slipway/domain/forge/entry"
import { Runners } from "@slipway/forge/automation"
import { Effect, Redacted } from "effect"
import { runnerEndpoints } from "../../../api/forge/automation/runners.ts"
import { handle, shown } from "../entry/handle.ts"

const showAt = (at: string) => (runner: Runner) => {
  const { active, online } = Runners.stateOf(runner, at)
  return {
    id: runner.id,
    name: runner.name,
    status: online ? ("online" as const) : ("offline" as const),
    busy: online && active,
    disabled: runner.disabled,
    ephemeral: runner.ephemeral,
    labels: runner.labels.map((label, id) => ({ id, name: labelOf(label), type: "custom" as const }))
  }
}

interface Numbered {
  readonly params: { readonly runner_id: string }
}

type Reading = Numbered & { readonly proof: Parameters<typeof Runners.read>[0] }
type Changing = Numbered & {
  readonly body: { readonly disabled: boolean }
  readonly proof: Parameters<typeof Runners.edit>[0]
}
type Removing = Numbered & { readonly proof: Parameters<typeof Runners.remove>[0] }

const read = ({ params, proof }: Reading) => Runners.read(proof, numberIn(params.runner_id))
const edit = ({ body, params, proof }: Changing) => Runners.edit(proof, numberIn(params.runner_id), body)
const remove = ({ params, proof }: Removing) => Runners.remove(proof, numberIn(params.runner_id))
const createToken = ({ proof }: { readonly proof: Parameters<typeof Runners.createToken>[0] }) =>
  Effect.map(Runners.createToken(proof), (token) => shown({ token: Redacted.value(token) }))

/** The handlers of runners. */
export const layerRunners = handle(
  runnerEndpoints,
  {
    "repository.actions.runner.list": ({ page, proof }) => Runners.list(proof, page),
    "repository.actions.runner.registration-token.create": createToken,
    "repository.actions.runner.read": read,
    "repository.actions.runner.edit": edit,
    "repository.actions.runner.delete": remove,
    "organization.actions.runner.list": ({ page, proof }) => Runners.list(proof, page),
    "organization.actions.runner.registration-token.create": createToken,
    "organization.actions.runner.read": read,
    "organization.actions.runner.edit": edit,
    "organization.actions.runner.delete": remove,
    "account.actions.runner.list": ({ page, proof }) => Runners.list(proof, page),
    "account.actions.runner.registration-token.create": createToken,
    "account.actions.runner.read": read,
    "account.actions.runner.edit": edit,
    "account.actions.runner.delete": remove,
    "admin.actions.runner.list": ({ page, proof }) => Runners.list(proof, page),
    "admin.actions.runner.registration-token.create": createToken,
    "admin.actions.runner.read": read,
    "admin.actions.runner.edit": edit,
    "admin.actions.runner.delete": remove
  },
  { showTo: () => Effect.map(now, showAt) }
)
