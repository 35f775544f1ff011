import { type Condition, compile, type Decision } from "@slipway/domain/access"
import { type ActionName, actions, decide, listed } from "@slipway/domain/forge"
import { type Facts, factsOf } from "./facts.ts"
import type { Question } from "./parse.ts"
import { branchRefusalIn, isBranchVerb } from "./pushes.ts"
import type { World } from "./World.ts"

/** What a world answers to a question, spelled like the answer that is expected. */
export interface Answered {
  readonly answer: string
  readonly by: ReadonlyArray<string>
}

/** The lists that a world may be asked for: by what condition they show what, and the names of all that there is. */
export const lists: Readonly<
  Record<string, { readonly of: keyof typeof listed; readonly names: (world: World) => ReadonlyArray<string> }>
> = {
  organization: { of: "organization", names: (world) => [...world.organizations.keys()] },
  "organization-directory": { of: "organizationDirectory", names: (world) => [...world.organizations.keys()] },
  team: { of: "team", names: (world) => world.teams.map((team) => `${team.organization}/${team.name}`) },
  user: { of: "user", names: (world) => [...world.users.keys()] },
  repository: { of: "repository", names: (world) => world.repositories.map((each) => `${each.owner}/${each.name}`) }
}

const kindOfList = (list: keyof typeof listed) => (list === "organizationDirectory" ? "organization" : list)

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
    const shows = compile(listed[list.of] as Condition<Facts>)
    const names = list.names(world).filter((name) => shows(factsOf(world, asker, kindOfList(list.of), [name])))
    return { answer: names.join(", "), by: [] }
  }
  const decision = decideIn(world, asker, isBranchVerb(action) ? "git.push" : action, things)
  if (!decision.allowed) return { answer: String(decision.answer.status), by: decision.by }
  const refusal = isBranchVerb(action) ? branchRefusalIn(world, asker, action, things) : undefined
  return refusal === undefined ? { answer: "allowed", by: decision.by } : { answer: "403", by: [refusal] }
}
