import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Command, RegistryCredentials, ServerAccess } from "@slipway/domain/deploy/containers"
import { Context, type Effect, type Stream } from "effect"

/**
 * The test environment of a container engine: it provides a server, an image, programs and build archives for the
 * contract tests.
 */
export class EngineWorld extends Context.Service<
  EngineWorld,
  {
    readonly access: ServerAccess
    /** A server without a reachable engine. */
    readonly nowhere: ServerAccess
    /** Returns the `n`th application of a test, unique among tests. */
    readonly application: (n: number) => ApplicationUuid
    /** An existing image that can run the programs and commands. */
    readonly image: string
    /** Programs that a container can start. */
    readonly programs: {
      /** Writes lines to both streams and runs until it is stopped; it stops immediately. */
      readonly says: (stdout: ReadonlyArray<string>, stderr: ReadonlyArray<string>) => ReadonlyArray<string>
      /** Prints one line of the given length. */
      readonly saysLong: (length: number) => ReadonlyArray<string>
      readonly ends: (exitCode: number) => ReadonlyArray<string>
      /** Prints a line, waits a second, prints another, and exits. */
      readonly slow: ReadonlyArray<string>
    }
    /** Commands that can be run in a running container. */
    readonly commands: {
      /** Prints the value of a variable. */
      readonly variable: (name: string) => Command
      /** Prints its argument. */
      readonly echo: (text: string) => Command
      /** Prints a file without a line break at its end. */
      readonly read: (path: string) => Command
      /** Prints a line to its standard error, and exits with a code. */
      readonly fails: (exitCode: number, line: string) => Command
      /** An interactive shell that knows `echo`, `stty size`, `exit` and `lastingLine`. */
      readonly shell: Command
    }
    /** A line for the shell that starts programs in the foreground and in the background, which run for minutes. */
    readonly lastingLine: string
    /** Returns whether a program of `lastingLine` runs on the server. */
    readonly isLasting: Effect.Effect<boolean>
    /**
     * Archives with a Dockerfile `path/Dockerfile` that takes the argument `GREETING`, and prints it. `"closed"` prints
     * nothing, and is based on an image in the registry of `published` that no other test pulls; `"staged"` has a stage
     * before its last.
     */
    readonly archive: (outcome: "works" | "fails" | "hangs" | "closed" | "staged") => Stream.Stream<Uint8Array>
    /** Returns whether the server still runs a build that hangs. */
    readonly isBuilding: Effect.Effect<boolean>
    /** An image in the folder `team` of a registry that requires credentials. */
    readonly published: { readonly reference: string; readonly credentials: RegistryCredentials }
  }
>()("@slipway/testkit/EngineWorld") {}
