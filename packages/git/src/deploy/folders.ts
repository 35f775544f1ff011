import { readdir, realpath, unlink } from "node:fs/promises"
import { sep } from "node:path"
import type { FolderKind } from "@slipway/subprocess"
import { Duration, Effect } from "effect"
import { measure, orNothing } from "../remote/folders.ts"

const wait = <A>(work: () => Promise<A>): Effect.Effect<A> => Effect.orDie(Effect.tryPromise(work))

/** The temporary folders of checkouts; they count as abandoned after a day, longer than any deployment takes. */
export const checkouts: FolderKind = { prefix: "slipway-source-", abandoned: Duration.days(1) }

/** Returns the total size of the files of a folder, in bytes. */
export const sizeOf = (folder: string): Effect.Effect<number> => wait(() => measure(folder))

/** Finds the links of a folder, by the bytes of their paths: names in a repository need not be UTF-8. */
const linksIn = async (folder: Buffer): Promise<ReadonlyArray<Buffer>> => {
  const links: Array<Buffer> = []
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: "buffer" })) {
    const path = Buffer.concat([folder, Buffer.from(sep), entry.name])
    if (entry.isSymbolicLink()) links.push(path)
    else if (entry.isDirectory()) links.push(...(await linksIn(path)))
  }
  return links
}

const cutLinks = async (folder: string): Promise<void> => {
  const top = await realpath(folder)
  const leads: Array<readonly [Buffer, string | undefined]> = []
  for (const link of await linksIn(Buffer.from(folder))) leads.push([link, await orNothing(realpath(link))])
  for (const [link, target] of leads) {
    if (target !== top && !target?.startsWith(top + sep)) await unlink(link)
  }
}

/** Removes the links of a folder with a target outside of it, a missing target, or a cycle. */
export const cutLinksOut = (folder: string): Effect.Effect<void> => wait(() => cutLinks(folder))
