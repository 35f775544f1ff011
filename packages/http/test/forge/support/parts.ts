import type { LoadedKind } from "@slipway/domain/forge"
import { repositoryAt, teamAt } from "@slipway/testkit/forge"
import { Effect } from "effect"
import type { Service } from "./harness.ts"

type Parts = Readonly<Record<string, string>>

const repositoryParts = (api: Pick<Service, "within">, path: string) =>
  Effect.map(
    Effect.orDie(api.within(repositoryAt(path))),
    ({ id, name, owner }): Parts => ({
      username: owner.name,
      reponame: name,
      org: owner.name,
      repo: name,
      id: String(id)
    })
  )

const teamParts = (api: Pick<Service, "within">, path: string) =>
  Effect.map(Effect.orDie(api.within(teamAt(path))), ({ id }): Parts => ({ id: String(id) }))

const parts: {
  readonly [K in LoadedKind]: (api: Pick<Service, "within">, a: string, b: string) => Effect.Effect<Parts>
} = {
  site: () => Effect.succeed({}),
  user: (_, username) => Effect.succeed({ username }),
  organization: (_, org) => Effect.succeed({ org }),
  organizationUser: (_, org, username) => Effect.succeed({ org, username }),
  team: teamParts,
  teamRepository: (api, team, repository) =>
    Effect.map(Effect.all([repositoryParts(api, repository), teamParts(api, team)]), ([held, holder]) => ({
      ...held,
      ...holder
    })),
  repository: repositoryParts,
  packageOwner: (_, username) => Effect.succeed({ username })
}

/** Returns the variable parts of the path to a thing of a world. */
export const partsOf = (
  api: Pick<Service, "within">,
  kind: LoadedKind,
  things: ReadonlyArray<string>
): Effect.Effect<Parts> => parts[kind](api, things[0] ?? "", things[1] ?? "")
