import { assert } from "@effect/vitest"
import { Vault } from "@slipway/domain"
import {
  AccessTokenStore,
  type Action,
  type ActionName,
  actions,
  Entry,
  hashOf,
  installed,
  type LoadedKind,
  makeTokenText,
  PasswordHasher,
  SecondFactorStore,
  type SeenUser,
  type Stores,
  secondFactorOwner,
  stepAt,
  type Target,
  UserStore
} from "@slipway/domain/forge"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { NetAddress } from "effect/net"
import { type Contract, register } from "../contract.ts"
import type { Answered } from "./ask.ts"
import { all, newAccessToken, newUser } from "./builders.ts"
import { accessCases } from "./cases/access.ts"
import { codeFor, type Ground, means } from "./means.ts"
import { parseQuestions, parseWorld, type Question } from "./parse.ts"
import type { Asker, World } from "./World.ts"

const password = "correct horse battery"
const secret = Redacted.make("the secret of every second factor")

/** Stores the users of a world, all with one password. */
const plantUsers = Effect.fnUntraced(function* (world: World) {
  const users = yield* UserStore
  const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
  for (const [n, each] of [...world.users.values()].entries()) {
    const { admin, createsOrganizations, name, restricted, secondFactor, visibility } = each
    const facts = { name, visibility, admin, restricted, passwordHash, mayCreateOrganizations: createsOrganizations }
    const { id } = yield* users.insert(newUser(n, facts))
    if (!secondFactor) continue
    const sealed = yield* (yield* Vault).seal(secondFactorOwner(id), secret)
    yield* (yield* SecondFactorStore).write({ userId: id, secret: sealed, confirmed: true, lastStep: 0 })
  }
})

/** Returns what someone of a world sends to sign in. */
const sentBy = Effect.fnUntraced(function* (asker: Asker) {
  const address = NetAddress.ipFromStringUnsafe("192.0.2.1")
  if (asker.name === undefined) return { address }
  const found = yield* (yield* UserStore).named(asker.name)
  assert.isDefined(found)
  if (asker.token === undefined) {
    const step = stepAt(DateTime.toEpochMillis(yield* DateTime.now))
    const authorization = `Basic ${Base64.encode(`${asker.name}:${password}`)}`
    return { address, authorization, oneTimeCode: codeFor(secret, step) }
  }
  const text = yield* makeTokenText
  const token = newAccessToken(1, found.user, { scopes: asker.token, hash: yield* hashOf(text) })
  yield* Effect.orDie((yield* AccessTokenStore).insert(token))
  return { address, authorization: `Bearer ${text}` }
})

const answered = (
  effect: Effect.Effect<ReadonlyArray<string>, unknown, Ground>
): Effect.Effect<Answered, unknown, Ground> =>
  Effect.matchEffect(effect, {
    onSuccess: (by): Effect.Effect<Answered, unknown> => Effect.succeed({ answer: "allowed", by }),
    onFailure: (error) =>
      error instanceof Entry.AccessRefused
        ? Effect.succeed({ answer: String(error.decision.answer.status), by: error.decision.by })
        : Effect.fail(error)
  })

/** Answers a question about users or the site from the stores, as a request would be answered. */
const askStored = Effect.fnUntraced(function* (question: Question) {
  const sent = yield* sentBy(question.asker)
  const [name = ""] = question.things
  if (question.action === "lists") {
    const { actor } = yield* Entry.enter(sent, { kind: "site" })
    const { rows } = yield* (yield* UserStore).search(actor, {}, all)
    return { answer: rows.map((row: SeenUser) => row.name).join(", "), by: [] }
  }
  const action = question.action as "user.read"
  const { on } = actions[action as ActionName] as Action
  const about = (on === "site" ? { kind: "site" } : { kind: "user", name }) as Target<LoadedKind>
  return yield* answered(
    Effect.flatMap(Entry.enter(sent, about), (entered) =>
      Effect.map(Entry.authorize(action, entered as never), (proof) => proof.by)
    )
  )
})

const isAbout = ({ action, things }: Question): boolean =>
  action === "lists" ? things[0] === "user" : ["site", "user"].includes((actions[action as ActionName] as Action).on)

const inOrder = (answer: Answered): Answered =>
  answer.answer.includes(", ") ? { ...answer, answer: answer.answer.split(", ").toSorted().join(", ") } : answer

/** Registers the questions of the worlds that are about users or the site; `layer` is built anew for each, and empty. */
export const worlds = <E>(name: string, layer: Layer.Layer<Stores, E>): void => {
  for (const each of accessCases) {
    const world = parseWorld(each.world)
    const questions = parseQuestions(each.questions).filter(isAbout)
    if (questions.length === 0) continue
    const contract: Contract<Ground> = {
      port: each.name,
      musts: Object.fromEntries(
        questions.map((question) => [
          question.text,
          Effect.gen(function* () {
            yield* plantUsers(world)
            const { answer, by } = question
            assert.deepStrictEqual(inOrder(yield* askStored(question)), inOrder({ answer, by }))
          })
        ])
      )
    }
    const site = means({ switches: { ...installed, ...world.site } })
    register(name, Layer.mergeAll(layer, site), [contract])
  }
}
