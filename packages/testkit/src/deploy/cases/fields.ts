import { assert } from "@effect/vitest"
import { show } from "@slipway/deploy/apps"
import {
  ApplicationStore,
  type FieldName,
  fieldNames,
  fields,
  type PlainField,
  type SecretField,
  secretFields,
  type Variant
} from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { creations } from "../spec/routes.ts"
import { plantWorld } from "../world.ts"
import { samples } from "./samples.ts"
import { type Body, bodyOf, type Case, create, get, refuses, shown, update, type World } from "./support.ts"

const isSampled = (name: string): name is PlainField | SecretField => Object.hasOwn(samples, name)

/** Returns valid values for a field that is not part of the placement, as the application variant accepts them. */
const valuesOf = (variant: Variant, name: PlainField | SecretField): ReadonlyArray<unknown> =>
  name === "build_pack" && variant === "dockerfile" ? ["dockerfile"] : samples[name]

const placesOf = (world: World): Body => ({
  project_uuid: world.project.uuid,
  server_uuid: world.server.uuid,
  environment_name: world.environment.name,
  environment_uuid: world.environment.uuid,
  destination_uuid: world.destination.uuid,
  forge_app_uuid: world.forgeApp.uuid,
  private_key_uuid: world.privateKey.uuid
})

const eachVariant = (test: (variant: Variant, accepted: ReadonlyArray<string>, world: World) => Case) =>
  Object.fromEntries(
    creations.map(({ accepted, variant }) => [
      variant,
      Effect.flatMap(plantWorld(), (world) =>
        test(
          variant,
          accepted.map((field) => field.name),
          world
        )
      )
    ])
  )

/**
 * Makes a test for each application variant: it creates an application with a value for every accepted field, reads it,
 * sends every field again unchanged, and asserts that nothing changes.
 */
const survives = (pick: (values: ReadonlyArray<unknown>) => unknown) =>
  eachVariant((variant, accepted, world) =>
    Effect.gen(function* () {
      const places = placesOf(world)
      const body = Object.fromEntries(
        accepted.map((name) => {
          if (!isSampled(name)) return [name, places[name]]
          return [name, pick(valuesOf(variant, name))]
        })
      )
      // With Docker Compose, services have domains, and the application has none.
      if (body.build_pack === "dockercompose") Object.assign(body, { domains: "", autogenerate_domain: false })
      const { uuid } = yield* create(variant, body)
      const first = yield* shown(uuid)
      assert.deepStrictEqual(Object.keys(first).toSorted(), fieldNames.toSorted())
      for (const name of accepted) assert.deepStrictEqual(first[name as FieldName], body[name], name)
      for (const name of accepted) {
        yield* update(uuid, { [name]: first[name as FieldName] })
        assert.deepStrictEqual(yield* shown(uuid), first, name)
      }
      yield* update(uuid, Object.fromEntries(accepted.map((name) => [name, first[name as FieldName]])))
      assert.deepStrictEqual(yield* shown(uuid), first)
    })
  )

/** Tests of configuration fields: each field is created, read, changed and read again (see the decision "Symmetry"). */
export const fieldCases = {
  "every accepted field is unchanged after create, read, update with the same value and read": survives(
    (values) => values[0]
  ),
  "every accepted field is unchanged after create, read, update and read with another value": survives(
    (values) => values[1] ?? values[0]
  ),
  "every accepted field is unchanged after create, read, update and read with an empty or null value": survives(
    (values) => values.at(-1)
  ),
  "an update of one field changes only that field, for each value": eachVariant((variant, accepted, world) =>
    Effect.gen(function* () {
      const { uuid } = yield* create(variant, bodyOf(variant, world, { autogenerate_domain: false }))
      const first = yield* shown(uuid)
      for (const name of accepted.filter(isSampled)) {
        for (const value of valuesOf(variant, name)) {
          const before = yield* shown(uuid)
          yield* update(uuid, { [name]: value })
          const after = yield* shown(uuid)
          assert.deepStrictEqual(after, { ...before, [name]: value }, name)
        }
        // With Docker Compose, the application could have no domains.
        if (name === "build_pack") yield* update(uuid, { build_pack: first.build_pack })
      }
    })
  ),
  "an omitted field has its default value": eachVariant((variant, accepted, world) =>
    Effect.gen(function* () {
      const body = bodyOf(variant, world)
      const { uuid } = yield* create(variant, body)
      const sent = yield* shown(uuid)
      const derived = ["name", "domains", "ports_exposes", "build_pack", "docker_registry_image_tag"]
      for (const name of accepted.filter(isSampled)) {
        if (!(name in body) && !derived.includes(name)) assert.deepStrictEqual(sent[name], fields[name].unset, name)
      }
      assert.match(sent.name ?? "", new RegExp(`-${uuid}$`))
      assert.strictEqual(sent.docker_registry_image_tag, variant === "dockerimage" ? "latest" : "")
      assert.strictEqual(sent.environment_name, world.environment.name)
      assert.strictEqual(sent.destination_uuid, world.destination.uuid)
    })
  ),
  "a password in a repository URL is encrypted, masked, and kept when the masked URL is sent back (invariant I15)":
    Effect.gen(function* () {
      const world = yield* plantWorld()
      const git_repository = "https://me:s3cr3t@forge.example/owner/shop.git"
      const { uuid } = yield* create("public", bodyOf("public", world, { git_repository }))
      const stored = (yield* (yield* ApplicationStore).find(uuid)) ?? assert.fail("the application is missing")
      assert.notInclude(JSON.stringify(stored), "s3cr3t")
      const seen = (yield* show(yield* get(uuid), undefined)).git_repository
      assert.strictEqual(seen, "https://me:********@forge.example/owner/shop.git")
      assert.strictEqual((yield* shown(uuid)).git_repository, git_repository)
      yield* update(uuid, { git_repository: seen, description: "sent back" })
      assert.strictEqual((yield* shown(uuid)).git_repository, git_repository)
      yield* update(uuid, { git_repository: "https://me:********@forge.example/owner/other.git" })
      assert.strictEqual((yield* shown(uuid)).git_repository, "https://me:s3cr3t@forge.example/owner/other.git")
      // The password isn't sent to another machine or account.
      for (const other of ["https://me:********@evil.example/a/b", "https://you:********@forge.example/a/b"]) {
        yield* refuses(update(uuid, { git_repository: other }), ["git_repository"])
      }
      const masked = bodyOf("public", world, { git_repository: "https://********@forge.example/a/b" })
      yield* refuses(create("public", masked), ["git_repository"])
      yield* update(uuid, { git_repository: "https://forge.example/owner/shop.git" })
      const open = (yield* (yield* ApplicationStore).find(uuid)) ?? assert.fail("the application is missing")
      assert.deepStrictEqual(open.secrets, {})
    }),
  "secrets are stored encrypted and hidden from callers without permission to read them (invariant I15)": Effect.gen(
    function* () {
      const world = yield* plantWorld()
      const secrets = Object.fromEntries(secretFields.map((name) => [name, `the ${name}`]))
      const { uuid } = yield* create("dockerimage", bodyOf("dockerimage", world, secrets))
      const application = yield* get(uuid)
      assert.notInclude(JSON.stringify(application), "the manual_webhook_secret")
      assert.notInclude(JSON.stringify(application), "the http_basic_auth_password")
      const hidden = yield* show(application, undefined)
      const seen = yield* shown(uuid)
      for (const name of secretFields) {
        assert.isNull(hidden[name])
        assert.strictEqual(seen[name], secrets[name])
      }
      yield* update(uuid, { http_basic_auth_password: null, description: "changed" })
      assert.deepStrictEqual(yield* shown(uuid), { ...seen, http_basic_auth_password: null, description: "changed" })
    }
  ),
  "a secret can be decrypted only for its own application and field (invariant I19)": Effect.gen(function* () {
    const world = yield* plantWorld()
    const store = yield* ApplicationStore
    const secret = { manual_webhook_secret_forgeA: "a secret" }
    const mine = yield* create("dockerimage", bodyOf("dockerimage", world, secret))
    const other = yield* create("dockerimage", bodyOf("dockerimage", world, secret))
    const sealed = mine.secrets.manual_webhook_secret_forgeA
    assert.isDefined(sealed)
    for (const secrets of [{ manual_webhook_secret_forgeB: sealed }, { http_basic_auth_password: sealed }]) {
      yield* store.replace({ ...mine, secrets })
      assert.strictEqual((yield* Effect.exit(shown(mine.uuid)))._tag, "Failure")
    }
    yield* store.replace({ ...other, secrets: { manual_webhook_secret_forgeA: sealed } })
    assert.strictEqual((yield* Effect.exit(shown(other.uuid)))._tag, "Failure")
  }),
  "labels are stored with doubled dollar signs while escaping is on, and returned as sent": Effect.gen(function* () {
    const world = yield* plantWorld()
    const stored = (uuid: string) => Effect.map(get(uuid), (found) => found.configuration.custom_labels)
    const labels = "a=$5\nb=$$\nc=\\$ $$$"
    const doubled = "a=$$5\nb=$$$$\nc=\\$$ $$$$$$"
    const { uuid } = yield* create("dockerimage", bodyOf("dockerimage", world, { custom_labels: labels }))
    assert.strictEqual(yield* stored(uuid), doubled)
    yield* update(uuid, { description: "twice" })
    assert.strictEqual(yield* stored(uuid), doubled)
    yield* update(uuid, { is_container_label_escape_enabled: false })
    assert.strictEqual(yield* stored(uuid), labels)
    assert.strictEqual((yield* shown(uuid)).custom_labels, labels)
    yield* update(uuid, { is_container_label_escape_enabled: true, custom_labels: "$" })
    assert.strictEqual(yield* stored(uuid), "$$")
    assert.strictEqual((yield* shown(uuid)).custom_labels, "$")
    const plain = { custom_labels: labels, is_container_label_escape_enabled: false }
    const other = yield* create("dockerimage", bodyOf("dockerimage", world, plain))
    assert.strictEqual(yield* stored(other.uuid), labels)
  }),
  "a Dockerfile in base64 is stored and returned as text": Effect.gen(function* () {
    const world = yield* plantWorld()
    const text = "FROM scratch\n# ünïcode\n"
    const encoded = "RlJPTSBzY3JhdGNoCiMgw7xuw69jb2RlCg=="
    const { uuid } = yield* create("dockerfile", bodyOf("dockerfile", world, { dockerfile: encoded }))
    assert.strictEqual((yield* shown(uuid)).dockerfile, text)
    yield* update(uuid, { dockerfile: `${encoded.slice(0, 20)}\n${encoded.slice(20)}\n` })
    assert.strictEqual((yield* shown(uuid)).dockerfile, text)
  })
} satisfies Readonly<Record<string, Case | Readonly<Record<string, Case>>>>
