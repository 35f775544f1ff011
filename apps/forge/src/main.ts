import "effect/schema/SchemaJITCompiler/enable"
import { FactsStore, FirstStart, Jobs, PushLimits } from "@slipway/domain/forge"
import { layerGitTransport } from "@slipway/git/forge"
import { layerProgramVersion, roomIn, runService, SettingInvalid, serve } from "@slipway/http/node"
import { healthRoutes, layerStoreCheck } from "@slipway/http/server"
import { gitRoutes, lfsRoutes, PublicUrl, layer as routes } from "@slipway/http/server/forge"
import { Effect, Layer } from "effect"
import { type Settings, settings } from "./config.ts"
import { greeting, passwordNote, sshNote } from "./greeting.ts"
import { gitFolder, mail, platform, site } from "./platform.ts"
import { layerSsh } from "./ssh.ts"

const largestBody = 4

const say = (text: string) => Effect.sync(() => void process.stdout.write(text))

const refused = (variable: string, problem: string) => () => Effect.fail(new SettingInvalid({ variable, problem }))

const prepare = ({ administrator }: Settings) =>
  FirstStart.prepare(administrator).pipe(
    Effect.catchTags({
      NameTaken: refused("FORGE_ADMIN_USERNAME", "is the name of a user who is no administrator"),
      EmailTaken: refused("FORGE_ADMIN_EMAIL", "is the address of a user who is no administrator")
    }),
    Effect.tap((prepared) =>
      prepared?.password === undefined ? Effect.void : say(passwordNote(prepared.administrator.name, prepared.password))
    )
  )

const question = { caller: { _tag: "Nobody" }, sudo: undefined, about: { kind: "site" } } as const

/** Whether the database answers, and what lies on this machine's disks has room. */
const storeCheck = ({ database, repositories }: Settings) =>
  layerStoreCheck(
    Effect.gen(function* () {
      yield* (yield* FactsStore).load(question)
      if (database._tag === "Embedded") yield* roomIn(database.directory)
      if (database._tag !== "Memory") yield* roomIn(repositories)
    }),
    { maySilence: database._tag === "Server" }
  )

const service = Effect.gen(function* () {
  const chosen = yield* settings
  const { git, rootUrl, ssh } = chosen
  const publicAddress = rootUrl?.origin ?? `http://${chosen.host}:${chosen.port}`
  const sshSite =
    ssh === undefined
      ? Layer.empty
      : layerSsh(ssh, publicAddress, (port) => say(sshNote(rootUrl?.hostname ?? ssh.host, port)))
  const serving = Effect.map(prepare(chosen), (prepared) =>
    Layer.merge(
      serve(
        Layer.mergeAll(
          routes,
          gitRoutes,
          lfsRoutes,
          healthRoutes,
          Layer.effectDiscard(Effect.forkScoped(Jobs.worker()))
        ),
        {
          ...chosen,
          largestBody,
          onListening: (base) => say(greeting(base, chosen, prepared))
        }
      ),
      sshSite
    )
  )
  return Layer.unwrap(serving).pipe(
    Layer.provide(storeCheck(chosen)),
    Layer.provide([
      Layer.provideMerge(mail(chosen), platform(chosen)),
      layerGitTransport(gitFolder(chosen), { clients: git.clients, push: git.push }),
      Layer.succeed(PushLimits, {
        object: git.object,
        repository: git.repository === 0 ? undefined : git.repository
      }),
      site(chosen),
      // Without an address of its own the service names itself by the one that it was asked at.
      PublicUrl.layer(chosen.rootUrl?.origin ?? "", chosen.proxyUserHeader, chosen.ssh?.port),
      layerProgramVersion(new URL("../package.json", import.meta.url))
    ])
  )
}).pipe(Layer.unwrap, Layer.launch)

runService("forge", service)
