import { assert } from "@effect/vitest"
import type { Label } from "@slipway/domain/forge/code"
import { AvatarStore, avatarSide, largestAvatarUpload } from "@slipway/domain/forge/identity"
import { Labels } from "@slipway/forge/code"
import { Avatars } from "@slipway/forge/identity"
import { Effect } from "effect"
import { all, namesOf } from "../../builders.ts"
import { answer, basic, equal, may, present, type Sent, user } from "../support.ts"
import { create, mayIn, organizationNamed, remove } from "./support.ts"

const labels = Effect.gen(function* () {
  yield* user("olga")
  yield* user("eve")
  const acme = yield* create("olga", "acme")
  yield* create("olga", "other")
  const label = yield* Effect.flatMap(mayIn("organization.label.create", "acme", basic("olga")), (proof) =>
    Labels.create(proof, { name: "kind/bug", color: "#0AF", exclusive: true })
  )
  const bug: Label = {
    id: label.id,
    organizationId: acme.id,
    repositoryId: null,
    name: "kind/bug",
    color: "00aaff",
    description: "",
    exclusive: true,
    archived: false
  }
  equal(label, bug)
  const get = (organization: string, id: number, sent: Sent = basic("eve")) =>
    answer(Effect.flatMap(mayIn("organization.label.read", organization, sent), (proof) => Labels.read(proof, id)))
  equal(yield* get("acme", bug.id), bug)
  // Invariant I6: the id of a label is invalid below another organization.
  equal(yield* get("other", bug.id), `LabelNotFound ${bug.id}`)
  const edit = (organization: string, by: string) =>
    answer(
      Effect.flatMap(mayIn("organization.label.edit", organization, basic(by)), (proof) =>
        Labels.edit(proof, bug.id, { color: "ff0000", archived: true })
      )
    )
  assert.match(String(yield* edit("acme", "eve")), /^403 /)
  equal(yield* edit("other", "olga"), `LabelNotFound ${bug.id}`)
  equal(yield* edit("acme", "olga"), { ...bug, color: "ff0000", archived: true })
  const list = (sent: Sent) =>
    Effect.flatMap(mayIn("organization.label.list", "acme", sent), (proof) =>
      Effect.map(Labels.list(proof, all), namesOf)
    )
  equal(yield* list({}), { names: ["kind/bug"], total: 1 })
  const drop = (organization: string) =>
    answer(
      Effect.flatMap(mayIn("organization.label.delete", organization, basic("olga")), (proof) =>
        Labels.remove(proof, bug.id)
      )
    )
  equal(yield* drop("other"), `LabelNotFound ${bug.id}`)
  equal(yield* drop("acme"), undefined)
  equal(yield* drop("acme"), `LabelNotFound ${bug.id}`)
})

const avatarsScenario = Effect.gen(function* () {
  yield* user("olga")
  yield* create("olga", "acme")
  const bytes = (text: string) => new TextEncoder().encode(text)
  const set = (sent: Uint8Array) =>
    answer(
      Effect.flatMap(mayIn("organization.avatar.set", "acme", basic("olga")), (proof) =>
        Avatars.setOfOrganization(proof, sent)
      )
    )
  const shown = Effect.gen(function* () {
    const { avatar } = yield* organizationNamed("acme")
    const picture = avatar === null ? undefined : yield* Avatars.read(avatar)
    return { avatar, text: picture && new TextDecoder().decode(picture) }
  })
  equal(yield* shown, { avatar: null, text: undefined })
  equal(yield* set(bytes("picture of a house (taken at home)")), undefined)
  const first = yield* shown
  equal(first.text, "picture of a house ")
  assert.match(String(first.avatar), /^[0-9a-f]{32}$/)
  equal(yield* set(bytes("no picture")), "AvatarInvalid must be an image")
  equal(
    yield* set(bytes(`picture ${"x".repeat(largestAvatarUpload)}`)),
    `AvatarInvalid must have at most ${largestAvatarUpload} bytes`
  )
  equal(yield* shown, first)
  yield* set(bytes("picture of a car"))
  const second = yield* shown
  equal(second.text, "picture of a car")
  // The previous avatar is removed (invariant I7).
  assert.isUndefined(yield* Avatars.read(first.avatar ?? ""))
  yield* Effect.flatMap(mayIn("organization.avatar.delete", "acme", basic("olga")), Avatars.removeOfOrganization)
  equal(yield* shown, { avatar: null, text: undefined })
  assert.isUndefined(yield* (yield* AvatarStore).find(second.avatar ?? ""))
  yield* set(bytes("picture of a boat"))
  const third = yield* shown
  yield* remove("olga", "acme")
  assert.isUndefined(yield* Avatars.read(third.avatar ?? ""))
  yield* Effect.flatMap(may("account.avatar.set", basic("olga")), (proof) => Avatars.setOwn(proof, bytes("picture me")))
  const own = (yield* present("olga"))?.avatar
  equal(new TextDecoder().decode(yield* Avatars.read(own ?? "")), "picture me")
  yield* Effect.flatMap(may("account.avatar.delete", basic("olga")), Avatars.removeOwn)
  equal((yield* present("olga"))?.avatar, null)
  assert.isUndefined(yield* Avatars.read(own ?? ""))
  assert.isAbove(avatarSide, 100)
})

/** Tests of the resources of organizations, such as labels and avatars. */
export const organizationResources = {
  "an organization has its own labels": labels,
  "an organization has an avatar, made from the uploaded image": avatarsScenario
}
