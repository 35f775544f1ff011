import { Effect, Layer } from "effect"
import { GitWriter } from "../git/GitWriter.ts"
import { formatCommit } from "../git/objectCodec.ts"
import { SiteSigner } from "./SignatureChecker.ts"

/** Has the site sign every commit that it writes itself, where it has a key. */
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
