import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { samples } from "@slipway/testkit"
import { Contracts as ofDeploy } from "@slipway/testkit/deploy"
import { Contracts as ofForge } from "@slipway/testkit/forge"

const all: ReadonlyArray<{ readonly port: string; readonly musts: Readonly<Record<string, object>> }> = [
  ...ofDeploy.all,
  ofDeploy.bundleCipher,
  ofDeploy.compose,
  ofDeploy.engine,
  ofDeploy.fileEncryption,
  ofDeploy.manifests,
  ofDeploy.objectStorage,
  ofDeploy.proxy,
  ofDeploy.serverFiles,
  ofDeploy.sources,
  ...ofForge.all,
  ofForge.blobs,
  ofForge.gitReader,
  ofForge.gitRepositories,
  ofForge.gitTransport,
  ofForge.gitWriter,
  ofForge.unadopted,
  samples
]

const repository = join(import.meta.dirname, "../../..")
const domain = join(repository, "packages/domain/src")

const textOf = (file: string) => readFileSync(file, "utf8")
const sources = readdirSync(domain, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => textOf(join(domain, file)))

const lists = sources.flatMap((source) => [
  ...source.matchAll(/ \* Must:\n((?: \* .*\n)+) \*\/\nexport (?:class|interface) (\w+)/g)
])

/** The sentences of the Must lists in docstrings of ports; a sentence can span several lines. */
const promises = lists.flatMap(([, list = "", port = ""]) =>
  list
    .replaceAll(/\n \* {3}(?=\S)/g, " ")
    .split("\n")
    .filter((line) => line.startsWith(" * - "))
    .map((line) => `${port}: ${line.slice(" * - ".length)}`)
)

// Ports with a single adapter; their tests need a library that other adapters do not use.
const elsewhere: Readonly<Record<string, string>> = {
  FileTypes: "packages/blobs/test/fileTypes.test.ts",
  Mailer: "packages/mail/test/mail.test.ts",
  Markdown: "packages/markdown/test/markdown.test.ts",
  PathMatcher: "packages/git/test/paths.test.ts",
  KeyReader: "packages/ssh/test/keys.test.ts",
  PasswordHasher: "packages/credentials/test/credentials.test.ts",
  CommonPasswords: "packages/credentials/test/credentials.test.ts",
  OneTimeCodes: "packages/credentials/test/credentials.test.ts",
  AvatarImages: "packages/avatars/test/avatarImages.test.ts",
  Recognition: "packages/templates/test/recognition.test.ts",
  Templates: "packages/templates/test/templates.test.ts",
  WorkflowReader: "packages/templates/test/workflows.test.ts"
}
const isElsewhere = (promise: string) => Object.keys(elsewhere).some((port) => promise.startsWith(`${port}: `))

describe("contracts", () => {
  it("are read from every docstring with a Must list", () => {
    const said = sources.join("\n").match(/^ \* Must:$/gm)?.length ?? 0
    assert.isAbove(said, 10)
    assert.strictEqual(lists.length, said)
  })

  it("test every sentence of a port's docstring and no other", () => {
    const tested = all.flatMap(({ musts, port }) => Object.keys(musts).map((sentence) => `${port}: ${sentence}`))
    const promised = promises.filter((promise) => !isElsewhere(promise))
    assert.deepStrictEqual(tested.toSorted(), promised.toSorted())
  })

  it("test at least one case of every sentence", () => {
    const empty = all.flatMap(({ musts }) => Object.entries(musts).filter(([, each]) => Object.keys(each).length === 0))
    assert.deepStrictEqual(empty, [])
  })

  it("have tests in other packages for the remaining sentences", () => {
    const missing = promises.filter(isElsewhere).filter((promise) => {
      const [port = "", sentence = ""] = promise.split(": ")
      return !textOf(join(repository, elsewhere[port] ?? "")).includes(`it.effect("${sentence}"`)
    })
    assert.deepStrictEqual(missing, [])
  })
})
