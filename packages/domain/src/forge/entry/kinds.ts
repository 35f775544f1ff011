import type { FactsAbout, SwitchFacts } from "../access/facts.ts"
import type { Actor, LoadedKind, Resources } from "../accounts/Actor.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { missingUserFacts, userFacts } from "../accounts/visibility.ts"
import { organizationFacts, organizationUserFacts } from "../organizations/visibility.ts"
import { packageOwnerFacts } from "../packages/owner.ts"
import { type NamedRepository, repositoryFacts } from "../repositories/grants.ts"
import { teamFacts } from "../teams/visibility.ts"
import type { LoadedResources } from "./FactsStore.ts"

/** The present names of what was renamed, each under the part of the target that named it. */
export type Renames = Readonly<Record<string, string>>

/** How a decision on one kind of thing is made from what was found. */
export interface KindOfThing<K extends LoadedKind> {
  /** The facts that decide: of a thing that is missing, those of one that nobody sees, so that both are refused alike. */
  readonly facts: (viewer: Viewer, switches: SwitchFacts, found: LoadedResources[K] | undefined) => FactsAbout<K>
  /** What the proof is about; nothing when part of it is missing. */
  readonly resource: (
    actor: Actor,
    found: LoadedResources[K] | undefined,
    facts: FactsAbout<K>
  ) => Resources[K] | undefined
  /** What has another name by now. */
  readonly renames: (found: LoadedResources[K] | undefined) => Renames
}

const noRenames = (): Renames => ({})

const repositoryRenames = (found: NamedRepository | undefined): Renames =>
  found?.renamed === true ? { owner: found.repository.owner.name, repository: found.repository.name } : {}

/** Every kind of thing that requests are about. */
export const kinds: { readonly [K in LoadedKind]: KindOfThing<K> } = {
  site: {
    facts: (viewer, switches) => ({ ...switches, ...viewer.facts }),
    resource: (actor) => ({ actor }),
    renames: noRenames
  },
  user: {
    facts: (viewer, switches, found) =>
      found === undefined ? missingUserFacts(viewer, switches) : userFacts(viewer, switches, found.user),
    resource: (actor, found) => found && { actor, user: found.user },
    renames: (found) => (found?.renamed === true ? { name: found.user.name } : {})
  },
  organization: {
    facts: organizationFacts,
    resource: (actor, found) => found && { actor, organization: found.organization, membership: found.membership },
    renames: (found) => (found?.renamed === true ? { organization: found.organization.name } : {})
  },
  organizationUser: {
    facts: (viewer, switches, found) => organizationUserFacts(viewer, switches, found?.organization, found?.user?.user),
    resource: (actor, found) =>
      found?.organization === undefined || found.user === undefined
        ? undefined
        : {
            actor,
            organization: found.organization.organization,
            membership: found.organization.membership,
            user: found.user.user
          },
    renames: (found) => ({
      ...(found?.organization?.renamed === true ? { organization: found.organization.organization.name } : {}),
      ...(found?.user?.renamed === true ? { name: found.user.user.name } : {})
    })
  },
  team: {
    facts: teamFacts,
    resource: (actor, found) => found && { actor, ...found },
    renames: noRenames
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
            grants: found.repository.grants,
            facts
          },
    renames: (found) => repositoryRenames(found?.repository)
  },
  repository: {
    facts: repositoryFacts,
    resource: (actor, found, facts) => found && { actor, repository: found.repository, grants: found.grants, facts },
    renames: repositoryRenames
  },
  packageOwner: {
    facts: packageOwnerFacts,
    resource: (actor, found, facts) => found && { actor, owner: found.owner, facts },
    renames: (found) => (found?.renamed === true ? { owner: found.owner.name } : {})
  }
}
