import { logOutages, millisecondsOf, timeIn } from "@slipway/domain"
import { type Database, DatabaseStore } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { leastCertificateDays } from "@slipway/domain/deploy/infrastructure"
import { Clock, Duration, Effect } from "effect"
import { renewCertificate } from "../../databases/Databases.ts"

/** The time between two checks of the certificates of databases. */
export const databaseCertificateInterval = Duration.hours(1)

/** The time after which a failed renewal is retried: each attempt restarts the database. */
const retryInterval = Duration.days(1)

/** Requests a restart of each database with a certificate that expires soon. The new container gets a new certificate. */
const renewCertificates = Effect.gen(function* () {
  const at = yield* Clock.currentTimeMillis
  const expiring = yield* (yield* DatabaseStore).expiringBefore(yield* timeIn({ days: leastCertificateDays }))
  const mayRetry = ({ state, updatedAt }: Database) =>
    state !== "failed" || at - millisecondsOf(updatedAt) >= Duration.toMillis(retryInterval)
  for (const database of expiring.filter(mayRetry)) {
    const isRequested = yield* renewCertificate(system("database.deploy", { database }))
    if (isRequested) {
      yield* Effect.logInfo(`the database ${database.name} (${database.uuid}) is restarted to renew its certificate`)
    }
  }
})

/** Renews the certificates of databases before they expire, until it is interrupted. */
export const renewDatabaseCertificates = renewCertificates.pipe(
  logOutages("renewing certificates of databases failed"),
  Effect.andThen(Effect.sleep(databaseCertificateInterval)),
  Effect.forever
)
