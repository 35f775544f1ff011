import { logOutages, now, streamOf, Transaction } from "@slipway/domain"
import { ApplicationStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { ServedCertificate } from "@slipway/domain/deploy/containers"
import {
  certificateMessage,
  certificateProblem,
  type Server,
  ServerStore,
  TeamNotificationStore
} from "@slipway/domain/deploy/infrastructure"
import { Duration, Effect, Stream } from "effect"
import { openProxy } from "../../containers/proxy/openProxy.ts"
import { raiseCondition, topicOf } from "../../infrastructure/notifications/record.ts"
import { accessTo } from "../../infrastructure/servers/accessTo.ts"

/** The time between two checks of certificates. Two checks without a certificate report it as missing. */
export const certificateInterval = Duration.minutes(15)

/** The interval at which a certificate problem that persists is reported again. */
const reportInterval = Duration.days(1)

/** The number of servers that are checked concurrently, so that a slow server does not delay the others. */
const concurrency = 4

const timeout = Duration.minutes(5)

const problemAmong = (certificates: ReadonlyArray<ServedCertificate>, at: string) =>
  certificates
    .flatMap(({ host, validity }) => {
      const problem = certificateProblem(validity, at)
      return problem === null ? [] : [{ host, problem, until: validity?.until ?? null }]
    })
    .at(0)

type Found = NonNullable<ReturnType<typeof problemAmong>>

const topicsOf = (uuid: ApplicationUuid) => [topicOf("certificate", uuid), topicOf("awaitedCertificate", uuid)] as const

/** Stores that a certificate of an application has a problem, and queues a notification if the problem is new. */
const report = Effect.fnUntraced(function* (uuid: ApplicationUuid, found: Found) {
  const at = yield* now
  const [topic, awaited] = topicsOf(uuid)
  const reported = Effect.gen(function* () {
    // The certificate of a new domain takes some minutes.
    if (found.problem === "missing" && (yield* (yield* TeamNotificationStore).raise(awaited, at, null))) return
    const application = yield* (yield* ApplicationStore).find(uuid)
    if (application === undefined) return
    const name = application.configuration.name ?? ""
    yield* raiseCondition(
      application.placement.teamId,
      topic,
      certificateMessage({ name, uuid }, found),
      reportInterval
    )
  })
  yield* (yield* Transaction).run(reported)
})

/** Checks the certificates of a server. `valid` contains the applications without a problem in the previous check. */
const checkServer = Effect.fnUntraced(function* (server: Server, valid: Set<ApplicationUuid>) {
  // A proxy without applications is not started for a check.
  if ((yield* (yield* ReleaseStore).servingOn(server.uuid)).length === 0) return
  const proxy = yield* openProxy(server, yield* accessTo(server))
  const certificates = Map.groupBy(yield* proxy.certificates, ({ application }) => application)
  const at = yield* now
  const repaired: Array<ApplicationUuid> = []
  for (const [application, own] of certificates) {
    const found = problemAmong(own, at)
    if (found !== undefined) {
      valid.delete(application)
      yield* report(application, found)
    } else if (!valid.has(application)) repaired.push(application)
  }
  // Certificates that stay valid need no query.
  if (repaired.length === 0) return
  yield* (yield* TeamNotificationStore).clearAll(repaired.flatMap(topicsOf))
  for (const application of repaired) valid.add(application)
}, Effect.scoped)

/** Checks the certificates of all HTTPS hosts periodically, until it is interrupted. Reports problems. */
export const watchCertificates = Effect.gen(function* () {
  const servers = yield* ServerStore
  const valid = new Set<ApplicationUuid>()
  const checkOne = (server: Server) =>
    checkServer(server, valid).pipe(
      Effect.timeout(timeout),
      Effect.catch((error) =>
        Effect.logDebug(`the certificates of the server ${server.name} cannot be checked: ${error._tag}`)
      )
    )
  const check = Stream.runDrain(Stream.mapEffect(streamOf(servers.list), checkOne, { concurrency }))
  return yield* check.pipe(
    logOutages("checking certificates failed"),
    Effect.andThen(Effect.sleep(certificateInterval)),
    Effect.forever
  )
})
