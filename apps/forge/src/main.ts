import "effect/schema/SchemaJITCompiler/enable"
import { FactsStore, FirstStart, Jobs } from "@slipway/domain/forge"
import { layerProgramVersion, roomIn, runService, SettingInvalid, serve } from "@slipway/http/node"
import { healthRoutes, layerStoreCheck } from "@slipway/http/server"
import { PublicUrl, layer as routes } from "@slipway/http/server/forge"
import { Effect, Layer } from "effect"
import { type Settings, settings } from "./config.ts"
import { greeting, passwordNote } from "./greeting.ts"
import { mail, platform, site } from "./platform.ts"

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
  const serving = Effect.map(prepare(chosen), (prepared) =>
    serve(Layer.mergeAll(routes, healthRoutes, Layer.effectDiscard(Effect.forkScoped(Jobs.worker()))), {
      ...chosen,
      largestBody,
      onListening: (base) => say(greeting(base, chosen, prepared))
    })
  )
  return Layer.unwrap(serving).pipe(
    Layer.provide(storeCheck(chosen)),
    Layer.provide([
      Layer.provideMerge(mail(chosen), platform(chosen)),
      site(chosen),
      // Without an address of its own the service names itself by paths alone.
      PublicUrl.layer(chosen.rootUrl?.origin ?? "", chosen.proxyUserHeader),
      layerProgramVersion(new URL("../package.json", import.meta.url))
    ])
  )
}).pipe(Layer.unwrap, Layer.launch)

runService("forge", service)
