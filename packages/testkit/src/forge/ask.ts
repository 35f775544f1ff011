import { type Condition, compile, type Decision } from "@slipway/domain/access"
import { type ActionName, actions, decide, type Kind, listed, listedInDirectory } from "@slipway/domain/forge"
import { type Facts, factsOf } from "./facts.ts"
import type { Question } from "./parse.ts"
import { branchRefusalIn, isBranchVerb } from "./pushes.ts"
import type { World } from "./World.ts"

/** What a world answers to a question, spelled like the answer that is expected. */
export interface Answered {
  readonly answer: string
  readonly by: ReadonlyArray<string>
}

interface ListOf {
  readonly kind: Kind
  readonly when: unknown
  readonly names: (world: World) => ReadonlyArray<string>
}

const organizationNames = (world: World) => [...world.organizations.keys()]

/** The lists that a world may be asked for: of what kind, by what condition they show it, and the names of all of it. */
const lists: Readonly<Record<string, ListOf>> = {
  organization: { kind: "organization", when: listed.organization, names: organizationNames },
  "organization-directory": { kind: "organization", when: listed.organizationDirectory, names: organizationNames },
  team: {
    kind: "team",
    when: listed.team,
    names: (world) => world.teams.map((team) => `${team.organization}/${team.name}`)
  },
  user: { kind: "user", when: listedInDirectory, names: (world) => [...world.users.keys()] },
  repository: {
    kind: "repository",
    when: listed.repository,
    names: (world) => world.repositories.map((each) => `${each.owner}/${each.name}`)
  }
}

/** Decides an action on the facts of a world, as whoever asks is decided on. */
export const decideIn = (
  world: World,
  asker: Question["asker"],
  name: string,
  things: ReadonlyArray<string>
): Decision => {
  if (!Object.hasOwn(actions, name)) throw new Error(`\`${name}\` is no action`)
  const action = name as ActionName
  // BOUNDARY: the facts are those of the action's kind, which the compiler can't follow through a name.
  return decide(action, factsOf(world, asker, actions[action].on, things) as never)
}

/** Answers a question from the facts of a world alone: the `pure` runner, without any store. */
export const askPure = (world: World, { action, asker, things }: Question): Answered => {
  if (action === "lists") {
    const list = lists[things[0] ?? ""]
    if (list === undefined) throw new Error(`\`${things[0]}\` is not listed`)
    const shows = compile(list.when as Condition<Facts>)
    const names = list.names(world).filter((name) => shows(factsOf(world, asker, list.kind, [name])))
    return { answer: names.join(", "), by: [] }
  }
  const decision = decideIn(world, asker, isBranchVerb(action) ? "git.push" : action, things)
  if (!decision.allowed) return { answer: String(decision.answer.status), by: decision.by }
  const refusal = isBranchVerb(action) ? branchRefusalIn(world, asker, action, things) : undefined
  return refusal === undefined ? { answer: "allowed", by: decision.by } : { answer: "403", by: [refusal] }
}
