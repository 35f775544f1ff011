import {
  DestinationNotFound,
  DestinationStore,
  DestinationUuid,
  ForgeAppNotFound,
  ForgeAppStore,
  ForgeAppUuid,
  ForgeConnectionNotFound,
  GitlabAppNotFound,
  isConnected,
  PrivateKeyNotFound,
  PrivateKeyStore,
  PrivateKeyUuid,
  RegistryNotFound,
  RegistryStore,
  RegistryUuid,
  S3StorageNotFound,
  S3StorageStore,
  S3StorageUuid,
  ServerNotFound,
  ServerStore,
  ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { by, findForgeApp, findGitlabApp, type NamedInPath, one } from "./finders.ts"
import type { PathKinds } from "./PathKinds.ts"

const findDestination = by(DestinationStore, DestinationUuid)

/** The functions that find servers, keys, forge apps and S3 storages by path parameters. */
export const infrastructureKinds = {
  destination: {
    find: ({ destination, uuid: server }: NamedInPath) =>
      one("destination")(
        Effect.map(findDestination(destination), (found) =>
          server === undefined || found?.serverUuid === server ? found : undefined
        )
      ),
    missing: () => new DestinationNotFound()
  },
  forgeApp: {
    find: ({ github_app_id, uuid }: NamedInPath) => one("forgeApp")(findForgeApp(github_app_id ?? uuid)),
    missing: () => new ForgeAppNotFound()
  },
  forgeConnection: {
    find: ({ uuid }: NamedInPath) =>
      one("forgeConnection")(
        Effect.map(by(ForgeAppStore, ForgeAppUuid)(uuid), (found) =>
          found !== undefined && isConnected(found) ? found : undefined
        )
      ),
    missing: () => new ForgeConnectionNotFound()
  },
  key: {
    find: ({ uuid }: NamedInPath) => one("key")(by(PrivateKeyStore, PrivateKeyUuid)(uuid)),
    missing: () => new PrivateKeyNotFound()
  },
  gitlabApp: {
    find: ({ gitlab_app_id }: NamedInPath) => one("gitlabApp")(findGitlabApp(gitlab_app_id)),
    missing: () => new GitlabAppNotFound()
  },
  registry: {
    find: ({ uuid }: NamedInPath) => one("registry")(by(RegistryStore, RegistryUuid)(uuid)),
    missing: () => new RegistryNotFound()
  },
  s3Storage: {
    find: ({ uuid }: NamedInPath) => one("s3Storage")(by(S3StorageStore, S3StorageUuid)(uuid)),
    missing: () => new S3StorageNotFound()
  },
  server: {
    find: ({ uuid }: NamedInPath) => one("server")(by(ServerStore, ServerUuid)(uuid)),
    missing: () => new ServerNotFound()
  }
} satisfies Partial<PathKinds>
