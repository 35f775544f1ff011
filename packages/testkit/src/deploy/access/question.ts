import { type Ability, abilities as abilityNames } from "@slipway/domain/deploy/access"
import { type Action, actions, factsAt, policies, rowOf } from "@slipway/domain/deploy/entry"
import { type HeldGrant, type Place, teamOf } from "@slipway/domain/deploy/identity"
import { type DeployWorld, type InvalidLine, unexpected, type WorldType } from "./world.ts"

/** An access question about a test world: whether a user may perform an action on a resource. */
export interface DeployQuestion {
  readonly user: string
  /** The abilities of the token; undefined for a token with every ability. */
  readonly abilities: ReadonlyArray<Ability> | undefined
  readonly action: Action
  /** The name of the resource; undefined for an action on the platform. */
  readonly object: string | undefined
}

/**
 * The resource types that a scenario names for an action. For an action on a part, such as a variable, the scenario
 * names the resource that contains it.
 */
const typesOf: { readonly [on: string]: ReadonlyArray<WorldType> } = {
  applicationTag: ["application"],
  databaseBackup: ["database"],
  databaseBackupRun: ["database"],
  databaseStorage: ["database"],
  databaseTag: ["database"],
  databaseVariable: ["database"],
  deletion: ["application", "database", "service"],
  delivery: ["application"],
  deployment: ["application", "service"],
  destination: ["server"],
  forgeApp: ["team"],
  forgeConnection: ["team"],
  gitlabApp: ["team"],
  grant: ["team"],
  invitation: ["team"],
  key: ["team"],
  placement: ["environment"],
  registry: ["team"],
  role: ["team"],
  s3Storage: ["team"],
  servicePart: ["service"],
  serviceStorage: ["service"],
  serviceTag: ["service"],
  serviceTask: ["service"],
  serviceVariable: ["service"],
  sharedOwner: ["team", "project", "environment", "server"],
  sharedVariable: ["team", "project", "environment", "server"],
  storage: ["application"],
  tag: ["team"],
  task: ["application"],
  token: ["team"],
  variable: ["application"]
}

const isAbility = (word: string): word is Ability => (abilityNames as ReadonlyArray<string>).includes(word)

/** Returns whether a text is the name of an action. */
export const isAction = (name: string): name is Action => Object.hasOwn(actions, name)

/** Returns the types of the resources that a scenario names for an action; `platform` for an action on the platform. */
export const resourceTypesOf = (action: Action): ReadonlyArray<string> => {
  const { on } = rowOf(action)
  return typesOf[on] ?? [on]
}

const appliesTo = (action: Action, type: WorldType): boolean => resourceTypesOf(action).includes(type)

/**
 * Returns the names of the resources to which an action applies. For an action on the platform, returns `[undefined]`.
 */
export const objectsOf = (world: DeployWorld, action: Action): ReadonlyArray<string | undefined> =>
  rowOf(action).on === "platform"
    ? [undefined]
    : [...world.resources].flatMap(([name, { type }]) => (appliesTo(action, type) ? [name] : []))

/** Parses an access question from words: a user, optionally `with` and abilities, an action, and a resource. */
export const questionOf = (
  world: DeployWorld,
  [user = "", ...rest]: ReadonlyArray<string>,
  fail: (invalid: InvalidLine) => never
): DeployQuestion => {
  if (!world.users.has(user)) return fail({ why: `\`${user}\` is not a user`, word: user, known: world.users })
  const isLimited = rest[0] === "with"
  const abilities: Array<Ability> = []
  let at = isLimited ? 1 : 0
  for (let word = rest[at]; isLimited && word !== undefined && isAbility(word); word = rest[++at]) abilities.push(word)
  const [action = "", object, ...more] = rest.slice(at)
  if (!isAction(action)) {
    const isBeforeAction = isLimited && rest.slice(at + 1).some(isAction)
    const known = isBeforeAction ? abilityNames : Object.keys(actions)
    return fail({ why: `\`${action}\` is not an ${isBeforeAction ? "ability" : "action"}`, word: action, known })
  }
  if (more[0] !== undefined) return fail(unexpected(more[0]))
  if (rowOf(action).on === "platform") {
    if (object !== undefined) fail({ why: `\`${action}\` needs no resource: remove \`${object}\``, word: object })
  } else {
    if (object === undefined) return fail({ why: `\`${action}\` needs a resource`, word: action })
    const resource = world.resources.get(object)
    if (resource === undefined || !appliesTo(action, resource.type)) {
      const why =
        resource === undefined
          ? `\`${object}\` is not a resource of the scenario`
          : `\`${action}\` does not apply to \`${object}\``
      return fail({ why, word: object, known: objectsOf(world, action).flatMap((each) => each ?? []) })
    }
  }
  return { user, abilities: isLimited ? abilities : undefined, action, object }
}

/** Returns the values that decide an access question. `more` contains additional grants of the user. */
export const factsOfQuestion = (
  world: DeployWorld,
  { abilities, object, user }: DeployQuestion,
  more: ReadonlyArray<HeldGrant> = []
) => {
  const caller = world.caller(user, abilities, more)
  const place: Place | undefined =
    object === undefined ? { teamId: teamOf(caller.access) } : world.resources.get(object)?.place
  return factsAt(caller, place !== undefined, place)
}

/** Decides an access question. `more` contains additional grants of the user. */
export const decideQuestion = (world: DeployWorld, question: DeployQuestion, more: ReadonlyArray<HeldGrant> = []) =>
  policies[question.action].decide(factsOfQuestion(world, question, more))
