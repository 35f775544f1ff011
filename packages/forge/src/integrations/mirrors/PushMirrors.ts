import type { OwnedPage } from "@slipway/domain"
import { makeSecret, now } from "@slipway/domain"
import { inRepository } from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  addressProblem,
  intervalProblem,
  type Mirror,
  MirrorInvalid,
  MirrorNotFound,
  mirrors,
  mostPushMirrors,
  remoteAddress,
  secondsIn,
  usualInterval
} from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { lockHolder } from "../../base/locks/lockHolder.ts"
import { sealPassword } from "./secrets.ts"
import { wakeAll } from "./wakeMirrors.ts"

/** The fields of a new push mirror. */
export interface PushMirrorInput {
  readonly address: string
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** The interval of scheduled pushes, such as `8h0m0s`; `0` disables the schedule. */
  readonly interval?: string | undefined
  readonly onCommit?: boolean | undefined
}

const filterOf = (repositoryId: RepositoryId) => ({ repositoryId, direction: "push" }) as const

const invalid = (field: string, problem: string) => new MirrorInvalid({ field, problem })

/** Lists the push mirrors of a repository. */
export const list = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.push-mirror.list">,
  page: OwnedPage
) {
  return yield* (yield* mirrors.store).list({}, page, { filter: filterOf(repository.id) })
})

const named = Effect.fnUntraced(function* (repositoryId: RepositoryId, name: string) {
  const found = yield* (yield* mirrors.store).findBy("name", { repositoryId, name })
  return found?.direction === "push" ? found : yield* new MirrorNotFound({ name })
})

/** Reads a push mirror of a repository by name. */
export const read = (proof: Proof<"repository.push-mirror.read">, name: string) =>
  named(proof.resource.repository.id, name)

const originOf = (url: string): string => new URL(url).origin
const eventDetails = ({ name, url }: Mirror) => ({ details: { mirror: name, host: originOf(url) } })

/** Adds a push mirror: a remote repository to which this repository is pushed immediately and on later updates. */
export const create = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.push-mirror.create">,
    { address, interval = "", onCommit = false, password, username }: PushMirrorInput
  ) {
    const parsed = remoteAddress(address)
    if (parsed === undefined) return yield* invalid("remote_address", addressProblem)
    const problem = interval === "" ? undefined : intervalProblem(interval)
    if (problem !== undefined) return yield* invalid("interval", problem)
    const store = yield* mirrors.store
    yield* lockHolder(inRepository(repository.id))
    if ((yield* store.count({}, filterOf(repository.id))) >= mostPushMirrors) {
      return yield* invalid("remote_address", `must be one of at most ${mostPushMirrors}`)
    }
    const uuid = yield* makeSecret
    const at = yield* now
    return yield* Effect.orDie(
      store.insert({
        repositoryId: repository.id,
        direction: "push",
        name: `remote_mirror_${uuid.slice(0, 10)}`,
        url: parsed.url,
        username: username ?? parsed.username,
        uuid,
        password: yield* sealPassword(uuid, password ?? parsed.password),
        interval: interval === "" ? usualInterval : (secondsIn(interval) ?? 0),
        onCommit,
        oneTime: false,
        wiki: false,
        createdAt: at,
        syncedAt: null,
        lastError: "",
        dueAt: at,
        running: false,
        asked: 0
      })
    )
  }),
  (mirror, _input) => eventDetails(mirror)
)

/** Removes a push mirror by name. */
export const remove = audited(
  Effect.fnUntraced(function* (proof: Proof<"repository.push-mirror.delete">, name: string) {
    const { id } = yield* named(proof.resource.repository.id, name)
    return (yield* (yield* mirrors.store).remove({}, id)) ?? (yield* new MirrorNotFound({ name }))
  }),
  (mirror, _name) => eventDetails(mirror)
)

/** Makes all push mirrors of a repository due, so that a worker pushes to them soon. */
export const sync = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.push-mirror.sync">) {
    yield* wakeAll(filterOf(repository.id))
  })
)
