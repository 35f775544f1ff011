/** Reads the files, commands and programs of the tutorial, with their output. */

import { format } from "node:util"
import { runInThisContext } from "node:vm"

/** A file to save, or a command with its output, which a page may omit. */
export type PageCommand =
  | { readonly file: string; readonly text: string }
  | { readonly command: string; readonly prints: string | undefined }

/** Returns the output of a program according to the comments behind its lines. */
const printedBy = (program: string): string =>
  [...program.matchAll(/ \/\/ => (.*)$/gm)].map(([, value = ""]) => format(runInThisContext(`(${value})`))).join("\n")

const commandsIn = (block: string): ReadonlyArray<PageCommand> =>
  block
    .trimEnd()
    .split(/^\$ /m)
    .slice(1)
    .map((each) => {
      const [command = "", ...lines] = each.trimEnd().split("\n")
      return { command, prints: lines.length === 0 ? undefined : lines.join("\n") }
    })

/** Returns the files and commands of a page in order: expectations are `company.access`, each program is `rules.mjs`. */
export const pageCommandsOn = (page: string): ReadonlyArray<PageCommand> =>
  [...page.matchAll(/^```(access|console|ts)\n(.*?)^```$/gms)].flatMap(
    ([, kind, text = ""]): ReadonlyArray<PageCommand> => {
      if (kind === "access") return [{ file: "company.access", text }]
      if (kind === "console") return commandsIn(text)
      return [
        { file: "rules.mjs", text },
        { command: "node rules.mjs", prints: printedBy(text) }
      ]
    }
  )
