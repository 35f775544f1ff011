import { Context, type Effect, Schema, type Stream } from "effect"
import type { ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { EngineUnreachable, HostKeyChanged } from "./EngineError.ts"
import type { SshAccess } from "./ServerAccess.ts"

/** The error for an installation that failed at one of its steps, with the end of the output of this step. */
export class InstallationFailed extends Schema.TaggedError<InstallationFailed>()("InstallationFailed", {
  because: Schema.String
}) {}

/**
 * Installs a container engine on a server that the platform reaches by SSH as `root`.
 *
 * An installation is idempotent: a repeated one completes an interrupted one.
 */
export class EngineInstaller extends Context.Service<
  EngineInstaller,
  {
    /** Installs an engine. Emits a phrase for each finished step, such as `installed docker.io`. */
    readonly install: (
      access: SshAccess
    ) => Stream.Stream<string, InstallationFailed | EngineUnreachable | HostKeyChanged>
    /** Returns whether this process installs an engine on a server at present: a second installation would fail. */
    readonly isInstalling: (server: ServerUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/EngineInstaller") {}
