import { Transaction } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { changeProfile, profilesOf, type Repository, RepositoryNotFound } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  AvatarImages,
  AvatarInvalid,
  AvatarName,
  AvatarStore,
  identiconText,
  largestAvatarUpload,
  type Organization,
  OrganizationNotFound,
  OrganizationStore,
  signedInUser,
  UserNotFound,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { record } from "../../base/events/record.ts"

/** Converts an uploaded image to the PNG of an avatar. Fails if the image is too large or invalid. */
const avatarOf = Effect.fnUntraced(function* (sent: Uint8Array) {
  if (sent.length > largestAvatarUpload) {
    return yield* new AvatarInvalid({ problem: `must have at most ${largestAvatarUpload} bytes` })
  }
  return yield* (yield* AvatarImages).square(sent)
})

const newName = Effect.gen(function* () {
  return AvatarName.make(Hex.encode(yield* (yield* SecureRandom.SecureRandom).randomBytes(16)))
})

/** Copies the avatar of a repository to another repository, in the current transaction. */
export const copyAvatar = Effect.fnUntraced(function* (from: RepositoryId, to: RepositoryId) {
  const avatars = yield* AvatarStore
  const name = (yield* profilesOf([from])).get(from)?.avatar ?? undefined
  const picture = name === undefined ? undefined : yield* avatars.find(name)
  if (picture === undefined) return
  const avatar = yield* newName
  yield* avatars.put(avatar, picture)
  yield* changeProfile(to, { avatar })
})

/** Replaces or removes an avatar, and deletes the stored image of the previous one. */
const exchange = Effect.fnUntraced(function* <E, R>(
  proof: Parameters<typeof record>[0],
  picture: Uint8Array | undefined,
  set: (name: AvatarName | null) => Effect.Effect<AvatarName | null | undefined, never, R>,
  missing: E
) {
  const name = picture === undefined ? null : yield* newName
  const transaction = yield* Transaction
  yield* transaction.run(
    Effect.gen(function* () {
      const avatars = yield* AvatarStore
      if (name !== null && picture !== undefined) yield* avatars.put(name, picture)
      const before = yield* set(name)
      if (before === undefined) return yield* Effect.fail(missing)
      if (before !== null) yield* avatars.remove(before)
      yield* record(proof)
    })
  )
})

const gone = ({ name }: Organization) => new OrganizationNotFound({ name })

/** Sets the avatar of an organization. */
export const setOfOrganization = Effect.fnUntraced(function* (
  proof: Proof<"organization.avatar.set">,
  sent: Uint8Array
) {
  const { organization } = proof.resource
  const organizations = yield* OrganizationStore
  yield* exchange(
    proof,
    yield* avatarOf(sent),
    (name) => organizations.setAvatar(organization.id, name),
    gone(organization)
  )
})

/** Removes the avatar of an organization. */
export const removeOfOrganization = Effect.fnUntraced(function* (proof: Proof<"organization.avatar.delete">) {
  const { organization } = proof.resource
  const organizations = yield* OrganizationStore
  yield* exchange(proof, undefined, (name) => organizations.setAvatar(organization.id, name), gone(organization))
})

/** Sets the caller's avatar. */
export const setOwn = Effect.fnUntraced(function* (proof: Proof<"account.avatar.set">, sent: Uint8Array) {
  const users = yield* UserStore
  const { id, name: user } = signedInUser(proof.resource)
  yield* exchange(proof, yield* avatarOf(sent), (name) => users.setAvatar(id, name), new UserNotFound({ name: user }))
})

/** Removes the caller's avatar. */
export const removeOwn = Effect.fnUntraced(function* (proof: Proof<"account.avatar.delete">) {
  const users = yield* UserStore
  const { id, name: user } = signedInUser(proof.resource)
  yield* exchange(proof, undefined, (name) => users.setAvatar(id, name), new UserNotFound({ name: user }))
})

const setOn =
  ({ id }: Repository) =>
  (avatar: AvatarName | null) =>
    Effect.map(changeProfile(id, { avatar }), (before) => before?.avatar)

const repositoryGone = ({ name, owner }: Repository) => new RepositoryNotFound({ name: `${owner.name}/${name}` })

/** Sets the avatar of a repository. */
export const setOfRepository = Effect.fnUntraced(function* (proof: Proof<"repository.avatar.set">, sent: Uint8Array) {
  const { repository } = proof.resource
  yield* exchange(proof, yield* avatarOf(sent), setOn(repository), repositoryGone(repository))
})

/** Removes the avatar of a repository. */
export const removeOfRepository = Effect.fnUntraced(function* (proof: Proof<"repository.avatar.delete">) {
  const { repository } = proof.resource
  yield* exchange(proof, undefined, setOn(repository), repositoryGone(repository))
})

/**
 * Returns an avatar by its name, or generates the image for the name of a generated avatar. No permission is needed,
 * because the name is unpredictable.
 */
export const read = Effect.fnUntraced(function* (name: string) {
  const text = identiconText(name)
  return text === undefined ? yield* (yield* AvatarStore).find(name) : yield* (yield* AvatarImages).identicon(text)
})
