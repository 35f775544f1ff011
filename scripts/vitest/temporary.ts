import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs"
import { freemem } from "node:os"
import { join } from "node:path"

const memory = "/dev/shm"
const room = 4 * 1024 ** 3
const hours = 3_600_000

/**
 * Puts the temporary files of a test run into memory where the machine has room for them and lets programs run there.
 *
 * A database, a git repository and a container wait for the disk at each step that must survive a power failure, which
 * is a third of the run; no test takes the power away. Whoever sets `TMPDIR` chooses for themselves.
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
  // A short name: Podman takes at most 50 characters for where it keeps what runs.
  const directory = join(memory, "slipway")
  mkdirSync(directory, { recursive: true })
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    try {
      if (Date.now() - statSync(path).mtimeMs > 3 * hours) rmSync(path, { recursive: true, force: true })
    } catch {
      // Another run was first, or a container of a run that was killed is still mounted there.
    }
  }
  process.env.TMPDIR = directory
}
