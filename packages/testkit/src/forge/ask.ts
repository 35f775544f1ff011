import { type Condition, compile, type Decision } from "@slipway/access"
import { type Kind, listedInDirectory, type listRules, type Rulebook } from "@slipway/domain/forge/access"
import { rulebookIn } from "./customResources.ts"
import { type Facts, factsOf } from "./facts.ts"
import type { Question } from "./parse.ts"
import { branchRefusalIn, isBranchVerb } from "./pushes.ts"
import type { World } from "./World.ts"

/** The answer to an access question, in the format of an expected answer, with the deciding rules. */
export interface Answered {
  readonly answer: string
  readonly by: ReadonlyArray<string>
}

interface ListOf {
  readonly kind: Kind
  readonly when: (rulebook: Rulebook) => unknown
  readonly names: (world: World) => ReadonlyArray<string>
}

const by = (list: keyof typeof listRules) => (rulebook: Rulebook) => rulebook.listed(list)

const organizationNames = (world: World) => [...world.organizations.keys()]

/**
 * The lists that questions can name: the type of their entries, the condition for an entry, and the names of all
 * candidates.
 */
const lists: Readonly<Record<string, ListOf>> = {
  organization: { kind: "organization", when: by("organization"), names: organizationNames },
  "organization-directory": { kind: "organization", when: by("organizationDirectory"), names: organizationNames },
  team: {
    kind: "team",
    when: by("team"),
    names: (world) => world.teams.map((team) => `${team.organization}/${team.name}`)
  },
  user: { kind: "user", when: () => listedInDirectory, names: (world) => [...world.users.keys()] },
  repository: {
    kind: "repository",
    when: by("repository"),
    names: (world) => world.repositories.map((each) => `${each.owner}/${each.name}`)
  }
}

/** The names of the lists that a question can ask for. */
export const listNames: ReadonlyArray<string> = Object.keys(lists)

/** Decides whether a caller may perform an action in a world. */
export const decideIn = (
  world: World,
  asker: Question["asker"],
  name: string,
  things: ReadonlyArray<string>
): Decision => {
  const rulebook = rulebookIn(world)
  return rulebook.policyOf(name).decide(factsOf(world, asker, rulebook.actionOf(name).on, things))
}

/** Answers an access question from the world only, without a store. */
export const askPure = (world: World, { action, asker, things }: Question): Answered => {
  if (action === "lists") {
    const list = lists[things[0] ?? ""]
    if (list === undefined) throw new Error(`\`${things[0]}\` is not listed`)
    const shows = compile(list.when(rulebookIn(world)) as Condition<Facts>)
    const names = list.names(world).filter((name) => shows(factsOf(world, asker, list.kind, [name])))
    return { answer: names.join(", "), by: [] }
  }
  const decision = decideIn(world, asker, isBranchVerb(action) ? "git.push" : action, things)
  if (!decision.allowed) return { answer: String(decision.answer.status), by: decision.by }
  const refusal = isBranchVerb(action) ? branchRefusalIn(world, asker, action, things) : undefined
  return refusal === undefined ? { answer: "allowed", by: decision.by } : { answer: "403", by: [refusal] }
}
