// Measures 18 reads of this forge and of another one, such as Gitea, in the same world and in turns, with 16
// connections. The other forge is given by its address with an account that may create organizations:
// `SLIPWAY_BENCH_PEER=http://name:password@127.0.0.1:3001 npm run bench -- peer`. Creates an organization there and removes
// it. `SLIPWAY_BENCH_PEER_PID`, the id of its process, adds its memory to the result. Memory is read ten seconds after the
// load. Exits with code 1 when a read of git content has less than eight times the rate of the peer, or the service
// takes more than 256 MB. Linux only.
import { setTimeout } from "node:timers/promises"
import { startPostgres } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"
import { rateOf } from "./peer/client.ts"
import { makeWorld, type Site } from "./peer/world.ts"
import { flagsOf, memoryOf, serverVariables, start, withDirectory } from "./start/service.ts"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const turns = 3
const milliseconds = 2_000
const leastOfGit = 8
const mostMemory = 256
const settled = 10_000
const gitContent = ["a file", "a directory of 50 files", "a tree of 1,000 files", "a page of commits"]

const peerOf = (address: string): Site => {
  const url = new URL(address)
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  return { base: url.origin, username, password }
}

const compare = async (own: Site, peer: Site): Promise<ReadonlyArray<string>> => {
  const missed: Array<string> = []
  printProgress("creating the same objects on both")
  const worlds = await Promise.all([own, peer].map(async (site) => ({ base: site.base, ...(await makeWorld(site)) })))
  print("| requests a second | slipway | peer | ratio | wanted |")
  print("|---|---:|---:|---:|---:|")
  for (const name of Object.keys(worlds[0]?.paths ?? {})) {
    const rates = worlds.map((): Array<number> => [])
    for (let turn = 0; turn <= turns; turn++) {
      for (const [at, { base, paths, token }] of worlds.entries()) {
        const rate = await rateOf({ base, path: `/api/v1${paths[name]}`, token }, milliseconds)
        // The first turn fills caches and compiles code.
        if (turn > 0) rates[at]?.push(rate)
      }
    }
    const [ours = 0, theirs = 0] = rates.map(median)
    const ratio = ours / theirs
    const wanted = gitContent.includes(name) ? leastOfGit : undefined
    if (wanted !== undefined && !(ratio >= wanted))
      missed.push(`${name}: ${ratio.toFixed(1)} times, at least ${wanted}`)
    print(`| ${name} | ${ours.toFixed(0)} | ${theirs.toFixed(0)} | ${ratio.toFixed(1)} | ${wanted ?? ""} |`)
  }
  for (const { remove } of worlds) await remove()
  return missed
}

const address = process.env.SLIPWAY_BENCH_PEER
if (address === undefined) {
  printProgress(
    "SLIPWAY_BENCH_PEER is missing: http://name:password@host:port of another forge, with a site administrator's account"
  )
  process.exitCode = 2
} else {
  const program = Effect.gen(function* () {
    const { url } = yield* startPostgres()
    return yield* Effect.promise(() =>
      withDirectory(async (directory) => {
        const own = { username: "bench", password: "correct horse battery" }
        const settings = {
          FORGE_ADMIN_USERNAME: own.username,
          FORGE_ADMIN_PASSWORD: own.password,
          FORGE_SSH_PORT: "off",
          ...serverVariables
        }
        const started = await start("forge", directory, Redacted.value(url), flagsOf("server"), settings)
        try {
          const missed = await compare({ base: started.base, ...own }, peerOf(address))
          // The service collects its garbage when it is idle.
          await setTimeout(settled)
          const { now, peak } = memoryOf(started)
          print("")
          print("| memory of the process, MB | 10 s after the load | peak | at most |")
          print("|---|---:|---:|---:|")
          print(`| slipway, profile \`server\` | ${now.toFixed(0)} | ${peak.toFixed(0)} | ${mostMemory} |`)
          const theirs = process.env.SLIPWAY_BENCH_PEER_PID
          if (theirs !== undefined) {
            const memory = memoryOf({ process: { pid: Number(theirs) } })
            print(`| peer | ${memory.now.toFixed(0)} | ${memory.peak.toFixed(0)} | |`)
          }
          return now > mostMemory ? [...missed, `${now.toFixed(0)} MB, at most ${mostMemory}`] : missed
        } finally {
          await started.process.stop()
        }
      })
    )
  })
  const missed = await Effect.runPromise(Effect.scoped(program))
  for (const each of missed) printProgress(each)
  process.exitCode = missed.length > 0 ? 1 : 0
}
