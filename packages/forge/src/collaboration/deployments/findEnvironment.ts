import type { Repository } from "@slipway/domain/forge/code"
import { EnvironmentNotFound, environments } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"

/** Finds an environment of a repository by its name, ignoring case. */
export const findEnvironment = Effect.fnUntraced(function* (
  { id: repositoryId }: Pick<Repository, "id">,
  name: string
) {
  const environment = yield* (yield* environments.store).findBy("name", { repositoryId, name })
  return environment ?? (yield* new EnvironmentNotFound({ name }))
})
