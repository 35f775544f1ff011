import "effect/schema/SchemaJITCompiler/enable"
import { now } from "@slipway/domain"
import { JobLease, JobStore } from "@slipway/domain/forge/background"
import { PushLimits } from "@slipway/domain/forge/code"
import { FactsStore } from "@slipway/domain/forge/entry"
import { layerEgress, layerOtherForges } from "@slipway/egress"
import { layerErrorPages, layerPages } from "@slipway/embed/services"
import { FirstStart } from "@slipway/forge"
import { Jobs, layerBackground, Tasks, tasks } from "@slipway/forge/background"
import { HookWork, Leases, mirrorKind } from "@slipway/forge/integrations"
import { layerGitRemotes, layerGitTransport } from "@slipway/git/forge"
import {
  canListen,
  checkDiskSpace,
  layerMetrics,
  layerProgramVersion,
  printMessage,
  printSecretOnce,
  runService,
  SecretKeyUnusable,
  SettingInvalid,
  serve
} from "@slipway/http/node"
import { Gate, healthRoutes, layerStoreCheck, referencePath } from "@slipway/http/server"
import { gitRoutes, lfsRoutes, PublicUrl, layer as routes, UploadIdleTimeout } from "@slipway/http/server/forge"
import { layerOpenIdProvider } from "@slipway/openid"
import { connectionGauge, DatabaseAddress, DatabaseRoom } from "@slipway/sql"
import { Deferred, Effect, Layer } from "effect"
import { type Settings, settings } from "./config.ts"
import { greeting, listenerUrl, passwordNote } from "./greeting.ts"
import { help } from "./help.ts"
import { gitFolder, hooks, mail, outsideProvider, platform, signatures, site } from "./platform.ts"
import { layerSsh } from "./ssh.ts"

const largestBody = 4

const refused = (variable: string, problem: string) => () => Effect.fail(new SettingInvalid({ variable, problem }))

const prepare = ({ administrator, database, secretKey }: Settings) =>
  FirstStart.prepare(administrator).pipe(
    Effect.catchTags({
      NameTaken: refused("FORGE_ADMIN_USERNAME", "is the name of a user who is not an administrator"),
      OtherKey: () =>
        Effect.fail(
          new SecretKeyUnusable({
            message: `the database ${DatabaseAddress.show(database)} was encrypted with a key other than the one in ${secretKey.source}: restore the key of its first start`
          })
        ),
      EmailTaken: refused("FORGE_ADMIN_EMAIL", "is the address of a user who is not an administrator")
    })
  )

const noteOf = (prepared: FirstStart.Prepared | undefined): string =>
  prepared?.password === undefined ? "" : passwordNote(prepared.administrator.name, prepared.password)

const question = { caller: { _tag: "Nobody" }, sudo: undefined, about: { kind: "site" } } as const

/** Checks that the database answers, and that the local disks have free space. */
const storeCheck = ({ database, repositories }: Settings) =>
  layerStoreCheck(
    {
      answer: Effect.flatMap(FactsStore, ({ load }) => load(question)),
      room: Effect.gen(function* () {
        yield* yield* DatabaseRoom
        if (database._tag === "Embedded") yield* checkDiskSpace(database.directory)
        if (database._tag !== "Memory") yield* checkDiskSpace(repositories)
      })
    },
    { maySilence: database._tag === "Server" }
  )

/** The gauges that are computed when metrics are read. */
const gauges = ({ connections, database }: Settings) => ({
  ...connectionGauge(database, connections),
  jobs_due: {
    description: "Due jobs without a worker, at most 1,000",
    read: Effect.flatMap(JobStore, ({ countDue }) => Effect.flatMap(now, countDue))
  }
})

const service = Effect.fnUntraced(
  function* (chosen: Settings) {
    const { git, rootUrl, ssh } = chosen
    const publicAddress = rootUrl?.origin ?? listenerUrl(chosen)
    // The SSH server listens before its address is printed.
    const sshPort = yield* Deferred.make<number | undefined>()
    const sshSite =
      ssh === undefined
        ? Layer.effectDiscard(Deferred.succeed(sshPort, undefined))
        : layerSsh(ssh, publicAddress, (port) => Deferred.succeed(sshPort, port))
    // Without a root URL, the service uses the address of the request, and that of the listener in webhook payloads.
    const shownPort = chosen.sshPublicPort ?? ssh?.port
    const named = PublicUrl.layer(rootUrl?.origin ?? "", chosen.proxyUserHeader, shownPort, publicAddress)
    const worker = Layer.effectDiscard(
      Effect.all([
        Effect.forkScoped(Jobs.worker()),
        Effect.forkScoped(HookWork.worker()),
        Effect.forkScoped(Tasks.worker(tasks)),
        Effect.forkScoped(Leases.worker(mirrorKind))
      ])
    )
    const served = Layer.mergeAll(routes, gitRoutes, lfsRoutes, healthRoutes, worker)
    const ports = Effect.forEach(ssh === undefined ? [chosen] : [chosen, ssh], canListen)
    const serving = Effect.map(Effect.andThen(ports, prepare(chosen)), (prepared) =>
      printSecretOnce(noteOf(prepared), (note) =>
        Layer.mergeAll(
          serve(Layer.provideMerge(layerPages, Layer.provideMerge(served, layerErrorPages)), {
            ...chosen,
            largestBody,
            unreadable: (message, base) => ({ message, url: `${chosen.rootUrl?.origin ?? base}${referencePath}` }),
            onListening: (base) =>
              Effect.andThen(
                note,
                Effect.flatMap(Deferred.await(sshPort), (port) =>
                  printMessage(greeting(base, chosen, chosen.sshPublicPort ?? port, prepared))
                )
              )
          }),
          sshSite,
          layerMetrics(gauges(chosen))
        )
      )
    )
    return Layer.unwrap(serving).pipe(
      Layer.provide(layerBackground),
      Layer.provide(storeCheck(chosen)),
      Layer.provide([
        Layer.provideMerge(
          Layer.mergeAll(mail(chosen), hooks(chosen), signatures(chosen), layerOpenIdProvider, outsideProvider(chosen)),
          Layer.mergeAll(platform(chosen), site(chosen), named)
        ),
        Layer.provide(
          Layer.merge(layerGitRemotes(gitFolder(chosen)), layerOtherForges),
          layerEgress({ allowPrivate: chosen.privateAddresses })
        ),
        layerGitTransport(gitFolder(chosen), { clients: git.clients, idle: git.idle, push: git.push }),
        Layer.succeed(Gate, { ...chosen.gate, secret: chosen.secretKey.key }),
        Layer.succeed(JobLease, chosen.jobLease),
        Layer.succeed(UploadIdleTimeout, git.idle),
        Layer.succeed(PushLimits, {
          object: git.object,
          repository: git.repository === 0 ? undefined : git.repository
        }),
        layerProgramVersion(new URL("../package.json", import.meta.url))
      ])
    )
  },
  Layer.unwrap,
  Layer.launch
)

if (process.argv.includes("--help")) process.stdout.write(help)
else runService("forge", settings, service)
