import type { RepositoryWithGrants } from "@slipway/domain/forge/code"
import { numberIn } from "@slipway/domain/forge/entry"
import { keyLine, type SeenUser, type SshKey } from "@slipway/domain/forge/identity"
import { SshKeys, Users } from "@slipway/forge/identity"
import { Effect } from "effect"
import { deployKeyEndpoints, keyEndpoints } from "../../../api/forge/identity/keys.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showUserTo, type ViewerResource } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"
import { zeroTime } from "../base/zeroTime.ts"
import { handle, mapRows } from "../entry/handle.ts"

interface KeyOfUser {
  readonly key: SshKey
  readonly user: SeenUser
  /** Whether the actor manages the key; only then the response contains the key's comment. */
  readonly whole: boolean
}

/** Returns a function that converts a user's key to the API response for the actor. */
const showKeyTo = Effect.fnUntraced(function* (acting: ViewerResource) {
  const { rootUrl } = yield* PublicUrl
  const show = yield* showUserTo(acting)
  const showSelf = yield* showUserTo(acting, true)
  return ({ key, user, whole }: KeyOfUser) => ({
    id: key.id,
    key: whole ? keyLine(key) : key.publicKey,
    url: `${rootUrl}/api/v1/user/keys/${key.id}`,
    title: key.title,
    fingerprint: key.fingerprint,
    created_at: key.createdAt,
    last_used_at: key.usedAt ?? zeroTime,
    user: (user.id === acting.actor.userId ? showSelf : show)(user),
    read_only: false,
    key_type: "user" as const
  })
})

const whole = true

/** The handlers of the public SSH keys of users. */
export const layerKeys = handle(
  keyEndpoints,
  {
    "account.key.list": ({ page, proof, query }) =>
      Effect.flatMap(Users.self(proof.resource), (user) =>
        mapRows(SshKeys.listOwn(proof, page, query), (key) => ({ key, user, whole }))
      ),
    "account.key.create": ({ body, proof }) =>
      Effect.map(Effect.all([Users.self(proof.resource), SshKeys.addOwn(proof, body)]), ([user, key]) => ({
        key,
        user,
        whole
      })),
    "account.key.read": ({ params, proof }) =>
      Effect.flatMap(SshKeys.readOwn(proof, numberIn(params.id)), ({ key, user }) =>
        Effect.map(Users.seen(proof.resource.actor, user), (seen) => ({ key, user: seen, whole }))
      ),
    "account.key.delete": ({ params, proof }) => SshKeys.removeOwn(proof, numberIn(params.id)),
    "user.key.list": ({ page, proof, query }) =>
      Effect.flatMap(Users.seen(proof.resource.actor, proof.resource.user), (user) =>
        mapRows(SshKeys.listOf(proof, page, query), (key) => ({ key, user, whole: false }))
      ),
    "admin.user.key.create": ({ body, params, proof }) =>
      Effect.flatMap(SshKeys.addFor(proof, params.username, body), ({ key, user }) =>
        Effect.map(Users.seen(proof.resource.actor, user), (seen) => ({ key, user: seen, whole }))
      ),
    "admin.user.key.delete": ({ params, proof }) => SshKeys.removeFor(proof, params.username, numberIn(params.id))
  },
  { showTo: showKeyTo }
)

/** Converts deploy keys to API responses for the actor, with their repository. */
const showDeployKeysTo = Effect.fnUntraced(function* (
  resource: ViewerResource & RepositoryWithGrants,
  keys: ReadonlyArray<SshKey>
) {
  const { rootUrl } = yield* PublicUrl
  const repositories = yield* showRepositoriesTo(resource, [resource])
  return keys.flatMap((key) =>
    repositories.map((repository) => ({
      id: key.id,
      key_id: key.id,
      key: keyLine(key),
      url: `${rootUrl}/api/v1/repos/${repository.full_name}/keys/${key.id}`,
      title: key.title,
      fingerprint: key.fingerprint,
      created_at: key.createdAt,
      read_only: key.holder.kind === "repository" && key.holder.readOnly,
      repository
    }))
  )
})

/** The handlers of deploy keys. */
export const layerDeployKeys = handle(
  deployKeyEndpoints,
  {
    "repository.key.list": ({ page, proof, query: { fingerprint, key_id } }) =>
      SshKeys.listDeploy(proof, page, { fingerprint, id: key_id }),
    "repository.key.create": ({ body: { read_only, ...input }, proof }) =>
      SshKeys.addDeploy(proof, { ...input, readOnly: read_only ?? false }),
    "repository.key.read": ({ params, proof }) => SshKeys.readDeploy(proof, numberIn(params.id)),
    "repository.key.delete": ({ params, proof }) => SshKeys.removeDeploy(proof, numberIn(params.id))
  },
  { showAllTo: showDeployKeysTo }
)
