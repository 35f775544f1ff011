import { formatCommit, GitWriter } from "@slipway/domain/forge/code"
import { SiteSigner } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"

/** Wraps `GitWriter` so that commits created by the site are signed with the site's key; no key, no signature. */
export const layerSigningWriter = Layer.effect(
  GitWriter,
  Effect.gen(function* () {
    const writer = yield* GitWriter
    const site = yield* SiteSigner
    if (site === undefined) return writer
    return {
      ...writer,
      writeCommit: (id, commit) =>
        Effect.flatMap(site.sign(formatCommit(commit)), (signature) => writer.writeCommit(id, { ...commit, signature }))
    }
  })
)
