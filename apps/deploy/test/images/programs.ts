import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"

/** Lists the libraries that a program loads, and its loader; none for a script. */
const librariesOf = (program: string): ReadonlyArray<string> =>
  [...spawnSync("ldd", [program], { encoding: "utf8" }).stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path)

/** Copies programs of this machine and the libraries that they load into the root directory of an image. */
export const copyPrograms = (programs: ReadonlyArray<string>, root: string): void => {
  for (const path of new Set(programs.flatMap((program) => [program, ...librariesOf(program)]))) {
    const copy = join(root, path)
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(path, copy)
  }
}
