// Installs missing dependencies before every npm script: `npm start` and `npm test` work in a fresh clone.
// Runs on any Node from version 20 on, so it uses no dependency and no TypeScript. The script after it
// finds Node 26 in node_modules/.bin, because npm starts each script in a separate shell.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const stamp = join(root, "node_modules", ".slipway-installed")
const node = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node")
const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "")

/** The inputs that determine node_modules: lock file, dependencies of each workspace, platform. */
const installInputs = () => {
  const { workspaces } = JSON.parse(read(join(root, "package.json")))
  const folders = workspaces
    .map((glob) => glob.replace(/\/\*$/, ""))
    .flatMap((parent) =>
      existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => join(parent, name)) : []
    )
  const manifests = [".", ...folders.sort()].map((folder) => {
    const text = read(join(root, folder, "package.json"))
    const { name, dependencies, devDependencies, peerDependencies, optionalDependencies, overrides } = JSON.parse(
      text || "{}"
    )
    return [folder, name, dependencies, devDependencies, peerDependencies, optionalDependencies, overrides]
  })
  return createHash("sha256")
    .update(JSON.stringify([process.platform, process.arch, manifests]))
    .update(read(join(root, "package-lock.json")))
    .digest("hex")
}

const fail = (why, output = "") => {
  process.stderr.write(`${output}\n${why}\n`)
  process.exit(1)
}

const [major] = process.versions.node.split(".").map(Number)
if (major < 20)
  fail(`slipway needs Node 20 or newer to install itself, this is ${process.version} (${process.execPath})`)

const key = installInputs()
if (read(stamp) === key && existsSync(node)) process.exit(0)

process.stderr.write("installing dependencies (once, about a minute) …\n")
const started = Date.now()
// Uses the npm that runs this script, if any. With --no-save an install never changes the lock file.
const npm = process.env.npm_execpath
const flags = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]
const options = { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 }
const install = (args) =>
  npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" })

const run = install(flags)
if (run.status !== 0) {
  fail(
    `could not install the dependencies: npm ${run.error ? `did not start (${run.error.message})` : `ended with ${run.signal ?? run.status}`}; ` +
      "its own words are above. Check the network and the npm registry, then run the command again.",
    `${run.stdout ?? ""}${run.stderr ?? ""}`
  )
}
// An install script downloads Node; the user's npm configuration may forbid it.
const rebuild = existsSync(node) ? undefined : install(["rebuild", "node", "--foreground-scripts", "--loglevel=error"])
const version = spawnSync(node, ["--version"], { encoding: "utf8" })
if (version.status !== 0) {
  fail(
    "the pinned Node did not install: the npm package `node` fetches it in its install script. " +
      "Allow that script (npm config: ignore-scripts=false), then run `npm rebuild node`.",
    `${rebuild?.stdout ?? ""}${rebuild?.stderr ?? ""}`
  )
}
writeFileSync(stamp, installInputs())
process.stderr.write(
  `installed in ${Math.round((Date.now() - started) / 1000)} s, with Node ${version.stdout.trim().slice(1)}\n`
)
