import { expect, layer } from "@effect/vitest"
import type { FieldName, Variant } from "@slipway/domain/deploy/apps"
import { BackupRunUuid, BackupStore, BackupUuid } from "@slipway/domain/deploy/databases"
import { Context, Effect, Layer } from "effect"
import { isThorough } from "../../../../../scripts/vitest/runs.ts"
import { endpoints } from "../support/endpoints.ts"
import { type Answer, largestBody, type Sent, type Service, start, stores, wrongFields } from "../support/harness.ts"
import { creations } from "../support/routes.ts"
import { type Body, connectForge, makeWorld, type World } from "../support/world.ts"

interface Rig {
  readonly service: Service
  readonly world: World
  readonly elsewhere: Elsewhere
  readonly present: (template: string) => string
}
class Api extends Context.Service<Api, Rig>()("test/bad-input/Api") {}

const missing = "aaaaaaaaaaaaaaaaaaaaaaaa"

/** Returns the path of an endpoint with the UUIDs of existing resources. */
const presentIn = Effect.fnUntraced(function* ({ ask, within }: Service, world: World) {
  const connection = yield* connectForge({ ask, within })
  const uuids: Record<string, string> = {
    accounts: (yield* ask(201, "POST", "/accounts", { name: "present" })).uuid,
    applications: yield* world.create("dockerimage"),
    projects: world.project,
    servers: world.server,
    keys: world.key,
    "forge-apps": world.forgeApp,
    "forge-connections": connection,
    "gitlab-apps": (yield* ask(201, "POST", "/gitlab-apps", { name: "present", html_url: "https://gitlab.example" }))
      .uuid,
    registries: (yield* ask(201, "POST", "/registries", {
      registry: "registry.example",
      username: "robot",
      password: "password"
    })).uuid,
    "s3-storages": (yield* ask(201, "POST", "/s3-storages", {
      name: "present",
      endpoint: "https://s3.example",
      bucket: "bucket",
      region: "auto",
      key: "key",
      secret: "secret"
    })).uuid,
    services: (yield* ask(201, "POST", "/services", {
      project_uuid: world.project,
      server_uuid: world.server,
      environment_name: "production",
      name: "service",
      docker_compose_raw: '{"services": {"web": {"image": "nginx"}, "db": {"image": "postgres"}}}'
    })).uuid,
    databases: (yield* ask(201, "POST", "/databases/redis", {
      project_uuid: world.project,
      server_uuid: world.server,
      environment_name: "production"
    })).uuid
  }
  const serviceTask: string = (yield* ask(201, "POST", `/services/${uuids.services}/scheduled-tasks`, {
    name: "present",
    command: "true",
    frequency: "daily"
  })).uuid
  const { applications, databases } = yield* ask(200, "GET", `/services/${uuids.services}`)
  const tag: string = (yield* ask(201, "POST", "/tags", { name: "present" })).uuid
  const role: string = (yield* ask(201, "POST", "/roles", { name: "present", capabilities: [] })).uuid
  const shared: Record<string, string> = {}
  for (const [template, path] of [
    ["/team/envs", "/team/envs"],
    ["/projects/{project_uuid}/envs", `/projects/${world.project}/envs`],
    [
      "/projects/{project_uuid}/environments/{environment}/envs",
      `/projects/${world.project}/environments/production/envs`
    ],
    ["/servers/{server_uuid}/envs", `/servers/${world.server}/envs`]
  ] as const) {
    shared[`/api/v1${template}/{env_id}`] = (yield* ask(201, "POST", path, { key: "SHARED", value: "" })).uuid
  }
  const task: string = (yield* ask(201, "POST", `/applications/${uuids.applications}/scheduled-tasks`, {
    name: "present",
    command: "true",
    frequency: "daily"
  })).uuid
  const backup: string = (yield* ask(201, "POST", `/databases/${uuids.databases}/backups`, { frequency: "daily" })).uuid
  const execution = BackupRunUuid.make("run".padEnd(24, "0"))
  yield* within(
    Effect.flatMap(BackupStore, (store) =>
      store.begin(BackupUuid.make(backup), null, {
        uuid: execution,
        backupUuid: BackupUuid.make(backup),
        status: "failed",
        message: null,
        size: null,
        dumpsAll: false,
        databases: [],
        image: null,
        isLocal: null,
        object: null,
        startedAt: "2026-11-27T00:00:00.000Z",
        finishedAt: null
      })
    )
  )
  const storages: Record<string, string> = {}
  for (const noun of ["applications", "databases", "services"]) {
    storages[noun] = (yield* ask(201, "POST", `/${noun}/${uuids[noun]}/storages`, {
      type: "persistent",
      name: "present",
      mount_path: "/present",
      ...(noun === "services" ? { resource_uuid: applications[0].uuid } : {})
    })).uuid
  }
  return (template: string) =>
    template
      .replace(/(\w+)\/\{uuid\}\/storages\/\{storage_uuid\}/, (whole, noun: string) =>
        whole.replace("{storage_uuid}", storages[noun] ?? "")
      )
      .replace("{scheduled_backup_uuid}", backup)
      .replace("{execution_uuid}", execution)
      .replace("/services/{uuid}/scheduled-tasks/{task_uuid}", `/services/{uuid}/scheduled-tasks/${serviceTask}`)
      .replace("{app_uuid}", applications[0].uuid)
      .replace("{database_uuid}", databases[0].uuid)
      .replace("{task_uuid}", task)
      .replace("{env_id}", shared[template] ?? "")
      .replace("{project_uuid}", world.project)
      .replace("{server_uuid}", world.server)
      .replace(/([\w-]+)\/\{uuid\}/, (_, noun: string) => `${noun}/${uuids[noun]}`)
      .replace("{id}", "0")
      .replace("{role}", role)
      .replace("{environment}", "production")
      .replace("{github_app_id}", world.forgeApp)
      .replace("{gitlab_app_id}", uuids["gitlab-apps"] ?? "")
      .replace("{tag}", tag)
      .replace("{destination}", world.destination)
})

const makeElsewhere = Effect.fnUntraced(function* ({ ask }: Service, world: World) {
  const project: string = (yield* ask(201, "POST", "/projects", { name: "another" })).uuid
  const [{ uuid: environment }] = yield* ask(200, "GET", `/projects/${project}/environments`)
  const staging: string = (yield* ask(201, "POST", `/projects/${world.project}/environments`, { name: "staging" })).uuid
  const server: string = (yield* ask(201, "POST", "/servers", { name: "another", ip: "10.0.0.9" })).uuid
  const [{ uuid: destination }] = yield* ask(200, "GET", `/servers/${server}/destinations`)
  return { project, environment: environment as string, staging, server, destination: destination as string }
})
type Elsewhere = Effect.Success<ReturnType<typeof makeElsewhere>>

const layerApi = (store: keyof typeof stores) =>
  Layer.effect(
    Api,
    Effect.gen(function* () {
      const service = yield* start(stores[store])
      const world = yield* makeWorld(service)
      const elsewhere = yield* makeElsewhere(service, world)
      yield* world.create("public", { domains: "http://taken.example", custom_labels: "a=1" })
      return { service, world, elsewhere, present: yield* presentIn(service, world) }
    })
  )

/** Requests with one wrong field each, and the expected error message. */
const wrong = ({
  elsewhere,
  world
}: Rig): ReadonlyArray<readonly [Variant, Body, Readonly<Record<string, RegExp>>]> => {
  const field = (name: FieldName, values: ReadonlyArray<unknown>, said: RegExp, variant: Variant = "public") =>
    values.map((value) => [variant, { [name]: value }, { [name]: said }] as const)
  return [
    ...field("project_uuid", [missing], /^There is no such project\.$/),
    ...field("project_uuid", ["x", "A".repeat(24), ""], /uuid/),
    ...field("server_uuid", [missing], /^There is no such server\.$/),
    ...field("environment_name", ["nowhere"], /^The project has no environment of this name\.$/),
    ...field("environment_name", ["", " ", "a\nb"], /Must/),
    ...field("environment_uuid", [missing], /^There is no such environment\.$/),
    ...field("environment_uuid", [elsewhere.environment], /another project/),
    [
      "public",
      { environment_uuid: elsewhere.staging },
      { environment_name: /different/, environment_uuid: /different/ }
    ],
    ...field("destination_uuid", [missing], /^There is no such destination\.$/),
    ...field("destination_uuid", [elsewhere.destination], /another server/),
    ...field("private_key_uuid", [missing], /^There is no such private key\.$/, "private-deploy-key"),
    ...field("forge_app_uuid", [missing], /^There is no such git-hosting app installation\.$/, "private-forge-app"),
    ...field("forge_app_uuid", [world.key], /^There is no such git-hosting app installation\.$/, "private-forge-app"),
    ...field(
      "git_repository",
      [
        "--upload-pack=touch /tmp/x",
        "-oProxyCommand=x",
        "file:///etc/passwd",
        "/etc",
        "../x",
        "ext::sh -c x",
        "git://forge.example/x",
        "https://forge.example",
        "https://-x/y",
        "https://forge.example/a b",
        "ssh://-oProxyCommand=x/repo",
        "git@-forge:x",
        "git@forge.example:-x",
        "https:forge",
        "javascript:alert(1)",
        ""
      ],
      /^Must /
    ),
    ...field(
      "git_branch",
      [
        "--upload-pack=x",
        "-x",
        "a..b",
        "a b",
        "a~1",
        "a^",
        "a:b",
        "a?",
        "a*",
        "[a",
        "a\\b",
        "@{u}",
        "a/",
        "/a",
        "a//b",
        ".a",
        "a.lock",
        "HEAD",
        "@",
        "",
        "a\u0000b",
        "x".repeat(256)
      ],
      /^Must /
    ),
    ...field(
      "git_commit_sha",
      ["main", "-x", "0123", "g".repeat(40), "0".repeat(65), "HEAD~1"],
      /^Must be HEAD or a commit/
    ),
    ...field(
      "build_pack",
      ["heroku", "", "DOCKERFILE"],
      /^Must be one of: packer_a, packer_b, static, dockerfile, dockercompose, nixpacks, railpack\.$/
    ),
    ...field("build_pack", ["static"], /dockerfile/, "dockerfile"),
    ...field("dockerfile", ["", "RUN ls", "# FROM x", "FROMscratch"], /FROM/, "dockerfile"),
    ...field("dockerfile", ["UlVOIGxz", "aGVsbG8=", "!!!!", "RlJPTSBzY3JhdGNo!"], /./, "dockerfile"),
    ...field("dockerfile", [`FROM x\n${"#".repeat(1_000_000)}`], /at most 1000000 characters/, "dockerfile"),
    ...field("base_directory", ["/a/../b", "..", "-rf", "a\\b", "a\nb"], /^Must /),
    ...field("docker_compose_domains", [[{ name: "web", domain: "ftp://x" }]].slice(0, 0), /./),
    ...field(
      "docker_registry_image_name",
      ["team/UPPER", "a b", "-x", "a//b", "a:b:c", "$(x)", "image:tag@sha256:1"],
      /^Must be the name of an image/,
      "dockerimage"
    ),
    ...field("docker_registry_image_tag", ["-x", "a b", "x".repeat(129), "sha256:1"], /^Must be the tag of an image/),
    ...field("docker_registry_image_tag", [`sha256:${"a".repeat(64)}`], /^Must be a tag: a built image/),
    ...field("name", ["", "  ", "a\nb", "x".repeat(256)], /^Must /),
    ...field("description", ["a\u0000b"], /NUL/),
    ...field(
      "domains",
      [
        "taken.example",
        "ftp://a.example",
        "http://",
        "http://a b",
        "http://a.example,",
        ",",
        "http://a.example?x",
        "http://a.example#x",
        "http://u:p@a.example",
        "http://a..b",
        "http://-.",
        "http://a.example:0",
        "http://a.example:99999",
        "http://a\\b",
        "https://*.a.example"
      ],
      /./
    ),
    ...field(
      "ports_exposes",
      ["0", "65536", "a", "80;90", "-1", "80-90", "1e3", "08"],
      /^Must be a comma-separated list of ports/
    ),
    ...field(
      "ports_mappings",
      ["80", "80:", ":80", "80:90:100", "0:80", "80:65536", "80:80/icmp", "1-2:3-5", "a:b"],
      /^Must be a comma-separated list of host:container ports/
    ),
    ...field("static_image", ["httpd"], /^Must be nginx:alpine\.$/),
    ...field("redirect", ["WWW", "none"], /^Must be one of: www, non-www, both, null\.$/),
    ...field("health_check_path", ["x", "a b", "//a b"], /slash/),
    ...field("health_check_port", ["0", "65536", "http"], /^Must be a port/),
    ...field("health_check_host", ["a b", "a/b"], /host name/),
    ...field("health_check_method", ["FETCH", "GET "], /HTTP method/),
    ...field("health_check_return_code", [99, 600, 200.5, 1e21], /whole number from 100 to 599/),
    ...field("health_check_scheme", ["ftp"], /^Must be one of: http, https\.$/),
    ...field("health_check_interval", [0, -1, 1.5, 86_401, 1e300], /whole number from 1 to 86400/),
    ...field("health_check_timeout", [0], /whole number/),
    ...field("health_check_retries", [0], /whole number/),
    ...field("health_check_start_period", [-1], /whole number/),
    ...field("limits_memory", ["1 GB", "-1", "lots", "1.5.2g", "1e3"], /amount of memory/),
    ...field("limits_memory_swap", ["-2"], /amount of memory/),
    ...field("limits_memory_swappiness", [101, -1], /whole number from 0 to 100/),
    ...field("limits_cpus", ["-1", "two", "1e3", "0,5"], /number of CPUs/),
    ...field("limits_cpuset", ["a", "3-1", "1,,2", "-1"], /list of CPUs/),
    ...field("limits_cpu_shares", [-1, 262_145], /whole number/),
    ...field("pre_deployment_command_container", ["-x", "a b", "a;b"], /name of a container/),
    ...field("custom_docker_run_options", ["--a\n--b"], /one line/),
    ...field("http_basic_auth_username", ["a\u0000"], /NUL|one line/),
    // Prevents: an application that no user can log in to, since the part after a colon is taken as the password.
    ...field("http_basic_auth_username", ["a:b"], /contain a colon/)
  ]
}

const otherTypes: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  string: [5, true, {}, ["x"]],
  boolean: ["true", 1, 0, {}, []],
  integer: ["5", true, {}, [5]],
  array: ["x", {}, 5]
}

layer(layerApi("memory"), { excludeTestServices: true })("a field with a wrong value", (it) => {
  it.effect("is reported with its name and the reason on create and on update, and nothing is changed", () =>
    Effect.gen(function* () {
      const rig = yield* Api
      const { service, world } = rig
      const own: Record<string, string> = {}
      for (const variant of Object.keys(world.minimal) as ReadonlyArray<Variant>)
        own[variant] = yield* world.create(variant)
      const before = yield* service.dump
      const odd: Array<string> = []
      for (const [variant, body, problems] of wrong(rig)) {
        const what = `${variant} ${JSON.stringify(body).slice(0, 120)}`
        const check = (answer: Answer) => {
          const { errors, message } = answer.json ?? {}
          const named = Object.keys(errors ?? {})
            .sort()
            .join()
          const explained = Object.entries(problems).every(
            ([name, said]) =>
              said.test(errors?.[name]?.join("\n")) && errors[name].every((each: string) => /^[A-Z`].*\.$/.test(each))
          )
          const right = answer.status === 400 && message === "Validation failed." && explained
          if (!right || named !== Object.keys(problems).sort().join())
            odd.push(`${what}: ${answer.status} ${answer.text}`)
        }
        check(
          yield* service.send("POST", `/api/v1/applications/${variant}`, {
            body: { ...world.minimal[variant], ...body }
          })
        )
        // An update with only an environment UUID moves the application. The two conflict only if a name is given too.
        const update = "environment_uuid" in body ? { environment_name: "production", ...body } : body
        check(yield* service.send("PATCH", `/api/v1/applications/${own[variant]}`, { body: update }))
      }
      expect(odd).toEqual([])
      expect(yield* service.dump).toEqual(before)
    })
  )

  it.effect("is reported for every wrong JSON type", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const before = yield* service.dump
      for (const { accepted, variant } of creations) {
        const rounds = Math.max(...Object.values(otherTypes).map((values) => values.length)) + 1
        for (let round = 0; round < rounds; round++) {
          // All fields in one request: each must be named.
          const body: Record<string, unknown> = {}
          for (const { name, nullable, type } of accepted) {
            const values = [...(otherTypes[type] ?? []), ...(nullable ? [] : [null])]
            body[name] = values[round % values.length]
          }
          const answer = yield* service.send("POST", `/api/v1/applications/${variant}`, { body })
          expect([answer.status, wrongFields(answer)], `${variant} ${answer.text}`).toEqual([
            400,
            Object.keys(body).sort()
          ])
          for (const sentences of Object.values(answer.json.errors)) {
            expect(sentences).toEqual([expect.stringMatching(/^Must be [a-z0-9_:, -]+\.$/i)])
          }
        }
      }
      expect(yield* service.dump).toEqual(before)
    })
  )

  it.effect(
    "is reported together with all other errors: wrong types, unknown fields, missing fields and resources",
    () =>
      Effect.gen(function* () {
        const { elsewhere, service, world } = yield* Api
        const before = yield* service.dump
        const answer = yield* service.send("POST", "/api/v1/applications/private-deploy-key", {
          body: {
            project_uuid: missing,
            server_uuid: world.server,
            environment_uuid: elsewhere.environment,
            destination_uuid: elsewhere.destination,
            private_key_uuid: missing,
            git_branch: "-x",
            is_static: "yes",
            health_check_interval: 0,
            limits_cpus: 1,
            docker_compose_domains: [
              { name: "web", domain: "x" },
              { name: "", extra: 1 }
            ],
            forge_app_uuid: world.forgeApp,
            no_such_field: 1,
            domains: "ftp://a.example,http://taken.example"
          }
        })
        expect([answer.status, answer.json]).toEqual([
          400,
          {
            message: "Validation failed.",
            errors: {
              project_uuid: ["There is no such project."],
              destination_uuid: ["This destination belongs to another server."],
              private_key_uuid: ["There is no such private key."],
              git_branch: ["Must be a valid branch name."],
              is_static: ["Must be true or false."],
              health_check_interval: ["Must be a whole number from 1 to 86400."],
              limits_cpus: ["Must be a string."],
              "docker_compose_domains.0.domain": ["`x` must start with http:// or https://."],
              "docker_compose_domains.1.name": ["Must not be empty."],
              "docker_compose_domains.1.domain": ["This field is required."],
              "docker_compose_domains.1.extra": ["This field is not allowed."],
              forge_app_uuid: ["This field is not allowed."],
              no_such_field: ["This field is not allowed."],
              domains: ["`ftp://a.example` must start with http:// or https://."],
              git_repository: ["This field is required."],
              build_pack: ["This field is required."]
            }
          }
        ])
        expect(yield* service.dump).toEqual(before)
      })
  )

  it.effect("is reported together with all other errors on every other endpoint", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const before = yield* service.dump
      const required = ["This field is required."]
      const noKey = ["There is no such private key."]
      const cases: ReadonlyArray<readonly [path: string, body: unknown, errors: object]> = [
        [
          "/projects",
          { name: 5, description: "\u0000", x: 1 },
          {
            name: ["Must be a string."],
            description: ["Must not contain a NUL character."],
            x: ["This field is not allowed."]
          }
        ],
        [
          "/servers",
          { ip: "a b", port: 0, private_key_uuid: missing, user: "-x", wildcard_domain: "*.x" },
          {
            name: required,
            ip: ["Must be an IP address or a host name."],
            port: ["Must be a whole number from 1 to 65535."],
            private_key_uuid: noKey,
            user: ["Must be the name of a user on the server."],
            wildcard_domain: ["Must be a host name, such as apps.example.com."]
          }
        ],
        [
          "/forge-apps",
          { name: "x", private_key_uuid: missing, html_url: "ftp://x", app_id: "1" },
          {
            private_key_uuid: noKey,
            html_url: ["Must be an http(s) address."],
            app_id: ["Must be a number."],
            installation_id: required,
            client_id: required,
            client_secret: required
          }
        ],
        [
          "/services",
          { project_uuid: missing, server_uuid: "x", name: 5, urls: [{ name: "web", url: "x" }] },
          {
            project_uuid: ["There is no such project."],
            server_uuid: ["Must be a uuid of 24 lower-case letters and digits."],
            name: ["Must be a string."],
            environment_name: ["Either environment_name or environment_uuid is required."],
            environment_uuid: ["Either environment_name or environment_uuid is required."],
            "urls.0.url": ["`x` must start with http:// or https://."]
          }
        ],
        [
          "/tokens",
          { abilities: [], expires_at: "soon" },
          {
            name: required,
            abilities: ["Must have at least one entry."],
            expires_at: ["Must be a date and time, such as 2030-01-31T12:00:00Z."]
          }
        ],
        [
          "/security/keys",
          { private_key: 5, name: "" },
          { private_key: ["Must be a string."], name: ["Must not be empty."] }
        ],
        [
          "/security/keys",
          { private_key: "ssh-ed25519 AAAA" },
          { private_key: [expect.stringMatching(/^Must be a private SSH key/)] }
        ]
      ]
      for (const [path, body, errors] of cases) {
        const answer = yield* service.send("POST", `/api/v1${path}`, { body })
        expect([answer.status, answer.json], path).toEqual([400, { message: "Validation failed.", errors }])
      }
      expect(yield* service.dump).toEqual(before)
    })
  )
})

/** Bodies that are wrong as a whole. */
const bodies: ReadonlyArray<readonly [what: string, sent: Sent, status: number, said: unknown]> = [
  ["malformed JSON", { raw: '{"name":' }, 400, { body: ["The body is not valid JSON."] }],
  ["something behind the JSON", { raw: "{} x" }, 400, { body: ["The body is not valid JSON."] }],
  ["a comment", { raw: "{/* */}" }, 400, { body: ["The body is not valid JSON."] }],
  [
    "a raw NUL",
    { raw: '{"name":"a\u0000b"}'.replace("\\u0000", "\u0000") },
    400,
    { body: ["The body is not valid JSON."] }
  ],
  ["an empty body", { raw: "" }, 400, { body: ["The body is empty; it must be JSON."] }],
  ["no body", {}, 400, { body: ["The body is empty; it must be JSON."] }],
  ["white space", { raw: " \n" }, 400, { body: ["The body is empty; it must be JSON."] }],
  [
    "bytes that are no UTF-8",
    { raw: new Uint8Array([0x7b, 0xff, 0x7d]) },
    400,
    { body: ["The body is not valid UTF-8."] }
  ],
  ["UTF-16", { raw: new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]) }, 400, { body: ["The body is not valid UTF-8."] }],
  ["an array", { raw: "[]" }, 400, { body: ["Must be an object."] }],
  ["a string", { raw: '"x"' }, 400, { body: ["Must be an object."] }],
  ["null", { raw: "null" }, 400, { body: ["Must be an object."] }],
  [
    "10,000 nested arrays",
    { raw: `${"[".repeat(10_000)}${"]".repeat(10_000)}` },
    400,
    { body: ["The body must be nested at most 64 deep."] }
  ],
  [
    "10,000 nested arrays in a field",
    { raw: `{"name":${"[".repeat(10_000)}${"]".repeat(10_000)}}` },
    400,
    { body: ["The body must be nested at most 64 deep."] }
  ],
  [
    "3,000 unknown fields",
    { raw: JSON.stringify(Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`field${n}`, n]))) },
    400,
    { body: ["Must hold at most 2000 values."] }
  ],
  [
    "10,000 unclosed nested objects",
    { raw: '{"a":'.repeat(10_000) },
    400,
    { body: ["The body must be nested at most 64 deep."] }
  ],
  ["a body over the limit", { raw: `{"name":"${"x".repeat(largestBody)}"}` }, 413, undefined],
  [
    "form fields",
    { raw: "name=x", headers: { "content-type": "application/x-www-form-urlencoded" } },
    400,
    { body: ["The body is not valid JSON."] }
  ]
]

for (const store of Object.keys(stores) as ReadonlyArray<keyof typeof stores>) {
  layer(layerApi(store), { excludeTestServices: true })(`over ${store}`, (it) => {
    // Bodies are rejected before any store is read.
    for (const [what, sent, status, said] of store === "memory" || isThorough ? bodies : []) {
      it.effect(`I25: every endpoint with a body rejects ${what}, and changes nothing`, () =>
        Effect.gen(function* () {
          const { present, service } = yield* Api
          const before = yield* service.dump
          for (const { method, template } of endpoints.filter(({ hasBody }) => hasBody)) {
            // The query alone may name the applications to deploy.
            if (
              /\/(deploy|validate|restore|template|claim|transfer\/complete|docker-cleanup\/run)$/.test(template) &&
              (sent.raw === undefined || sent.raw === "")
            )
              continue
            const path = present(template)
            const answer = yield* service.send(method, path, sent)
            expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status)
            if (status === 413) expect(answer.json, path).toEqual({ message: "The body is too large." })
            else if (said !== undefined)
              expect(answer.json, path).toEqual({ message: "Validation failed.", errors: said })
            else expect(answer.json.errors, path).not.toEqual({})
          }
          expect(yield* service.dump).toEqual(before)
        })
      )
    }

    it.effect("text with NUL or lone surrogates is rejected, because a store can't hold it", () =>
      Effect.gen(function* () {
        const { present, service, world } = yield* Api
        const before = yield* service.dump
        for (const [text, said] of [
          ['"a\\u0000b"', /NUL|one line/],
          ['"a\\ud800b"', /well-formed Unicode/],
          ['"\\udc00"', /well-formed Unicode/]
        ] as const) {
          const nowhere = { message: "Validation failed.", errors: { name: [expect.stringMatching(said)] } }
          const answer = yield* service.send("POST", "/api/v1/projects", { raw: `{"name":${text}}` })
          expect([answer.status, answer.json], text).toEqual([400, nowhere])
          const variables = present("/api/v1/applications/{uuid}/envs")
          const unkept = yield* service.send("POST", variables, { raw: `{"key":"A","value":${text}}` })
          expect([unkept.status, unkept.json.errors], text).toEqual([400, { value: [expect.stringMatching(said)] }])
          for (const { accepted, variant } of creations) {
            const names = accepted.filter(({ type }) => type === "string").map(({ name }) => name)
            const body = `{${names.map((name) => `"${name}":${text}`).join()}}`
            const refused = yield* service.send("POST", `/api/v1/applications/${variant}`, { raw: body })
            expect(refused.status, refused.text).toBe(400)
            for (const name of names) expect(refused.json.errors[name], `${variant} ${name} ${text}`).toBeDefined()
          }
          const service_ = {
            ...world.minimal.dockerimage,
            docker_registry_image_name: undefined,
            docker_compose_raw: "x"
          }
          const raw = JSON.stringify({ ...service_, environment_name: "@", name: "@" }).replaceAll('"@"', text)
          const third = yield* service.send("POST", "/api/v1/services", { raw })
          expect([third.status, wrongFields(third)], third.text).toEqual([400, ["environment_name", "name"]])
        }
        expect(yield* service.dump).toEqual(before)
      })
    )

    it.effect("names of built-in object properties are rejected like all other unknown fields", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const before = yield* service.dump
        const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "valueOf"]
        const extra = names.map((name) => `"${name}":{"polluted":true}`).join()
        for (const [path, body] of [
          ["/api/v1/projects", { name: "x" }],
          ["/api/v1/applications/dockerimage", world.minimal.dockerimage]
        ] as const) {
          const answer = yield* service.send("POST", path, { raw: JSON.stringify(body).replace(/\}$/, `,${extra}}`) })
          expect([answer.status, wrongFields(answer)], answer.text).toEqual([400, [...names].sort()])
        }
        expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
        expect(yield* service.dump).toEqual(before)
      })
    )

    it.effect("paths and queries that a store can't look up find nothing", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        for (const word of [
          "%00",
          "a%00b",
          "%F0%9F%9A%80",
          "%ED%A0%80",
          "%ff",
          "%",
          "..",
          "%2e%2e%2f",
          "A".repeat(24),
          "x".repeat(3_000),
          "'%20OR%201=1",
          world.project
        ]) {
          for (const { method, template } of endpoints.filter((each) => each.template.includes("{"))) {
            const answer = yield* service.send(
              method,
              template.replace(/\{\w+\}/g, word),
              method === "GET" || method === "DELETE" ? {} : { body: {} }
            )
            const isThere = word === world.project && /^\/api\/v1\/projects\/\{(project_)?uuid\}/.test(template)
            if (!isThere && word !== "..")
              expect(answer.status, `${method} ${template} with ${word}: ${answer.text}`).toBe(404)
          }
        }
        for (const tag of ["%00", "%ED%A0%80", "x".repeat(101)]) {
          const answer = yield* service.send("GET", `/api/v1/applications?tag=${tag}`)
          expect([200, 400], `${tag}: ${answer.text}`).toContain(answer.status)
          if (answer.status === 200) expect(answer.json).toEqual([])
        }
        expect(service.logged).toEqual([])
      })
    )
  })
}
