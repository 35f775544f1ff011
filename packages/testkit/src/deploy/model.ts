import { assert, describe, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Kind, Stores } from "@slipway/domain/deploy"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import {
  ApplicationStore,
  type Claimant,
  DeploymentStore,
  DomainKey,
  DomainStore,
  EnvironmentStore,
  PlacementStore,
  type ProjectUuid,
  TagStore,
  type TagUuid
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { TokenStore, type TokenUuid } from "@slipway/domain/deploy/identity"
import { DestinationStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Arbitrary, Cause, Effect, Exit, type Layer, Predicate, Schema } from "effect"
import { moment, newTag, uuidOf } from "./builders.ts"
import { type AnyRow, kindNames, kinds } from "./kinds.ts"
import { rowOf } from "./modelRows.ts"

// A few values of each type, so that commands affect the same rows.
const Number3 = Schema.Literals([1, 2, 3])
const Name = Schema.Literals(["a", "A", "b", "Straße", "STRASSE", "🚀"])
const AnyKind = Schema.Literals(kindNames as readonly [Kind, ...ReadonlyArray<Kind>])
const Keys = Schema.Array(Schema.Literals(["a.example", "b.example/path", "c.example:8080"])).check(
  Schema.isMaxLength(3)
)
const Holder = Schema.Literals(["application", "service", "instance"])
const WindowOf = Schema.Struct({
  after: Schema.NullOr(Number3),
  skip: Schema.Literals([0, 1, 2]),
  limit: Schema.Literals([0, 1, 2, 10])
})
const row = { kind: AnyKind, n: Number3, name: Name, parent: Number3 }

/** One operation on a store. */
const Statement = Schema.Union([
  Schema.Struct({ do: Schema.Literal("insert"), ...row }),
  Schema.Struct({ do: Schema.Literal("replace"), ...row }),
  Schema.Struct({ do: Schema.Literal("remove"), kind: AnyKind, n: Number3 }),
  Schema.Struct({ do: Schema.Literal("find"), kind: AnyKind, n: Number3 }),
  Schema.Struct({ do: Schema.Literal("list"), kind: AnyKind, window: WindowOf }),
  Schema.Struct({ do: Schema.Literal("ofParent"), n: Number3 }),
  Schema.Struct({ do: Schema.Literal("tagged"), name: Name, window: WindowOf }),
  Schema.Struct({ do: Schema.Literal("ensure"), names: Schema.Array(Name).check(Schema.isMaxLength(3)) }),
  Schema.Struct({ do: Schema.Literal("attach"), application: Number3, tag: Number3 }),
  Schema.Struct({ do: Schema.Literal("detach"), application: Number3, tag: Number3 }),
  Schema.Struct({ do: Schema.Literal("claim"), holder: Holder, n: Number3, keys: Keys }),
  Schema.Struct({ do: Schema.Literal("claims"), keys: Keys }),
  Schema.Struct({ do: Schema.Literal("cancelAll"), n: Number3 }),
  Schema.Struct({ do: Schema.Literal("deployments"), n: Number3, window: WindowOf }),
  Schema.Struct({ do: Schema.Literal("touch"), n: Number3, at: Number3 }),
  Schema.Struct({ do: Schema.Literal("settings"), at: Number3 }),
  Schema.Struct({ do: Schema.Literal("facts"), n: Number3, other: Number3, name: Name })
])
type Statement = typeof Statement.Type

/** A transaction of a random test: its commands, and whether it succeeds, fails or dies. Transactions can be nested. */
interface Block {
  readonly do: "transaction"
  readonly commands: ReadonlyArray<Command>
  readonly ends: "well" | "failing" | "dying"
}
type Command = Statement | Block

const Command: Schema.Codec<Command> = Schema.Union([
  Statement,
  Schema.Struct({
    do: Schema.Literal("transaction"),
    commands: Schema.Array(Schema.suspend((): Schema.Codec<Command> => Command)),
    ends: Schema.Literals(["well", "failing", "dying"])
  })
])

const holderOf = (type: "application" | "service" | "instance", n: number): Claimant =>
  type === "instance" ? { type, uuid: null } : { type, uuid: uuidOf(type, n) }

// Stores assign ids freely, but in the order of insertion, which the lists show.
const withoutNumbers = (answer: unknown): unknown => {
  if (Array.isArray(answer)) return answer.map(withoutNumbers)
  if (!Predicate.isObject(answer)) return answer
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) => (name === "id" ? [] : [[name, withoutNumbers(value)]]))
  )
}

const windowFrom = (kind: Kind, { after, limit, skip }: typeof WindowOf.Type) =>
  Effect.gen(function* () {
    const from = after === null ? undefined : yield* (yield* kinds[kind].store).find(uuidOf(kind, after))
    return { after: from?.id, skip, limit }
  })

const perform = Effect.fnUntraced(function* (statement: Statement) {
  switch (statement.do) {
    case "insert": {
      const { kind, n, name, parent } = statement
      return yield* (yield* kinds[kind].store).insert(rowOf(kind, n, name, parent))
    }
    case "replace": {
      const { kind, n, name, parent } = statement
      const store = yield* kinds[kind].store
      const present = yield* store.lock(uuidOf(kind, n))
      return yield* store.replace({ ...rowOf(kind, n, name, parent), id: present?.id ?? 1 } as AnyRow)
    }
    case "remove":
      return yield* (yield* kinds[statement.kind].store).remove(uuidOf(statement.kind, statement.n))
    case "find":
      return yield* (yield* kinds[statement.kind].store).find(uuidOf(statement.kind, statement.n))
    case "list": {
      const store = yield* kinds[statement.kind].store
      return [yield* store.list(yield* windowFrom(statement.kind, statement.window)), yield* store.count]
    }
    case "ofParent":
      return [
        yield* (yield* EnvironmentStore).ofProject(uuidOf<ProjectUuid>("project", statement.n)),
        yield* (yield* DestinationStore).ofServer(uuidOf<ServerUuid>("server", statement.n)),
        yield* (yield* TagStore).ofApplication(uuidOf<ApplicationUuid>("application", statement.n))
      ]
    case "tagged": {
      const store = yield* ApplicationStore
      const window = yield* windowFrom("application", statement.window)
      return [yield* store.tagged(statement.name, window), yield* store.countTagged(statement.name)]
    }
    case "ensure":
      // A separate range of numbers, so that no created tag has the uuid of another.
      return yield* (yield* TagStore).ensure(
        statement.names.map((name, at) => newTag([..."aAb🚀SZ"].indexOf(name.at(0) ?? "") * 10 + at + 10, { name }))
      )
    case "attach":
      return yield* (yield* TagStore).attach(uuidOf("application", statement.application), [
        uuidOf("tag", statement.tag)
      ])
    case "detach":
      return yield* (yield* TagStore).detach(
        uuidOf<ApplicationUuid>("application", statement.application),
        uuidOf<TagUuid>("tag", statement.tag)
      )
    case "claim": {
      const store = yield* DomainStore
      const keys = statement.keys.map((key) => DomainKey.make(key))
      yield* store.lock(keys)
      return yield* store.replace(holderOf(statement.holder, statement.n), keys)
    }
    case "claims":
      return yield* (yield* DomainStore).claims(statement.keys.map((key) => DomainKey.make(key)))
    case "cancelAll":
      return yield* (yield* DeploymentStore).cancelAll(uuidOf("application", statement.n), moment(77))
    case "deployments":
      return yield* (yield* DeploymentStore).ofApplication(
        uuidOf("application", statement.n),
        yield* windowFrom("deployment", statement.window)
      )
    case "touch": {
      const store = yield* TokenStore
      yield* store.touch(uuidOf<TokenUuid>("token", statement.n), moment(statement.at))
      return yield* store.findByHash(uuidOf("privateKey", statement.n))
    }
    case "settings": {
      const store = yield* SettingsStore
      const written = {
        instanceDomains: `https://${statement.at}.example`,
        isApiEnabled: true,
        isMcpEnabled: statement.at === 2,
        keyCheck: null,
        createdAt: moment(0),
        updatedAt: moment(statement.at)
      }
      const before = yield* (yield* Transaction).run(Effect.tap(store.lock, () => store.write(written)))
      return [before, yield* store.read]
    }
    case "facts":
      return yield* (yield* PlacementStore).facts({
        projectUuid: uuidOf("project", statement.n),
        environmentName: statement.name,
        environmentUuid: uuidOf("environment", statement.other),
        serverUuid: uuidOf("server", statement.n),
        destinationUuid: uuidOf("destination", statement.other),
        privateKeyUuid: uuidOf("privateKey", statement.n),
        forgeAppUuid: uuidOf("forgeApp", statement.other)
      })
  }
})

const outcome = (exit: Exit.Exit<unknown, { readonly _tag: string } | "failing">): unknown => {
  if (Exit.isSuccess(exit)) return withoutNumbers(exit.value)
  if (Cause.hasDies(exit.cause)) return "a defect"
  const failure = Cause.squash(exit.cause)
  return Predicate.hasProperty(failure, "_tag") ? failure._tag : failure
}

type Answers = ReadonlyArray<unknown>

/** Runs commands and returns their results. A command that dies rolls back its transaction. */
const run = (commands: ReadonlyArray<Command>): Effect.Effect<Answers, never, Stores> =>
  Effect.forEach(
    commands,
    (command): Effect.Effect<unknown, never, Stores> =>
      command.do === "transaction" ? transaction(command) : Effect.map(Effect.exit(perform(command)), outcome)
  )

const within = (commands: ReadonlyArray<Command>): Effect.Effect<Answers, never, Stores> =>
  Effect.forEach(
    commands,
    (command): Effect.Effect<unknown, never, Stores> =>
      command.do === "transaction"
        ? transaction(command)
        : Effect.flatMap(Effect.exit(perform(command)), (exit) =>
            Exit.isFailure(exit) && Cause.hasDies(exit.cause)
              ? Effect.die(Cause.squash(exit.cause))
              : Effect.succeed(outcome(exit))
          )
  )

const transaction = ({ commands, ends }: Block): Effect.Effect<unknown, never, Stores> =>
  Effect.gen(function* () {
    let answers: Answers = []
    const all = Effect.map(within(commands), (each) => {
      answers = each
    })
    const ended = {
      well: all,
      failing: Effect.andThen(all, Effect.fail("failing" as const)),
      dying: Effect.andThen(all, Effect.die("dying"))
    }
    const exit = yield* Effect.exit((yield* Transaction).attempt<void, "failing", Stores>(ended[ends]))
    return [answers, Exit.isSuccess(exit) ? "kept" : outcome(exit)]
  })

const everything = Effect.gen(function* () {
  const keys = ["a.example", "b.example/path", "c.example:8080"].map((key) => DomainKey.make(key))
  return withoutNumbers([
    yield* Effect.forEach(kindNames, (kind) =>
      Effect.flatMap(kinds[kind].store, (store) => Effect.all([store.list({ limit: 1_000 }), store.count]))
    ),
    yield* Effect.forEach(["a", "b", "strasse", "🚀"], (name) =>
      Effect.flatMap(ApplicationStore, (store) =>
        Effect.all([store.tagged(name, { limit: 1_000 }), store.countTagged(name)])
      )
    ),
    yield* (yield* DomainStore).claims(keys),
    yield* Effect.forEach([1, 2, 3], (n) =>
      Effect.flatMap(TagStore, (store) => store.ofApplication(uuidOf<ApplicationUuid>("application", n)))
    ),
    yield* (yield* SettingsStore).read
  ])
})

// Two rows of each type, so that most commands find a row.
const prelude = (
  [
    "project",
    "privateKey",
    "environment",
    "server",
    "destination",
    "forgeApp",
    "gitlabApp",
    "registry",
    "s3Storage",
    "tag",
    "application",
    "service"
  ] as const
).flatMap((kind) =>
  ([1, 2] as const).map((n): Command => ({ do: "insert", kind, n, name: n === 1 ? "b" : "🚀", parent: n }))
)

interface Options {
  readonly runs?: number
  readonly seed?: string | number
}

const play = (commands: ReadonlyArray<Command>) => Effect.all([run([...prelude, ...commands]), everything])

/**
 * Runs the same random commands on two stores, and compares the results.
 *
 * Returns the shortest sequence of commands with a difference, as text; undefined if the results are equal.
 */
export const difference = <E, E2>(
  one: Layer.Layer<Stores, E>,
  other: Layer.Layer<Stores, E2>,
  options: Options = {}
): Effect.Effect<string | undefined> =>
  Effect.map(
    Arbitrary.checkEffect(
      Arbitrary.array(Arbitrary.schema(Command), { maxLength: 60 }),
      (commands) =>
        Effect.gen(function* () {
          const expected = yield* Effect.provide(play(commands), one, { local: true })
          const actual = yield* Effect.provide(play(commands), other, { local: true })
          assert.deepStrictEqual(actual, expected)
          return true
        }).pipe(Effect.catchCause((cause) => Effect.fail(Cause.squash(cause)))),
      { runs: 100, size: 60, seed: "slipway", ...options }
    ),
    Arbitrary.formatCheckFailure
  )

/** Registers a model test: random commands must have the same results on two stores, and must leave the same rows. */
export const model = <E, E2>(
  name: string,
  one: Layer.Layer<Stores, E>,
  other: Layer.Layer<Stores, E2>,
  options?: Options
): void => {
  describe(name, () => {
    it.live(
      "random commands have equal results on both stores and leave equal contents",
      () => Effect.map(difference(one, other, options), (found) => assert.isUndefined(found)),
      300_000
    )
  })
}
