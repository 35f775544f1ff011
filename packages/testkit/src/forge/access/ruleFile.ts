import { type Check, layoutOf, policy, type Vocabulary } from "@slipway/access"
import type { Theory } from "@slipway/access/proof"
import { Schema } from "effect"

type Written =
  | { readonly op: "flag"; readonly fact: string }
  | { readonly op: "is"; readonly fact: string; readonly word: string }
  | { readonly op: "atLeast"; readonly fact: string; readonly level: number }
  | { readonly op: "not"; readonly of: Written }
  | { readonly op: "all" | "any"; readonly of: ReadonlyArray<Written> }

const Node: Schema.Codec<Written> = Schema.Union([
  Schema.Struct({ op: Schema.Literal("flag"), fact: Schema.String }),
  Schema.Struct({ op: Schema.Literal("is"), fact: Schema.String, word: Schema.String }),
  Schema.Struct({ op: Schema.Literal("atLeast"), fact: Schema.String, level: Schema.Int }),
  Schema.Struct({ op: Schema.Literal("not"), of: Schema.suspend(() => Node) }),
  Schema.Struct({ op: Schema.Literals(["all", "any"]), of: Schema.Array(Schema.suspend(() => Node)) })
])

const Fact = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("flag"), yes: Schema.String, no: Schema.String }),
  Schema.Struct({
    kind: Schema.Literal("level"),
    of: Schema.String,
    levels: Schema.Array(Schema.Int),
    words: Schema.Array(Schema.String)
  }),
  Schema.Struct({ kind: Schema.Literal("word"), of: Schema.String, words: Schema.Array(Schema.String) })
])

const Rule = Schema.Struct({ id: Schema.String, when: Node, because: Schema.String })

const WrittenCheck = Schema.Struct({
  id: Schema.String,
  stage: Schema.String,
  grants: Schema.Array(Rule),
  forbids: Schema.Array(Rule),
  answer: Schema.Struct({ status: Schema.Int, message: Schema.String }),
  because: Schema.String
})

/** The services with access rules in a file. */
const services = ["forge", "deploy"] as const

/** The name of a service with access rules. */
export type RuleService = (typeof services)[number]

const RuleFile = Schema.Struct({
  format: Schema.Literal("slipway-access-rules-1"),
  service: Schema.Literals(services),
  vocabularies: Schema.Record(Schema.String, Schema.Record(Schema.String, Fact)),
  /** The distinct checks; many actions have the same ones. */
  checks: Schema.Array(WrittenCheck),
  /** The actions, each with the positions of its checks. */
  actions: Schema.Record(
    Schema.String,
    Schema.Struct({ on: Schema.String, checks: Schema.Array(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))) })
  ),
  consistency: Schema.Array(Schema.Struct({ when: Node, on: Schema.optionalKey(Schema.String) })),
  aboutCaller: Schema.Array(Schema.String),
  usual: Schema.Record(Schema.String, Schema.Union([Schema.Boolean, Schema.Int, Schema.String]))
})

const decode = Schema.decodeUnknownSync(RuleFile)

/** Returns the rules of a service as JSON, to compare them with those of another version. */
export const printRules = (service: RuleService, theory: Theory): string => {
  const { consistency, isAboutCaller, usual, vocabularies } = theory
  const facts = new Set(Object.values(vocabularies).flatMap((each) => Object.keys(each)))
  const places = new Map<string, number>()
  const checks: Array<Check<never>> = []
  const placeOf = (check: Check<never>): number => {
    const text = JSON.stringify(check)
    const known = places.get(text)
    if (known !== undefined) return known
    places.set(text, checks.length)
    return checks.push(check) - 1
  }
  const actions = Object.fromEntries(
    Object.entries(theory.actions).map(([name, { on, policy }]) => [name, { on, checks: policy.checks.map(placeOf) }])
  )
  return JSON.stringify({
    format: "slipway-access-rules-1",
    service,
    vocabularies,
    checks,
    actions,
    consistency,
    aboutCaller: [...facts].filter(isAboutCaller),
    usual
  } satisfies typeof RuleFile.Encoded)
}

const actionOf = (
  name: string,
  { checks, on }: { readonly checks: ReadonlyArray<Check<never> | undefined>; readonly on: string },
  vocabulary: Vocabulary | undefined
) => {
  if (vocabulary === undefined) throw new Error(`the action \`${name}\` has the unknown resource type \`${on}\``)
  const known = checks.flatMap((check) => check ?? [])
  if (known.length < checks.length) throw new Error(`the action \`${name}\` has a check that is not in \`checks\``)
  return { on, policy: policy<string, never>(name, known, layoutOf(vocabulary)) }
}

/** Parses the rules of a service from JSON. Throws an error that names the first invalid field. */
export const readRules = (service: RuleService, text: string): Theory => {
  const { aboutCaller, actions, vocabularies, ...file } = decode(JSON.parse(text))
  // BOUNDARY: the facts of a file are known by name only; `policy` rejects those that its vocabulary does not have.
  const checks = file.checks as unknown as ReadonlyArray<Check<never>>
  if (file.service !== service) throw new Error(`the rules are those of ${file.service}, not of ${service}`)
  return {
    vocabularies,
    actions: Object.fromEntries(
      Object.entries(actions).map(([name, { checks: places, on }]) => [
        name,
        actionOf(name, { on, checks: places.map((place) => checks[place]) }, vocabularies[on])
      ])
    ),
    classes: {},
    consistency: file.consistency,
    isAboutCaller: (fact) => aboutCaller.includes(fact),
    usual: file.usual
  }
}
