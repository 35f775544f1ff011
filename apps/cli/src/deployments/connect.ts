import { Console, Effect, Exit, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { userError } from "../forge/failures.ts"
import { callService, platformAccess } from "./platform.ts"

const Exchanged = Schema.Struct({ sha1: Schema.String })
const Connected = Schema.Struct({ uuid: Schema.String })
const Connection = Schema.Struct({ account: Schema.String })
const Listed = Schema.Struct({ uuid: Schema.String, url: Schema.String })
const Nothing = Schema.Unknown

/** Returns the address of a service without a path. */
const originOf = (text: string) => {
  const isOrigin = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname === "/"
  return isOrigin
    ? Effect.succeed(new URL(text).origin)
    : userError(`${text} is not the address of a forge, such as https://git.example`)
}

/** Connects the platform to a forge on another machine by a one-time token of one of its accounts. */
export const connect = Command.make(
  "connect",
  {
    forge: Argument.String("forge").pipe(
      Argument.withDescription("The address of the forge, such as https://git.example")
    ),
    code: Flag.Redacted("code").pipe(
      Flag.withDescription("A one-time token of the account: POST /users/{name}/tokens with one_time")
    ),
    address: Flag.String("address").pipe(
      Flag.withDescription("The address at which the forge reaches the platform; default that of --platform"),
      Flag.optional
    ),
    sshPort: Flag.Int("ssh-port").pipe(
      Flag.withDescription("The port of the forge's SSH server, for deploy keys; default: read with the token"),
      Flag.optional
    ),
    platform: Flag.String("platform").pipe(
      Flag.withDescription("The address of the deployment platform; default that of `npm start` in this clone"),
      Flag.optional
    )
  },
  ({ address, code, forge, platform, sshPort }) =>
    Effect.gen(function* () {
      const url = yield* originOf(forge)
      const access = yield* platformAccess(platform)
      const call = callService(access)
      // A wrong platform token must not use up the code.
      yield* call(Schema.Array(Connected), "GET", "/forge-connections")
      const { uuid } = yield* Effect.acquireUseRelease(
        callService({ url, token: code }, "forge")(Exchanged, "POST", "/token"),
        ({ sha1 }) =>
          call(Connected, "POST", "/forge-connections", {
            url,
            token: sha1,
            platform_url: Option.getOrElse(address, () => new URL(access.url).origin),
            ssh_port: Option.getOrNull(sshPort)
          }),
        // A token without a connection would stay valid unseen, also after Ctrl-C.
        ({ sha1 }, exit) => {
          const lasting = callService({ url, token: Redacted.make(sha1) }, "forge")
          return Exit.isSuccess(exit) ? Effect.void : Effect.ignore(lasting(Nothing, "DELETE", "/token"))
        }
      )
      const { account } = yield* call(Connection, "GET", `/forge-connections/${uuid}`)
      return yield* Console.log(`connected to ${url} as ${account}`)
    })
).pipe(
  Command.withDescription("Connect the deployment platform to a forge on another machine"),
  Command.withExamples([
    { command: "slipway connect https://git.example --code slp_…", description: "Connect a forge by a one-time token" }
  ])
)

/** Rotates the token with which the platform calls a connected forge. */
export const rotate = Command.make(
  "rotate",
  {
    forge: Argument.String("forge").pipe(
      Argument.withDescription("The address of the connected forge, such as https://git.example")
    ),
    platform: Flag.String("platform").pipe(
      Flag.withDescription("The address of the deployment platform; default that of `npm start` in this clone"),
      Flag.optional
    )
  },
  ({ forge, platform }) =>
    Effect.gen(function* () {
      const url = yield* originOf(forge)
      const call = callService(yield* platformAccess(platform))
      const all = yield* call(Schema.Array(Listed), "GET", "/forge-connections")
      const found = all.filter((each) => each.url === url)
      if (found.length === 0) {
        const known = all.map((each) => each.url).join(", ") || "none"
        return yield* userError(`${url} is no connected forge (connected: ${known})`)
      }
      for (const { uuid } of found) {
        const { account } = yield* call(Connection, "POST", `/forge-connections/${uuid}/rotate`)
        yield* Console.log(`rotated the token of ${account} at ${url}: the old one is revoked in 10 minutes`)
      }
    })
).pipe(
  Command.withDescription("Rotate the token with which the platform calls a connected forge"),
  Command.withExamples([{ command: "slipway rotate https://git.example", description: "Replace the token now" }])
)
