import { type Kind, PolicySet } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { explorerActions } from "@slipway/http/server/forge"
import {
  type Asker,
  decisionsOn,
  explainIn,
  resourceKindsIn,
  resourcesIn,
  type Scenario,
  type World
} from "@slipway/testkit/access"
import { Effect } from "effect"
import { json, serveExplorer, wrong } from "./explorer.ts"
import { scenariosIn } from "./files.ts"

/** The resource types that have other names in resources than in the tables. */
const words: Readonly<Partial<Record<Kind, string>>> = { organization: "org", repository: "repo" }

const questionsIn = (world: World): ReadonlyArray<string> =>
  resourceKindsIn(world).filter((kind) => !["organizationUser", "teamRepository", "packageOwner"].includes(kind))

const wordOf = (kind: string): string => words[kind as Kind] ?? kind

const resourcesOf = (world: World): ReadonlyArray<string> =>
  questionsIn(world).flatMap((kind) => resourcesIn(world, kind).map((things) => [wordOf(kind), ...things].join(":")))

/** Returns the subject of a request: the user, and the resource in a world. */
const subjectOf = (world: World, query: URLSearchParams) => {
  const [word = "", ...rest] = (query.get("resource") ?? "").split(":")
  const kind = questionsIn(world).find((each) => wordOf(each) === word)
  const things = rest.length === 0 ? [] : [rest.join(":")]
  if (kind === undefined || !resourcesIn(world, kind).some((each) => each.join() === things.join())) return "thing"
  const name = query.get("user") ?? undefined
  if (name !== undefined && !world.users.has(name)) return "person"
  return { asker: { name, token: undefined } satisfies Asker, kind, things }
}

const shownUser = (name: string | undefined) => (name === undefined ? null : { login: name })

const explained = (world: World, query: URLSearchParams) => {
  const subject = subjectOf(world, query)
  if (typeof subject === "string") return wrong(subject)
  const { asker, kind, things } = subject
  const action = query.get("action") ?? ""
  if (!decisionsOn(world, asker, kind, things).has(action)) return wrong("action on this resource type")
  const explanation = explainIn(world, { text: "", asker, action, things, answer: "", by: [] })
  if (explanation === undefined) return wrong("action")
  const { allowed, answer, by, changes, steps } = explanation
  return json({
    user: shownUser(asker.name),
    allowed,
    status: answer?.status ?? 200,
    message: answer?.message ?? "",
    rules: by,
    teams: [],
    path: steps.map(({ asks, because, passed, stage }) => ({ asks, because, passed, stage })),
    changes
  })
}

const listed = (world: World, query: URLSearchParams) => {
  const subject = subjectOf(world, query)
  if (typeof subject === "string") return wrong(subject)
  const { asker, kind, things } = subject
  const actions = [...decisionsOn(world, asker, kind, things)].map(([action, decision]) => ({
    action,
    allowed: decision.allowed,
    status: decision.allowed ? 200 : decision.answer.status
  }))
  return json({ user: shownUser(asker.name), actions })
}

/** Serves the explorer for scenario files of a forge, on the loopback interface only, until the process exits. */
export const serve = (files: ReadonlyArray<string>, port: number, policy: AnyPolicySet = PolicySet.builtIn) =>
  serveExplorer(port, {
    read: Effect.map(
      Effect.forEach(files, (file) => scenariosIn(file, policy)),
      (each) => each.flat()
    ),
    nameOf: ({ name }: Scenario) => name,
    contentsOf: ({ world }) => ({ people: [...world.users.keys()], things: resourcesOf(world) }),
    explain: ({ world }, query) => explained(world, query),
    list: ({ world }, query) => listed(world, query),
    actions: explorerActions(policy.rulebook.tables.actions)
  })
