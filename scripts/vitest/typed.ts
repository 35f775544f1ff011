/** Reads what a page has its reader type: files, commands and programs, with what they print. */

import { format } from "node:util"
import { runInThisContext } from "node:vm"

/** A file that is saved, or a command with what it prints; a page may leave that out. */
export type Typed =
  | { readonly file: string; readonly text: string }
  | { readonly command: string; readonly prints: string | undefined }

/** Returns what a program prints, as the page says behind its lines. */
const printedBy = (program: string): string =>
  [...program.matchAll(/ \/\/ => (.*)$/gm)].map(([, value = ""]) => format(runInThisContext(`(${value})`))).join("\n")

const commandsIn = (block: string): ReadonlyArray<Typed> =>
  block
    .trimEnd()
    .split(/^\$ /m)
    .slice(1)
    .map((each) => {
      const [command = "", ...lines] = each.trimEnd().split("\n")
      return { command, prints: lines.length === 0 ? undefined : lines.join("\n") }
    })

/** Returns what a page has typed, in its order: expectations are `company.access`, and each program is `rules.mjs`. */
export const typedOn = (page: string): ReadonlyArray<Typed> =>
  [...page.matchAll(/^```(access|console|ts)\n(.*?)^```$/gms)].flatMap(([, kind, text = ""]): ReadonlyArray<Typed> => {
    if (kind === "access") return [{ file: "company.access", text }]
    if (kind === "console") return commandsIn(text)
    return [
      { file: "rules.mjs", text },
      { command: "node rules.mjs", prints: printedBy(text) }
    ]
  })
