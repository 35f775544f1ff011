import type { Generation } from "./program.ts"

/** The escape sequences of special characters in double quotes, for each major version of the compose program. */
const written: Readonly<Record<Generation, Readonly<Record<string, string>>>> = {
  // It has no way to write a backslash before a quote, or a dollar sign before a brace, but as the default of a
  // variable that has no name.
  first: { "\\": `\${:-\\}`, $: `\${:-$}`, '"': '\\"', "\r": "\\r" },
  second: { "\\": "\\\\", $: "\\$", '"': '\\"', "\r": "\\r" }
}

/**
 * Returns whether a variable is passed to the compose program: its name is valid in an `.env` file, and does not
 * configure the program itself.
 */
const isPassedVariable = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name) && !name.startsWith("COMPOSE_")

/**
 * Returns variables in the format of an `.env` file, escaped so that the compose program reads each value unchanged.
 *
 * ```ts
 * import { variablesFile } from "./variablesFile.ts"
 *
 * variablesFile("second", [["A", "5 $ \"each\""], ["COMPOSE_FILE", "x"]]) // => "A=\"5 \\$ \\\"each\\\"\"\n"
 * ```
 */
export const variablesFile = (
  generation: Generation,
  variables: ReadonlyArray<readonly [name: string, value: string]>
): string =>
  variables
    .filter(([name, value]) => isPassedVariable(name) && !value.includes("\0"))
    .map(
      ([name, value]) =>
        `${name}="${value.replaceAll(/[\\$"\r]/g, (character) => written[generation][character] ?? character)}"\n`
    )
    .join("")
