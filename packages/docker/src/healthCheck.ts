import type { ContainerHealthCheck, EngineInfo } from "@slipway/domain/deploy/containers"

const octal = (character: string): string => `\\0${character.charCodeAt(0).toString(8).padStart(3, "0")}`

/** Rewrites a shell text so that it keeps its meaning when each run of blanks becomes one blank. */
const withoutRuns = (text: string): string => {
  if (!/\s{2}|[^\S ]|^\s|\s$/.test(text)) return text
  const escaped = text.replaceAll("\\", "\\\\").replace(/[\s']/g, octal)
  return `eval "$(printf %b '${escaped}')"`
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

const shell = "CMD-SHELL"

/** Returns the shell text of a command that runs a shell; undefined for any other program. */
const shellText = ([program, flag, text, ...rest]: ReadonlyArray<string>): string | undefined =>
  program === "/bin/sh" && flag === "-c" && rest.length === 0 ? text : undefined

/**
 * Returns the field `Test` of a health check in the Docker Engine API.
 *
 * Podman before the fix of containers/podman#26519 joins the words with blanks and splits them at blanks again, so a
 * word with a blank survives only inside a shell text.
 */
export const healthTestOf = (
  { command }: Pick<ContainerHealthCheck, "command">,
  product: EngineInfo["product"]
): ReadonlyArray<string> => {
  const text = shellText(command)
  if (product === "docker") return text === undefined ? ["CMD", ...command] : [shell, text]
  if (text !== undefined) return [shell, withoutRuns(text)]
  const isSplit = command.some((word) => word === "" || /\s/.test(word))
  return isSplit ? [shell, withoutRuns(command.map(quoted).join(" "))] : ["CMD", ...command]
}
