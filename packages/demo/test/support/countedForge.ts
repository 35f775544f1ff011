import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { GitReader } from "@slipway/domain/forge/code"
import type { ForgeOptions } from "@slipway/embed"
import { layerGitObjects } from "@slipway/git/forge"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentTransformer, type Statement, type Transformer } from "effect/sql/Statement"

/** What one request did. */
export interface Counts {
  readonly statements: ReadonlyArray<string>
  readonly gitReads: ReadonlyArray<string>
}

/** The options of a forge on embedded PostgreSQL that counts the statements and git reads of requests. */
export interface CountedForge {
  readonly options: Pick<ForgeOptions, "git" | "ports" | "store">
  /** Counts during a function. Background work is not counted, because it belongs to no request. */
  readonly during: (run: () => Promise<unknown>) => Promise<Counts>
  readonly remove: () => void
}

/** Creates the options of a forge that counts. */
export const countedForge = (): CountedForge => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-counted-"))
  let statements: Array<string> = []
  let gitReads: Array<string> = []
  const record: Transformer = (statement, _, fiber) =>
    Effect.sync(() => {
      if (Context.getOrUndefined(fiber.context, HttpServerRequest.HttpServerRequest) !== undefined) {
        const [text] = (statement as Statement<unknown>).compile()
        statements.push(text)
      }
      return statement
    })
  const counting = Layer.effect(
    GitReader,
    Effect.map(
      GitReader,
      (reader) =>
        new Proxy(reader, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name)
            if (typeof value !== "function" || typeof name !== "string") return value
            return (...given: ReadonlyArray<unknown>) => {
              gitReads.push(name)
              return Reflect.apply(value, target, given)
            }
          }
        })
    )
  )
  const database = Layer.merge(
    Database.layerInMemory({ schema: "forge", migrations }),
    Layer.succeed(CurrentTransformer, record)
  )
  return {
    options: {
      git: { directory },
      store: Layer.provideMerge(layerStores, database),
      ports: Layer.provide(counting, layerGitObjects(directory)) as Layer.Layer<never, unknown>
    },
    during: async (run) => {
      statements = []
      gitReads = []
      await run()
      return { statements, gitReads }
    },
    remove: () => rmSync(directory, { recursive: true, force: true })
  }
}
