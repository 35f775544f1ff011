import { Context, type Effect } from "effect"
import type { Window } from "../../../Page.ts"
import type { Visible, VisibleCollection } from "../../identity/grants/Visible.ts"
import type { ForgeAppUuid } from "../../infrastructure/forge-apps/ForgeApp.ts"
import type { PrivateKeyUuid } from "../../infrastructure/keys/PrivateKey.ts"
import type { ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { EnvironmentUuid, ProjectUuid } from "../projects/Project.ts"
import type { RepositoryFilter } from "../sources/repositoryFilter.ts"
import type { Application } from "./Application.ts"

/** A server, a project or an environment, by which applications are filtered. */
export type Where =
  | { readonly _tag: "Server"; readonly uuid: ServerUuid }
  | { readonly _tag: "Project"; readonly uuid: ProjectUuid }
  | { readonly _tag: "Environment"; readonly uuid: EnvironmentUuid }

/** A repository and a private key, by which applications are filtered, and a tag that they must also have. */
export interface BuiltFrom {
  readonly repository?: RepositoryFilter | undefined
  readonly privateKeyUuid?: PrivateKeyUuid | undefined
  readonly tag?: string | undefined
}

/**
 * Stores applications.
 *
 * Must:
 * - return an application with the current name of its environment
 * - list and count no application that runs a service, but find it by its uuid
 * - list only the applications of the given server, project or environment
 * - list only the applications of the given forge apps
 * - list and count only the applications with the given tag, ignoring case, that a caller sees
 * - list and count only the applications of the given repository, with the given tag if one is given, that a caller sees
 * - list and count only the applications with the given private key, and the given repository and tag if given
 * - find applications by uuids and by tags in one call, each once
 */
export class ApplicationStore extends Context.Service<
  ApplicationStore,
  VisibleCollection<Application> & {
    readonly placed: (where: Where, window: Window) => Effect.Effect<ReadonlyArray<Application>>
    readonly ofForgeApps: (
      forgeApps: ReadonlyArray<ForgeAppUuid>,
      window: Window
    ) => Effect.Effect<ReadonlyArray<Application>>
    readonly tagged: (tag: string, window: Window, visible?: Visible) => Effect.Effect<ReadonlyArray<Application>>
    readonly builtFrom: (
      filter: BuiltFrom,
      window: Window,
      visible?: Visible
    ) => Effect.Effect<ReadonlyArray<Application>>
    /** Finds the applications that have one of the uuids or tags, in the order of insertion, at most `limit`. */
    readonly named: (
      uuids: ReadonlyArray<string>,
      tags: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Application>>
    readonly countTagged: (tag: string, visible?: Visible) => Effect.Effect<number>
    readonly countBuiltFrom: (filter: BuiltFrom, visible?: Visible) => Effect.Effect<number>
  }
>()("@slipway/domain/deploy/ApplicationStore") {}
