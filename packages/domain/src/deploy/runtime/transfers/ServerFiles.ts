import { Context, type Effect, Schema } from "effect"
import type { EngineUnreachable, HostKeyChanged } from "../../containers/engine/EngineError.ts"
import type { SshAccess } from "../../containers/engine/ServerAccess.ts"

/** Reports that a file cannot be written on a server, with the reason. */
export class ServerFileRefused extends Schema.TaggedError<ServerFileRefused>()("ServerFileRefused", {
  because: Schema.String
}) {}

/** The folder of the platform's files on a server. */
export const serverFolder = "/data/slipway"

/**
 * Writes files on servers that the platform reaches by SSH.
 *
 * Must:
 * - write a file that only its owner can read, in missing folders too
 * - replace an existing file as a whole
 */
export class ServerFiles extends Context.Service<
  ServerFiles,
  {
    /** Writes a file. `path` is relative to {@link serverFolder}. Returns the absolute path. */
    readonly write: (
      access: SshAccess,
      path: string,
      text: string
    ) => Effect.Effect<string, EngineUnreachable | HostKeyChanged | ServerFileRefused>
  }
>()("@slipway/domain/deploy/ServerFiles") {}
