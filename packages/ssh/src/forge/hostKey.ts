import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { Data, Effect } from "effect"
import ssh2 from "ssh2"

/** Reports that the key by which clients know this machine can't be read or made. */
export class HostKeyUnusable extends Data.TaggedError("HostKeyUnusable")<{ readonly message: string }> {}

/**
 * Reads the key by which clients know this machine, and makes it the first time.
 *
 * It is for this user's eyes alone. Who loses it makes every client stop and ask.
 */
export const hostKey = (path: string): Effect.Effect<string, HostKeyUnusable> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const made = ssh2.utils.generateKeyPairSync("ed25519")
      // Of two that start at once, one makes it.
      await writeFile(path, made.private, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error
      })
      const text = await readFile(path, "utf8")
      const parsed = ssh2.utils.parseKey(text)
      if (parsed instanceof Error || !parsed.isPrivateKey()) throw new Error("it holds no private key")
      return text
    },
    catch: (error) =>
      new HostKeyUnusable({ message: `the SSH host key ${path} can't be used: ${(error as Error).message}` })
  })
