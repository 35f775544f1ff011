import { resolve } from "node:path"
import { GitReader, GitWriter } from "@slipway/domain/forge/code"
import { PathExpressions } from "@slipway/domain/forge/collaboration"
import { Context, Effect, Layer } from "effect"
import { makeReader } from "./objects/reader.ts"
import { makeStore, type StoreLimits, usualLimits } from "./objects/store.ts"
import { makeWriter } from "./objects/writer.ts"
import { pathExpressions } from "./pathExpressions.ts"
import { makeRepositoryLocks } from "./repositoryLocks.ts"

/**
 * Layer that reads and writes git objects and refs of the repositories below `root`; processes may share the folder.
 */
export const layerGitObjects = (root: string, limits: Partial<StoreLimits> = {}): Layer.Layer<GitReader | GitWriter> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* makeStore(resolve(root), { ...usualLimits, ...limits })
      const turns = yield* makeRepositoryLocks(resolve(root))
      return Context.make(GitReader, makeReader(store)).pipe(
        Context.add(GitWriter, makeWriter(store, turns)),
        Context.add(PathExpressions, pathExpressions)
      )
    })
  )
