import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { promisify } from "node:util"
import { manifestFile, manifestJsonSchema } from "@slipway/domain/deploy/runtime"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { userError } from "../forge/failures.ts"
import { linesOfChange, Plan } from "./plans.ts"
import { type Call, callService, type PlatformAccess, platformAccess } from "./platform.ts"
import { repositoryOf } from "./remotes.ts"

const Connection = Schema.Struct({ url: Schema.String })
const Application = Schema.Struct({
  uuid: Schema.String,
  git_branch: Schema.NullOr(Schema.String),
  fqdn: Schema.NullOr(Schema.String),
  generated_domain: Schema.NullOr(Schema.String)
})
const Created = Schema.Struct({ uuid: Schema.String })
const Deployed = Schema.Struct({ deployments: Schema.Array(Schema.Struct({ deployment_uuid: Schema.String })) })
const Deployment = Schema.Struct({ status: Schema.String, reason: Schema.NullOr(Schema.String) })
const LogLines = Schema.Array(Schema.Struct({ id: Schema.Number, text: Schema.String }))

const run = promisify(execFile)

/** Returns the addresses of the remotes of a checkout. */
const remotesOf = (directory: string) =>
  Effect.tryPromise({
    try: async () => {
      const { stdout } = await run("git", ["-C", directory, "config", "--get-regexp", "^remote\\..*\\.url$"])
      return stdout.split("\n").flatMap((line) => line.split(" ").slice(1, 2))
    },
    catch: () => userError(`${directory} is no checkout with a remote: name the repository as owner/name`)
  })

/** Returns the short name of the repository that an argument names: a checkout, or the name itself. */
const named = Effect.fnUntraced(function* (call: Call, argument: string) {
  if (!existsSync(argument)) return argument
  const forges = yield* call(Schema.Array(Connection), "GET", "/forge-connections")
  const remotes = yield* remotesOf(argument)
  const found = remotes
    .map((remote) =>
      repositoryOf(
        remote,
        forges.map(({ url }) => url)
      )
    )
    .find(Boolean)
  if (found !== undefined) return found
  const known = forges.map(({ url }) => url).join(", ") || "none"
  return yield* userError(`no remote of ${argument} is on a connected forge (connected: ${known})`)
})

type Deployable = typeof Application.Type

/** Returns the applications of a repository that are built from one branch, without previews. */
const applicationsOf = Effect.fnUntraced(function* (call: Call, name: string, branch: Option.Option<string>) {
  const all = yield* call(Schema.Array(Application), "GET", `/applications?repository=${encodeURIComponent(name)}`)
  const found = Option.match(branch, {
    onNone: () => all,
    onSome: (wanted) => all.filter(({ git_branch }) => git_branch === wanted)
  })
  const branches = [...new Set(found.map(({ git_branch }) => git_branch ?? ""))]
  if (branches.length > 1) {
    return yield* userError(
      `applications of ${name} are built from ${branches.join(", ")}: choose one branch with --branch`
    )
  }
  return found
})

/** Prints the log of a deployment until it ends; fails if it does. */
const follow = Effect.fnUntraced(function* (call: Call, uuid: string) {
  let after = 0
  for (;;) {
    const { reason, status } = yield* call(Deployment, "GET", `/deployments/${uuid}`)
    const lines = yield* call(LogLines, "GET", `/deployments/${uuid}/logs?after=${after}&limit=1000`)
    for (const { id, text } of lines) {
      after = id
      yield* Console.log(text)
    }
    if (status === "finished") return
    if (status === "failed" || status === "cancelled") return yield* userError(`${status}: ${reason ?? ""}`)
    yield* Effect.sleep("500 millis")
  }
})

const newApplication = Effect.fnUntraced(function* (
  call: Call,
  { domain: base }: PlatformAccess,
  name: string,
  {
    branch,
    domain,
    fields
  }: {
    readonly branch: Option.Option<string>
    readonly domain: Option.Option<string>
    readonly fields: Readonly<Record<string, string>>
  }
) {
  const usual = base === null ? undefined : `http://${basename(name).toLowerCase()}.${base}`
  const domains = Option.getOrElse(domain, () => usual)
  return yield* call(Created, "POST", "/applications/private-forge-app", {
    git_repository: name,
    ...(domains === undefined ? {} : { domains }),
    ...Option.match(branch, { onNone: () => ({}), onSome: (git_branch) => ({ git_branch }) }),
    ...fields
  })
})

/** Prints what the manifest of an application changes; fails if it has a problem. */
const printPlan = Effect.fnUntraced(function* ({ changes, problems }: typeof Plan.Type) {
  yield* Effect.forEach(changes, (change) => Console.log(linesOfChange(change).join("\n")), { discard: true })
  if (problems.length === 0) return
  const lines = problems.map(({ field, line, problem }) => `${manifestFile}: line ${line}: ${field}: ${problem}`)
  return yield* userError(lines.join("\n"))
})

/** Prints the plan of each application; changes nothing. */
const showPlans = Effect.fnUntraced(function* (
  call: Call,
  name: string,
  found: ReadonlyArray<Deployable>,
  isPruning: boolean
) {
  if (found.length === 0) {
    return yield* Console.log(`create application of ${name}: its first deployment applies ${manifestFile}`)
  }
  const query = isPruning ? "?prune=true" : ""
  const plans = yield* Effect.forEach(found, ({ uuid }) => call(Plan, "GET", `/applications/${uuid}/plan${query}`))
  yield* Effect.forEach(plans, printPlan, { discard: true })
  if (plans.every(({ changes }) => changes.length === 0)) return yield* Console.log("no changes")
})

/**
 * Applies the manifest to each application, and deletes what it created and no longer names. Returns the remaining
 * applications.
 */
const pruneAll = Effect.fnUntraced(function* (
  call: Call,
  name: string,
  branch: Option.Option<string>,
  uuids: ReadonlyArray<string>
) {
  let remaining = uuids
  for (const uuid of uuids) {
    if (!remaining.includes(uuid)) continue
    yield* printPlan(yield* call(Plan, "POST", `/applications/${uuid}/plan`, { prune: true }))
    // The plan of one application deletes others, and creates some.
    remaining = (yield* applicationsOf(call, name, branch)).map((each) => each.uuid)
  }
  return remaining
})

/** Deploys a repository of a connected forge, and creates its application at the first time. */
export const deploy = Command.make(
  "deploy",
  {
    repository: Argument.String("repository").pipe(
      Argument.withDescription("A checkout with a remote on a connected forge, or owner/name"),
      Argument.withDefault(".")
    ),
    branch: Flag.String("branch").pipe(
      Flag.withDescription("The branch; default that of the repository"),
      Flag.optional
    ),
    domain: Flag.String("domain").pipe(
      Flag.withDescription("The address of a new application, such as https://site.example"),
      Flag.optional
    ),
    fields: Flag.KeyValuePair("field").pipe(
      Flag.withDescription("A field of a new application, such as build_pack=static; repeatable"),
      Flag.withDefault({})
    ),
    isPlanning: Flag.Boolean("plan").pipe(
      Flag.withDescription("Print what slipway.yaml changes, and change nothing"),
      Flag.withDefault(false)
    ),
    isPruning: Flag.Boolean("prune").pipe(
      Flag.withDescription("Delete what slipway.yaml created and no longer names; volumes stay"),
      Flag.withDefault(false)
    ),
    platform: Flag.String("platform").pipe(
      Flag.withDescription("The address of the deployment platform; default that of `npm start` in this clone"),
      Flag.optional
    )
  },
  ({ branch, domain, fields, isPlanning, isPruning, platform, repository }) =>
    Effect.gen(function* () {
      const access = yield* platformAccess(platform)
      const call = callService(access)
      const name = yield* named(call, repository)
      const found = yield* applicationsOf(call, name, branch)
      if (isPlanning) return yield* showPlans(call, name, found, isPruning)
      const uuids =
        found.length > 0
          ? found.map(({ uuid }) => uuid)
          : [(yield* newApplication(call, access, name, { branch, domain, fields })).uuid]
      const remainingUuids = isPruning ? yield* pruneAll(call, name, branch, uuids) : uuids
      const { deployments } = yield* call(Deployed, "POST", `/deploy?uuid=${remainingUuids.join(",")}`)
      for (const { deployment_uuid } of deployments) yield* follow(call, deployment_uuid)
      // The first deployment may have created applications that slipway.yaml names.
      for (const { fqdn, generated_domain, uuid } of yield* applicationsOf(call, name, branch)) {
        yield* Console.log(fqdn ?? generated_domain ?? `application ${uuid}`)
      }
    })
).pipe(
  Command.withDescription("Deploy a repository of a connected forge; the first time creates its application"),
  Command.withExamples([
    { command: "slipway deploy ../site", description: "Deploy the repository of a checkout" },
    {
      command: "slipway deploy acme/site --domain https://site.example",
      description: "Deploy a repository by its name"
    },
    { command: "slipway deploy acme/site --plan", description: "Print what its slipway.yaml changes" }
  ])
)

/** Prints the JSON Schema of slipway.yaml. */
export const schema = Command.make("schema", {}, () => Console.log(JSON.stringify(manifestJsonSchema(), null, 2))).pipe(
  Command.withDescription("Print the JSON Schema of slipway.yaml, for editors and validators")
)
