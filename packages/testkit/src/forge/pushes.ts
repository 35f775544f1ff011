import {
  type BranchProtection,
  type BranchRules,
  emptyChangeFacts,
  evaluateRefChange,
  type RefChange,
  type RefChanger,
  type RefRules,
  strictRules
} from "@slipway/domain/forge/code"
import type { TeamId, UserId } from "@slipway/domain/forge/identity"
import type { Asker, World, WorldPermitted, WorldProtection } from "./World.ts"

/** The operations on a branch in access questions: push, force-push and deletion. */
export const branchVerbs = ["pushes", "rewrites", "deletes"] as const

/** An operation on a branch in access questions. */
export type BranchVerb = (typeof branchVerbs)[number]

/** Returns whether a word of an access question names an operation on a branch. */
export const isBranchVerb = (word: string): word is BranchVerb => branchVerbs.some((each) => each === word)

const [before, after] = ["1".repeat(40), "2".repeat(40)]

/** Returns the reason why branch protections reject a change of a branch; undefined if they allow it. */
export const branchRefusal = (
  rules: RefRules,
  who: RefChanger,
  verb: BranchVerb,
  branch: string
): string | undefined => {
  const change: RefChange = {
    ref: `refs/heads/${branch}`,
    before,
    after: verb === "deletes" ? undefined : after
  }
  const decision = evaluateRefChange(rules, who, change, { ...emptyChangeFacts, forced: verb === "rewrites" })
  return decision.allowed ? undefined : `protection.${decision.reason}`
}

/** Assigns ids to users and teams that are known only by name, as a store would. */
export interface Numbers {
  readonly user: (name: string) => UserId | undefined
  readonly team: (name: string) => TeamId | undefined
}

const permitted = (list: WorldPermitted, numbers: Numbers): BranchRules["push"] => ({
  enabled: list === "*" || list.length > 0,
  limited: list !== "*",
  deployKeys: false,
  allowed:
    list === "*"
      ? { users: [], teams: [] }
      : {
          users: list.flatMap((name) => numbers.user(name) ?? []),
          teams: list.flatMap((name) => (numbers.user(name) === undefined ? (numbers.team(name) ?? []) : []))
        }
})

/** Returns the stored form of a branch protection of a world, with the ids of its users and teams. */
export const rulesOfProtection = ({ force, push }: WorldProtection, numbers: Numbers): BranchRules => ({
  ...strictRules,
  push: permitted(push, numbers),
  forcePush: permitted(force, numbers)
})

/** Returns the reason why the branch protections of a world reject a change of a branch; undefined if they allow it. */
export const branchRefusalIn = (
  world: World,
  asker: Asker,
  verb: BranchVerb,
  [repository = "", branch = ""]: ReadonlyArray<string>
): string | undefined => {
  const owner = repository.split("/")[0]
  const users = [...world.users.keys()]
  const place = (at: number) => (at < 0 ? undefined : at + 1)
  const numbers: Numbers = {
    user: (name) => place(users.indexOf(name)) as UserId | undefined,
    team: (name) =>
      place(world.teams.findIndex((team) => team.organization === owner && team.name === name)) as TeamId | undefined
  }
  const branches = world.protections
    .filter((each) => each.repository === repository)
    .map(
      (each, at) =>
        ({ ...rulesOfProtection(each, numbers), id: at + 1, ruleName: each.rule, priority: 1 }) as BranchProtection
    )
  const teams = world.teams.flatMap((team, at) =>
    asker.name !== undefined && team.members.includes(asker.name) ? [(at + 1) as TeamId] : []
  )
  const userId = asker.name === undefined ? undefined : numbers.user(asker.name)
  return branchRefusal(
    { branches, tags: [], defaultBranch: "main" },
    { userId, teams, deployKey: false, administers: false },
    verb,
    branch
  )
}
