import { readFileSync } from "node:fs"
import { Effect, Layer, Schema } from "effect"
import { ProgramVersion } from "../server/version.ts"

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

/** Layer that provides the program's version, read from its package.json. */
export const layerProgramVersion = (manifest: URL): Layer.Layer<never> =>
  Layer.effect(
    ProgramVersion,
    Effect.sync(() => readFileSync(manifest, "utf8")).pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Manifest)),
      Effect.map(({ version }) => version),
      Effect.orDie
    )
  )
