import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { describe, expect, test } from "vitest"
import { runTiedToService } from "../src/forge/objects/childProcess.ts"

const run = (...words: ReadonlyArray<string>) =>
  spawn("sh", ["-c", runTiedToService, "sh", ...words], { detached: true, stdio: ["pipe", "pipe", "pipe"] })

/** Returns the processes of a child's group that still run. */
const left = ({ pid }: ChildProcess): ReadonlyArray<string> =>
  execFileSync("ps", ["-eo", "pgid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((row) => (Number(row.trim().split(" ")[0]) === pid ? [row] : []))

const until = async (is: () => boolean) => {
  for (let tries = 0; !is(); tries++) {
    if (tries > 2_000) throw new Error("it did not come to that")
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
const begun = (child: ChildProcess) => until(() => left(child).some((row) => row.endsWith(" sleep 60")))

// `git` that starts another program, as `git repack` does, and waits for it.
const waits = ["git", "-c", "alias.wait=!sleep 60; true", "wait"]

describe.concurrent("a program tied to the service", () => {
  test("returns its output and its exit code", async () => {
    const child = run("sh", "-c", "echo out; exit 7")
    const written = child.stdout.setEncoding("utf8").toArray()
    expect(await once(child, "close")).toEqual([7, null])
    expect((await written).join("")).toBe("out\n")
    await until(() => left(child).length === 0)
  })

  test("exits with its child processes when the service is killed, because its pipe closes", async () => {
    const child = run(...waits)
    await begun(child)
    child.stdin.destroy()
    await until(() => left(child).length === 0)
  })

  test("exits with its child processes when the service stops it", async () => {
    const child = run(...waits)
    await begun(child)
    child.kill("SIGTERM")
    await once(child, "exit")
    await until(() => left(child).length === 0)
  })
})
