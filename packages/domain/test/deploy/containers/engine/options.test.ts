import { assert, describe, it } from "@effect/vitest"
import { wordsOf } from "@slipway/domain/deploy/base"
import { noOptions, optionNames, type RunOptions, readRunOptions } from "@slipway/domain/deploy/containers"
import { Result } from "effect"

const closed = { hostAccess: false }
const open = { hostAccess: true }

const read = (line: string, allowed = closed): RunOptions => {
  const found = readRunOptions(line, allowed)
  assert.isTrue(Result.isSuccess(found), JSON.stringify(found))
  return Result.getOrThrow(found)
}
const problems = (line: string, allowed = closed) => {
  const found = readRunOptions(line, allowed)
  return Result.isFailure(found) ? found.failure : []
}
const volume = (name: string, target: string, readOnly: boolean) => ({
  source: { _tag: "Volume" as const, name },
  target,
  readOnly
})

const everything = [
  "--init --read-only=true --hostname web -u 1000:1000 -w /srv --entrypoint 'node server.js'",
  "--stop-signal SIGINT --stop-timeout=30 --shm-size 64m --pids-limit 100 --oom-score-adj 500",
  "--dns 1.1.1.1 --dns=2606:4700::1111 --dns-search example.com --dns-opt ndots:2",
  "--add-host db:10.0.0.1 --add-host=gateway=host-gateway --group-add video",
  "--ulimit nofile=1024:2048 --ulimit=nproc=64 --sysctl net.core.somaxconn=1024",
  "--cap-drop all --cap-drop CAP_NET_RAW --security-opt no-new-privileges:true --restart on-failure:3",
  "--tmpfs /tmp:size=64m,mode=1777 --tmpfs /run -v data:/var/lib/data --volume conf:/etc/app:ro"
].join(" ")

const everythingRead: RunOptions = {
  ...noOptions,
  init: true,
  readOnly: true,
  hostname: "web",
  user: "1000:1000",
  workdir: "/srv",
  entrypoint: ["node", "server.js"],
  stopSignal: "SIGINT",
  stopTimeout: 30,
  shmSize: 67_108_864,
  pidsLimit: 100,
  oomScoreAdj: 500,
  dns: ["1.1.1.1", "2606:4700::1111"],
  dnsSearch: ["example.com"],
  dnsOptions: ["ndots:2"],
  extraHosts: [
    ["db", "10.0.0.1"],
    ["gateway", "host-gateway"]
  ],
  groups: ["video"],
  ulimits: [
    { name: "nofile", soft: 1024, hard: 2048 },
    { name: "nproc", soft: 64, hard: 64 }
  ],
  sysctls: [["net.core.somaxconn", "1024"]],
  capDrop: ["ALL", "CAP_NET_RAW"],
  noNewPrivileges: true,
  restart: { _tag: "OnFailure", times: 3 },
  mounts: [
    { source: { _tag: "Memory", bytes: 67_108_864, mode: 0o1777 }, target: "/tmp", readOnly: false },
    { source: { _tag: "Memory", bytes: null, mode: null }, target: "/run", readOnly: false },
    volume("data", "/var/lib/data", false),
    volume("conf", "/etc/app", true)
  ]
}

const opening: ReadonlyArray<readonly [line: string, read: Partial<RunOptions["dangerous"]>]> = [
  ["--privileged", { privileged: true }],
  ["--cap-add NET_ADMIN", { capAdd: ["NET_ADMIN"] }],
  ["--device=/dev/fuse:/dev/fuse:rw", { devices: [{ host: "/dev/fuse", container: "/dev/fuse", permissions: "rw" }] }],
  ["-v /srv:/data:ro", { mounts: [{ source: { _tag: "Host", path: "/srv" }, target: "/data", readOnly: true }] }],
  ["--security-opt seccomp=unconfined", { securityOptions: ["seccomp=unconfined"] }],
  ["--security-opt apparmor:unconfined", { securityOptions: ["apparmor:unconfined"] }],
  ["--pid host", { pid: "host" }],
  ["--ipc=host", { ipc: "host" }],
  ["--network host", { network: "host" }],
  ["--net=host", { network: "host" }],
  ["--gpus all", { gpus: "all" }],
  ["--gpus 2", { gpus: 2 }]
]

describe("readRunOptions", () => {
  it("reads every option that applications may set", () => {
    assert.deepStrictEqual(read(everything), everythingRead)
    assert.deepStrictEqual(read("  "), noOptions)
  })

  it("has a test for every option of its table, by at least one of the option's names", () => {
    const tested = [everything, ...opening.map(([line]) => line)].join(" ")
    const untested = optionNames.filter((name) => !tested.split(/[ =]/).includes(name))
    assert.deepStrictEqual(untested, ["-h", "--user", "--workdir", "--dns-option"])
  })

  it.each(opening)("accepts `%s` only if the instance allows access to its servers", (line, dangerous) => {
    const found = readRunOptions(line, open)
    assert.deepStrictEqual(found, Result.succeed({ ...noOptions, dangerous: { ...noOptions.dangerous, ...dangerous } }))
    const refused = problems(line)
    assert.strictEqual(refused.length, 1)
    assert.include(refused[0], "gives the container access to the server")
    assert.include(refused[0], line.split(/[ =]/)[0])
  })

  it.each([
    ["--unknown", "The option --unknown is not supported."],
    ["--mount type=bind,src=/,dst=/x", "The option --mount is not supported."],
    ["--userns=host", "The option --userns is not supported."],
    ["--volumes-from other", "The option --volumes-from is not supported."],
    ["--cgroup-parent /", "The option --cgroup-parent is not supported."],
    ["--env A=b", "The option --env is not supported: use environment variables."],
    ["-p 80:80", "The option -p is not supported: use `ports_mappings`."],
    ["-m 1g", "The option -m is not supported: use `limits_memory`."],
    ["nginx", "`nginx` is not an option."],
    ["--hostname", "The option --hostname needs a value."],
    ["--hostname 'a b'", "The value of --hostname must be a host name."],
    ["--dns 1.2.3.999", "The value of --dns must be an IP address."],
    ["--init=maybe", "The value of --init must be true or false."],
    [
      "--sysctl vm.overcommit_memory=1",
      "The value of --sysctl must be a namespaced kernel parameter, such as net.core.somaxconn=1024."
    ],
    ["--tmpfs /tmp:exec", "The value of --tmpfs must be path[:size=64m,mode=1777,ro]."],
    ["-v data", "The value of -v must be name:path[:ro]."],
    ["-v ../x:/y", "The value of -v must be name:path[:ro]."],
    ['--hostname "a', 'The quote " is not closed.']
  ])("refuses `%s`", (line, problem) => {
    assert.include(problems(line), problem)
    assert.include(problems(line, open), problem)
  })

  it("reports all errors together", () => {
    assert.strictEqual(problems("--privileged --unknown --init --dns x").length, 3)
  })

  it("does not interpret shell syntax (invariant I23)", () => {
    for (const hostile of ["$(id)", "`id`", "a;id", "a|id", "a&id", "a>b", "\u0024{HOME}"]) {
      assert.deepStrictEqual(wordsOf(hostile), Result.succeed([hostile]))
      assert.isAbove(problems(`--hostname ${hostile}`).length, 0)
    }
    assert.deepStrictEqual(read("--entrypoint 'echo $(id)'").entrypoint, ["echo", "$(id)"])
  })

  it("reads the longest line in bounded time (invariant I25)", () => {
    const many = "--dns=1.1.1.1 ".repeat(700)
    assert.deepStrictEqual(problems(many), ["Must have at most 500 words."])
    assert.strictEqual(problems("-a ".repeat(500)).length, 500)
  })
})
