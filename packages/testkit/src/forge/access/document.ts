import { type LevelWord, levelWords, parseLevel, visibilities } from "@slipway/access"
import {
  everyUnit,
  type ItemKind,
  itemKinds,
  normaliseUnits,
  PolicySet,
  parseUnit,
  type Rulebook,
  scopeWords,
  switchVocabulary,
  teamVisibilities,
  type Unit,
  unitKeys
} from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { Schema } from "effect"
import { ownFactsOf, ownKindsOf, ownVocabularyOf } from "../customResources.ts"
import { checkWorld, parseQuestions, type Question } from "../parse.ts"
import type { World, WorldRepository } from "../World.ts"
import { pathOf, presentTime, timeOf, WorldError } from "../worldLine.ts"
import type { Scenario } from "./Scenario.ts"

const name = Schema.NonEmptyString
const names = Schema.Array(name)
const flag = Schema.optionalKey(Schema.Boolean)
const visibility = Schema.optionalKey(Schema.Literals(visibilities))
const scopes = Schema.Array(Schema.Literals(scopeWords as readonly ["all", ...typeof scopeWords]))
const shortUnits = unitKeys.map((unit) => unit.replace("repo.", ""))
const unit = Schema.Literals(shortUnits)
const level = Schema.Literals(levelWords)

const User = Schema.Struct({
  visibility,
  admin: flag,
  restricted: flag,
  secondFactor: flag,
  createsOrganizations: flag,
  tokens: Schema.optionalKey(Schema.Record(Schema.String, scopes)).annotate({
    description: "The scope of each of their tokens."
  })
})

const Team = Schema.Struct({
  visibility: Schema.optionalKey(Schema.Literals(teamVisibilities)),
  members: Schema.optionalKey(names),
  repositories: Schema.optionalKey(Schema.Union([Schema.Literal("all"), names])),
  units: Schema.optionalKey(
    Schema.Union([
      Schema.Literal("admin"),
      Schema.Struct(Object.fromEntries(shortUnits.map((each) => [each, Schema.optionalKey(level)])))
    ])
  ),
  createsRepositories: flag
}).annotate({ description: "The team called Owners owns its organization." })

const permitted = Schema.optionalKey(Schema.Union([Schema.Literal("*"), names]))

const Repository = Schema.Struct({
  private: flag,
  archived: flag,
  mirror: flag,
  off: Schema.optionalKey(Schema.Array(unit)).annotate({ description: "The disabled units." }),
  collaborators: Schema.optionalKey(Schema.Record(Schema.String, level)),
  protections: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Struct({ push: permitted, force: permitted }))
  ).annotate({
    description: "By branch or glob: the users who may push to it and rewrite it; `*` for all writers."
  })
})

const Item = Schema.Struct({
  kind: Schema.Literals(itemKinds as readonly [ItemKind, ...ReadonlyArray<ItemKind>]),
  at: Schema.NonEmptyString.annotate({ description: "The path of the resource: acme/site#1." }),
  facts: Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([Schema.Literal(true), name]))).annotate({
    description: "The facts that apply: true, or the name of the only user that they apply to."
  })
})

interface ThingDocument {
  readonly kind: string
  readonly name: string
  readonly facts?: Readonly<Record<string, boolean | string | number>>
}

/** Returns the schemas of the fields of a custom resource type in a scenario file. */
const factDocuments = (rulebook: Rulebook, kind: string) =>
  Object.entries(ownVocabularyOf(rulebook, kind)).map(([fact, described]) => [
    fact,
    Schema.optionalKey(
      described.kind === "flag"
        ? Schema.Union([Schema.Boolean, name])
        : Schema.Literals(described.words as readonly [string, ...ReadonlyArray<string>])
    ).annotate(
      described.kind === "flag"
        ? { description: `${described.yes}; true, false, or the only user that it applies to` }
        : { description: described.of }
    )
  ])

/**
 * Returns the fields of a scenario file for custom rules: the custom resources, and the time at which the rules are
 * evaluated.
 */
const fieldsOf = (rulebook: Rulebook) => {
  const kinds = ownKindsOf(rulebook).map((kind) =>
    Schema.Struct({
      kind: Schema.Literal(kind),
      name,
      facts: Schema.optionalKey(Schema.Struct(Object.fromEntries(factDocuments(rulebook, kind))))
    })
  )
  // BOUNDARY: the resource types are those of the rules, which the compiler cannot follow.
  const thing = Schema.Union(kinds) as unknown as Schema.Codec<ThingDocument>
  return {
    at: Schema.optionalKey(name).annotate({
      description: "The time for custom facts, in ISO 8601."
    }),
    things: Schema.optionalKey(Schema.Array(thing))
  }
}

// BOUNDARY: files for the library's rules lack these fields, which are optional.
const ownFields = (policy: AnyPolicySet): ReturnType<typeof fieldsOf> =>
  policy === PolicySet.builtIn ? ({} as never) : fieldsOf(policy.rulebook)

const worldDocument = (policy: AnyPolicySet) =>
  Schema.Struct({
    ...ownFields(policy),
    site: Schema.optionalKey(
      Schema.Struct(Object.fromEntries(Object.keys(switchVocabulary).map((each) => [each, flag])))
    ),
    users: Schema.optionalKey(Schema.Record(Schema.String, User)),
    organizations: Schema.optionalKey(
      Schema.Record(
        Schema.String,
        Schema.Struct({ visibility, teams: Schema.optionalKey(Schema.Record(Schema.String, Team)) })
      )
    ),
    repositories: Schema.optionalKey(Schema.Record(Schema.String, Repository)),
    items: Schema.optionalKey(Schema.Array(Item)),
    blocks: Schema.optionalKey(Schema.Array(Schema.Struct({ blocker: name, blocked: name })))
  })

const Expectation = Schema.Union([
  Schema.String.annotate({ description: "bob repository.read acme/site -> allowed by repository.team" }),
  Schema.Struct({
    who: name.annotate({ description: "The name of a user, or anonymous." }),
    with: Schema.optionalKey(names).annotate({ description: "The scopes of a token, or the name of a token." }),
    does: name.annotate({ description: "An action, pushes, rewrites, deletes or lists." }),
    on: Schema.optionalKey(names),
    answer: Schema.Union([Schema.Literal("allowed"), Schema.Int, names]),
    by: Schema.optionalKey(names)
  })
])

/** Returns the schema of scenario files in YAML and JSON, including the custom resource types of the rules. */
export const scenarioDocument = (policy: AnyPolicySet = PolicySet.builtIn) => {
  const world = Schema.optionalKey(worldDocument(policy))
  return Schema.Struct({
    world: world.annotate({ description: "The common start of every scenario of the file." }),
    scenarios: Schema.Array(Schema.Struct({ name, world, expect: Schema.Array(Expectation) }))
  }).annotate({ identifier: "AccessScenarios", title: "Scenarios of access" })
}

type WorldDocument = ReturnType<typeof worldDocument>["Type"]

/** Returns the JSON schema of scenario files, including the custom resource types of the rules. */
export const scenarioJsonSchema = (policy?: AnyPolicySet): Record<string, unknown> => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(scenarioDocument(policy))
  const document = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, $defs: definitions }
  // Files reject unknown fields, which the schema generator does not express.
  return JSON.parse(
    JSON.stringify(document, (key, value) => (key === "additionalProperties" && value === true ? false : value))
  )
}

const unitOf = (short: string): Unit => parseUnit(`repo.${short}`) as Unit
const levelOf = (word: LevelWord = "none") => parseLevel(word) ?? 0

/** Returns the value of a field of a custom resource in the text format, such as `size=a4`. */
const factWord = ([fact, value]: readonly [string, boolean | string | number]): ReadonlyArray<string> =>
  value === false ? [] : [value === true ? fact : `${fact}=${value}`]

const ownOf = (policy: AnyPolicySet, { at, things = [] }: WorldDocument): Pick<World, "own" | "rules"> => ({
  rules: { policy, at: at === undefined ? presentTime() : timeOf(at, at) },
  own: Object.fromEntries(
    things.map(({ facts = {}, kind, name: own }) => [
      `${kind} ${own}`,
      ownFactsOf(policy.rulebook, kind, Object.entries(facts).flatMap(factWord), (word) => new WorldError(own, word))
    ])
  )
})

const worldOf = ({
  blocks = [],
  items = [],
  organizations = {},
  repositories = {},
  site = {},
  users = {}
}: WorldDocument): World => ({
  site,
  users: new Map(
    Object.entries(users).map(([each, { tokens: _, ...settings }]) => [
      each,
      {
        visibility: "public",
        admin: false,
        restricted: false,
        secondFactor: false,
        createsOrganizations: true,
        ...settings,
        name: each
      }
    ])
  ),
  tokens: new Map(
    Object.entries(users).flatMap(([who, { tokens = {} }]) =>
      Object.entries(tokens).map(([each, words]) => [`${who}/${each}`, words] as const)
    )
  ),
  organizations: new Map(
    Object.entries(organizations).map(([each, { visibility: seen = "public" }]) => [
      each,
      { name: each, visibility: seen }
    ])
  ),
  teams: Object.entries(organizations).flatMap(([organization, { teams = {} }]) =>
    Object.entries(teams).map(([each, settings]) => {
      const owners = each === "Owners"
      const units = settings.units ?? {}
      return {
        organization,
        name: each,
        visibility: settings.visibility ?? "private",
        units:
          owners || units === "admin"
            ? everyUnit(3)
            : normaliseUnits(
                Object.fromEntries(Object.entries(units).map(([key, word]) => [unitOf(key), levelOf(word)]))
              ),
        owners,
        createsRepositories: owners || (settings.createsRepositories ?? false),
        repositories: owners ? "all" : (settings.repositories ?? []),
        members: settings.members ?? []
      } as const
    })
  ),
  repositories: Object.entries(repositories).map(([each, settings]): WorldRepository => {
    const [owner, repository] = pathOf(each, each)
    return {
      owner,
      name: repository,
      private: settings.private ?? false,
      archived: settings.archived ?? false,
      mirror: settings.mirror ?? false,
      off: (settings.off ?? []).map(unitOf),
      collaborators: new Map(Object.entries(settings.collaborators ?? {}).map(([who, word]) => [who, levelOf(word)]))
    }
  }),
  protections: Object.entries(repositories).flatMap(([repository, { protections = {} }]) =>
    Object.entries(protections).map(([rule, { force = [], push = [] }]) => ({ repository, rule, push, force }))
  ),
  items: items.map(({ at, facts = {}, kind }) => ({
    kind,
    path: at,
    facts: new Map(Object.entries(facts).map(([fact, on]) => [fact, on === true ? true : { user: on }] as const))
  })),
  blocks
})

const joined = (common: WorldDocument, own: WorldDocument): WorldDocument => ({
  site: { ...common.site, ...own.site },
  users: { ...common.users, ...own.users },
  organizations: { ...common.organizations, ...own.organizations },
  repositories: { ...common.repositories, ...own.repositories },
  items: [...(common.items ?? []), ...(own.items ?? [])],
  blocks: [...(common.blocks ?? []), ...(own.blocks ?? [])],
  things: [...(common.things ?? []), ...(own.things ?? [])],
  ...(own.at === undefined && common.at === undefined ? {} : { at: own.at ?? common.at ?? "" })
})

const questionsOf = (expected: ReadonlyArray<typeof Expectation.Type>, { tokens }: World): ReadonlyArray<Question> =>
  expected.flatMap((each) => {
    if (typeof each === "string") return parseQuestions(each, tokens)
    const { answer, by = [], does, on = [], who, with: words } = each
    const said = typeof answer === "object" ? answer.join(", ") : String(answer)
    const token = words === undefined ? "" : ` with ${words.join(", ")}`
    const because = by.length === 0 ? "" : ` by ${by.join(" ")}`
    return parseQuestions(`${who}${token} ${does} ${on.join(" ")} -> ${said}${because}`, tokens)
  })

/** Returns the scenarios of a parsed YAML or JSON file. Throws an error with the location of an invalid value. */
export const scenariosOf = (document: unknown, policy?: AnyPolicySet): ReadonlyArray<Scenario> => {
  const decode = Schema.decodeUnknownSync(scenarioDocument(policy), { onExcessProperty: "error" })
  const { scenarios, world: common = {} } = decode(document)
  return scenarios.map(({ expect, name: title, world: more = {} }) => {
    const whole = joined(common, more)
    const world = { ...worldOf(whole), ...(policy === undefined ? {} : ownOf(policy, whole)) }
    checkWorld(world)
    return { name: title, world, questions: questionsOf(expect, world) }
  })
}
