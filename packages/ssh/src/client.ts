import { HostKeyChanged } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"
import ssh2 from "ssh2"
import { fingerprintOf, SshUnreachable } from "./host.ts"

/**
 * Opens an SSH connection, which closes with the scope. `admit` receives the fingerprint of the host key; if it returns
 * false, the connection fails with `HostKeyChanged`.
 */
export const openClient = Effect.fnUntraced(function* <R>(
  settings: Omit<ssh2.ConnectConfig, "hostVerifier">,
  admit: (fingerprint: string) => Effect.Effect<boolean, never, R>
) {
  const admitted = Effect.runPromiseWith(yield* Effect.context<R>())
  let isOpen = true
  const client = yield* Effect.acquireRelease(
    Effect.callback<ssh2.Client, SshUnreachable | HostKeyChanged>((resume) => {
      const client = new ssh2.Client()
      let refused: string | undefined
      const failed = (because: string) =>
        resume(
          Effect.fail(refused === undefined ? new SshUnreachable({ because }) : new HostKeyChanged({ shown: refused }))
        )
      client.on("ready", () => {
        // Messages are small, and the other side waits for them.
        client.setNoDelay(true)
        resume(Effect.succeed(client))
      })
      // Stays, because a connection that breaks later reports it here and nowhere else.
      client.on("error", (error) => failed(error.message))
      client.on("close", () => {
        isOpen = false
        failed("the connection was closed")
      })
      try {
        client.connect({
          ...settings,
          hostVerifier: (blob: Buffer, verify: (isKnown: boolean) => void) => {
            const fingerprint = fingerprintOf(blob)
            admitted(admit(fingerprint)).then(
              (isKnown) => {
                if (!isKnown) refused = fingerprint
                verify(isKnown)
              },
              () => verify(false)
            )
          }
        })
      } catch (error) {
        failed(String(error))
      }
      return Effect.sync(() => client.destroy())
    }),
    (client) => Effect.sync(() => client.end())
  )
  return { client, isOpen: () => isOpen }
})
