import { type Entity, InvalidInput } from "@slipway/domain"
import {
  ApplicationStore,
  EnvironmentStore,
  type PlacedType,
  ProjectStore,
  ServiceStore,
  TagStore
} from "@slipway/domain/deploy/apps"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import { type Authorized, authorize, type Caller, rowOf, visibleTo } from "@slipway/domain/deploy/entry"
import {
  type AccountUuid,
  TeamStore,
  teamOf,
  type Visible,
  type VisibleCollection
} from "@slipway/domain/deploy/identity"
import {
  DestinationStore,
  ForgeAppStore,
  GitlabAppStore,
  PrivateKeyStore,
  RegistryStore,
  S3StorageStore,
  ServerStore
} from "@slipway/domain/deploy/infrastructure"
import { type Context, Effect } from "effect"
import { isAction, wholes } from "./explain.ts"
import { memberCaller, memberGrants } from "./memberGrants.ts"

/** The question on which objects a caller, or a member of the caller's team, may perform an action. */
export interface ObjectsQuestion {
  readonly action: string
  /** The uuid of a member; if omitted, the question is about the token in use. */
  readonly account?: AccountUuid | undefined
  /** The id of the last object of the previous page. */
  readonly after?: number | undefined
  readonly limit: number
}

/** An object on which an action is allowed. */
export interface AllowedObject {
  readonly id: number
  readonly type: PlacedType
  readonly uuid: string
  /** The name; null for an application without one. */
  readonly name: string | null
}

type ListedStores =
  | ApplicationStore
  | DatabaseStore
  | DestinationStore
  | EnvironmentStore
  | ForgeAppStore
  | GitlabAppStore
  | PrivateKeyStore
  | ProjectStore
  | RegistryStore
  | S3StorageStore
  | ServerStore
  | ServiceStore
  | TagStore

/** A page of a list of objects. */
type Page = Pick<ObjectsQuestion, "after" | "limit">

type Listed = Effect.Effect<ReadonlyArray<Omit<AllowedObject, "type">>, never, ListedStores>

const listOf =
  <Id extends ListedStores, Row extends Entity>(
    store: Context.Service<Id, Pick<VisibleCollection<Row>, "listVisible">>,
    nameOf: (row: Row) => string | null
  ) =>
  (visible: Visible, page: Page): Listed =>
    Effect.map(
      Effect.flatMap(store, ({ listVisible }) => listVisible(visible, page)),
      (rows) => rows.map((row) => ({ id: row.id, uuid: row.uuid, name: nameOf(row) }))
    )

const named = <Id extends ListedStores, Row extends Entity & { readonly name: string }>(
  store: Context.Service<Id, Pick<VisibleCollection<Row>, "listVisible">>
) => listOf(store, ({ name }: Row) => name)

/** The functions that list the objects of a type, by id. */
const lists: Readonly<Record<PlacedType, (visible: Visible, page: Page) => Listed>> = {
  application: listOf(ApplicationStore, ({ configuration }) => configuration.name),
  database: named(DatabaseStore),
  destination: named(DestinationStore),
  environment: named(EnvironmentStore),
  forgeApp: named(ForgeAppStore),
  gitlabApp: named(GitlabAppStore),
  key: named(PrivateKeyStore),
  project: named(ProjectStore),
  registry: named(RegistryStore),
  s3Storage: named(S3StorageStore),
  server: named(ServerStore),
  service: named(ServiceStore),
  tag: named(TagStore)
}

const isListed = (type: string): type is PlacedType => Object.hasOwn(lists, type)

const invalid = (field: string, problem: string) => new InvalidInput({ problems: { [field]: [problem] } })

/** Returns the type of the objects of an action; for an action on a part of an object, the type of the whole object. */
const typeOf = Effect.fnUntraced(function* (action: string) {
  if (!isAction(action)) return yield* invalid("action", "There is no such action.")
  const { on } = rowOf(action)
  const [type, ...others] = wholes[on] ?? [on]
  if (type !== undefined && isListed(type) && others.length === 0) return { action, type }
  return yield* invalid("action", `Applies to \`${on}\`: its objects cannot be listed.`)
})

/** Returns a member of the caller's team as a caller with every ability. The caller must be allowed to list the members. */
const memberOf = Effect.fnUntraced(function* (caller: Caller, uuid: AccountUuid) {
  const teams = yield* TeamStore
  const team = yield* teams.find(teamOf(caller.access))
  if (team === undefined) return yield* invalid("account_uuid", "The team no longer exists.")
  yield* authorize(caller, "access.subjects", { team })
  const account = (yield* teams.members(team.id)).find((each) => each.uuid === uuid)
  if (account === undefined || account.isDisabled) {
    return yield* invalid("account_uuid", "Is not an enabled member of the team.")
  }
  const grants = (yield* memberGrants(team.id)).get(uuid) ?? []
  return memberCaller(account, team.id, { grants: grants.map((each) => each.held) })
})

/**
 * Lists the objects on which the token in use, or a member of its team, may perform an action, by id.
 *
 * The condition of the action is a part of the query. For an action on a part of an object, such as a variable, it lists
 * the objects that contain such parts. The decisions about a member are those of a token of the member for the team with
 * every ability.
 */
export const list = Effect.fnUntraced(function* (
  { resource: { caller } }: Authorized<"access.objects">,
  { account, after, limit, action: name }: ObjectsQuestion
) {
  const { action, type } = yield* typeOf(name)
  const subject = account === undefined ? caller : yield* memberOf(caller, account)
  const rows = yield* lists[type](visibleTo(subject, action), { after, limit })
  return rows.map((row): AllowedObject => ({ ...row, type }))
})
