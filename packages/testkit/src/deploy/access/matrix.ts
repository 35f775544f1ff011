import { type Action, actions } from "@slipway/domain/deploy/entry"
import { decideQuestion, isAction, objectsOf } from "./question.ts"
import type { DeployWorld } from "./world.ts"

/** A table of permissions in a test world: a row for each user, and a column for each action on each resource. */
export interface DeployMatrix {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{ readonly who: string; readonly cells: ReadonlyArray<string> }>
}

/** The actions on a resource that a user gains or loses between two test worlds. */
export interface DeployAccessChange {
  readonly who: string
  readonly thing: string
  readonly gains: ReadonlyArray<string>
  readonly loses: ReadonlyArray<string>
}

/** The actions that a matrix shows by default. */
export const usualDeployActions = [
  "team.read",
  "team.update",
  "server.read",
  "server.update",
  "project.read",
  "project.update",
  "environment.protect",
  "application.read",
  "application.update",
  "application.deploy",
  "application.secrets",
  "database.read",
  "database.deploy",
  "database.secrets",
  "service.read",
  "service.deploy",
  "service.secrets"
] as const satisfies ReadonlyArray<Action>

const decide = (world: DeployWorld, user: string, action: Action, object: string | undefined) =>
  decideQuestion(world, { user, abilities: undefined, action, object })

/**
 * Returns the permissions of all users for some actions, with tokens that have every ability. A cell contains `yes`, or
 * the HTTP status of the denial.
 */
export const deployMatrixOf = (world: DeployWorld, names: ReadonlyArray<string> = usualDeployActions): DeployMatrix => {
  const unknown = names.find((name) => !isAction(name))
  if (unknown !== undefined) throw new Error(`\`${unknown}\` is not an action`)
  const asked = names
    .filter(isAction)
    .flatMap((action) => objectsOf(world, action).map((object) => ({ action, object })))
  return {
    columns: asked.map(({ action, object }) => (object === undefined ? action : `${action} ${object}`)),
    rows: [...world.users].map((who) => ({
      who,
      cells: asked.map(({ action, object }) => {
        const decision = decide(world, who, action, object)
        return decision.allowed ? "yes" : String(decision.answer.status)
      })
    }))
  }
}

const allActions = Object.keys(actions) as ReadonlyArray<Action>

/**
 * Returns the actions that a user may perform, by resource. Actions on the platform itself are under the key
 * `platform`.
 */
const allowedBy = (world: DeployWorld, user: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const allowed = new Map<string, Set<string>>()
  if (!world.users.has(user)) return allowed
  for (const action of allActions) {
    for (const object of objectsOf(world, action)) {
      if (!decide(world, user, action, object).allowed) continue
      const resource = object === undefined ? undefined : world.resources.get(object)
      const title = resource === undefined ? "platform" : `${resource.type} ${object}`
      allowed.set(title, (allowed.get(title) ?? new Set()).add(action))
    }
  }
  return allowed
}

/**
 * Returns the permissions that users gain and lose between two test worlds. A resource or a user that exists in only
 * one world counts too.
 */
export const diffDeployWorlds = (before: DeployWorld, after: DeployWorld): ReadonlyArray<DeployAccessChange> =>
  [...new Set([...before.users, ...after.users])].flatMap((who) => {
    const [old, changed] = [allowedBy(before, who), allowedBy(after, who)]
    return [...new Set([...old.keys(), ...changed.keys()])].flatMap((thing): ReadonlyArray<DeployAccessChange> => {
      const [had, has] = [old.get(thing) ?? new Set<string>(), changed.get(thing) ?? new Set<string>()]
      const gains = [...has].filter((action) => !had.has(action))
      const loses = [...had].filter((action) => !has.has(action))
      return gains.length + loses.length === 0 ? [] : [{ who, thing, gains, loses }]
    })
  })
