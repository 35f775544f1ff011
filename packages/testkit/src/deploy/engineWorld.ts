import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Command, RegistryCredentials, ServerAccess } from "@slipway/domain/deploy/containers"
import { Context, type Effect, type Stream } from "effect"

/** The test environment that the contract of container engines needs. */
export class EngineWorld extends Context.Service<
  EngineWorld,
  {
    readonly access: ServerAccess
    /** A server where no engine answers. */
    readonly nowhere: ServerAccess
    /** Returns the `n`th application of a test, which no other test has. */
    readonly application: (n: number) => ApplicationUuid
    /** An existing image that can run the programs and commands. */
    readonly image: string
    /** Programs that a container can start. */
    readonly programs: {
      /** Writes lines to both streams, and runs until it is stopped; it stops immediately. */
      readonly says: (stdout: ReadonlyArray<string>, stderr: ReadonlyArray<string>) => ReadonlyArray<string>
      /** Writes one line of a length. */
      readonly saysLong: (length: number) => ReadonlyArray<string>
      readonly ends: (exitCode: number) => ReadonlyArray<string>
      /** Writes a line, waits a second, writes another, and ends. */
      readonly slow: ReadonlyArray<string>
    }
    /** Commands that can be run in a running container. */
    readonly commands: {
      /** Writes the value of a variable. */
      readonly variable: (name: string) => Command
      /** Writes its argument. */
      readonly echo: (text: string) => Command
      /** Writes a line to its standard error, and ends with a code. */
      readonly fails: (exitCode: number, line: string) => Command
    }
    /**
     * Archives with a Dockerfile `path/Dockerfile` that takes the argument `GREETING`, and writes it; `"closed"` writes nothing,
     * and begins with an image of the registry of `published` that no other test fetches; `"staged"` has a stage before its last.
     */
    readonly archive: (outcome: "works" | "fails" | "hangs" | "closed" | "staged") => Stream.Stream<Uint8Array>
    /** Returns whether the server still works on a hanging build. */
    readonly isBuilding: Effect.Effect<boolean>
    /** An image that a registry has in its folder `team`, which wants to know who asks. */
    readonly published: { readonly reference: string; readonly credentials: RegistryCredentials }
  }
>()("@slipway/testkit/EngineWorld") {}
