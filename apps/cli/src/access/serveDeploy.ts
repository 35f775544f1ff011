import { basename } from "node:path"
import { roleRules, rules } from "@slipway/domain/deploy/access"
import { type Action, actions, policies, rowOf } from "@slipway/domain/deploy/entry"
import {
  type DeployWorld,
  decideQuestion,
  explainDeployQuestion,
  isAction,
  objectsOf,
  readDeployScenario,
  resourceTypesOf
} from "@slipway/testkit/deploy-access"
import { Effect } from "effect"
import { json, serveExplorer, wrong } from "./explorer.ts"
import { inFile, textOf } from "./files.ts"

interface Read {
  readonly name: string
  readonly world: DeployWorld
}

const platform = "platform"

const resourcesOf = (world: DeployWorld): ReadonlyArray<string> => [
  platform,
  ...Array.from(world.resources, ([name, { type }]) => `${type}:${name}`)
]

/** Returns the subject of a request: a user, and a resource by its name; undefined for the platform. */
const subjectOf = (world: DeployWorld, query: URLSearchParams) => {
  const resource = query.get("resource") ?? ""
  const user = query.get("user") ?? ""
  if (!resourcesOf(world).includes(resource)) return "thing"
  if (!world.users.has(user)) return "person"
  return { user, object: resource === platform ? undefined : resource.slice(resource.indexOf(":") + 1) }
}

const applies = (world: DeployWorld, action: Action, object: string | undefined) =>
  objectsOf(world, action).includes(object)

const explained = (world: DeployWorld, query: URLSearchParams) => {
  const subject = subjectOf(world, query)
  if (typeof subject === "string") return wrong(subject)
  const { object, user } = subject
  const action = query.get("action") ?? ""
  if (!isAction(action) || !applies(world, action, object)) return wrong("action on this resource type")
  const { allowed, changes, decision, steps } = explainDeployQuestion(world, {
    user,
    abilities: undefined,
    action,
    object
  })
  const reasons = new Map(policies[action].checks.map(({ because, id }) => [id, because]))
  return json({
    user: { login: user },
    allowed,
    status: decision.allowed ? 200 : decision.answer.status,
    message: decision.allowed ? "" : decision.answer.message,
    rules: decision.by,
    teams: [],
    path: steps.map(({ check, facts, passed, rules }) => ({
      stage: check,
      asks: reasons.get(check) ?? check,
      passed,
      because: passed ? rules : facts
    })),
    changes
  })
}

const allActions = Object.keys(actions).filter(isAction)

const listed = (world: DeployWorld, query: URLSearchParams) => {
  const subject = subjectOf(world, query)
  if (typeof subject === "string") return wrong(subject)
  const { object, user } = subject
  return json({
    user: { login: user },
    actions: allActions
      .filter((action) => applies(world, action, object))
      .map((action) => {
        const decision = decideQuestion(world, { user, abilities: undefined, action, object })
        return { action, allowed: decision.allowed, status: decision.allowed ? 200 : decision.answer.status }
      })
  })
}

const suggested = allActions.flatMap((name) => {
  const { role, rule } = rowOf(name)
  const summary = `${rules[rule].because}; ${roleRules[role].because}`
  return resourceTypesOf(name).map((on) => ({ name, on, summary }))
})

/** Serves the explorer for scenario files of deploy, on the loopback interface only, until the process exits. */
export const serveDeploy = (files: ReadonlyArray<string>, port: number) =>
  serveExplorer(port, {
    read: Effect.forEach(files, (file) =>
      Effect.flatMap(textOf(file), (text) =>
        inFile(file, (): Read => ({ name: basename(file), world: readDeployScenario(text) }))
      )
    ),
    nameOf: ({ name }: Read) => name,
    contentsOf: ({ world }) => ({ people: [...world.users], things: resourcesOf(world) }),
    explain: ({ world }, query) => explained(world, query),
    list: ({ world }, query) => listed(world, query),
    actions: suggested,
    examples: { resource: "application:shop/production/web", action: "application.deploy" }
  })
