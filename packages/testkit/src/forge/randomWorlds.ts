import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { newSiteSwitches } from "@slipway/domain/forge/access"
import { Effect, Layer } from "effect"
import { register } from "../contract.ts"
import { actionsOn, askerName, askersOf, resourcesIn } from "./access/resources.ts"
import { askPure } from "./ask.ts"
import { type Dice, dice } from "./model.ts"
import { parseWorld, type Question } from "./parse.ts"
import { plantResources, plantUsers } from "./plant.ts"
import { branchVerbs } from "./pushes.ts"
import { askStored, inOrder, isStored } from "./storeAnswers.ts"
import { testEnv } from "./testEnv.ts"
import type { Asker, World } from "./World.ts"

const seen = ["public", "limited", "private"] as const

/** The users and resources of a random world, in addition to the administrator `ann` and the restricted user `rex`. */
const casts = {
  usual: {
    users: ["bob", "cy", "dora"],
    guests: ["cy", "rex"],
    organizations: [
      ["acme", "vault"],
      ["inner", "plan"]
    ],
    paths: ["acme/site", "acme/vault", "inner/plan", "bob/notes", "dora/diary"]
  },
  small: { users: ["bob"], guests: ["rex"], organizations: [["acme", "site"]], paths: ["acme/site", "bob/notes"] }
} as const

/** Generates a random test world with a few users, organizations, teams and repositories, as text. */
export const randomWorld = (
  { below, of }: Dice,
  size: keyof typeof casts = "usual"
): { readonly text: string; readonly world: World } => {
  const { guests, organizations, paths, users } = casts[size]
  const people = ["ann", ...users, "rex"] as const
  const maybe = (words: string) => (below(3) === 0 ? words : "")
  const units = () =>
    of(["admin", "code=read", "code=write issues=read", "issues=write pulls=read", "wiki=write packages=write", ""])
  const text = [
    "user ann admin",
    ...users.map((name) => `user ${name} ${of(seen)} ${maybe("no-organizations")}`),
    "user rex restricted",
    ...organizations.map(([name]) => `organization ${name} ${of(seen)}`),
    ...paths.map(
      (path) =>
        `repository ${path} ${maybe("private")} ${maybe("archived")} ${maybe(`off=${of(["code", "issues", "wiki,pulls"])}`)}`
    ),
    ...organizations.flatMap(([name, repository]) => [
      `team ${name}/Owners: ${of(people)}`,
      `team ${name}/crew ${of(seen)} ${maybe("creates")} ${units()} on ${of(["*", repository])}: ${of(people)}`
    ]),
    `collaborator ${of(guests)} ${of(["read", "write", "admin"])} ${of(paths)}`,
    `protection acme/site ${of(["main", "*"])} push=${of(["*", "crew", "bob", ""])} force=${of(["*", "crew", ""])}`,
    `issue acme/site#1 author=${of(people)} ${maybe("locked")}`,
    `block ${of(["acme", "bob"])} ${of(guests)}`
  ].join("\n")
  return { text, world: parseWorld(text) }
}

const shownLists = ["repository", "team", "user", "organization-directory"] as const

/**
 * Generates random access questions about a world: actions on each resource, changes of branches, and lists for all or
 * some users.
 */
export const randomQuestions = (
  world: World,
  { below, of }: Dice,
  count = 40,
  listing = Number.POSITIVE_INFINITY
): ReadonlyArray<Question> => {
  const askers: ReadonlyArray<Asker> = [
    ...askersOf(world),
    { name: "bob", token: ["all", "public-only"] },
    { name: "ann", token: ["read:repository", "read:organization", "read:user"] }
  ]
  const any = <A>(choices: ReadonlyArray<A>): A => choices[below(choices.length)] as A
  const kinds = [
    "user",
    "organization",
    "team",
    "repository",
    "packageOwner",
    "organizationUser",
    "issue",
    "site"
  ] as const
  const asked = Array.from({ length: count }, (): Omit<Question, "text" | "answer" | "by"> => {
    const asker = any(askers)
    if (below(8) === 0) return { asker, action: of(branchVerbs), things: ["acme/site", of(["main", "topic"])] }
    const kind = of(kinds)
    return { asker, action: any(actionsOn(kind)), things: any(resourcesIn(world, kind)) }
  })
  const first = below(askers.length)
  const lists = [...askers.slice(first), ...askers.slice(0, first)]
    .slice(0, listing)
    .flatMap((asker) => shownLists.map((list) => ({ asker, action: "lists", things: [list] })))
  return [...asked, ...lists].map((each) => {
    const text = `${askerName(each.asker)} ${each.action} ${each.things.join(" ")}`
    const question = { ...each, text, answer: "", by: [] }
    return { ...question, ...askPure(world, question) }
  })
}

/**
 * The options of random tests: the seed, the number of worlds, and per world the number of questions and of callers
 * that request lists.
 */
export interface RandomWorlds {
  readonly runs: number
  readonly seed: number
  readonly questions?: number
  readonly listing?: number
  readonly size?: Parameters<typeof randomWorld>[1]
}

/**
 * Registers tests with random worlds: the decisions and lists of stores must equal those that are computed from the
 * world.
 */
export const randomWorlds = <E>(
  name: string,
  layer: Layer.Layer<Stores, E>,
  { listing, questions, runs, seed, size }: RandomWorlds
): void =>
  register(
    name,
    Layer.mergeAll(layer, testEnv({ switches: newSiteSwitches })),
    [
      {
        port: "random worlds",
        musts: Object.fromEntries(
          Array.from({ length: runs }, (_, at) => seed + at).map((from) => [
            `get decisions and lists that follow only from the facts, in world ${from}`,
            Effect.gen(function* () {
              const fall = dice(from)
              const { text, world } = randomWorld(fall, size)
              yield* plantUsers(world)
              yield* plantResources(world)
              for (const question of randomQuestions(world, fall, questions, listing).filter(isStored)) {
                const got = inOrder(yield* askStored(world, question))
                const { answer, by, text: asked } = question
                assert.deepStrictEqual({ asked, ...got }, { asked, ...inOrder({ answer, by }) }, text)
              }
            })
          ])
        )
      }
    ],
    // Many of these tests run next to other work, at a low priority.
    300_000
  )
