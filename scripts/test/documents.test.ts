import { globSync, readFileSync, writeFileSync } from "node:fs"
import { createServer as createHttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { basename, join } from "node:path"
import {
  type Block,
  blocksOf,
  differences,
  makeClone,
  runScript,
  ServiceProcesses,
  scriptOf,
  startServices,
  stopServices
} from "@slipway/http/testing"
import { afterEach, describe, expect, test } from "vitest"
import { parse as parseYaml } from "yaml"

const root = join(import.meta.dirname, "..", "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const guides = globSync("docs/guides/*.md", { cwd: root }).sort()
const pages = ["README.md", ...guides]
const firstSteps = "docs/guides/first-steps.md"

/** The blocks that need more than a service: how many there are, and the test that executes them or why none does. */
const needs: Readonly<Record<string, { readonly blocks: number; readonly by: string } | Unexecuted>> = {
  "act-runner": { blocks: 1, by: "apps/forge/test/runner/runner.test.ts" },
  "container-engine": { blocks: 9, by: "apps/deploy/test/guides.test.ts, apps/deploy/test/push-to-live.test.ts" },
  "finished-backup": { blocks: 2, by: "apps/deploy/test/guides.test.ts" },
  "own-server": { blocks: 3, because: "installs services as root on a server with a public host name" },
  "podman-client": { blocks: 2, by: "apps/forge/test/podman.test.ts" },
  "released-packages": { blocks: 3, by: "scripts/installs/guide.ts" },
  "running-example": { blocks: 1, by: "scripts/test/documents.test.ts" },
  "second-instance": { blocks: 2, by: "apps/deploy/test/guides.test.ts" },
  "s3-server": { blocks: 3, by: "apps/deploy/test/guides.test.ts" },
  slack: { blocks: 1, by: "scripts/test/documents.test.ts" }
}

interface Unexecuted {
  readonly blocks: number
  readonly because: string
}

const isExecuted = ({ attributes, language }: Block) =>
  attributes.needs === undefined && (language === "sh" || language === "console")

const mainOf = (app: string) => join(root, "apps", app, "src", "main.ts")
const forge = new ServiceProcesses(mainOf("forge"))
const deploy = new ServiceProcesses(mainOf("deploy"))
const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  await Promise.all([forge.end(), deploy.end()])
})

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** Starts a server in the place of Slack, which records the paths of messages. */
const startSlack = async () => {
  const messages: Array<string> = []
  const server = createHttpServer((request, response) => {
    messages.push(request.url ?? "")
    request.resume().once("end", () => response.end("ok"))
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  cleanups.push(() => server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, messages }
}

const clone = () => {
  const { directory, remove } = makeClone()
  cleanups.push(remove)
  return directory
}

/** Replaces the documented addresses of the services with those of this test; the forge is also the other hosts. */
const at = (text: string, forgeUrl: string, deployUrl: string) => {
  const local = text.replaceAll("http://127.0.0.1:3000", forgeUrl).replaceAll("http://127.0.0.1:8000", deployUrl)
  return forgeUrl === "" ? local : local.replaceAll(/https:\/\/(?:gitea|git)\.example/g, forgeUrl)
}

describe("each page that starts the services", () => {
  test.for(["README.md", firstSteps])("%s runs from top to bottom in a fresh clone", async (path) => {
    const blocks = blocksOf(read(path))
    const start = blocks.findIndex(({ language, text }) => language === "sh" && /npm start\s*$/.test(text))
    expect(start).toBeGreaterThanOrEqual(0)
    const [forgePort, deployPort] = [await freePort(), await freePort()]
    const addresses = [`http://127.0.0.1:${forgePort}`, `http://127.0.0.1:${deployPort}`] as const
    const settings = { FORGE_PORT: `${forgePort}`, DEPLOY_PORT: `${deployPort}`, FORGE_SSH_PORT: "off" }
    const directory = clone()
    await runScript(scriptOf(blocks.slice(0, start)), directory, settings)
    const services = await startServices(blocks[start]?.text ?? "", directory, settings, addresses)
    cleanups.push(() => stopServices(services))
    const after = blocks.slice(start + 1)
    const output = await runScript(at(scriptOf(after), ...addresses), directory, settings)
    expect(differences(after, output)).toEqual([])
  })
})

describe("each guide", () => {
  const executed = guides.filter((path) => path !== firstSteps && blocksOf(read(path)).some(isExecuted))
  const [variables = "", forgeSteps = ""] = blocksOf(read(firstSteps))
    .filter(({ language }) => language === "sh")
    .slice(1)
    .map(({ text }) => text)

  test.for(executed)("%s runs from top to bottom", async (path) => {
    const blocks = blocksOf(read(path))
    const script = scriptOf(blocks, new Set(["slack"]))
    const onForge = /\$(?:api|forge|me)\b/.test(script)
    const onDeploy = /\$deploy\b/.test(script)
    const directory = clone()
    // A backup reads what a service stored in the reader's directory.
    const isStored = script.includes("slipway backup")
    const settings = {
      FORGE_DATABASE_URL: isStored ? "file:.slipway/forge" : "memory:",
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_PASSWORD: "correct horse battery",
      FORGE_SSH_PORT: "off",
      FORGE_REGISTRATION: "on",
      FORGE_ALLOW_PRIVATE_ADDRESSES: "true",
      FORGE_CODE_SEARCH: "true"
    }
    const home = isStored ? directory : forge.directory()
    const forgeUrl = onForge || isStored ? await forge.start(home, settings).listening() : ""
    const token = {
      DEPLOY_DATABASE_URL: "memory:",
      DEPLOY_TOKEN: "only-for-trying",
      DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true"
    }
    const deployUrl = onDeploy ? await deploy.start(deploy.directory(), token).listening() : ""
    const whole = [onForge || onDeploy ? variables : "", onForge ? forgeSteps : "", script].join("\n")
    // npm must not write the settings of the user who runs the tests.
    const ownSettings = { NPM_CONFIG_USERCONFIG: join(directory, ".npmrc") }
    const slack = basename(path) === "notifications.md" ? await startSlack() : undefined
    const text = at(whole, forgeUrl, deployUrl).replaceAll("https://hooks.slack.com", slack?.address ?? "")
    const output = await runScript(text, directory, ownSettings)
    expect(differences(blocks, output)).toEqual([])
    expect(slack?.messages).toEqual(slack && ["/services/T0/B0/x"])
  })
})

test("the program in embedding.md serves a clone", async () => {
  const blocks = blocksOf(read("docs/guides/embedding.md"))
  const end = blocks.findIndex(({ attributes }) => attributes.needs === "running-example")
  const program = blocks.slice(0, end).findLast(({ language }) => language === "ts")
  const port = await freePort()
  const directory = clone()
  writeFileSync(join(directory, "app.ts"), (program?.text ?? "").replaceAll("3000", `${port}`))
  const askpass = join(directory, "askpass")
  writeFileSync(askpass, "#!/bin/sh\necho 'correct horse battery'\n", { mode: 0o700 })
  const settings = { NODE_OPTIONS: "--conditions=@slipway/source", GIT_ASKPASS: askpass }
  const command = "FORGE_PASSWORD='correct horse battery' node app.ts"
  expect(read("docs/guides/embedding.md")).toContain(`\`${command}\``)
  const started = await startServices(command, directory, settings, [`http://localhost:${port}`], "/api/v1/version")
  cleanups.push(() => stopServices(started))
  await runScript((blocks[end]?.text ?? "").replaceAll("3000", `${port}`), directory, settings)
  expect(readFileSync(join(directory, "site", "README.md"), "utf8")).toContain("site")
})

describe("the code blocks of README and guides", () => {
  const sources = () =>
    globSync("{packages,apps,examples}/**/*.ts", { cwd: root, exclude: ["**/node_modules", "**/dist"] })
      .map((path) => read(path).replaceAll(/\s+/g, " "))
      .join("\n")

  test("have a known language, and state what they need if they are not executed", () => {
    const languages = ["sh", "console", "text", "ts", "access", "yaml", "json"]
    for (const path of pages) {
      for (const { language, line } of blocksOf(read(path))) {
        expect(languages, `${path}:${line}`).toContain(language)
      }
    }
    const special = pages.flatMap((path) =>
      blocksOf(read(path)).flatMap(({ attributes: { needs: name } }) => (name === undefined ? [] : [{ name, path }]))
    )
    const numbers = Object.entries(needs).map(([name, { blocks }]) => [name, blocks])
    const byName = Map.groupBy(special, ({ name }) => name)
    expect(Object.fromEntries([...byName].map(([name, all]) => [name, all.length]))).toEqual(
      Object.fromEntries(numbers)
    )
    for (const { name, path } of special) {
      const need = needs[name]
      if (need === undefined || !("by" in need)) continue
      const tests = need.by.split(", ").map(read)
      expect(
        tests.filter((text) => text.includes(basename(path))),
        `${path} in ${need.by}`
      ).not.toEqual([])
    }
  })

  test("in TypeScript compare values, or quote the sources", () => {
    const all = sources()
    const others = pages.flatMap((path) =>
      blocksOf(read(path)).flatMap(({ language, line, text }) => {
        if (language !== "ts" || text.includes("// =>")) return []
        return all.includes(text.replaceAll(/\s+/g, " ").trim()) ? [] : [`${path}:${line}`]
      })
    )
    expect(others).toEqual([])
  })

  test("in JSON and YAML can be parsed; YAML is a workflow or a `slipway.yaml`", () => {
    for (const path of [...pages, "docs/reference/workflow-syntax.md"]) {
      for (const { language, line, text } of blocksOf(read(path))) {
        if (language === "json") JSON.parse(text)
        if (language !== "yaml") continue
        const keys = Object.keys(parseYaml(text))
        const isManifest = keys.includes("applications")
        const known = isManifest ? ["applications", "databases", "environments"] : ["name", "on", "env", "jobs"]
        expect(
          keys.filter((key) => !known.includes(key)),
          `${path}:${line}`
        ).toEqual([])
        if (!isManifest) expect(keys, `${path}:${line}`).toEqual(expect.arrayContaining(["on", "jobs"]))
      }
    }
  })
})

describe("the documentation", () => {
  const generated = /^Generated (?:by|from)|generated by `npx vitest/m
  const words = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length

  test("has no page above 1,500 words except generated ones", () => {
    const long = globSync("docs/**/*.md", { cwd: root })
      .filter((path) => !generated.test(read(path)) && words(read(path)) > 1500)
      .map((path) => basename(path))
    expect(long).toEqual([])
  })

  test("has a README of at most 130 lines and a feature table without long cells", () => {
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(131)
    const cells = read("docs/reference/features.md")
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .flatMap((line) => line.split(" | "))
    expect(cells.filter((cell) => words(cell) > 25)).toEqual([])
  })
})
