import type { Generation } from "./program.ts"

/** The special characters between double quotes in each generation of the program, and how they are escaped. */
const written: Readonly<Record<Generation, Readonly<Record<string, string>>>> = {
  // It has no way to write a backslash before a quote, or a dollar sign before a brace, but as the default of a
  // variable that has no name.
  first: { "\\": `\${:-\\}`, $: `\${:-$}`, '"': '\\"', "\r": "\\r" },
  second: { "\\": "\\\\", $: "\\$", '"': '\\"', "\r": "\\r" }
}

/**
 * Whether a variable is passed to the program: its name is valid in files, and isn't one of the program's own settings.
 */
const isPassedVariable = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name) && !name.startsWith("COMPOSE_")

/**
 * Returns a file of variables, from which the program reads each value unchanged.
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
        `${name}="${value.replaceAll(/[\\$"\r]/g, (letter) => written[generation][letter] ?? letter)}"\n`
    )
    .join("")
