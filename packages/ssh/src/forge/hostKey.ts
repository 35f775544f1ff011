import { randomUUID } from "node:crypto"
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { Data, Effect } from "effect"
import ssh2 from "ssh2"

/** Reports that the key by which clients know this machine can't be read or made. */
export class HostKeyUnusable extends Data.TaggedError("HostKeyUnusable")<{ readonly message: string }> {}

const isPrivateKey = (text: string): boolean => {
  const parsed = ssh2.utils.parseKey(text)
  return !(parsed instanceof Error) && parsed.isPrivateKey()
}

/** Makes a private key by which clients know a machine, as OpenSSH writes it. */
export const makeHostKey = (): string => {
  // About one in 400 that the library makes can't be read by anybody: its numbers lose a leading zero.
  for (;;) {
    const made = ssh2.utils.generateKeyPairSync("ed25519").private
    if (isPrivateKey(made)) return made
  }
}

/** Writes a file atomically unless it exists: of two processes that start concurrently, one creates it. */
const writeOnce = async (path: string, text: string) => {
  const own = `${path}.${randomUUID()}`
  try {
    await writeFile(own, text, { mode: 0o600 })
    await link(own, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  } finally {
    await rm(own, { force: true })
  }
}

const present = (path: string) =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
    return undefined
  })

/**
 * Reads the key by which clients know this machine, and makes it the first time.
 *
 * It is for this user's eyes alone. Who loses it makes every client stop and ask.
 */
export const hostKey = (path: string): Effect.Effect<string, HostKeyUnusable> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      if ((await present(path)) === undefined) await writeOnce(path, makeHostKey())
      const text = await readFile(path, "utf8")
      if (!isPrivateKey(text)) throw new Error("it holds no private key")
      return text
    },
    catch: (error) =>
      new HostKeyUnusable({ message: `the SSH host key ${path} can't be used: ${(error as Error).message}` })
  })
