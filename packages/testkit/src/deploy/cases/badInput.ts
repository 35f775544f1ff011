import { assert } from "@effect/vitest"
import {
  accepts,
  type FieldName,
  fieldNames,
  fields,
  requires,
  type Variant,
  variants
} from "@slipway/domain/deploy/apps"
import { Effect, Result } from "effect"
import { uuidOf } from "../builders.ts"
import { creations } from "../spec/routes.ts"
import { plantWorld } from "../world.ts"
import { type Body, bodyOf, type Case, create, refuses, update, type World } from "./support.ts"

const without = (body: Body, ...names: ReadonlyArray<string>): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

/**
 * Asserts that a creation and an update with these fields are both rejected. `wrong` lists the fields that the error
 * must name.
 */
const refusesBoth = (variant: Variant, world: World, sent: Body, wrong: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* refuses(create(variant, bodyOf(variant, world, sent)), wrong)
    const { uuid } = yield* create(variant, bodyOf(variant, world))
    return yield* refuses(update(uuid, sent), wrong)
  })

const withWorld = (test: (world: World) => Case): Case => Effect.flatMap(plantWorld(), test)

const eachVariant = (test: (variant: Variant, world: World) => Case) =>
  Object.fromEntries(variants.map((variant) => [variant, withWorld((world) => test(variant, world))]))

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth))

const wrongFor = {
  string: [1, true, [], {}, ["text"]],
  boolean: ["true", 1, [], {}],
  integer: ["1", 1.5, true, [], {}, 1e300, -1],
  array: ["text", 1, true, {}, [1], ["a"], [{}], [{ name: "a" }], [{ name: "a", domain: "", more: 1 }]]
} as const

/** Invalid values of the correct type, by field. Each value makes only its own field invalid. */
const badValues: Readonly<Partial<Record<FieldName, ReadonlyArray<unknown>>>> = {
  git_repository: [
    "",
    " ",
    "--upload-pack=touch /tmp/x",
    "-u",
    "file:///etc/passwd",
    "/etc/passwd",
    "../repository",
    "ext::sh -c id",
    "git://forge.example/owner/repository",
    "ftp://forge.example/a",
    "https://",
    "https://forge.example",
    "https://forge.example/--upload-pack=x",
    "https://forge.example/a b",
    "ssh://-oProxyCommand=x/repository",
    "-oProxyCommand=x@forge.example:owner/repository",
    "git@-oProxyCommand=x:owner/repository",
    "git@forge.example:-x",
    "https://forge.example/a\nb",
    `https://forge.example/${"a".repeat(3_000)}`
  ],
  git_branch: [
    "",
    "-x",
    "--upload-pack=x",
    "a..b",
    "a b",
    "a~1",
    "a^",
    "a:b",
    "a\\b",
    ".a",
    "a/",
    "a.lock",
    "@",
    "HEAD",
    "a\nb",
    "a".repeat(300)
  ],
  git_commit_sha: ["main", "-x", "0a1b2c", "g".repeat(40), "0".repeat(65), "HEAD~1", "HEAD\n"],
  build_pack: ["", "heroku", "DOCKERFILE"],
  dockerfile: [
    "",
    "RUN true",
    "# FROM scratch",
    "FROM",
    "Zm9vYmFy",
    "RlJPTSBzY3JhdGNo!",
    "RlJPTSBzY3JhdGN",
    "//79/A==",
    `FROM scratch\n${"#".repeat(1_000_000)}`
  ],
  dockerfile_location: ["../Dockerfile", "/a/../../b", "-f", "a\\..\\b", "a\nb"],
  docker_compose_location: ["../compose.yaml", "-f", "/.."],
  docker_compose_domains: [
    [{ name: "", domain: "https://a.example" }],
    [{ name: "web", domain: "a.example" }],
    [{ name: 1, domain: "https://a.example" }],
    Array.from({ length: 101 }, () => ({ name: "web", domain: "" }))
  ],
  docker_registry_image_name: ["Team/App", "-x", "a b", "nginx:", "nginx@sha256:00", "https://nginx", "a".repeat(600)],
  docker_registry_image_tag: ["-x", "a b", "a/b", "a".repeat(129), "sha256:00"],
  base_directory: ["..", "/a/..", "--x"],
  publish_directory: ["..", "/a/..", "--x"],
  watch_paths: ["x".repeat(10_001)],
  name: ["", " ", "a\nb", "x".repeat(256)],
  description: ["x".repeat(10_001)],
  domains: [
    "app.example",
    "ftp://app.example",
    "https://",
    "https://app.example?x",
    "https://app.example#x",
    "https://user:secret@app.example",
    "https://app.example,,https://b.example",
    "https://app.example:99999",
    "https://app.example:0",
    "https://a b.example",
    "https://app.example\\x",
    "javascript:alert(1)",
    "https://-.example\"'>",
    Array.from({ length: 101 }, (_, n) => `https://${n}.example`).join(),
    `https://app.example/${"a".repeat(20_000)}`
  ],
  ports_exposes: ["0", "65536", "80,", "a", "80-90", "-1", "8".repeat(3_000)],
  ports_mappings: ["80", "80:", "0:80", "80:65536", "80:80/sctp", "1-2:1-3", "1-1001:1-1001", "999.1.1.1.1:1:1", "a:b"],
  static_image: ["", "nginx", "nginx:latest"],
  install_command: ["x".repeat(10_001)],
  pre_deployment_command_container: ["-x", "a b", "a;b", "a".repeat(256)],
  post_deployment_command_container: ["-x", "a b", "$(x)", "a\n"],
  redirect: ["", "WWW", "none"],
  health_check_path: ["healthz", "/a b", "/a\\b"],
  health_check_port: ["0", "65536", "http", "80,81", "-1"],
  health_check_host: ["a b", "http://a", "a/b", "a".repeat(254)],
  health_check_method: ["FETCH", "GET /", "TRACE"],
  health_check_return_code: [0, 99, 600, 200.5],
  health_check_scheme: ["", "ftp", "HTTPS"],
  health_check_response_text: ["x".repeat(10_001)],
  health_check_interval: [0, -1, 86_401],
  health_check_timeout: [0, -1, 86_401],
  health_check_retries: [0, 1_001],
  health_check_start_period: [-1, 86_401],
  limits_memory: ["-1", "1x", "1 g", "m", "1e9", "01"],
  limits_memory_swap: ["-2", "1x", "x"],
  limits_memory_swappiness: [-1, 101],
  limits_memory_reservation: ["-1", "one"],
  limits_cpus: ["-1", "a", "1.", "1,5", "999999"],
  limits_cpuset: ["a", "2-1", "0-", "1;2", ","],
  limits_cpu_shares: [-1, 262_145],
  custom_labels: ["x".repeat(100_001), "slipway.application=other", "a=1\n=2"],
  custom_docker_run_options: [
    "a\nb",
    "x".repeat(10_001),
    "--unknown",
    "--hostname",
    "--hostname 'a",
    "--privileged",
    "--cap-add=SYS_ADMIN",
    "-v /:/host",
    "--pid host"
  ],
  manual_webhook_secret_forgeA: ["x".repeat(1_001), "a\nb"],
  http_basic_auth_username: ["x".repeat(256), "a\nb"],
  http_basic_auth_password: ["x".repeat(1_001), "a\rb"]
}

/** Returns the first application variant that accepts a field. */
const variantOf = (name: FieldName): Variant => variants.find((variant) => accepts(variant, name)) ?? "public"

const strings = (variant: Variant): ReadonlyArray<FieldName> =>
  (creations.find((creation) => creation.variant === variant)?.accepted ?? [])
    .filter((field) => field.type === "string")
    .map((field) => field.name as FieldName)

const spoiled = (text: string): Case =>
  withWorld((world) =>
    Effect.gen(function* () {
      const names = [...new Set(variants.flatMap(strings))]
      for (const name of names) yield* refusesBoth(variantOf(name), world, { [name]: `a${text}b` }, [name])
      const compose = [{ name: `a${text}b`, domain: "" }]
      yield* refusesBoth("public", world, { docker_compose_domains: compose }, ["docker_compose_domains.0.name"])
      const strange = yield* refusesBoth("public", world, { [`a${text}b`]: 1 }, [`a${text}b`])
      assert.deepStrictEqual(Object.values(strange), [["This field is not allowed."]])
    })
  )

const isInside = (name: string) => (path: string) => path === name || path.startsWith(`${name}.`)

/**
 * Tests with invalid input: the error names only the invalid fields, and nothing is changed (see the decision
 * "Errors").
 */
export const badInputCases = {
  "rejects a body that is not an object": withWorld((world) =>
    Effect.gen(function* () {
      const { uuid } = yield* create("dockerimage", bodyOf("dockerimage", world))
      for (const body of [null, undefined, 1, "text", true, [], [{}], nested(10_000)]) {
        yield* refuses(create("public", body), ["body"])
        yield* refuses(update(uuid, body), ["body"])
      }
    })
  ),
  "rejects a field of the wrong type": eachVariant((variant, world) =>
    Effect.gen(function* () {
      const { uuid } = yield* create(variant, bodyOf(variant, world))
      const accepted = creations.find((creation) => creation.variant === variant)?.accepted ?? []
      for (const { name, nullable, type } of accepted) {
        for (const value of [...wrongFor[type], ...(nullable ? [] : [null])]) {
          const problems = yield* Effect.flip(update(uuid, { [name]: value }))
          if (problems._tag !== "InvalidInput") return assert.fail(`${name} was refused as ${problems._tag}`)
          assert.isTrue(Object.keys(problems.problems).every(isInside(name)), name)
        }
      }
      const wrong = Object.fromEntries(accepted.map(({ name, type }) => [name, wrongFor[type][0]]))
      yield* refuses(create(variant, wrong), Object.keys(wrong))
      yield* refuses(update(uuid, wrong), Object.keys(wrong))
    })
  ),
  "rejects an unknown field": eachVariant((variant, world) =>
    Effect.gen(function* () {
      const names = [
        "unknown",
        "Name",
        "name ",
        "",
        "constructor",
        "toString",
        "__proto__",
        "build_pack.x",
        "uuid",
        "id"
      ]
      const unknown: Body = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}: {"a": 1}`).join()}}`)
      const body = Object.fromEntries([...Object.entries(bodyOf(variant, world)), ...Object.entries(unknown)])
      const problems = yield* refuses(create(variant, body), names)
      for (const name of names) {
        const own = Object.getOwnPropertyDescriptor(problems, name)
        assert.deepStrictEqual(own?.value, ["This field is not allowed."], name)
      }
      const { uuid } = yield* create(variant, bodyOf(variant, world))
      yield* refuses(update(uuid, unknown), names)
    })
  ),
  "rejects a field of another variant": eachVariant((variant, world) =>
    Effect.gen(function* () {
      const others = fieldNames.filter((name) => !accepts(variant, name))
      const sent = Object.fromEntries(others.map((name) => [name, fields[name].unset]))
      const problems = yield* refusesBoth(variant, world, sent, others)
      for (const name of others) assert.deepStrictEqual(problems[name], ["This field is not allowed."])
    })
  ),
  "rejects a body without a required field": eachVariant((variant, world) =>
    Effect.gen(function* () {
      const needed = fieldNames.filter((name) => requires(variant, name))
      for (const name of needed) yield* refuses(create(variant, without(bodyOf(variant, world), name)), [name])
      yield* refuses(create(variant, {}), [...needed, "environment_name", "environment_uuid"])
    })
  ),
  "rejects a body without an environment": eachVariant((variant, world) =>
    refuses(create(variant, without(bodyOf(variant, world), "environment_uuid")), [
      "environment_name",
      "environment_uuid"
    ]).pipe(Effect.asVoid)
  ),
  "rejects an environment name and uuid that disagree": eachVariant((variant, world) =>
    Effect.gen(function* () {
      const other = yield* plantWorld(2)
      const sent = { environment_name: other.environment.name, environment_uuid: world.environment.uuid }
      yield* refusesBoth(variant, world, sent, ["environment_name"])
    })
  ),
  "rejects an unknown project, server, environment, destination, key or app installation": withWorld((world) =>
    Effect.gen(function* () {
      const missing = {
        project_uuid: uuidOf("project", 404),
        server_uuid: uuidOf("server", 404),
        environment_uuid: uuidOf("environment", 404),
        destination_uuid: uuidOf("destination", 404)
      }
      for (const [name, uuid] of Object.entries(missing)) {
        yield* refusesBoth("dockerimage", world, { [name]: uuid, destination_uuid: missing.destination_uuid }, [
          ...new Set([name, "destination_uuid"])
        ])
      }
      yield* refusesBoth("public", world, { environment_name: "nowhere", environment_uuid: missing.environment_uuid }, [
        "environment_name",
        "environment_uuid"
      ])
      yield* refusesBoth("dockerimage", world, missing, Object.keys(missing))
      yield* refusesBoth("private-deploy-key", world, { private_key_uuid: uuidOf("privateKey", 404) }, [
        "private_key_uuid"
      ])
      yield* refusesBoth("private-forge-app", world, { forge_app_uuid: uuidOf("forgeApp", 404) }, ["forge_app_uuid"])
      // A resource of another type counts as missing, though its uuid is in use.
      yield* refusesBoth("private-deploy-key", world, { private_key_uuid: world.server.uuid }, ["private_key_uuid"])
    })
  ),
  "rejects an environment of another project": withWorld((world) =>
    Effect.gen(function* () {
      const other = yield* plantWorld(2)
      yield* refusesBoth("public", world, { environment_uuid: other.environment.uuid }, ["environment_uuid"])
    })
  ),
  "rejects a destination of another server": withWorld((world) =>
    Effect.gen(function* () {
      const other = yield* plantWorld(2)
      yield* refusesBoth("public", world, { destination_uuid: other.destination.uuid }, ["destination_uuid"])
    })
  ),
  "rejects a build pack other than dockerfile for an application with an inline Dockerfile": withWorld((world) =>
    Effect.asVoid(refusesBoth("dockerfile", world, { build_pack: "static" }, ["build_pack"]))
  ),
  "rejects an invalid value of a field (invariants I23 and I25)": Object.fromEntries(
    Object.entries(badValues).map(([name, values]) => [
      name,
      withWorld((world) =>
        Effect.gen(function* () {
          const variant = variantOf(name as FieldName)
          const { uuid } = yield* create(variant, bodyOf(variant, world))
          for (const value of values) {
            for (const use of [
              create(variant, bodyOf(variant, world, { [name]: value })),
              update(uuid, { [name]: value })
            ]) {
              const result = yield* Effect.result(use)
              if (Result.isSuccess(result)) return assert.fail(`${name} took ${JSON.stringify(value).slice(0, 200)}`)
              const error = result.failure
              if (error._tag !== "InvalidInput") return assert.fail(`${name} was refused as ${error._tag}`)
              assert.isTrue(Object.keys(error.problems).every(isInside(name)), JSON.stringify(error.problems))
            }
          }
          assert.isAbove(values.length, 0)
        })
      )
    ])
  ),
  "rejects arrays with 1,000 or 10,000 levels of nesting (invariant I25)": withWorld((world) =>
    Effect.gen(function* () {
      for (const name of ["name", "docker_compose_domains", "is_static", "health_check_retries"]) {
        const inner = name === "docker_compose_domains" ? `${name}.0` : name
        yield* refusesBoth("public", world, { [name]: nested(1_000) }, [inner])
        yield* refusesBoth("public", world, { [name]: nested(10_000) }, ["body"])
      }
      yield* refusesBoth("public", world, { unknown: nested(1_000) }, ["unknown"])
      yield* refusesBoth("public", world, { unknown: nested(10_000) }, ["body"])
    })
  ),
  "rejects 200,000 values (invariant I25)": withWorld((world) =>
    Effect.gen(function* () {
      const many = Array.from({ length: 200_000 }, () => 1)
      yield* refusesBoth("public", world, { docker_compose_domains: many }, ["body"])
      yield* refusesBoth("public", world, { docker_compose_domains: [{ name: "", ...many }] }, ["body"])
      yield* refusesBoth("public", world, { ...many }, ["body"])
    })
  ),
  "rejects NUL in every text field": spoiled("\0"),
  "rejects a lone surrogate in every text field": spoiled("\ud800"),
  "reports all problems of a body in one response": withWorld((world) =>
    Effect.gen(function* () {
      const sent = {
        unknown: 1,
        forge_app_uuid: world.forgeApp.uuid,
        server_uuid: uuidOf("server", 404),
        environment_name: "nowhere",
        name: "",
        git_branch: "-x",
        domains: "app.example,ftp://b.example",
        is_static: "true",
        docker_compose_domains: [{ name: "", domain: "x" }, 1],
        health_check_retries: 0
      }
      const wrong = Object.keys(sent).filter((name) => name !== "docker_compose_domains")
      const inner = ["0.name", "0.domain", "1"].map((path) => `docker_compose_domains.${path}`)
      const body = without(bodyOf("public", world, sent), "git_repository")
      const problems = yield* refuses(create("public", body), [...wrong, ...inner, "git_repository"])
      assert.strictEqual(problems.domains?.join(" ").match(/app\.example|b\.example/g)?.length, 2)
    })
  )
} satisfies Readonly<Record<string, Case | Readonly<Record<string, Case>>>>
