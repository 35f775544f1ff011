/**
 * Installs the packed packages and the examples' dependencies into an empty directory, and runs the examples there:
 * `npm run build -- --out <directory>`, then `npm run examples -- <directory>`. Follows the tutorial in another directory.
 */
import { spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pageCommandsOn } from "./vitest/pageCommands.ts"

/** A script for each example, written next to it; it throws if the example misbehaves. */
export const questions: Readonly<Record<string, string>> = {
  "node-http": `
    import { start } from "./app.ts"
    const { forge, server } = await start(0)
    const answer = await fetch(\`http://127.0.0.1:\${server.address().port}/api/v1/version\`)
    server.close()
    server.closeAllConnections()
    await forge.dispose()
    if (answer.status !== 200) throw new Error(\`it answered \${answer.status}\`)`,
  "git-clients": `
    import { execFile } from "node:child_process"
    import { readFileSync, writeFileSync } from "node:fs"
    import { promisify } from "node:util"
    import { start } from "./app.ts"
    const run = promisify(execFile)
    const { forge, server } = await start(0, "repositories", "correct horse battery")
    const address = \`http://ann:correct%20horse%20battery@127.0.0.1:\${server.address().port}/ann/site.git\`
    const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    await run("git", ["clone", "-q", address, "work"])
    writeFileSync("work/a.txt", "one")
    await run("git", ["-C", "work", "add", "-A"])
    await run("git", ["-C", "work", ...who, "commit", "-q", "-m", "Add a.txt"])
    await run("git", ["-C", "work", "push", "-q"])
    await run("git", ["clone", "-q", address, "again"])
    server.close()
    server.closeAllConnections()
    await forge.dispose()
    if (readFileSync("again/a.txt", "utf8") !== "one") throw new Error("the clone lacks what was pushed")`,
  fastify: `
    import { makeApp } from "./app.ts"
    const { app } = await makeApp()
    const answer = await fetch(\`\${await app.listen({ port: 0, host: "127.0.0.1" })}/api/v1/version\`)
    app.server.closeAllConnections()
    await app.close()
    if (answer.status !== 200) throw new Error(\`it answered \${answer.status}\`)`,
  hono: `
    import { makeApp } from "./app.ts"
    const { app, forge } = await makeApp()
    const answer = await app.request("/api/v1/version")
    await forge.dispose()
    if (answer.status !== 200) throw new Error(\`it answered \${answer.status}\`)`,
  "own-adapter": `
    import { tried } from "./app.ts"
    const answer = await tried("correct horse battery")
    if (answer !== "made") throw new Error(answer)`,
  printers: `
    import { readFileSync } from "node:fs"
    import { checkScenarios, readScenarios } from "@slipway/testkit/access"
    import { makeForge } from "./app.ts"
    import { policy } from "./rules.ts"
    const text = readFileSync("printers.access", "utf8")
    const wrong = checkScenarios(readScenarios("printers.access", text, policy)).filter(({ passed }) => !passed)
    const forge = await makeForge()
    const asking = new Request("http://localhost/printers/tray-1/pages", { method: "POST", body: "a page" })
    const { status } = await forge.handler(asking, { user: "administrator" })
    await forge.dispose()
    if (wrong.length > 0 || status !== 202) throw new Error(\`\${wrong.length} are not met, and it answered \${status}\`)`
}

/** The folder of the examples. */
export const examples = join(import.meta.dirname, "../examples")

const run = (command: string, args: ReadonlyArray<string>, cwd: string): string => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${error?.message ?? ""}${stdout}${stderr}`)
  return stdout
}

/** Installs the packed packages next to each example in an empty directory, and runs its script. */
const tryAll = (packed: string): void => {
  const there = mkdtempSync(join(tmpdir(), "slipway-examples-"))
  try {
    const tarballs = readdirSync(packed).filter((name) => name.endsWith(".tgz"))
    const dependencies: Record<string, string> = {}
    for (const name of Object.keys(questions)) {
      const manifest = JSON.parse(readFileSync(join(examples, name, "package.json"), "utf8"))
      for (const [dependency, version] of Object.entries<string>(manifest.dependencies)) {
        if (!dependency.startsWith("@slipway/")) dependencies[dependency] = version
      }
    }
    writeFileSync(join(there, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
    const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"]
    run("npm", ["install", ...quiet, ...tarballs.map((name) => join(packed, name))], there)
    for (const [name, question] of Object.entries(questions)) {
      const folder = join(there, name)
      cpSync(join(examples, name), folder, { recursive: true })
      writeFileSync(join(folder, "ask.mjs"), question)
      run(process.execPath, ["ask.mjs"], folder)
      process.stdout.write(`examples/${name}: installed and tried\n`)
    }
    const slipway = ["--conditions=@slipway/source", join(import.meta.dirname, "../apps/cli/src/main.ts")]
    const test = ["access", "test", "printers.access", "--rules", "rules.ts"]
    run(process.execPath, [...slipway, ...test], join(there, "printers"))
  } finally {
    rmSync(there, { recursive: true, force: true })
  }
}

/** Follows the tutorial in an empty directory next to the clone and the packed packages. */
const typeTutorial = (packed: string): void => {
  const there = mkdtempSync(join(tmpdir(), "slipway-tutorial-"))
  const root = join(import.meta.dirname, "..")
  try {
    symlinkSync(root, join(there, "slipway"))
    symlinkSync(packed, join(there, "packed"))
    mkdirSync(join(there, "company"))
    const typed = pageCommandsOn(readFileSync(join(root, "docs/tutorial.md"), "utf8"))
    // One shell, so that exported variables stay; a NUL byte ends the output of each command.
    const lines = typed.map((each) =>
      "file" in each
        ? `cat >${each.file} <<'end of the file'\n${each.text}end of the file`
        : `${each.command}\nprintf '\\0'`
    )
    const printed = run("bash", ["-e", "-c", lines.join("\n")], join(there, "company")).split("\0")
    for (const [at, { command, prints }] of typed.filter((each) => "command" in each).entries()) {
      const got = printed[at]?.trimEnd()
      if (prints !== undefined && got !== prints) throw new Error(`${command} printed\n${got}\ninstead of\n${prints}`)
      process.stdout.write(`docs/tutorial.md: ${command}\n`)
    }
  } finally {
    rmSync(there, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const packed = resolve(process.argv[2] ?? "packed")
  if (!existsSync(packed)) throw new Error(`${packed} is missing: npm run build -- --out packed makes it`)
  typeTutorial(packed)
  tryAll(packed)
}
