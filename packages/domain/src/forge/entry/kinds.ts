import type { FactsAbout, SwitchFacts } from "../access/facts.ts"
import type { Actor, LoadedKind, Resources, Viewer } from "../accounts/Actor.ts"
import { missingUserFacts, userFacts } from "../accounts/sight.ts"
import { organizationFacts, organizationUserFacts } from "../organizations/sight.ts"
import { packageOwnerFacts } from "../packages/owner.ts"
import { type NamedRepository, repositoryFacts } from "../repositories/holding.ts"
import { teamFacts } from "../teams/sight.ts"
import type { Findings } from "./FactsStore.ts"

/** The present names of what moved, each under the part of the target that named it. */
export type Moves = Readonly<Record<string, string>>

/** How a decision on one kind of thing is made from what was found. */
export interface KindOfThing<K extends LoadedKind> {
  /** The facts that decide: of a thing that is missing, those of one that nobody sees, so that both are refused alike. */
  readonly facts: (viewer: Viewer, switches: SwitchFacts, found: Findings[K] | undefined) => FactsAbout<K>
  /** What the proof is about; nothing when part of it is missing. */
  readonly resource: (actor: Actor, found: Findings[K] | undefined, facts: FactsAbout<K>) => Resources[K] | undefined
  /** What has another name by now. */
  readonly moves: (found: Findings[K] | undefined) => Moves
}

const stays = (): Moves => ({})

const repositoryMoves = (found: NamedRepository | undefined): Moves =>
  found?.moved === true ? { owner: found.repository.owner.name, repository: found.repository.name } : {}

/** Every kind of thing that requests are about. */
export const kinds: { readonly [K in LoadedKind]: KindOfThing<K> } = {
  site: {
    facts: (viewer, switches) => ({ ...switches, ...viewer.facts }),
    resource: (actor) => ({ actor }),
    moves: stays
  },
  user: {
    facts: (viewer, switches, found) =>
      found === undefined ? missingUserFacts(viewer, switches) : userFacts(viewer, switches, found.user),
    resource: (actor, found) => found && { actor, user: found.user },
    moves: (found) => (found?.moved === true ? { name: found.user.name } : {})
  },
  organization: {
    facts: organizationFacts,
    resource: (actor, found) => found && { actor, organization: found.organization, place: found.place },
    moves: (found) => (found?.moved === true ? { organization: found.organization.name } : {})
  },
  organizationUser: {
    facts: (viewer, switches, found) => organizationUserFacts(viewer, switches, found?.organization, found?.user?.user),
    resource: (actor, found) =>
      found?.organization === undefined || found.user === undefined
        ? undefined
        : {
            actor,
            organization: found.organization.organization,
            place: found.organization.place,
            user: found.user.user
          },
    moves: (found) => ({
      ...(found?.organization?.moved === true ? { organization: found.organization.organization.name } : {}),
      ...(found?.user?.moved === true ? { name: found.user.user.name } : {})
    })
  },
  team: {
    facts: teamFacts,
    resource: (actor, found) => found && { actor, ...found },
    moves: stays
  },
  teamRepository: {
    facts: (viewer, switches, found) => ({
      ...repositoryFacts(viewer, switches, found?.repository),
      ...teamFacts(viewer, switches, found?.team),
      siteAdmin: viewer.facts.siteAdmin && found?.team !== undefined && found.repository !== undefined
    }),
    resource: (actor, found, facts) =>
      found?.team === undefined || found.repository === undefined
        ? undefined
        : {
            actor,
            ...found.team,
            repository: found.repository.repository,
            holding: found.repository.holding,
            facts
          },
    moves: (found) => repositoryMoves(found?.repository)
  },
  repository: {
    facts: repositoryFacts,
    resource: (actor, found, facts) => found && { actor, repository: found.repository, holding: found.holding, facts },
    moves: repositoryMoves
  },
  packageOwner: {
    facts: packageOwnerFacts,
    resource: (actor, found, facts) => found && { actor, owner: found.owner, facts },
    moves: (found) => (found?.moved === true ? { owner: found.owner.name } : {})
  }
}
