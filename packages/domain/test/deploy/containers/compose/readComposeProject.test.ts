import { assert, describe, it } from "@effect/vitest"
import {
  ComposeProject,
  type ComposeService,
  composeContainers,
  composeNetworks,
  noLimits,
  noOptions,
  readComposeProject
} from "@slipway/domain/deploy/containers"
import { Result, Schema } from "effect"
import { outputOfVersion1, outputOfVersion2 } from "./composeOutputs.ts"

const directory = "/repo"
const closed = { directory, allowed: { hostAccess: false } }
const open = { directory, allowed: { hostAccess: true } }

const read = (config: unknown, context = closed): ComposeProject => {
  const found = readComposeProject(config, context)
  assert.isTrue(Result.isSuccess(found), JSON.stringify(found))
  return Result.getOrThrow(found)
}
/** Returns the problems of a project, after a check that the text of a service with it is rejected at the same places. */
const problems = (config: unknown, context = closed) => {
  const found = readComposeProject(config, context)
  if (Result.isSuccess(found)) return {}
  const ofText = readComposeProject(config, { ...context, isText: true })
  const rejected = Result.isFailure(ofText) ? Object.keys(ofText.failure) : []
  assert.includeMembers(rejected, Object.keys(found.failure), "as the text of a service")
  return found.failure
}
/** A project with one service that has these fields. */
const web = (fields: object, more: object = {}) => ({ services: { web: { image: "nginx", ...fields } }, ...more })
const service = (fields: object, more: object = {}, context = closed): ComposeService => {
  const [only] = read(web(fields, more), context).services
  if (only === undefined) throw new Error("no service")
  return only
}
const wrong = (fields: object, context = closed) => problems(web(fields), context)
const places = (config: unknown, context = closed) => Object.keys(problems(config, context))

const db: ComposeService = {
  name: "db",
  image: "postgres:16",
  build: null,
  entrypoint: null,
  command: null,
  environment: [],
  labels: [],
  exposed: [],
  ports: [],
  networks: [{ name: "front", aliases: [] }],
  dependsOn: [],
  healthCheck: {
    command: ["/bin/sh", "-c", "pg_isready -U shop"],
    interval: 5,
    timeout: 90,
    retries: 7,
    startPeriod: 0.5
  },
  limits: noLimits,
  restart: { _tag: "OnFailure", times: 3 },
  options: {
    ...noOptions,
    mounts: [{ source: { _tag: "Volume", name: "pg" }, target: "/var/lib/postgresql/data", readOnly: false }]
  }
}

const shop: ComposeService = {
  name: "web",
  image: null,
  build: {
    context: "apps/web",
    dockerfile: "Dockerfile.prod",
    dockerfileInline: null,
    args: [["VERSION", "1"]],
    target: "run"
  },
  entrypoint: ["sh", "-c"],
  command: ["npm", "run", "start it"],
  environment: [
    ["COUNT", "5"],
    ["EMPTY", ""],
    ["FROM", "bar"],
    ["PRICE", "5 $ each"]
  ],
  labels: [["traefik.enable", "true"]],
  exposed: [4000, 4001, 80, 3000],
  ports: [
    { address: null, host: 8080, container: 80, protocol: "tcp" },
    { address: "127.0.0.1", host: 9000, container: 9000, protocol: "udp" },
    { address: "127.0.0.1", host: 9001, container: 9001, protocol: "udp" }
  ],
  networks: [
    { name: "default", aliases: [] },
    { name: "front", aliases: ["shop"] }
  ],
  dependsOn: [
    { service: "db", condition: "service_healthy" },
    { service: "migrate", condition: "service_completed_successfully" }
  ],
  healthCheck: null,
  limits: { ...noLimits, memory: 104_857_600, nanoCpus: 500_000_000 },
  restart: { _tag: "Always" },
  options: {
    ...noOptions,
    init: true,
    readOnly: true,
    hostname: "shop",
    user: "1000",
    workdir: "/srv",
    stopSignal: "SIGINT",
    stopTimeout: 90,
    shmSize: 67_108_864,
    dns: ["1.1.1.1"],
    dnsSearch: ["example.com"],
    extraHosts: [["ledger", "10.0.0.9"]],
    groups: ["video"],
    ulimits: [
      { name: "nofile", soft: 1, hard: 2 },
      { name: "nproc", soft: 5, hard: 5 }
    ],
    sysctls: [["net.core.somaxconn", "1024"]],
    capDrop: ["ALL"],
    noNewPrivileges: true,
    mounts: [
      { source: { _tag: "Volume", name: "data" }, target: "/data", readOnly: true },
      { source: { _tag: "Volume", name: "web_var_cache" }, target: "/var/cache", readOnly: false },
      { source: { _tag: "Memory", bytes: 1_000_000, mode: null }, target: "/scratch", readOnly: false },
      { source: { _tag: "Volume", name: "data" }, target: "/other", readOnly: false },
      { source: { _tag: "Memory", bytes: null, mode: null }, target: "/run", readOnly: false }
    ]
  }
}

/** The options of `ulimit` have no order, and each generation prints another one. */
const settled = (project: ComposeProject): ComposeProject => ({
  ...project,
  services: project.services.map((each) => ({
    ...each,
    options: {
      ...each.options,
      ulimits: each.options.ulimits.toSorted((one, other) => (one.name < other.name ? -1 : 1))
    }
  }))
})

describe("a compose project", () => {
  for (const [generation, printed] of Object.entries({ first: outputOfVersion1, second: outputOfVersion2 })) {
    it(`is read from the output of the ${generation} generation`, () => {
      const project = settled(read(printed))
      assert.deepStrictEqual(
        project.services.map(({ name }) => name),
        ["db", "migrate", "web"]
      )
      assert.deepStrictEqual(project.services[0], db)
      assert.deepStrictEqual(project.services[2], shop)
      assert.strictEqual(project.services[1]?.healthCheck, "disabled")
      assert.deepStrictEqual([...project.networks].sort(), ["default", "front"])
      assert.deepStrictEqual([...project.volumes].sort(), ["data", "pg", "web_var_cache"])
      assert.deepStrictEqual(project.notes.map((note) => note.split(": ")[0]).sort(), ["services.web.logging"])
    })
  }

  it("is unchanged after it is encoded to JSON and decoded", () => {
    const project = read(outputOfVersion2)
    const again = JSON.parse(JSON.stringify(Schema.encodeSync(ComposeProject)(project)))
    assert.deepStrictEqual(Schema.decodeUnknownSync(ComposeProject)(again), project)
  })

  it("starts each service after its dependencies", () => {
    const waiting = (...on: ReadonlyArray<string>) => ({ image: "x", depends_on: on })
    const order = read({ services: { a: waiting("b", "c"), b: waiting("c"), c: waiting("d"), d: waiting() } })
    assert.deepStrictEqual(
      order.services.map(({ name }) => name),
      ["d", "c", "b", "a"]
    )
    assert.deepStrictEqual(problems({ services: { a: waiting("b"), b: waiting("a"), c: waiting() } }), {
      services: ["Circular dependency: a, b."]
    })
    assert.deepStrictEqual(places({ services: { a: waiting("a") } }), ["services"])
    assert.deepStrictEqual(places({ services: { a: waiting("gone") } }), ["services.a.depends_on.gone"])
    const optional = { gone: { condition: "service_started", required: false } }
    assert.deepStrictEqual(service({ depends_on: optional }).dependsOn, [])
  })

  it("accepts equivalent forms of fields", () => {
    const linked = read({ services: { web: { image: "x", links: ["db"] }, db: { image: "y" } } })
    assert.deepStrictEqual(linked.services[1]?.dependsOn, [{ service: "db", condition: "service_started" }])
    assert.deepStrictEqual(service({ command: ["a", 5, true] }).command, ["a", "5", "true"])
    assert.deepStrictEqual(service({ environment: ["A=b=c", "D"] }).environment, [["A", "b=c"]])
    assert.deepStrictEqual(service({ restart: "no" }).restart, { _tag: "Never" })
    assert.deepStrictEqual(
      service({ deploy: { restart_policy: { condition: "on-failure", max_attempts: 4 } } }).restart,
      {
        _tag: "OnFailure",
        times: 4
      }
    )
    assert.deepStrictEqual(
      service({ ports: [5000, "6000/udp", "7000:8000/tcp"], expose: ["9000-9002"] }).exposed,
      [9000, 9001, 9002, 5000, 8000]
    )
    assert.deepStrictEqual(service({ extra_hosts: ["a=::1"], ulimits: { nofile: { single: 3 } } }).options.extraHosts, [
      ["a", "::1"]
    ])
    assert.strictEqual(service({ stop_grace_period: "1m0.5s" }).options.stopTimeout, 61)
    assert.deepStrictEqual(service({ build: "/repo" }).build?.context, ".")
    assert.deepStrictEqual(service({ network_mode: "bridge" }).networks, [{ name: "default", aliases: [] }])
    assert.deepStrictEqual(service({ healthcheck: { test: ["CMD", "true"] } }).healthCheck, {
      command: ["true"],
      interval: 30,
      timeout: 30,
      retries: 3,
      startPeriod: 0
    })
    assert.deepStrictEqual(service({ privileged: false, cap_add: [], configs: [], "x-mine": { any: 1 } }), service({}))
  })

  it("accepts an inline Dockerfile", () => {
    const build = { context: "/repo/a", dockerfile_inline: "FROM nginx", dockerfile: "/repo/a/b/Dockerfile" }
    assert.deepStrictEqual(service({ build }).build, {
      context: "a",
      dockerfile: "b/Dockerfile",
      dockerfileInline: "FROM nginx",
      args: [],
      target: null
    })
  })

  it("is rejected with the path of each unknown field", () => {
    const fields = { foo: 1, healthcheck: { test: "x", foo: 1 }, build: { context: "/repo", foo: 1 } }
    const config = { ...web(fields), bar: 1, networks: { n: { foo: 1 } }, volumes: { v: { foo: 1 } } }
    assert.deepStrictEqual(places(config).sort(), [
      "bar",
      "networks.n.foo",
      "services.web.build.foo",
      "services.web.foo",
      "services.web.healthcheck.foo",
      "volumes.v.foo"
    ])
    assert.deepStrictEqual(places(null), ["services"])
    assert.deepStrictEqual(places([]), ["compose"])
    assert.deepStrictEqual(places({ services: {} }), ["services"])
    assert.deepStrictEqual(places({ services: [] }), ["services"])
    assert.deepStrictEqual(places({ services: { web: null, api: "x", db: {} } }), [
      "services.web",
      "services.api",
      "services.db"
    ])
  })

  it("mounts configs, secrets and files of the repository read-only", () => {
    const declared = {
      configs: { site: { file: "/repo/conf/site.conf" }, text: { content: "hello $you" } },
      secrets: { key: { file: "/repo/key.pem" } }
    }
    const { files } = service(
      {
        configs: [{ source: "site", target: "/etc/site.conf" }, "text"],
        secrets: [
          { source: "key", uid: "33", gid: "33", mode: "0440" },
          { source: "key", target: "other" }
        ],
        volumes: [{ type: "bind", source: "/repo/pages", target: "/www", read_only: true }, "/repo/a.txt:/etc/a.txt:ro"]
      },
      declared
    )
    assert.deepStrictEqual(files, [
      { path: "pages", text: null, target: "/www", owner: null },
      { path: "a.txt", text: null, target: "/etc/a.txt", owner: null },
      { path: "conf/site.conf", text: null, target: "/etc/site.conf", owner: null },
      { path: null, text: "hello $you", target: "/text", owner: null },
      { path: "key.pem", text: null, target: "/run/secrets/key", owner: "33:33" },
      { path: "key.pem", text: null, target: "/run/secrets/other", owner: null }
    ])
    const refused = (fields: object, more: object = {}) => places({ ...web(fields), ...more })
    assert.deepStrictEqual(refused({ volumes: ["/repo/pages:/www"] }), ["services.web.volumes.0"])
    assert.deepStrictEqual(refused({ volumes: ["/repo/$a:/www:ro"] }), ["services.web.volumes.0"])
    assert.deepStrictEqual(refused({ configs: ["missing"] }), ["services.web.configs.0"])
    for (const value of [{ file: "/etc/passwd" }, { external: true }, { environment: "HOME" }, { file: "/repo" }]) {
      assert.deepStrictEqual(refused({}, { secrets: { key: value } }), ["secrets.key"], JSON.stringify(value))
    }
  })

  it("is rejected with the reason if a known field is not supported", () => {
    const refused = {
      configs: [{ source: "c", target: "/c" }],
      secrets: [{ source: "s" }],
      volumes_from: ["db"],
      external_links: ["db"],
      runtime: "runsc",
      scale: 0,
      deploy: { replicas: 51 },
      links: ["web:other"],
      platform: "linux/arm64"
    }
    for (const [field, value] of Object.entries(refused)) {
      const [place = "", ...others] = places(web({ [field]: value }))
      assert.isTrue(place.startsWith(`services.web.${field}`), `${field}: ${place}`)
      assert.deepStrictEqual(others, [], field)
    }
  })

  it("is rejected with a message for each invalid value", () => {
    const values = {
      image: "no image!",
      user: "a b",
      working_dir: "srv",
      stop_signal: "TERM",
      stop_grace_period: "2h",
      mem_limit: "much",
      cpus: "0",
      cpuset: "all",
      dns: ["one"],
      ulimits: { nothing: 1 },
      sysctls: { "kernel.panic": "1" },
      restart: "sometimes",
      command: "echo 'a",
      tmpfs: ["tmp"],
      environment: ["=x"],
      expose: ["0"],
      ports: ["80:99999"],
      volumes: ["data:/data:rshared"],
      healthcheck: { test: ["curl"] },
      networks: { default: { aliases: ["a b"] } },
      init: "perhaps"
    }
    for (const [field, value] of Object.entries(values)) {
      assert.isTrue(places(web({ [field]: value }))[0]?.startsWith(`services.web.${field}`), field)
    }
  })
})

describe("a hostile compose file", () => {
  it("cannot mount a path of the server (invariant I22)", () => {
    for (const path of ["/", "/var/run/docker.sock", "/etc", "/repo/../etc", "/repository"]) {
      for (const volume of [`${path}:/x`, { type: "bind", source: path, target: "/x" }]) {
        const said = wrong({ volumes: [volume] })
        assert.deepStrictEqual(Object.keys(said), ["services.web.volumes.0"])
        assert.match(said["services.web.volumes.0"]?.[0] ?? "", /the server's path `.*` in the service web/)
      }
    }
    for (const volume of ["/repo/src:/src", { type: "bind", source: "/repo", target: "/x" }]) {
      assert.match(wrong({ volumes: [volume] }, open)["services.web.volumes.0"]?.[0] ?? "", /mounted read-only/)
    }
    assert.deepStrictEqual(service({ volumes: ["/etc/hosts:/h:ro"] }, {}, open).options.dangerous.mounts, [
      { source: { _tag: "Host", path: "/etc/hosts" }, target: "/h", readOnly: true }
    ])
    assert.deepStrictEqual(Object.keys(wrong({ volumes: [{ type: "bind", source: "../x", target: "/x" }] }, open)), [
      "services.web.volumes.0"
    ])
    const options = { type: "none", device: "/etc", o: "bind" }
    assert.deepStrictEqual(places(web({}, { volumes: { v: { driver: "local", driver_opts: options } } }), open), [
      "volumes.v.driver_opts"
    ])
  })

  it("cannot access the server unless the instance allows it (invariant I22)", () => {
    const opening = {
      privileged: true,
      pid: "host",
      ipc: "host",
      network_mode: "host",
      cap_add: ["SYS_ADMIN"],
      devices: ["/dev/sda:/dev/sda:rwm"],
      security_opt: ["apparmor:unconfined"],
      gpus: "all"
    }
    for (const [field, value] of Object.entries(opening)) {
      assert.deepStrictEqual(wrong({ [field]: value }), {
        [`services.web.${field}`]: ["Gives the container access to the server, which this instance does not allow."]
      })
    }
    assert.deepStrictEqual(service(opening, {}, open).options.dangerous, {
      privileged: true,
      capAdd: ["SYS_ADMIN"],
      devices: [{ host: "/dev/sda", container: "/dev/sda", permissions: "rwm" }],
      mounts: [],
      securityOptions: ["apparmor:unconfined"],
      pid: "host",
      ipc: "host",
      network: "host",
      gpus: "all"
    })
    const never = {
      userns_mode: "host",
      cgroup_parent: "/",
      cgroup: "host",
      uts: "host",
      device_cgroup_rules: ["c 1:3 mr"],
      use_api_socket: true,
      runtime: "x",
      network_mode: "container:other",
      pid: "container:other",
      ipc: "service:db"
    }
    for (const [field, value] of Object.entries(never)) {
      assert.deepStrictEqual(places(web({ [field]: value }), open), [`services.web.${field}`])
    }
  })

  it("can request a limited number of replicas of a service, and no server port for them", () => {
    for (const said of [{ deploy: { replicas: 3 } }, { scale: "3" }]) {
      assert.strictEqual(read(web(said)).services[0]?.replicas, 3)
      assert.deepStrictEqual(places(web({ ...said, ports: ["8080:80"] })), ["services.web.ports"])
    }
    assert.isFalse("replicas" in (read(web({ deploy: { replicas: 1 } })).services[0] ?? {}))
    const twins = { services: { web: { image: "a", scale: 2 }, "web-2": { image: "a" } } }
    assert.deepStrictEqual(places(twins), ["services.web-2"])
    const many = { services: { web: { image: "a", scale: 30 }, api: { image: "a", scale: 30 } } }
    assert.deepStrictEqual(places(many), ["services"])
  })

  it("joins only external networks that the instance allows", () => {
    const outside = {
      networks: { n: { external: true, name: "databases" }, m: { external: { name: "caches" } }, o: { name: "own" } }
    }
    const files = web({ networks: { n: { aliases: ["db"] }, m: null, o: null } }, outside)
    const allowed = { hostAccess: false, networks: ["databases", "caches"] }
    const project = Result.getOrThrow(readComposeProject(files, { directory: "/repo", allowed }))
    assert.deepStrictEqual(project.external, [
      ["n", "databases"],
      ["m", "caches"]
    ])
    assert.deepStrictEqual(places(files), ["networks.n.external", "networks.m.external"])
    const wanted = {
      project,
      application: "app" as never,
      deployment: "one" as never,
      images: new Map<string, string>(),
      network: "shared",
      served: new Set<string>()
    }
    assert.deepStrictEqual(
      composeContainers(wanted).map(({ networks }) => networks),
      [
        [
          { network: "databases", aliases: [] },
          { network: "caches", aliases: [] },
          { network: "app_o", aliases: ["web"] }
        ]
      ]
    )
    assert.deepStrictEqual(composeNetworks(project, wanted.application), ["app_o"])
  })

  it("cannot reach other applications (invariant I22)", () => {
    const outside = {
      networks: { n: { external: true, name: "slipway" } },
      volumes: { v: { external: { name: "other" } } }
    }
    assert.deepStrictEqual(places(web({}, outside), open), ["networks.n.external", "volumes.v.external"])
    assert.deepStrictEqual(places(web({ networks: { other: null } })), ["services.web.networks.other"])
    assert.deepStrictEqual(places(web({ networks: { default: { ipv4_address: "10.0.0.1" } } })), [
      "services.web.networks.default.ipv4_address"
    ])
    assert.deepStrictEqual(places(web({ volumes: ["other:/x"] })), ["services.web.volumes"])
    for (const image of [
      "slipway/a:b",
      "docker.io/slipway/a:b",
      "localhost/slipway/a",
      `sha256:${"0".repeat(64)}`,
      "0".repeat(64)
    ]) {
      assert.deepStrictEqual(places(web({ image })), ["services.web.image"], image)
    }
    for (const driver of ["host", "macvlan", "overlay"]) {
      assert.deepStrictEqual(places(web({}, { networks: { n: { driver } } })), ["networks.n.driver"])
    }
  })

  it("cannot set labels of the platform (invariant I22)", () => {
    for (const labels of [{ "slipway.application": "x" }, ["SLIPWAY.managed=true"], { " slipway.service": "x" }]) {
      assert.deepStrictEqual(places(web({ labels })), ["services.web.labels"])
    }
    const others = { "traefik.enable": "true", caddy: "x.example", slipway: "x" }
    assert.deepStrictEqual(service({ labels: others }).labels, Object.entries(others))
  })

  it("cannot build from outside the repository (invariant I22)", () => {
    for (const context of [
      "/",
      "/etc",
      "/repo/../etc",
      "/repo2",
      "https://a.example/b.git",
      "git@a.example:b",
      "../x"
    ]) {
      assert.deepStrictEqual(places(web({ build: { context } })), ["services.web.build.context"], context)
    }
    for (const dockerfile of ["../Dockerfile", "/etc/passwd", "a/../../b", "."]) {
      assert.deepStrictEqual(places(web({ build: { context: "/repo/a", dockerfile } })), [
        "services.web.build.dockerfile"
      ])
    }
    for (const field of [
      "additional_contexts",
      "ssh",
      "secrets",
      "network",
      "privileged",
      "entitlements",
      "extra_hosts"
    ]) {
      assert.deepStrictEqual(places(web({ build: { context: "/repo", [field]: ["x"] } })), [
        `services.web.build.${field}`
      ])
    }
  })

  it("cannot use names that a shell or a path would interpret (invariant I23)", () => {
    for (const name of ["$(id)", "../x", "a/b", "a\nb", "-rf", "", "a b", "x".repeat(64), "..", "__proto__"]) {
      const services = Object.fromEntries([[name, { image: "x" }]])
      assert.strictEqual(places({ services }).length, 1, name)
      assert.isFalse(places({ services })[0]?.includes("\n"))
      assert.strictEqual(places(web({}, { volumes: Object.fromEntries([[name, null]]) })).length, 1, name)
      assert.strictEqual(places(web({}, { networks: Object.fromEntries([[name, null]]) })).length, 1, name)
    }
    // The engine's client would turn it into a path to another application's container.
    for (const image of ["a/../../containers/b", "a//b", "a/", "../a"]) {
      assert.deepStrictEqual(places(web({ image })), ["services.web.image"], image)
    }
    const words = { command: ["echo", "$(id)", "; rm -rf /"], environment: { A: "`id`" } }
    assert.deepStrictEqual(service(words).command, words.command)
    assert.deepStrictEqual(service({ command: "echo $(id); id" }).command, ["echo", "$(id);", "id"])
    assert.deepStrictEqual(service({ volumes: [{ type: "volume", target: "/a b/$(id)" }] }).options.mounts[0]?.source, {
      _tag: "Volume",
      name: "web_a_b___id_"
    })
  })

  it("is limited in every size (invariant I25)", () => {
    const many = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, value]))
    assert.deepStrictEqual(places({ services: many(10_000, { image: "x", privileged: true }) }), ["services"])
    assert.strictEqual(read({ services: many(50, { image: "x" }) }).services.length, 50)
    // Long labels make the engine's response too large for all applications of the server.
    const labels = { a: "x".repeat(99_999), b: "x".repeat(99_999) }
    assert.deepStrictEqual(places(web({ labels, scale: 6 })), ["services"])
    assert.strictEqual(service({ labels, scale: 5 }).replicas, 5)
    assert.deepStrictEqual(places(web({}, { networks: many(10_000, {}), volumes: many(10_000, {}) })), [
      "networks",
      "volumes"
    ])
    assert.deepStrictEqual(places(web({ environment: many(100_000, "x") })), ["services.web.environment"])
    assert.deepStrictEqual(places(web({ environment: { A: "x".repeat(100_001) } })).length, 1)
    assert.deepStrictEqual(places(web({ expose: ["1-60000"] })), ["services.web.expose"])
    assert.deepStrictEqual(places(web({ ports: ["1-60000"] })), ["services.web.ports.0"])
    assert.deepStrictEqual(places(web({ ports: ["1-60000:1-60000"] })), ["services.web.ports.0"])
    assert.deepStrictEqual(places(web({ ports: [{ target: 80, published: "1-60000" }] })), ["services.web.ports.0"])
    const ports = Array.from({ length: 60_000 }, (_, n) => `${n + 1}:80`)
    assert.deepStrictEqual(places(web({ ports })), ["services.web.ports"])
    const each = { image: "x", ports: ports.slice(0, 900) }
    assert.deepStrictEqual(places({ services: { a: each, b: each } }), ["services"])
    assert.isTrue(places(web(many(10_000, 1))).length <= 100)
    assert.isTrue(places({ ...web({}), ...many(10_000, 1) }).length <= 100)
  })
})
