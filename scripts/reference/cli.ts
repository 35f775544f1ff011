import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Option } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { TestConsole } from "effect/testing"
import { slipway } from "../../apps/cli/src/slipway.ts"
import { cell, generated } from "./markdown.ts"

const run = Command.runWith(slipway, { version: "0.0.0", renderErrors: false })

/** Returns the help of a command as data. */
const helpDocOf = (path: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const docs: Array<HelpDoc.HelpDoc> = []
    const formatter: CliOutput.Formatter = {
      ...CliOutput.defaultFormatter({ colors: false }),
      formatHelpDoc: (doc) => {
        docs.push(doc)
        return ""
      }
    }
    yield* run([...path, "--help"]).pipe(Effect.provide(CliOutput.layer(formatter)))
    const [doc] = docs
    return doc === undefined ? yield* Effect.die(new Error(`no help for ${path.join(" ")}`)) : doc
  })

const descriptionOf = (option: Option.Option<string>): string => cell(Option.getOrElse(option, () => ""))

const sectionOf = (path: ReadonlyArray<string>, doc: HelpDoc.HelpDoc): string => {
  const rows = [
    ...(doc.args ?? []).map(({ name, description }) => `| \`<${name}>\` | ${descriptionOf(description)} |`),
    ...doc.flags.map(({ description, name, type }) => {
      const value = type === "boolean" ? "" : ` <${type}>`
      return `| \`--${name}${value}\` | ${descriptionOf(description)} |`
    })
  ]
  const table = rows.length === 0 ? "" : `\n| argument or flag | meaning |\n|---|---|\n${rows.join("\n")}\n`
  const examples = (doc.examples ?? []).map(({ command, description }) => `\n${description}: \`${command}\`\n`)
  return `### slipway ${path.join(" ")}\n\n${doc.description}.\n${table}${examples.join("")}`
}

const sectionsOf = (path: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, unknown, Command.Environment> =>
  Effect.gen(function* () {
    const doc = yield* helpDocOf(path)
    const names = (doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
    if (names.length === 0) return [sectionOf(path, doc)]
    return (yield* Effect.forEach(names, (name) => sectionsOf([...path, name]))).flat()
  })

/** Returns the page of all commands. */
export const cliPage = async (): Promise<string> => {
  const console = Layer.mergeAll(NodeServices.layer, TestConsole.layer)
  const sections = await Effect.runPromise(Effect.provide(sectionsOf([]), console))
  return `# Command line

This page lists the commands of \`slipway\`, with their arguments and options.

${generated}

In a clone, run \`node scripts/install.mjs\` once; then \`npx slipway\` starts the command line. The commands \`slipway forge admin\` change the configured database directly. With the embedded database, stop the service first.
\`source <(npx slipway --completions bash)\` enables completion; \`zsh\` and \`fish\` are supported as well. Every command accepts \`--help\`.

## Commands

${sections.join("\n")}`
}
