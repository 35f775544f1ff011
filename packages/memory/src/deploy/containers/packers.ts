import { ForgeAppTokens } from "@slipway/domain/deploy/apps"
import { archiveOfFiles, type Packed, PackerFailed, Packers, type PackRequest } from "@slipway/domain/deploy/containers"
import { Context, Effect, Layer, Redacted } from "effect"

/**
 * Returns the result of a simulated build-pack program (such as Nixpacks) for a request. A returned `PackerFailed`
 * makes the request fail.
 */
export type SimulatedPacker = (request: PackRequest) => Packed | PackerFailed

/** Sets the results of simulated build-pack programs. */
export class PackerSimulation extends Context.Service<
  PackerSimulation,
  { readonly onPack: (packer: SimulatedPacker) => Effect.Effect<void> }
>()("@slipway/memory/deploy/PackerSimulation") {}

/** Returns the result of a build-pack program that generated this Dockerfile. */
export const packedAs = (dockerfile: string): Packed => ({
  _tag: "Context",
  archive: archiveOfFiles({ Dockerfile: dockerfile }),
  dockerfile: "Dockerfile",
  arguments: []
})

/** Simulates build-pack programs in memory. Every request fails until a test sets the results. */
export const packers: Layer.Layer<Packers | PackerSimulation> = Layer.effectContext(
  Effect.sync(() => {
    let packer: SimulatedPacker = ({ packer: name }) => new PackerFailed({ because: `there is no program for ${name}` })
    return Context.make(Packers, {
      pack: (request) =>
        Effect.suspend(() => {
          const packed = packer(request)
          return packed instanceof PackerFailed ? packed : Effect.succeed(packed)
        })
    }).pipe(
      Context.add(PackerSimulation, {
        onPack: (next) =>
          Effect.sync(() => {
            packer = next
          })
      })
    )
  })
)

/**
 * Simulates the access tokens of app installations. A token is the text `token of` with the number of the installation.
 */
export const forgeAppTokens = Layer.succeed(ForgeAppTokens, {
  token: ({ installationId }) => Effect.succeed(Redacted.make(`token of ${installationId}`))
})
