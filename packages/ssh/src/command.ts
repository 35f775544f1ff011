import type { Duplex } from "node:stream"
import type { HostKeyChanged } from "@slipway/domain/deploy/containers"
import { Effect, Redacted, type Scope } from "effect"
import { openClient } from "./client.ts"
import { SshUnreachable } from "./host.ts"

/** A command to run on another machine, with the settings of the SSH connection. */
export interface SshCommand {
  readonly socket: Duplex
  readonly user: string
  readonly privateKey: Redacted.Redacted
  /** The command line for the shell of the other machine. The caller must quote its parts. */
  readonly command: string
  readonly environment: Readonly<Record<string, string>>
  /** Timeout until the command runs, in seconds. */
  readonly timeout: number
  /** Returns whether the other machine may have the host key with this fingerprint. */
  readonly admit: (fingerprint: string) => Effect.Effect<boolean>
}

/**
 * A running command: the stream of its input and output, and a function that returns the beginning of its error output.
 */
export interface RunningCommand {
  readonly stream: Duplex
  readonly said: () => string
}

const mostErrorBytes = 4_096

/** Runs one command on another machine. The connection closes with the scope, which ends the command. */
export const runSshCommand = ({
  admit,
  command,
  environment,
  privateKey,
  socket,
  timeout,
  user
}: SshCommand): Effect.Effect<RunningCommand, SshUnreachable | HostKeyChanged, Scope.Scope> =>
  Effect.gen(function* () {
    const settings = {
      sock: socket,
      username: user,
      privateKey: Redacted.value(privateKey),
      readyTimeout: timeout * 1_000,
      keepaliveInterval: 15_000
    }
    const { client } = yield* openClient(settings, admit)
    return yield* Effect.callback<RunningCommand, SshUnreachable>((resume) => {
      client.exec(command, { env: environment }, (error, stream) => {
        if (error !== undefined) return resume(Effect.fail(new SshUnreachable({ because: error.message })))
        let said = ""
        stream.stderr.on("data", (chunk) => {
          if (said.length < mostErrorBytes) said += String(chunk)
        })
        stream.on("error", () => {})
        return resume(Effect.succeed({ stream, said: () => said.slice(0, mostErrorBytes) }))
      })
    })
  })
