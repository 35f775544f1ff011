import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The exit code and output of a program. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Creates a user's folder with a git that ignores the machine's settings. */
export const workplace = (environment: Readonly<Record<string, string>> = {}) => {
  const home = mkdtempSync(join(tmpdir(), "slipway-test-git-"))
  const git = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_TERMINAL_PROMPT: "0",
        GIT_AUTHOR_NAME: "Ann",
        GIT_AUTHOR_EMAIL: "ann@x.example",
        GIT_COMMITTER_NAME: "Ann",
        GIT_COMMITTER_EMAIL: "ann@x.example",
        ...environment,
        ...more
      }
      execFile("git", args, { cwd: home, env, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err })
      })
    })
  return { home, git, remove: () => rmSync(home, { recursive: true, force: true }) }
}
