import { execFileSync } from "node:child_process"

/**
 * Gives this process, its threads and its later child processes priority over all other programs, including kernel
 * threads. Returns whether the machine permits this.
 *
 * Linux permits this priority (`SCHED_RR`) to root and to processes with `CAP_SYS_NICE`.
 */
export const raisePriority = (): boolean => {
  try {
    execFileSync("chrt", ["--all-tasks", "--rr", "--pid", "1", String(process.pid)], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
