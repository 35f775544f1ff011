import { Context, type Effect, Schema, type Scope, type Stream } from "effect"
import type { Pairs } from "../engine/ContainerSpec.ts"

/** The install, build and start commands for a build-pack program; an empty text uses the program's default. */
export interface PackerCommands {
  readonly install: string
  readonly build: string
  readonly start: string
}

/** The input of a build-pack program, which builds an image from source files without a Dockerfile. */
export interface PackRequest {
  readonly packer: "packer_a" | "packer_b"
  /** A local directory with the source files; no symbolic link in it may point outside of it. */
  readonly directory: string
  readonly commands: PackerCommands
  /** The environment variables of the application for the build. */
  readonly variables: Pairs
  /** The name and tag of the new image. */
  readonly reference: string
  /** The path of a local unix socket that leads to the server's container engine. */
  readonly socket: string
  /** Whether the build cache is disabled. */
  readonly fresh: boolean
  /** Receives the program's output lines as they arrive. */
  readonly say: (line: string) => Effect.Effect<void>
}

/**
 * The result of a build-pack program: a finished image, or a build context with a Dockerfile, from which the container
 * engine must still build the image.
 */
export type Packed =
  | {
      readonly _tag: "Context"
      readonly archive: Stream.Stream<Uint8Array>
      readonly dockerfile: string
      readonly arguments: Pairs
    }
  | { readonly _tag: "Image" }

/** Reports that a build-pack program failed or is not installed. */
export class PackerFailed extends Schema.TaggedError<PackerFailed>()("PackerFailed", { because: Schema.String }) {}

/**
 * Runs the build-pack programs that are installed on the platform's machine.
 *
 * `packer_a` is Nixpacks, and `packer_b` is the pack program of Cloud Native Buildpacks. For their requirements, see
 * docs/guides/sources.md.
 */
export class Packers extends Context.Service<
  Packers,
  {
    /** Builds an image, or a build context with a Dockerfile; temporary files are removed when the scope closes. */
    readonly pack: (request: PackRequest) => Effect.Effect<Packed, PackerFailed, Scope.Scope>
  }
>()("@slipway/domain/deploy/Packers") {}

/** Returns the folder with the application's files in the images that a build-pack program creates. */
export const workdirOf = (packer: PackRequest["packer"]): string => (packer === "packer_a" ? "/app" : "/workspace")
