import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { afterEach, beforeEach, expect, test } from "vitest"

// A service that runs until it is stopped, and logs both.
const lasting = (name: string, code = 0) =>
  `import { writeFileSync } from "node:fs"
   process.on("SIGTERM", () => { console.log("${name} stopped"); process.exit(${code}) })
   process.on("SIGINT", () => { console.log("${name} interrupted"); process.exit(${code}) })
   setInterval(() => {}, 1000); console.log("${name} is up")
   writeFileSync("${name}.up", "")`

// A service that acts as soon as the forge can be stopped.
const onceForgeIsUp = (act: string) =>
  `import { existsSync } from "node:fs"
   const timer = setInterval(() => {
     if (!existsSync("forge.up")) return
     clearInterval(timer)
     ${act}
   }, 10)`

let root: string
let child: ChildProcessByStdio<null, Readable, Readable> | undefined
let output = ""

const start = (
  services: Record<string, string>,
  command = process.execPath,
  parameters = [join(root, "scripts", "start.ts")],
  settings: Record<string, string> = {}
) => {
  for (const [name, source] of Object.entries(services)) {
    mkdirSync(join(root, "apps", name, "src"), { recursive: true })
    writeFileSync(join(root, "apps", name, "src", "main.ts"), source)
  }
  const started = spawn(command, parameters, {
    cwd: root,
    env: { ...process.env, ...settings, PATH: dirname(process.execPath) + delimiter + process.env.PATH },
    stdio: ["ignore", "pipe", "pipe"]
  })
  for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => (output += chunk))
  child = started
  return started
}
const said = async (...words: ReadonlyArray<string>) => {
  await expect.poll(() => words.every((word) => output.includes(word)), { timeout: 20_000 }).toBe(true)
}

beforeEach(() => {
  output = ""
  root = mkdtempSync(join(tmpdir(), "slipway-start-"))
  mkdirSync(join(root, "scripts", "profiles"), { recursive: true })
  writeFileSync(join(root, "scripts", "profiles", "small"), "--v8-pool-size=1\n")
  const scriptOf = (name: string) =>
    `NODE_COMPILE_CACHE=node_modules/.cache/compiled exec node $(cat scripts/profiles/small) apps/${name}/src/main.ts`
  const scripts = { "start:forge": scriptOf("forge"), "start:deploy": scriptOf("deploy") }
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module", scripts }))
  for (const file of ["start.ts", "introduce.ts", "connect-services.ts"]) {
    cpSync(join(import.meta.dirname, "..", file), join(root, "scripts", file))
  }
})
afterEach(() => {
  child?.kill("SIGKILL")
  rmSync(root, { recursive: true })
})

test.for(["SIGTERM", "SIGINT"] as const)("on %s both services stop, and the exit code is 0", async (signal) => {
  const running = start({ forge: lasting("forge"), deploy: lasting("deploy") })
  await said("forge is up", "deploy is up")
  running.kill(signal)
  const [code] = await once(running, "close")
  const how = signal === "SIGTERM" ? "stopped" : "interrupted"
  expect(output).toContain(`forge ${how}`)
  expect(output).toContain(`deploy ${how}`)
  expect(code).toBe(0)
})

test("both ways to start reject an unknown profile", async () => {
  process.env.SLIPWAY_PROFILE = "large"
  try {
    const [code] = await once(start({ forge: lasting("forge"), deploy: lasting("deploy") }), "close")
    expect([code, output]).toEqual([1, "cannot start: `SLIPWAY_PROFILE` must be small\n"])
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8"))
    const [alone] = await once(start({ forge: lasting("forge") }, "sh", ["-c", scripts["start:forge"]]), "close")
    expect(alone).not.toBe(0)
    expect(output).toContain("SLIPWAY_PROFILE=small-or-server")
  } finally {
    delete process.env.SLIPWAY_PROFILE
  }
})

// Prevents: the help imports built packages, which a clone lacks.
test("`npm start -- --help` lists the settings in a clone", () => {
  const cwd = join(import.meta.dirname, "..", "..")
  const { scripts } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"))
  const PATH = dirname(process.execPath) + delimiter + process.env.PATH
  const help = execFileSync("sh", ["-c", `${scripts.start} --help`], { cwd, env: { ...process.env, PATH } }).toString()
  for (const each of ["usage: npm start", "DEPLOY_PORT", "FORGE_PORT"]) expect(help).toContain(each)
})

// Prevents: a supervisor that stops npm kills a shell, and the services keep running.
test("a signal to the process that npm starts reaches the services", async () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8"))
  const running = start({ forge: lasting("forge"), deploy: lasting("deploy") }, "sh", ["-c", scripts.start])
  await said("forge is up", "deploy is up")
  running.kill("SIGTERM")
  const [code] = await once(running, "close")
  expect(output).toContain("forge stopped")
  expect(output).toContain("deploy stopped")
  expect(code).toBe(0)
  for (const name of ["forge", "deploy"]) expect(scripts[`start:${name}`]).toMatch(/^(?:[A-Z_]+=\S+ )*exec node /)
})

test("services get the flags and the environment of their npm scripts", async () => {
  const tell = "console.log(process.execArgv.join(), process.env.NODE_COMPILE_CACHE); setInterval(() => {}, 1000)"
  const running = start({ forge: tell, deploy: tell })
  const told = "--v8-pool-size=1 node_modules/.cache/compiled"
  await said(`${told}\n${told}`)
  running.kill("SIGTERM")
  await once(running, "close")
})

test("the start script keeps no compile cache in memory for the profile `server`", async () => {
  writeFileSync(join(root, "scripts", "profiles", "server"), "--v8-pool-size=2\n")
  process.env.SLIPWAY_PROFILE = "server"
  try {
    const tell =
      "console.log(process.execArgv.join(), process.env.NODE_DISABLE_COMPILE_CACHE); setInterval(() => {}, 1000)"
    const running = start({ forge: tell, deploy: tell })
    await said("--v8-pool-size=2 1\n--v8-pool-size=2 1")
    running.kill("SIGTERM")
    await once(running, "close")
  } finally {
    delete process.env.SLIPWAY_PROFILE
  }
})

test("the start script returns the exit code of a service that exits with an error", async () => {
  const running = start({ forge: lasting("forge", 3), deploy: lasting("deploy") })
  await said("forge is up", "deploy is up")
  running.kill("SIGTERM")
  const [code] = await once(running, "close")
  expect(code).toBe(3)
})

test("when a service exits, the other is stopped and the exit code is returned", async () => {
  const running = start({ forge: lasting("forge"), deploy: onceForgeIsUp("process.exit(7)") })
  const [code] = await once(running, "close")
  expect(output).toContain("deploy exited (exit code 7), stopping the other service")
  expect(output).toContain("forge stopped")
  expect(code).toBe(7)
})

test("a service that is killed counts as failed", async () => {
  const running = start({
    forge: lasting("forge"),
    deploy: onceForgeIsUp('process.kill(process.pid, "SIGKILL")')
  })
  const [code] = await once(running, "close")
  expect(output).toContain("deploy exited (SIGKILL)")
  expect(code).toBe(1)
})

test("the start script reports a missing service, and starts nothing", async () => {
  const running = start({ forge: lasting("forge") })
  const [code] = await once(running, "close")
  expect(output).toContain(join("apps", "deploy", "src", "main.ts"))
  expect(output).not.toContain("forge is up")
  expect(code).toBe(1)
})

const several = () => [join(root, "scripts", "start.ts"), "--processes", "2"]

test("several processes of a service share its port, and a killed one is restarted", async () => {
  const serving = (name: string) =>
    `import { createServer } from "node:http"
     process.on("SIGTERM", () => process.exit(0))
     createServer((_, answer) => answer.end(String(process.pid))).listen(0, "127.0.0.1", function () {
       console.log("${name} " + process.pid + " at " + this.address().port + ".")
     })`
  const running = start({ forge: serving("forge"), deploy: lasting("deploy") }, process.execPath, several(), {
    DATABASE_URL: "postgres://localhost/x"
  })
  const found = () => [...output.matchAll(/forge (\d+) at (\d+)\./g)]
  await expect.poll(() => found().length, { timeout: 20_000 }).toBe(2)
  const [first, second] = found()
  expect(first?.[2]).toBe(second?.[2])
  process.kill(Number(first?.[1]), "SIGKILL")
  await expect.poll(() => found().length, { timeout: 20_000 }).toBe(3)
  const answer = await fetch(`http://127.0.0.1:${first?.[2]}`)
  expect(found().map(([, pid]) => pid)).toContain(await answer.text())
  running.kill("SIGTERM")
  expect((await once(running, "close"))[0]).toBe(0)
})

test("several processes of a service with an embedded database are refused", async () => {
  const running = start({ forge: lasting("forge"), deploy: lasting("deploy") }, process.execPath, several(), {
    DATABASE_URL: "",
    FORGE_DATABASE_URL: "postgres://localhost/x",
    DEPLOY_DATABASE_URL: "file:here"
  })
  expect((await once(running, "close"))[0]).toBe(1)
  expect(output).toBe(
    "cannot start several processes: they share a PostgreSQL server: set DEPLOY_DATABASE_URL to its address\n"
  )
})
