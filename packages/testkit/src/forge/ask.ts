import { type Condition, compile, type Decision } from "@slipway/domain/access"
import { type ActionName, type Judged, type listed, policyOf, rulebookOf } from "@slipway/domain/forge"
import { type Facts, factsOf } from "./facts.ts"
import type { Question } from "./parse.ts"
import type { World } from "./World.ts"

/** What a world answers to a question, spelled like the answer that is expected. */
export interface Answered {
  readonly answer: string
  readonly by: ReadonlyArray<string>
}

const lists: Readonly<
  Record<string, { readonly of: keyof typeof listed; readonly names: (world: World) => ReadonlyArray<string> }>
> = {
  organization: { of: "organization", names: (world) => [...world.organizations.keys()] },
  "organization-directory": { of: "organizationDirectory", names: (world) => [...world.organizations.keys()] },
  team: { of: "team", names: (world) => world.teams.map((team) => `${team.organization}/${team.name}`) },
  user: { of: "user", names: (world) => [...world.users.keys()] },
  repository: { of: "repository", names: (world) => world.repositories.map((each) => `${each.owner}/${each.name}`) }
}

const kindOfList = (list: keyof typeof listed) => (list === "organizationDirectory" ? "organization" : list)

/**
 * Answers a question from the facts of a world alone: the `pure` runner, without any store.
 *
 * Rules of one's own decide where `judged` carries them: what `at` of a `PolicySet` returns for a moment.
 */
export const askPure = (world: World, question: Question, judged: Judged = {}): Answered => {
  const rulebook = rulebookOf(judged)
  const about = (kind: Parameters<typeof factsOf>[2], things: ReadonlyArray<string>): Facts => ({
    ...factsOf(world, question.asker, kind, things),
    ...judged
  })
  if (question.action === "lists") {
    const list = lists[question.things[0] ?? ""]
    if (list === undefined) throw new Error(`\`${question.things[0]}\` is not listed`)
    // BOUNDARY: each list is a condition on the facts of its own kind, which are asked for by name.
    const shows = compile(rulebook.listed(list.of) as Condition<unknown> as Condition<Facts>)
    const names = list.names(world).filter((name) => shows(about(kindOfList(list.of), [name])))
    return { answer: names.join(", "), by: [] }
  }
  const facts = about(rulebook.actionOf(question.action).on, question.things)
  const decision: Decision = policyOf(question.action as ActionName, judged).decide(facts as never)
  return { answer: decision.allowed ? "allowed" : String(decision.answer.status), by: decision.by }
}
