import type { Loaded } from "@slipway/access"
import { type ActionName, type FactsAbout, load, type RepositoryFacts } from "@slipway/domain/forge/access"
import { type Asker, factsOf, parseWorld, type World } from "@slipway/testkit/forge"

/** The actions that the questions contain, each with its name in the other libraries. */
export const questionActions = [
  { action: "repository.read", verb: "see" },
  { action: "repository.contents.read", verb: "readCode" },
  { action: "issue.list", verb: "seeIssues" },
  { action: "repository.branch.create", verb: "writeCode" },
  { action: "repository.edit", verb: "admin" },
  { action: "repository.delete", verb: "own" }
] as const satisfies ReadonlyArray<{ action: ActionName; verb: string }>

/** The name of an action in the access libraries that the benchmark compares with. */
export type Verb = (typeof questionActions)[number]["verb"]

/** One question of the benchmark: whether a user may do an action on a repository, with the facts that decide it. */
export interface BenchQuestion {
  readonly user: string
  readonly repository: string
  readonly action: (typeof questionActions)[number]["action"]
  readonly verb: Verb
  readonly facts: RepositoryFacts
  readonly loaded: Loaded<FactsAbout<"repository">>
}

const pick = (seed: number, below: number) => ((seed * 2654435761) >>> 8) % below

/**
 * Returns the data of the benchmark, which is the same in every run: 10 organizations, 200 repositories and 40 users.
 */
const text = (): string => {
  const lines: Array<string> = ["user root admin"]
  for (let u = 0; u < 38; u++) lines.push(`user u${u}`)
  for (let o = 0; o < 10; o++) lines.push(`organization o${o} ${["public", "limited", "private"][o % 3]}`)
  for (let r = 0; r < 200; r++) {
    lines.push(`repository o${r % 10}/r${r} ${r % 2 === 0 ? "private" : "public"} ${r % 17 === 0 ? "archived" : ""}`)
  }
  for (let o = 0; o < 10; o++) {
    const repositories = Array.from({ length: 6 }, (_, i) => `r${o + 10 * pick(o * 7 + i, 20)}`)
    const member = (n: number) => `u${pick(o * 31 + n, 38)}`
    lines.push(`team o${o}/Owners: ${member(1)}`)
    lines.push(
      `team o${o}/writers code=write issues=write on ${repositories.slice(0, 3).join(" ")}: ${member(2)}, ${member(3)}`
    )
    lines.push(`team o${o}/triage issues=write on *: ${member(4)}, ${member(5)}`)
    lines.push(`team o${o}/keepers admin on ${repositories.slice(3).join(" ")}: ${member(6)}`)
  }
  for (let c = 0; c < 60; c++) {
    const r = pick(c + 500, 200)
    lines.push(`collaborator u${pick(c + 900, 38)} ${["read", "write", "admin"][c % 3]} o${r % 10}/r${r}`)
  }
  return lines.join("\n")
}

/** The users, organizations and repositories of the benchmark; every compared library decides access to these. */
export const world: World = parseWorld(text())

/** All callers: every user, and the anonymous caller. */
export const questionCallers: ReadonlyArray<string> = ["anonymous", ...world.users.keys()]

const asker = (name: string): Asker => ({ name: name === "anonymous" ? undefined : name, token: undefined })

/**
 * The questions of the benchmark: a random sample of users, actions and repositories, which is the same in every run.
 */
export const questions: ReadonlyArray<BenchQuestion> = Array.from({ length: 4000 }, (_, n) => {
  const user = questionCallers[pick(n + 1, questionCallers.length)] as string
  const repository = world.repositories[pick(n * 3 + 7, world.repositories.length)]
  const { action, verb } = questionActions[n % questionActions.length] as (typeof questionActions)[number]
  if (repository === undefined) throw new Error("the world has no repositories")
  const path = `${repository.owner}/${repository.name}`
  const facts = factsOf(world, asker(user), "repository", [path]) as unknown as RepositoryFacts
  return { user, repository: path, action, verb, facts, loaded: load("repository", facts) }
})
