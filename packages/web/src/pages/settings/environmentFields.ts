import type { Environment } from "@slipway/client/forge"
import { typed } from "../../page/FormState.ts"
import type { Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"

type Rule = Environment["protection_rules"][number]
type Reviewer = NonNullable<Rule["reviewers"]>[number]

/** Which branches may deploy to an environment. */
type Branches = "all" | "protected" | "selected"

const policies = {
  all: null,
  protected: { protected_branches: true, custom_branch_policies: false },
  selected: { protected_branches: false, custom_branch_policies: true }
} as const satisfies Readonly<Record<Branches, Environment["deployment_branch_policy"]>>

/** Returns which branches may deploy to an environment: all branches, protected branches, or selected branches. */
export const branchesOf = (environment: Environment | undefined): Branches => {
  const policy = environment?.deployment_branch_policy ?? null
  if (policy === null) return "all"
  return policy.protected_branches ? "protected" : "selected"
}

/** Converts the selected branch policy to the format of the API. */
export const branchesIn = (selected: string): Environment["deployment_branch_policy"] =>
  selected === "protected" || selected === "selected" ? policies[selected] : policies.all

/** Returns the required reviewers and the required wait time, in minutes, of an environment. */
export const rulesOf = (environment: Environment | undefined) => {
  const rules: ReadonlyArray<Rule> = environment?.protection_rules ?? []
  const required = rules.find(({ type }) => type === "required_reviewers")
  return {
    reviewers: required?.reviewers ?? [],
    preventSelfReview: required?.prevent_self_review ?? false,
    waitMinutes: rules.find(({ type }) => type === "wait_timer")?.wait_timer ?? 0
  }
}

/** Returns the names of the reviewers of one type, users or teams. */
export const namesOf = (reviewers: ReadonlyArray<Reviewer>, wanted: Reviewer["type"]): ReadonlyArray<string> =>
  reviewers.flatMap(({ reviewer: { login, name }, type }) => (type === wanted ? [login ?? name ?? ""] : []))

const partsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")

const userId = async ({ forge }: Visit, username: string): Promise<number | undefined> => {
  const found = await forge.user.read({ params: { username } }).result()
  return found.ok ? found.value.id : undefined
}

const teamId = async (visit: Visit, name: string): Promise<number | undefined> => {
  const params = { org: namedIn(visit).username }
  const found = await visit.forge.organization.team.search({ params, query: { q: name, limit: 50 } }).result()
  const isNamed = (team: { readonly name: string }) => team.name.toLowerCase() === name.toLowerCase()
  return found.ok ? found.value.find(isNamed)?.id : undefined
}

/** The maximum number of reviewers that the API takes; further names are not looked up. */
const mostReviewers = 6

/** Looks up the typed names of reviewers. If a name does not exist, returns an error message for its field. */
export const reviewersIn = async (visit: Visit) => {
  const { environments: t } = visit.texts
  const users = partsOf(typed(visit.form, "users"))
  const teams = partsOf(typed(visit.form, "teams"))
  if (users.length + teams.length > mostReviewers)
    return { problems: { users: t.tooMany(mostReviewers) }, reviewers: [] }
  const [userIds, teamIds] = await Promise.all([
    Promise.all(users.map((name) => userId(visit, name))),
    Promise.all(teams.map((name) => teamId(visit, name)))
  ])
  const missing = (names: ReadonlyArray<string>, ids: ReadonlyArray<number | undefined>) =>
    names.filter((_, at) => ids[at] === undefined)
  const [unknownUsers, unknownTeams] = [missing(users, userIds), missing(teams, teamIds)]
  const problems = {
    ...(unknownUsers.length > 0 ? { users: t.unknownUsers(unknownUsers.join(", ")) } : {}),
    ...(unknownTeams.length > 0 ? { teams: t.unknownTeams(unknownTeams.join(", ")) } : {})
  }
  if (Object.keys(problems).length > 0) return { problems, reviewers: [] }
  const reviewers = [
    ...userIds.flatMap((id) => (id === undefined ? [] : [{ type: "User" as const, id }])),
    ...teamIds.flatMap((id) => (id === undefined ? [] : [{ type: "Team" as const, id }]))
  ]
  return { problems: undefined, reviewers }
}
