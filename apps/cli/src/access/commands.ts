import type { AnyPolicySet } from "@slipway/domain/forge/base"
import {
  askPure,
  branchVerbs,
  checkScenarios,
  diffLines,
  diffWorlds,
  explainIn,
  matrixFormats,
  matrixOf,
  parseQuestions,
  printRules,
  printWorld,
  type Reported,
  report,
  reportFormats,
  ruleDiffFormats,
  scenarioJsonSchema,
  showMatrix,
  stepLines,
  usualActions
} from "@slipway/testkit/access"
import { checkDeployScenario, usualDeployActions } from "@slipway/testkit/deploy-access"
import { Config, Console, Effect, FileSystem, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { userError } from "../forge/failures.ts"
import { attempt, formattedIn, inFile, policyIn, rulesFlag, rulesOf, scenarioIn, scenariosIn, textOf } from "./files.ts"
import { deployDiff, deployExplain, deployMatrix, forgeOnly } from "./platformWorlds.ts"
import { proofs } from "./prove.ts"
import { compareVersions, versionNamed, versionOf } from "./ruleVersions.ts"

const file = Argument.String("file").pipe(
  Argument.withDescription("A scenario file: text, or YAML or JSON by its extension")
)

const scenario = Flag.String("scenario").pipe(
  Flag.withDescription("The scenario to use instead of the first one"),
  Flag.optional
)

const serviceFlag = Flag.Literals("service", ["forge", "deploy"]).pipe(
  Flag.withDescription("The service with the rules"),
  Flag.withDefault("forge")
)

const checkedIn = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  policy: AnyPolicySet | undefined,
  service: "forge" | "deploy"
) {
  if (service === "forge") {
    return checkScenarios((yield* Effect.forEach(files, (file) => scenariosIn(file, policy))).flat())
  }
  const texts = yield* Effect.forEach(files, (file) => Effect.map(textOf(file), (text) => [file, text] as const))
  const checked = yield* Effect.forEach(texts, ([file, text]) => inFile(file, () => checkDeployScenario(file, text)))
  return checked.flat()
})

const runOnce = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  format: (typeof reportFormats)[number],
  policy: AnyPolicySet | undefined,
  service: "forge" | "deploy"
) {
  const checked: ReadonlyArray<Reported> = yield* checkedIn(files, policy, service)
  yield* Console.log(report(format, checked))
  const failed = checked.filter(({ passed }) => !passed).length
  if (failed > 0) return yield* userError(`${failed} of ${checked.length} expectations are not met`)
  return undefined
})

const test = Command.make(
  "test",
  {
    files: Argument.String("files").pipe(
      Argument.withDescription("Scenario files: text, or YAML or JSON by their extension"),
      Argument.variadic({ min: 1 })
    ),
    format: Flag.Literals("format", reportFormats).pipe(
      Flag.withDescription("Format of the report"),
      Flag.withDefault("text")
    ),
    rules: rulesFlag,
    service: serviceFlag,
    watch: Flag.Boolean("watch").pipe(Flag.withDescription("Run again when a file changes"), Flag.withDefault(false))
  },
  ({ files, format, rules, service, watch }) =>
    Effect.gen(function* () {
      yield* forgeOnly(service, { rules })
      const policy = yield* rulesOf(rules)
      if (!watch) return yield* Effect.asVoid(runOnce(files, format, policy, service))
      const again = Effect.catch(runOnce(files, format, policy, service), ({ userMessage }) =>
        Console.error(userMessage)
      )
      const system = yield* FileSystem.FileSystem
      const changes = Stream.mergeAll(
        files.map((each) => system.watch(each)),
        { concurrency: "unbounded" }
      )
      yield* again
      // Editors save a file in several steps.
      yield* Stream.runForEach(Stream.debounce(changes, "50 millis"), () => again).pipe(
        Effect.mapError((problem) => userError(problem.message, problem))
      )
    })
).pipe(
  Command.withDescription("Check the expectations of scenarios; exits with 1 if one is not met"),
  Command.withExamples([
    { command: "slipway access test company.access", description: "Test the access rules of a company" }
  ])
)

const prove = Command.make(
  "prove",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A file of statements, one a line")),
    rules: rulesFlag,
    service: serviceFlag
  },
  ({ file, rules, service }) =>
    Effect.gen(function* () {
      const policy = yield* rulesOf(rules)
      const text = yield* textOf(file)
      const { output, unmet } = yield* attempt(() => proofs(file, text, service, policy))
      yield* Console.log(output)
      if (unmet > 0) return yield* userError(`${unmet} statements are false`)
      return undefined
    })
).pipe(
  Command.withDescription("Prove statements about all possible requests; exits with 1 if one is false"),
  Command.withExamples([
    { command: "slipway access prove rules.prove", description: "Prove `prove never anonymous *.delete` and others" }
  ])
)

const explain = Command.make(
  "explain",
  {
    file,
    question: Argument.String("question").pipe(
      Argument.withDescription("Actor, action and resource: bob with read:repository repository.read acme/site"),
      Argument.variadic({ min: 2 })
    ),
    rules: rulesFlag,
    scenario,
    service: serviceFlag
  },
  ({ file, question, rules, scenario, service }) =>
    Effect.gen(function* () {
      yield* forgeOnly(service, { rules, scenario })
      if (service === "deploy") return yield* Console.log(yield* deployExplain(file, question))
      const { world } = yield* scenarioIn(file, Option.getOrUndefined(scenario), yield* rulesOf(rules))
      const lines = yield* attempt(() =>
        parseQuestions(`${question.join(" ")} -> ?`, world.tokens).flatMap((asked) => {
          const { answer, by } = askPure(world, asked)
          const explained = explainIn(world, asked)
          return [
            `${answer}${by.length === 0 ? "" : ` by ${by.join(" ")}`}`,
            ...(explained === undefined ? [] : stepLines(explained)),
            ...(explained?.changes ?? []).map((change) => `would change it: ${change}`)
          ]
        })
      )
      return yield* Console.log(lines.join("\n"))
    })
).pipe(
  Command.withDescription(
    `Explain why an action is allowed or denied, and what would change it. Also accepts ${branchVerbs.join(", ")} and lists`
  )
)

const matrix = Command.make(
  "matrix",
  {
    file,
    actions: Flag.String("action").pipe(
      Flag.withDescription(
        `An action to show; repeatable; default for a forge ${usualActions.join(", ")}; for deploy ${usualDeployActions.join(", ")}`
      ),
      Flag.between(0, 100)
    ),
    format: Flag.Literals("format", matrixFormats).pipe(
      Flag.withDescription("Output format"),
      Flag.withDefault("table")
    ),
    rules: rulesFlag,
    scenario,
    service: serviceFlag
  },
  ({ actions, file, format, rules, scenario, service }) =>
    Effect.gen(function* () {
      yield* forgeOnly(service, { rules, scenario })
      const named = actions.length === 0 ? undefined : actions
      if (service === "deploy") return yield* Console.log(showMatrix(format, yield* deployMatrix(file, named)))
      const { world } = yield* scenarioIn(file, Option.getOrUndefined(scenario), yield* rulesOf(rules))
      const permissionMatrix = yield* attempt(() => matrixOf(world, named))
      return yield* Console.log(showMatrix(format, permissionMatrix))
    })
).pipe(Command.withDescription("Print a permission matrix"))

const diff = Command.make(
  "diff",
  {
    files: Argument.String("files").pipe(
      Argument.withDescription("The scenario files before and after the change; none to compare rules"),
      Argument.variadic({ max: 2 })
    ),
    format: Flag.Literals("format", ruleDiffFormats).pipe(
      Flag.withDescription("Format of a comparison of rules"),
      Flag.withDefault("text")
    ),
    rules: Flag.String("rules").pipe(
      Flag.withDescription(
        "A module that exports the access rules as `policy`; twice, the old and the new one, to compare rules; `built-in` is the library's; a file `.json` is the output of `slipway access rules`"
      ),
      Flag.between(0, 2)
    ),
    service: serviceFlag
  },
  ({ files, format, rules, service }) =>
    Effect.gen(function* () {
      const [before, after] = files
      const [one, other] = rules
      if (files.length === 0 && one !== undefined && other !== undefined) {
        const [old, changed] = [yield* versionNamed(service, one), yield* versionNamed(service, other)]
        return yield* Console.log(compareVersions(old, changed, format))
      }
      if (before === undefined || after === undefined || rules.length > 1) {
        return yield* userError("name two scenario files with at most one --rules, or no file and --rules twice")
      }
      yield* forgeOnly(service, { rules: Option.fromUndefinedOr(one) })
      if (service === "deploy") return yield* Console.log(diffLines(yield* deployDiff(before, after)).join("\n"))
      const policy = one === undefined ? undefined : yield* policyIn(one)
      const [old, changed] = yield* Effect.all([
        scenarioIn(before, undefined, policy),
        scenarioIn(after, undefined, policy)
      ])
      return yield* Console.log(diffLines(diffWorlds(old.world, changed.world)).join("\n"))
    })
).pipe(
  Command.withDescription(
    "List gained and lost access between two scenario files, or the requests that a change of rules answers differently"
  )
)

const printing = Command.make("rules", { rules: rulesFlag, service: serviceFlag }, ({ rules, service }) =>
  Effect.gen(function* () {
    yield* forgeOnly(service, { rules })
    const { theory } = versionOf(service, yield* rulesOf(rules))
    return yield* Console.log(printRules(service, theory))
  })
).pipe(
  Command.withDescription("Print the access rules as JSON, to compare them with those of another version"),
  Command.withExamples([
    {
      command: "slipway access diff --service deploy --rules old.json --rules built-in",
      description: "List the requests that this version answers differently from the version that printed old.json"
    }
  ])
)

const exporting = Command.make(
  "export",
  {
    url: Argument.String("url").pipe(
      Argument.withDescription("The address of a forge, or of deploy with `--service deploy`")
    ),
    organizations: Flag.String("organization").pipe(
      Flag.withDescription("An organization to export; repeatable; default the whole site"),
      Flag.between(0, 1_000)
    ),
    token: Flag.Redacted("token").pipe(
      Flag.withDescription(
        "A token that may read organizations, repositories and users, an administrator's for the whole site; on deploy, one that may read the grants of its team"
      ),
      Flag.withFallbackConfig(Config.Redacted("SLIPWAY_TOKEN")),
      Flag.optional
    ),
    service: serviceFlag
  },
  ({ organizations, service, token, url }) =>
    Effect.gen(function* () {
      yield* forgeOnly(service, { organization: Option.fromUndefinedOr(organizations[0]) })
      // Only this command loads a client.
      const [{ exportWorld }, { exportDeployWorld }, NodeHttpClient] = yield* Effect.promise(() =>
        Promise.all([
          import("./export.ts"),
          import("./exportDeploy.ts"),
          import("@effect/platform-node/NodeHttpClient")
        ])
      )
      const text =
        service === "deploy"
          ? exportDeployWorld(url, Option.getOrUndefined(token))
          : Effect.map(exportWorld(url, Option.getOrUndefined(token), organizations), printWorld)
      yield* Console.log((yield* Effect.provide(text, NodeHttpClient.layerUndici)).trimEnd())
    })
).pipe(Command.withDescription("Export a running forge, some of its organizations, or a team of deploy as a scenario"))

const fmt = Command.make(
  "fmt",
  {
    files: Argument.String("files").pipe(
      Argument.withDescription("Scenario files in the text format, of a forge or of deploy"),
      Argument.variadic({ min: 1 })
    ),
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Change no file; exit with 1 if one is not formatted"),
      Flag.withDefault(false)
    ),
    rules: rulesFlag,
    service: Flag.Literals("service", ["forge", "deploy"]).pipe(
      Flag.withDescription("The service of the files; by default, the lines of each file decide"),
      Flag.optional
    )
  },
  ({ check, files, rules, service }) =>
    Effect.gen(function* () {
      const system = yield* FileSystem.FileSystem
      const other = files.find((file) => /\.(ya?ml|json)$/.test(file))
      if (other !== undefined) return yield* userError(`${other} is not in the text format`)
      const named = Option.getOrUndefined(service)
      yield* forgeOnly(named ?? "forge", { rules })
      const policy = yield* rulesOf(rules)
      // A file that cannot be read or parsed fails before any file is changed.
      const read = yield* Effect.forEach(files, (file) =>
        Effect.gen(function* () {
          const text = yield* textOf(file)
          return { file, text, formatted: yield* formattedIn(file, text, named, policy) }
        })
      )
      const changed = read.filter(({ formatted, text }) => formatted !== text)
      yield* Effect.forEach(changed, ({ file, formatted }) =>
        Effect.gen(function* () {
          if (!check) {
            yield* Effect.mapError(system.writeFileString(file, formatted), (problem) =>
              userError(`${file} can't be written`, problem)
            )
          }
          yield* Console.log(check ? `${file} is not formatted` : `${file} formatted`)
        })
      )
      if (check && changed.length > 0) return yield* userError("run `slipway access fmt` to format these files")
      return undefined
    })
).pipe(Command.withDescription("Format scenario files; exits with 1 if one is invalid, and then changes none"))

const schema = Command.make("schema", { rules: rulesFlag }, ({ rules }) =>
  Effect.flatMap(rulesOf(rules), (policy) => Console.log(JSON.stringify(scenarioJsonSchema(policy), undefined, 2)))
).pipe(Command.withDescription("Print the JSON schema of YAML scenarios"))

const serving = Command.make(
  "serve",
  {
    files: Argument.String("files").pipe(
      Argument.withDescription("Scenario files, read again for each request"),
      Argument.variadic({ min: 1 })
    ),
    port: Flag.Int("port").pipe(Flag.withDescription("The port to listen on"), Flag.withDefault(8080)),
    rules: rulesFlag,
    service: serviceFlag
  },
  // Only this command loads the server, so that the others start faster.
  ({ files, port, rules, service }) =>
    Effect.gen(function* () {
      yield* forgeOnly(service, { rules })
      if (service === "deploy") {
        const { serveDeploy } = yield* Effect.promise(() => import("./serveDeploy.ts"))
        return yield* serveDeploy(files, port)
      }
      const { serve } = yield* Effect.promise(() => import("./serve.ts"))
      return yield* serve(files, port, yield* rulesOf(rules))
    })
).pipe(Command.withDescription("Serve the explorer of scenarios on this machine"))

const lsp = Command.make("lsp", { rules: rulesFlag }, ({ rules }) =>
  Effect.gen(function* () {
    const policy = yield* rulesOf(rules)
    const { serveStreams } = yield* Effect.promise(() => import("@slipway/language-server"))
    // The server exits with the editor's connection.
    serveStreams(process.stdin, process.stdout, { policy })
    return yield* Effect.never
  })
).pipe(Command.withDescription("Serve editors by the Language Server Protocol on the standard streams"))

/** The commands that test access rules. */
export const access = Command.make("access").pipe(
  Command.withDescription("Test, explain and show access rules"),
  Command.withSubcommands([test, prove, explain, matrix, diff, printing, exporting, fmt, schema, serving, lsp])
)
