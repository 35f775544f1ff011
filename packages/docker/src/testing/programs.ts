import { spawn } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { Data, Effect } from "effect"

/**
 * The error for a program that tests need but that is not available. The message names the package that contains it.
 */
export class ProgramUnavailable extends Data.TaggedError("ProgramUnavailable")<{ readonly message: string }> {}

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const found = (program: string): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"]
    .map((directory) => join(directory, program))
    .find(isProgram)

/** Finds a program on PATH or in Debian's system folders such as `/usr/sbin`. */
export const programPath = (program: string, debianPackage: string): Effect.Effect<string, ProgramUnavailable> =>
  Effect.suspend(() => {
    const path = found(program)
    return path === undefined
      ? Effect.fail(
          new ProgramUnavailable({
            message: `\`${program}\` is not installed: install Debian's package \`${debianPackage}\``
          })
        )
      : Effect.succeed(path)
  })

/** Runs a program and returns its output; fails if its exit code is not 0. */
export const run = (
  program: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>
): Effect.Effect<string, ProgramUnavailable> =>
  Effect.callback((resume) => {
    const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] })
    let written = ""
    child.stdout.on("data", (chunk) => {
      written += String(chunk)
    })
    child.stderr.on("data", (chunk) => {
      written += String(chunk)
    })
    const failed = (message: string) => resume(Effect.fail(new ProgramUnavailable({ message })))
    child.on("error", (error) => failed(error.message))
    child.on("close", (code) =>
      code === 0
        ? resume(Effect.succeed(written))
        : failed(`${program} ${args.join(" ")} ended with ${code}: ${written}`)
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })
