import type { FactsAbout, SwitchFacts } from "../access/facts/facts.ts"
import { siteFactsOf } from "../access/facts/siteFacts.ts"
import { type ItemKind, itemKinds, missingItem } from "../access/items.ts"
import { type NamedRepository, repositoryFacts } from "../code/repositories/grants.ts"
import type { Actor } from "../identity/actors/Actor.ts"
import { teamFacts } from "../identity/teams/visibility.ts"
import type { Viewer } from "../identity/viewers/Viewer.ts"
import { accountFacts, missingUserFacts } from "../identity/visibility/accountVisibility.ts"
import { organizationFacts, organizationUserFacts } from "../identity/visibility/organizationVisibility.ts"
import { packageOwnerFacts } from "../registries/packages/owner.ts"
import type { LoadedResources, Target } from "./FactsStore.ts"
import { type ItemKeys, type ItemViewer, isNamed, items } from "./items.ts"
import type { Items, LoadedKind, Resources } from "./Proof.ts"

/** The current names of renamed resources, by the name of the target field that contained the previous name. */
export type Renames = Readonly<Record<string, string>>

/** The functions that prepare an access decision for one resource type, from the loaded data. */
export interface ResourceDecision<K extends LoadedKind> {
  /**
   * Returns the facts for the access decision. A missing resource gets the facts of a hidden one, so that both get the
   * same response.
   */
  readonly facts: (
    viewer: Viewer & ItemViewer,
    switches: SwitchFacts,
    found: LoadedResources[K] | undefined,
    about: Target<K>
  ) => FactsAbout<K>
  /** Returns the data for the proof of an allowed action; undefined if a part of the resource is missing. */
  readonly resource: (
    actor: Actor,
    found: LoadedResources[K] | undefined,
    facts: FactsAbout<K>,
    about: Target<K>
  ) => Resources[K] | undefined
  /** Returns the current names of renamed resources; empty if the request contains only current names. */
  readonly renames: (found: LoadedResources[K] | undefined) => Renames
}

const noRenames = (): Renames => ({})

const repositoryRenames = (found: NamedRepository | undefined): Renames =>
  found?.renamed === true ? { owner: found.repository.owner.name, repository: found.repository.name } : {}

/**
 * Returns the decision functions of a resource type within a repository: its facts are those of the repository and
 * those of the resource.
 */
const itemKind = <K extends ItemKind>(kind: K): ResourceDecision<K> => {
  const { facts } = items[kind]
  const missing = missingItem(kind)
  // BOUNDARY: the facts of a type are those of the repository and its own, which the compiler cannot follow for any
  // `K`.
  type Whole = ResourceDecision<K>
  const factsOf = (
    viewer: Viewer & ItemViewer,
    switches: SwitchFacts,
    found: LoadedResources[ItemKind] | undefined,
    { keys }: { readonly keys: ItemKeys[K] }
  ) => ({
    ...repositoryFacts(viewer, switches, found),
    ...(found?.item === undefined
      ? missing
      : { found: true, ...facts(viewer, found.item as Items[K], keys, found.repository) })
  })
  const resource = (actor: Actor, found: LoadedResources[ItemKind] | undefined, all: unknown) =>
    found?.item && { actor, repository: found.repository, grants: found.grants, facts: all, ...found.item }
  return { facts: factsOf, resource, renames: repositoryRenames } as unknown as Whole
}

const kindsOfItems = Object.fromEntries(itemKinds.map((kind) => [kind, itemKind(kind)])) as unknown as {
  readonly [K in ItemKind]: ResourceDecision<K>
}

/** The functions that compute facts and load data for access decisions, by resource type. */
export const kinds: { readonly [K in LoadedKind]: ResourceDecision<K> } = {
  ...kindsOfItems,
  site: {
    facts: (viewer, switches) => siteFactsOf(switches, viewer.facts),
    resource: (actor) => ({ actor }),
    renames: noRenames
  },
  user: {
    facts: (viewer, switches, found) =>
      found === undefined || found.user.system
        ? missingUserFacts(viewer, switches)
        : accountFacts(viewer, switches, found),
    resource: (actor, found) => found && { actor, user: found.user, of: found.of },
    renames: (found) => (found?.renamed === true ? { name: found.user.name } : {})
  },
  organization: {
    facts: (viewer, switches, found, { named = "" }) =>
      organizationFacts(viewer, switches, found, isNamed(viewer, named)),
    resource: (actor, found) => found && { actor, organization: found.organization, membership: found.membership },
    renames: (found) => (found?.renamed === true ? { organization: found.organization.name } : {})
  },
  organizationUser: {
    facts: (viewer, switches, found) => organizationUserFacts(viewer, switches, found?.organization, found?.user),
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
    // If one of them is missing, the other needs no decision: both count as hidden.
    facts: (viewer, switches, found) => {
      const whole = found?.team !== undefined && found.repository !== undefined ? found : undefined
      return {
        ...repositoryFacts(viewer, switches, whole?.repository),
        ...teamFacts(viewer, switches, whole?.team)
      }
    },
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
    resource: (actor, found, facts) =>
      found && { actor, repository: found.repository, grants: found.grants, lent: found.lent, facts },
    renames: repositoryRenames
  },
  packageOwner: {
    facts: packageOwnerFacts,
    resource: (actor, found, facts) => found && { actor, owner: found.owner, [found.owner.kind]: found.owner, facts },
    renames: (found) => (found?.renamed === true ? { owner: found.owner.name } : {})
  },
  signedLink: {
    facts: (viewer, switches, _, { opens }) => ({
      ...siteFactsOf(switches, viewer.facts),
      signatureValid: opens !== undefined
    }),
    resource: (actor, _, __, { opens }) => opens && { actor, link: opens },
    renames: noRenames
  }
}
