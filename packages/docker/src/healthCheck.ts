import type { ContainerHealthCheck, EngineInfo } from "@slipway/domain/deploy/containers"

const octal = (character: string): string => `\\0${character.charCodeAt(0).toString(8).padStart(3, "0")}`

/** Rewrites a shell command so that it keeps its meaning if each sequence of spaces is replaced by one space. */
const withoutRuns = (text: string): string => {
  if (!/\s{2}|[^\S ]|^\s|\s$/.test(text)) return text
  const escaped = text.replaceAll("\\", "\\\\").replace(/[\s']/g, octal)
  return `eval "$(printf %b '${escaped}')"`
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

const shell = "CMD-SHELL"

/** Returns the script if a command has the form `/bin/sh -c script`; undefined for any other command. */
const shellText = ([program, flag, text, ...rest]: ReadonlyArray<string>): string | undefined =>
  program === "/bin/sh" && flag === "-c" && rest.length === 0 ? text : undefined

/**
 * Returns the field `Test` of a health check in the Docker Engine API.
 *
 * Some versions of Podman (before the fix of containers/podman#26519) join the arguments with spaces and split the
 * result at spaces again. An argument with a space is therefore passed inside a shell command.
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
