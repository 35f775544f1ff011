import { Config, Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { userError } from "./forge/failures.ts"

const url = (name: "forge" | "deploy", description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.withFallbackConfig(Config.String(`SLIPWAY_${name.toUpperCase()}_URL`)),
    Flag.optional
  )

const environment = (name: string) => Config.option(Config.Redacted(name))

const revealed = (value: Option.Option<Redacted.Redacted>): string | undefined =>
  Option.getOrUndefined(Option.map(value, Redacted.value))

const accessOf = (address: Option.Option<string>, token: Option.Option<Redacted.Redacted>) =>
  Option.match(address, {
    onNone: () => Effect.succeed(undefined),
    onSome: (url) =>
      /^https?:\/\//.test(url) && URL.canParse(url)
        ? Effect.succeed({ url, token: revealed(token) })
        : userError(`${url} is not an address of a service, such as https://git.example`)
  })

/** The command that serves both services to clients of the Model Context Protocol. */
export const mcp = Command.make(
  "mcp",
  {
    forge: url("forge", "The address of a forge; its token is in SLIPWAY_TOKEN"),
    deploy: url("deploy", "The address of a deployment platform; its token is in DEPLOY_TOKEN"),
    allowWrites: Flag.Boolean("allow-writes").pipe(
      Flag.withDescription("Add the tools that change data; without it, tools only read"),
      Flag.withDefault(false)
    ),
    tools: Flag.String("tools").pipe(
      Flag.withDescription("A glob of tool names, such as forge_repository_*; repeatable; default all"),
      Flag.between(0, 100)
    ),
    http: Flag.Boolean("http").pipe(
      Flag.withDescription("Serve streamable HTTP on this machine instead of the standard streams"),
      Flag.withDefault(false)
    ),
    port: Flag.Int("port").pipe(Flag.withDescription("The port for --http"), Flag.withDefault(8090))
  },
  ({ allowWrites, deploy, forge, http, port, tools }) =>
    Effect.gen(function* () {
      const options = {
        forge: yield* accessOf(forge, yield* environment("SLIPWAY_TOKEN")),
        deploy: yield* accessOf(deploy, yield* environment("DEPLOY_TOKEN")),
        allowWrites,
        tools
      }
      if (options.forge === undefined && options.deploy === undefined) {
        return yield* userError("name a service with --forge or --deploy")
      }
      const { serveHttp, serveStdio, toolsOf } = yield* Effect.promise(() => import("@slipway/mcp"))
      if (toolsOf(options).length === 0) return yield* userError(`no tool matches ${tools.join(", ")}`)
      if (!http) return yield* Effect.promise(() => serveStdio(options))
      const mcpSecret = revealed(yield* environment("SLIPWAY_MCP_SECRET"))
      if (mcpSecret !== undefined && mcpSecret.length < 16) {
        return yield* userError("SLIPWAY_MCP_SECRET has less than 16 characters")
      }
      const { secret, url } = yield* Effect.tryPromise({
        try: () => serveHttp(options, { port, secret: mcpSecret }),
        catch: (problem) => userError(`the port ${port} can't be used: ${problem}`, problem)
      })
      yield* Console.log(url)
      if (mcpSecret === undefined) yield* Console.log(`Authorization: Bearer ${secret}`)
      return yield* Effect.never
    })
).pipe(
  Command.withDescription(
    "Serve both services as tools of the Model Context Protocol; each call acts with your tokens"
  ),
  Command.withExamples([
    {
      command: "slipway mcp --forge https://git.example",
      description: "Serve the reading tools of a forge to an assistant"
    }
  ])
)
