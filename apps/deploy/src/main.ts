import "effect/schema/SchemaJITCompiler/enable"
import { layerBundleCipher, layerFileEncryption, layerObjectStorage } from "@slipway/blobs/deploy"
import { layerPackers } from "@slipway/buildpacks"
import { layerBasicAuthHasher, layerCaddy } from "@slipway/caddy"
import { layerComposeReader, layerManifestReader } from "@slipway/compose"
import { layerCommonPasswords, layerPasswordHasher } from "@slipway/credentials/passwords"
import { FirstStart } from "@slipway/deploy"
import { engineFailureReason, ForgeConnections, LocalEngine } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { layerContainerEngine, layerEngineInstaller, layerRegistryFile, layerServerFiles } from "@slipway/docker"
import { Vault } from "@slipway/domain"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import { ProxyPorts } from "@slipway/domain/deploy/apps"
import { ContainerEngine, InstancePolicy, noLogins, RegistryLogins } from "@slipway/domain/deploy/containers"
import type { ForgeAppStore, ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Egress, type FetchOptions, fetchOnly, layerEgress, layerHookSender, layerSyslogSender } from "@slipway/egress"
import {
  layerConnectedForges,
  layerForgeAppTokens,
  layerHostedRepositories,
  layerPathMatcher,
  layerSources
} from "@slipway/git/deploy"
import {
  canListen,
  checkDiskSpace,
  layerCryptography,
  layerMetrics,
  layerProgramVersion,
  printMessage,
  printSecretOnce,
  runService,
  SecretKeyUnusable,
  SettingInvalid,
  serve
} from "@slipway/http/node"
import { Gate, healthRoutes, layerStoreCheck } from "@slipway/http/server"
import { layer as routes, SignInSite } from "@slipway/http/server/deploy"
import { layerNotificationMailer } from "@slipway/mail"
import { layer as memory } from "@slipway/memory/deploy"
import { layerOutsideProvider, layerProviderConnector } from "@slipway/openid/outside"
import { layerCertificateIssuer } from "@slipway/signatures/x509"
import { connectionGauge, DatabaseAddress, DatabaseRoom } from "@slipway/sql"
import { layer as sql } from "@slipway/sql/deploy"
import { layerKeyReader, layerSshConnections } from "@slipway/ssh"
import { Effect, Layer } from "effect"
import { type Settings, settings } from "./config.ts"
import { layerConsole } from "./console.ts"
import { greeting, passwordNote, tokenNote } from "./greeting.ts"
import { help } from "./help.ts"
import { layerMcp } from "./mcp.ts"

const largestBody = 4

/** The local machine, before a server exists. */
const nobody = "localhost".padEnd(24, "0") as ServerUuid

/** Allows outbound requests to connected forges in addition, by their exact host and port. */
const egress = (allowPrivate: boolean) =>
  Layer.unwrap(
    Effect.map(Effect.context<ForgeAppStore>(), (stores) =>
      layerEgress({
        allowPrivate,
        isAllowed: (host, port) => Effect.provideContext(ForgeConnections.isConnectedAddress(host, port), stores)
      })
    )
  )

/** Sends notifications; the mail server of the instance is the operator's choice and may be private. */
const notifications = (mail: Settings["mail"]) =>
  Layer.merge(
    layerHookSender,
    Layer.unwrap(Effect.map(Egress, ({ connect }) => layerNotificationMailer(mail, connect)))
  )

/** Everything that sends outbound requests to addresses from users. */
/** Connects to connected forges as the providers of sign-in; each reaches its own host only. */
const connector = Layer.unwrap(
  Effect.map(Egress, (egress) =>
    layerProviderConnector((issuer) => {
      const fetch = fetchOnly(egress, issuer)
      return (url, options) => fetch(url, options as FetchOptions)
    })
  )
)

const outbound = ({ mail, privateAddresses, provider }: Settings) =>
  Layer.mergeAll(
    provider === undefined ? connector : layerOutsideProvider(provider),
    layerConnectedForges,
    layerSources(),
    Layer.provideMerge(layerHostedRepositories, layerForgeAppTokens),
    layerObjectStorage,
    notifications(mail),
    layerSyslogSender
  ).pipe(Layer.provide(egress(privateAddresses)))

/** Loads the registry credentials of the file that docs/guides/container-engines.md describes. */
const registries = (file: string | null) => {
  const advice = "DEPLOY_REGISTRY_AUTH_FILE sets the file with its credentials"
  return file === null ? Layer.succeed(RegistryLogins, { read: noLogins, advice }) : layerRegistryFile(file, advice)
}

const platform = (settings: Settings) => {
  const { connections, database, engineSocket, externalNetworks, hostAccess } = settings
  const { packers, proxy, registryFile, secretKey } = settings
  return Layer.mergeAll(
    layerCaddy(proxy).pipe(
      Layer.merge(outbound(settings)),
      Layer.provideMerge(Layer.mergeAll(layerContainerEngine, layerEngineInstaller, layerServerFiles())),
      Layer.provide(layerSshConnections),
      Layer.provideMerge(database._tag === "Memory" ? memory : sql(database, { maxConnections: connections }))
    ),
    layerBasicAuthHasher,
    layerBundleCipher,
    layerFileEncryption,
    layerCertificateIssuer,
    layerComposeReader,
    layerManifestReader,
    Layer.succeed(LocalEngine, { socket: engineSocket }),
    Layer.succeed(InstancePolicy, { hostAccess, networks: externalNetworks }),
    Layer.succeed(ProxyPorts, { http: proxy.http[0]?.port ?? 80, https: proxy.https[0]?.port ?? 443 }),
    Vault.layer(secretKey.key).pipe(Layer.provideMerge(layerCryptography)),
    layerKeyReader,
    layerPackers(packers),
    layerPathMatcher,
    registries(registryFile),
    layerPasswordHasher(),
    layerCommonPasswords,
    Layer.succeed(SignInSite, { rootUrl: settings.publicUrl, trustedProxies: settings.trustedProxies }),
    layerProgramVersion(new URL("../package.json", import.meta.url))
  )
}

const prepare = ({ database, secretKey, token }: Settings) =>
  FirstStart.prepare(token).pipe(
    Effect.catchTag("OtherKey", () =>
      Effect.fail(
        new SecretKeyUnusable({
          message: `the database ${DatabaseAddress.show(database)} was encrypted with a key other than the one in ${secretKey.source}: restore the key of its first start`
        })
      )
    )
  )

/** Creates the root account of a first start; also for an instance from before there were accounts. */
const prepareRoot = ({ rootAccount }: Settings) =>
  FirstStart.prepareRoot(rootAccount).pipe(
    Effect.catchTag("AccountNameTaken", () =>
      Effect.fail(
        new SettingInvalid({
          variable: "DEPLOY_ADMIN_USERNAME",
          problem: "is the name of an account that is not root"
        })
      )
    ),
    Effect.tap((prepared) =>
      prepared?.isWeak === true
        ? Effect.logWarning(
            "the password of the root account is short or common: change it with PUT /api/v1/account/password"
          )
        : Effect.void
    )
  )

const soon = "5 seconds"

/** Detects the container engine of the local machine. */
const localEngine = Effect.gen(function* () {
  const access = { _tag: "Local", ...(yield* LocalEngine), server: nobody, connectionTimeout: 2 } as const
  const { info } = yield* (yield* ContainerEngine).open(access)
  const { apiVersion, operatingSystem, product, version } = yield* info
  const name = product === "podman" ? "Podman" : "Docker"
  return `${name} ${version} (API ${apiVersion}, ${operatingSystem})`
}).pipe(
  Effect.scoped,
  Effect.timeout(soon),
  Effect.catch((error) =>
    Effect.succeed(
      error._tag === "TimeoutError"
        ? `no answer within ${soon}; it may still start`
        : `no engine responds on this machine: ${engineFailureReason(error)}`
    )
  )
)

/** Checks that the database answers, and that its local disk has free space. */
const storeCheck = ({ database }: Settings) =>
  layerStoreCheck(
    {
      answer: Effect.flatMap(SettingsStore, ({ read }) => read),
      room: Effect.gen(function* () {
        yield* yield* DatabaseRoom
        if (database._tag === "Embedded") yield* checkDiskSpace(database.directory)
      })
    },
    { maySilence: database._tag === "Server" }
  )

const service = Effect.fnUntraced(
  function* (chosen: Settings) {
    const serving = Effect.gen(function* () {
      yield* canListen(chosen)
      const prepared = yield* prepare(chosen)
      const root = yield* prepareRoot(chosen)
      const engine = yield* localEngine
      const secrets = [
        ...(prepared?.token === undefined ? [] : [tokenNote(prepared.token)]),
        ...(root?.password === undefined ? [] : [passwordNote(root.account.name, root.password)])
      ]
      return printSecretOnce(secrets.join(""), (note) =>
        Layer.merge(
          serve(Layer.provideMerge(Layer.merge(layerConsole, layerMcp), Layer.mergeAll(routes, healthRoutes)), {
            ...chosen,
            largestBody,
            onListening: (base) => Effect.andThen(note, printMessage(greeting(base, chosen, engine, prepared)))
          }),
          layerMetrics(connectionGauge(chosen.database, chosen.connections))
        )
      )
    })
    // After the first start, so that no worker reads a database that is not ready.
    const working = Layer.effectDiscard(
      Effect.forkScoped(
        Effect.raceAllFirst([
          Pipeline.run(chosen.worker),
          Pipeline.keepRoutes(chosen.worker.look),
          Pipeline.runTasks(chosen.worker),
          Pipeline.runBackups(chosen.worker),
          Pipeline.runRestores(chosen.worker),
          Pipeline.runVolumeBackups(chosen.worker),
          Pipeline.runVolumeRestores(chosen.worker),
          Pipeline.sweep,
          Pipeline.sampleMetrics,
          Pipeline.drainLogs,
          Pipeline.watchCertificates,
          Pipeline.renewDatabaseCertificates,
          Pipeline.watchForges,
          Pipeline.watchHooks,
          Pipeline.forgetOld(chosen.retention)
        ])
      )
    )
    return Layer.unwrap(Effect.map(serving, (served) => Layer.merge(served, working))).pipe(
      Layer.provide(storeCheck(chosen)),
      Layer.provide(platform(chosen)),
      Layer.provide(Layer.succeed(Gate, { ...chosen.gate, secret: chosen.secretKey.key }))
    )
  },
  Layer.unwrap,
  Layer.launch
)

if (process.argv.includes("--help")) process.stdout.write(help)
else runService("deploy", settings, service)
