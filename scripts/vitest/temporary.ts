import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs"
import { freemem } from "node:os"
import { join } from "node:path"

const memory = "/dev/shm"
const room = 4 * 1024 ** 3
const hours = 3_600_000

/**
 * Moves the temporary files of a test run to memory, if the machine has room and allows programs there.
 *
 * Databases, git and containers wait for the disk to survive a power failure. That is a third of the run, and no test
 * needs it. An explicit `TMPDIR` is respected.
 */
export const temporaryFilesInMemory = (): void => {
  if (process.env.TMPDIR !== undefined || process.platform !== "linux") return
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .find(([, path]) => path === memory)
  if (mount?.[2] !== "tmpfs" || mount[3]?.split(",").some((option) => option === "noexec" || option === "ro")) return
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < room || freemem() < room) return
  // The name is short, because Podman accepts at most 50 characters for its run directory.
  const directory = join(memory, "slipway")
  mkdirSync(directory, { recursive: true })
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    try {
      if (Date.now() - statSync(path).mtimeMs > 3 * hours) rmSync(path, { recursive: true, force: true })
    } catch {
      // Another run was faster, or a container of a killed run is still mounted there.
    }
  }
  process.env.TMPDIR = directory
}
